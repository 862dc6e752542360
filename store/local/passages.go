package local

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// passageBatch is how many rows are written by one statement: what a statement costs
// beside its rows no longer counts, and few statements are kept prepared.
const passageBatch = 16

// passageColumns are what a statement takes of each row.
const passageColumns = 5

// written is the only revision of a document that a change adds, with what stands of it
// in the record, so that it need not be read back.
type written struct {
	*store.Revision
	// Of its passages; ids and keys in bytes.
	numbers   []int64
	ids, keys []string
	digests   [][]byte

	doc, sequence           int64 // its row of document
	row                     int64 // of revision
	recorded                store.Recorded
	valid                   document.Interval
	class                   int64
	access                  string // of class
	metadata, outline, body []byte
}

// passages returns the rows of a revision's passages. It writes those that the document
// does not have already.
func (a *applier) passages(doc int64, fresh bool, r *store.Revision) ([]int64, error) {
	var had map[string]int64
	if !fresh {
		var err error
		if had, err = a.passagesOf(doc); err != nil {
			return nil, err
		}
	}
	n := len(r.Passages)
	rows, digests, ids, keys := make([]int64, n), make([][]byte, n), make([]string, n), make([]string, n)
	batch, encoded := a.batch[:0], a.encoded[:0]
	var waiting []*int64 // the numbers that the rows of the batch will have
	for i := range r.Passages {
		p := &r.Passages[i]
		id, err := hex.DecodeString(string(p.ID))
		if err != nil {
			return nil, fmt.Errorf("%w: passage id %q", store.ErrInvalid, p.ID)
		}
		key, err := hex.DecodeString(string(p.Key))
		if err != nil {
			return nil, fmt.Errorf("%w: content key %q", store.ErrInvalid, p.Key)
		}
		from := len(encoded)
		encoded = sealFrom(terms.Append(encoded, &r.Terms[i]), from)
		whole := encoded[from:]
		digests[i] = a.digest.of(key, whole)
		ids[i], keys[i] = string(id), string(key)
		if row, ok := had[ids[i]+string(digests[i])]; ok {
			rows[i] = row
			continue
		}
		batch, waiting = append(batch, doc, id, key, digests[i], whole), append(waiting, &rows[i])
		if len(waiting) == passageBatch {
			if err := a.insertPassages(batch, waiting); err != nil {
				return nil, err
			}
			batch, waiting, encoded = batch[:0], waiting[:0], encoded[:0]
		}
	}
	a.batch, a.encoded = batch, encoded
	if err := a.insertPassages(batch, waiting); err != nil {
		return nil, err
	}
	if fresh {
		a.fresh[doc] = &written{Revision: r, numbers: rows, ids: ids, keys: keys, digests: digests, doc: doc, sequence: a.sequence}
		a.freshRows[r.Document] = doc
	}
	return rows, nil
}

// passagesOf gives the rows of a document's passages by id and digest.
func (a *applier) passagesOf(doc int64) (map[string]int64, error) {
	out := map[string]int64{}
	var row int64
	var id, digest []byte
	err := a.each(a.ctx, passageRows, []any{doc}, []any{&row, &id, &digest}, func() error {
		out[string(id)+string(digest)] = row
		return nil
	})
	return out, err
}

// insertPassages writes rows by one statement, which numbers them one after the other.
func (a *applier) insertPassages(batch []any, numbers []*int64) error {
	if len(numbers) == 0 {
		return nil
	}
	values := strings.Repeat(", (?, ?, ?, ?, ?)", len(batch)/passageColumns)[2:]
	result, err := a.exec(a.ctx, "INSERT INTO passage (document, id, key, digest, terms) VALUES "+values, batch...)
	if err != nil {
		return err
	}
	last, err := result.LastInsertId()
	if err != nil {
		return err
	}
	first := last - int64(len(numbers)) + 1
	for i, n := range numbers {
		*n = first + int64(i)
	}
	return nil
}

// passageDigest tells rows of one passage id apart.
func passageDigest(key, terms []byte) []byte { return new(digester).of(key, terms) }

// digester makes digests of passages, one after the other.
type digester struct {
	hash hash.Hash
	head []byte
}

func (d *digester) of(key, terms []byte) []byte {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	d.hash.Reset()
	d.head = append(strconv.AppendInt(d.head[:0], int64(len(key)), 10), ':')
	for _, part := range [][]byte{d.head, key, terms} {
		d.hash.Write(part)
	}
	return d.hash.Sum(make([]byte, 0, sha256.Size))[:16]
}
