package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/store/local"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	s, err := local.Open(ctx, t.TempDir()+"/q.db", local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := quarry.Open(quarry.Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := c.Sync(ctx, "docs", "../../examples/handbook/docs", quarry.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d added, failed %v, skipped %v, took %v\n", len(r.Added), r.Failed, r.Skipped, time.Since(start))
	start = time.Now()
	r, err = c.Sync(ctx, "docs", "../../examples/handbook/docs", quarry.Progress{})
	fmt.Printf("again %d added, %d unchanged, took %v %v\n", len(r.Added), r.Unchanged, time.Since(start), err)
	a, err := c.Ask(ctx, "After the contract renewal, can the customer still request a refund?", document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(a.Answer.Status, a.Answer.Text)
	for _, c := range a.Answer.Citations {
		fmt.Println(c.N, c.Document.Path, c.Heading, c.Quote)
	}
	set, problems, err := evaluate.Load("../../examples/handbook")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(problems)
	m := measure.Corpus{Corpus: c}
	rep, err := evaluate.Run(ctx, set, m, evaluate.Options{Asker: m, Only: os.Getenv("ONLY")})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.MarshalIndent(rep, "", " ")
	os.WriteFile("/tmp/rep.json", b, 0o644)
	rep.WriteTable(os.Stdout)
}
