package lanes

import (
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
)

// plan is how a question finds the nearest vectors.
type plan struct {
	exhaustive bool
	// Of a walk through the HNSW index: how many vectors are asked for, how many candidates it
	// keeps, whether it goes on until it has so many, and what comparing all would cost.
	limit, list int
	iterate     bool
	cost        float64
}

// Costs in microseconds at 384 dimensions: a passage that is compared, and a candidate that a walk
// keeps. Their ratio is what counts: in one run of benchmarks/search over 20,000 passages, on a busy
// machine, 2,000 were compared in 33 ms, and a walk that kept 150 candidates took 18.
const (
	costOfComparing = 1.5
	costOfCandidate = 12
)

func costOfWalk(list int) float64 { return costOfCandidate * float64(list) }

// The walk keeps as many candidates as are wanted, and fewestListed at least. Under a filter it needs
// some times more, since what it passes over is not spread evenly, and since the nearest that are seen are
// farther away, where a walk misses more: with 2 times as many it found 0.93 of the nearest 50 of a tenant
// with half of 200,000 vectors, with 5 times 0.98.
const (
	filteredTimes = 5
	fewestListed  = 100
)

// choose plans by counts: of the passages to compare, of those of the tenant that have vectors,
// and of the vectors in the table. The more of them the walk has to pass over, the more the
// exhaustive plan pays; and it finds all.
func choose(seen, embedded, vectors, k int) plan {
	share := float64(seen) / float64(max(embedded, 1))                 // that is seen of what the walk gives
	ofTenant := float64(embedded) / float64(max(vectors, embedded, 1)) // that it gives of what it finds
	p := plan{limit: k, list: max(k, fewestListed), cost: costOfComparing * float64(seen)}
	if share*ofTenant < 0.98 {
		p.limit = int(math.Ceil(1.25*float64(k)/share)) + 10
		p.list = max(p.limit, int(math.Ceil(filteredTimes*float64(p.list)/share/ofTenant)))
		p.iterate = true
		if p.list > mostSearched { // the scan goes on, list by list, until it has given so many
			p.limit = max(p.limit, int(0.8*float64(p.list)*ofTenant))
		}
	}
	p.exhaustive = p.cost <= costOfWalk(p.list)
	return p
}

// tableSize is what is kept of a table of vectors, as it was when some passages of the tenant
// got theirs.
type tableSize struct {
	stamp   int64
	vectors int // as Postgres estimates
	indexed bool
}

func (r *Reader) plan(ctx context.Context, t VectorTable, has embeddedSet, k int) (plan, error) {
	size, err := r.sizeOf(ctx, t, has.stamp)
	if err != nil || !size.indexed {
		return plan{exhaustive: true}, err
	}
	return choose(has.rows, has.all, size.vectors, k), nil
}

func (r *Reader) sizeOf(ctx context.Context, t VectorTable, stamp int64) (tableSize, error) {
	kept := &r.index.kept
	kept.mu.Lock()
	size := kept.tables[t.Name]
	kept.mu.Unlock()
	if size.stamp == stamp {
		return size, nil
	}
	rows, err := r.q.Query(ctx, `
		SELECT greatest(reltuples, 0)::bigint, to_regclass($2) IS NOT NULL FROM pg_class WHERE oid = to_regclass($1)`, t.Name, hnswOf(t))
	if err != nil {
		return size, err
	}
	size = tableSize{stamp: stamp}
	if _, err := pgx.ForEachRow(rows, []any{&size.vectors, &size.indexed}, func() error { return nil }); err != nil {
		return size, err
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.tables == nil || len(kept.tables) >= keptSets {
		kept.tables = map[string]tableSize{}
	}
	kept.tables[t.Name] = size
	return size, nil
}

// fewestIndexed is with how many vectors a table gets an HNSW index. Fewer are compared
// in less time than it takes to walk the index and to keep it.
const fewestIndexed = 5000

// dueEvery is after how many more content keys with vectors it is asked again whether the table
// is to get its index.
const dueEvery = 1000

// due says whether a table is to get its index: when nine of ten contents have vectors. It is made in
// a fifth of the time then that putting vectors into it one by one would have taken. Until
// then questions compare all that there are.
func due(vectors, contents int) bool { return vectors >= fewestIndexed && 10*vectors >= 9*contents }

func hnswOf(t VectorTable) string { return t.Name + "_hnsw" }

// VectorIndex is SQL that prepares a new table of vectors: short ones lie in the table itself and
// not beside it, so that comparing many of them reads its pages one after the other.
func VectorIndex(table string, dims int) string {
	const inPage = 2000 // dimensions of four bytes that fit in a page of 8 kB
	if dims > inPage {
		return ""
	}
	return fmt.Sprintf(`ALTER TABLE %[1]s SET (toast_tuple_target = 8160); ALTER TABLE %[1]s ALTER COLUMN embedding SET STORAGE PLAIN;`, table)
}

// hnsw makes the index, over halves: half as large, as near to the truth as its walk is, and
// up to 4,000 dimensions. Scores come from the whole vectors.
func hnsw(t VectorTable) string {
	return fmt.Sprintf(`CREATE INDEX IF NOT EXISTS %s ON %s USING hnsw ((embedding::halfvec(%d)) halfvec_ip_ops) WITH (ef_construction = 128)`, hnswOf(t), t.Name, t.Dims)
}

// hnswMemory is how many bytes the server is to build the index in, since it takes many times longer
// once its graph does not fit: the halves and the links of each vector, a gigabyte at most.
func hnswMemory(t VectorTable, vectors int) int64 {
	const links, most = 400, 1 << 30
	return min(int64(vectors)*int64(2*t.Dims+links), most)
}
