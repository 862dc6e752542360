package engine

import (
	"context"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Build makes the index of an engine in dir and measures its parts. What reads the
// corpus stands outside of them.
func (e Engine) Build(ctx context.Context, files corpus.Files, dir string) (measure.Built, error) {
	var built measure.Built
	spent := map[string]*measure.Part{}
	var order []string
	err := e.build(ctx, files, dir, func(name string, do func() error) error {
		p := spent[name]
		if p == nil {
			p = &measure.Part{Name: name}
			spent[name] = p
			order = append(order, name)
		}
		cpu, began := measure.CPU(), time.Now()
		err := do()
		p.CPU += measure.CPU() - cpu
		p.Wall += time.Since(began)
		return err
	})
	if err != nil {
		return built, err
	}
	for _, name := range order {
		built.Parts = append(built.Parts, *spent[name])
	}
	built.Bytes = measure.DiskUse(dir)
	if e.size != nil {
		if built.Bytes, err = e.size(ctx); err != nil {
			return built, err
		}
	}
	built.Peak = measure.Peak()
	return built, nil
}
