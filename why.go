package quarry

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/diagnose"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Expected is what a question should have found: a document, one of its headings,
// or a quote.
type Expected = diagnose.Expected

// Diagnosis says stage by stage what became of what was expected.
type Diagnosis = diagnose.Report

// ErrExpected is wrapped by the errors about what is expected of a question: it
// names nothing, is too long, or stands for several documents.
var ErrExpected = errors.New("what is expected cannot be looked for")

// maxName bounds the name of an expected document with its heading, in bytes.
const maxName = 4 << 10

// Why asks a question and says what became of what it should have found, in every
// stage from the source to the citation, and which stage lost it. What the scope
// may not read is reported as what does not exist.
func (c *Corpus) Why(ctx context.Context, question string, scope document.Scope, e Expected) (Diagnosis, error) {
	if err := checkExpected(e); err != nil {
		return Diagnosis{}, err
	}
	type outcome struct {
		Diagnosis
		asked Asked
	}
	out, err := recorded(ctx, c, auditOf("why", question, e), scope, func(scope document.Scope) (outcome, error) {
		asked, err := c.ask(ctx, question, scope, nil)
		if err != nil {
			return outcome{}, err
		}
		d, err := c.diagnose(ctx, asked, scope, e, false)
		return outcome{d, asked}, err
	}, func(o outcome) []ShownRevision {
		list := o.asked.shown()
		for _, d := range o.Read {
			list = append(list, ShownRevision{Document: d.Document, Revision: d.Hash})
		}
		return list
	})
	return out.Diagnosis, err
}

// auditOf is the record of a diagnosis.
func auditOf(call, question string, e Expected) AuditRecord {
	expected := e.Document
	if e.Heading != "" {
		expected += "#" + e.Heading
	}
	return AuditRecord{Call: call, About: question, Expected: expected, Quote: e.Quote, Reader: e.Reader}
}

// LostAt is Why for a question that was asked already with the same scope: it
// searches nothing again that a stage has kept, and names the stage alone; "" where
// nothing was lost.
func (c *Corpus) LostAt(ctx context.Context, asked Asked, scope document.Scope, e Expected) (string, error) {
	if err := checkExpected(e); err != nil {
		return "", err
	}
	return recorded(ctx, c, auditOf("lost_at", asked.Question, e), scope, func(scope document.Scope) (string, error) {
		d, err := c.diagnose(ctx, asked, scope, e, true)
		return string(d.LostAt), err
	}, func(string) []ShownRevision { return nil })
}

func checkExpected(e Expected) error {
	switch {
	case e.Document == "" && e.Heading != "":
		return fmt.Errorf("%w: a heading needs its document", ErrExpected)
	case e.Document == "" && e.Quote == "":
		return fmt.Errorf("%w: name a document or give a quote", ErrExpected)
	case len(e.Document)+len(e.Heading) > maxName:
		return fmt.Errorf("%w: the name of a document and its heading have at most %d bytes", ErrExpected, maxName)
	case len(e.Quote) > query.MaxQuestion:
		return fmt.Errorf("%w: a quote has at most %d bytes: give a part of it", ErrExpected, query.MaxQuestion)
	case e.Quote != "" && evaluate.NewQuote(e.Quote).Len() == 0:
		return fmt.Errorf("%w: the quote has no letter and no digit", ErrExpected)
	}
	return nil
}

func (c *Corpus) diagnose(ctx context.Context, asked Asked, scope document.Scope, e Expected, brief bool) (Diagnosis, error) {
	var err error
	if e.Reader, err = c.readers(ctx, scope, e.Reader); err != nil {
		return Diagnosis{}, err
	}
	s := asked.AsOf.settled()
	if s.question == "" {
		var err error
		if s, err = c.settle(ctx, asked.Question, scope); err != nil {
			return Diagnosis{}, err
		}
	}
	if s.asOf.Then != 0 { // what is expected is looked for on the second day
		s = s.on(s.asOf.Then)
	}
	scope.AsOf, scope.Drafts = s.scope.AsOf, s.scope.Drafts
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return Diagnosis{}, fmt.Errorf("opening a view of the store: %w", err)
	}
	defer view.Close()
	plan, err := plan(ctx, view, s.question, scope, &trace.Trace{})
	if err != nil {
		return Diagnosis{}, err
	}
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return Diagnosis{}, err
	}
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	o := c.options
	originals := map[document.ID]diagnose.Original{} // each read once
	d, err := diagnose.Explain(ctx, diagnose.Case{
		Expected: e, Scope: scope, Brief: brief,
		Run: diagnose.Run{Plan: plan, Candidates: asked.Candidates, Beyond: asked.Beyond, Evidence: asked.Evidence,
			Answer: asked.Answer, Trace: asked.Trace},
		View: view, Open: c.store.View, Sources: names,
		Lanes: func(k int, ids []document.PassageID) []retrieve.Said {
			return retrieve.Lanes(ctx, view, plan, o.Embedder, o.retrieval(), k, ids)
		},
		Original: func(id document.ID) diagnose.Original {
			if _, ok := originals[id]; !ok {
				originals[id] = c.original(ctx, sources, id)
			}
			return originals[id]
		},
		PerLane: o.Retrieval.PerLane, Passages: o.Evidence.Passages,
	})
	if errors.Is(err, diagnose.ErrAmbiguous) {
		err = fmt.Errorf("%w: %w", ErrExpected, err)
	}
	return d, err
}

// original is what the source of a document holds now, and what indexing it would
// make. Sources that are no folder or file are not known.
func (c *Corpus) original(ctx context.Context, sources []document.Source, id document.ID) (o diagnose.Original) {
	for _, s := range sources {
		if s.Name != id.Source || s.Kind != "folder" && s.Kind != "file" {
			continue
		}
		place, err := source.Open(s.Root, c.options.source())
		if err != nil {
			return o
		}
		found, err := place.Find(ctx, id.Path)
		if err != nil {
			return o
		}
		o.Known, o.Gone = found.Complete, len(found.Items) == 0
		for _, item := range found.Items {
			r := c.prepareEntry(ctx, id.Source, entry{path: item.Path, name: item.Path, read: item.Read}, store.State{})
			if r.err == nil && r.failure == nil {
				m := r.revision.Metadata
				o.Hash, o.Pipeline, o.Text, o.Tenant, o.Access = r.revision.Hash, r.revision.Pipeline, r.revision.Text, m.Tenant, m.Access
			}
		}
	}
	return o
}
