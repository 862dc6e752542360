//go:build unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestKillReembed ends a re-embedding with SIGKILL, while a request runs and in the
// moments after the last one, in which the vectors are swapped. Whatever the moment,
// questions go on with the one model or with the other and the store is sound; the next
// run goes on.
func TestKillReembed(t *testing.T) {
	t.Parallel()
	const passages, items = 90, 8
	kills := 16
	if testing.Short() {
		kills = 6
	}
	service := testkit.NewEmbeddings(t, 16)
	s := newSandbox(t)
	for n := range passages {
		s.write(fmt.Sprintf("docs/d%02d.md", n), fmt.Sprintf("# Remark %d\n\nThis remark is number%d of them.\n", n, n))
	}
	for _, model := range []string{"one", "two"} {
		s.write(model+".yaml", fmt.Sprintf("embedding:\n  model: service\n  service: {url: %q, model: %s, dimensions: 16, batch_items: %d, requests: 1}\n", service.URL, model, items))
	}
	was, is := "one", "two"
	s.want(0, "add", "docs", "--config", was+".yaml")

	rnd := rand.New(rand.NewPCG(4, 2))
	begun, swapped, lacking := 0, 0, passages
	for n := range kills {
		// The last request of what is lacking is answered and the command killed soon after,
		// or it is killed while one before waits.
		last := (lacking + items - 1) / items
		at := 1 + rnd.IntN(last)
		if n%2 == 1 {
			at = last
		}
		cmd := s.command(t.Context(), "reembed", "--config", is+".yaml")
		var came atomic.Int32
		started := make(chan struct{})
		kill := func() {
			<-started
			cmd.Process.Kill()
		}
		service.Rule(func(testkit.Request) testkit.Fault {
			switch now := int(came.Add(1)); {
			case now < at:
				return nil
			case n%2 == 0:
				return func(_ http.ResponseWriter, r *http.Request, _ testkit.Answer) []int {
					kill()
					<-r.Context().Done()
					return nil
				}
			}
			time.AfterFunc(time.Duration(rnd.IntN(50_000))*time.Microsecond, kill)
			return nil
		})
		s.must(cmd.Start())
		close(started)
		cmd.Wait()
		service.Heal()

		status := s.want(0, "reembed", "--status", "--config", is+".yaml").out
		lacking = passages
		if strings.HasPrefix(status, "vectors: of "+is) {
			swapped++
			was, is = is, was
		} else if _, left, ok := strings.Cut(status, "16 dimensions), "); ok {
			begun++
			fmt.Sscan(left, &lacking)
			lacking = max(lacking, 1)
		}
		s.want(0, "search", "--config", was+".yaml", "remark number5")
		s.want(1, "search", "--config", is+".yaml", "remark number5")
		s.want(0, "doctor", "--config", was+".yaml")
	}
	s.want(0, "reembed", "--config", is+".yaml")
	if status := s.want(0, "status", "--config", is+".yaml").out; !strings.Contains(status, "\nvectors: of "+is) || strings.Contains(status, "begun") {
		t.Errorf("in the end: %s", status)
	}
	docs := s.want(0, "docs", "--config", is+".yaml", "--json").out
	if n := strings.Count(docs, `"vectors": 1`); n != passages {
		t.Errorf("%d of %d documents have their vector", n, passages)
	}
	t.Logf("of %d kills %d left it begun, %d came after the swap", kills, begun, swapped)
}
