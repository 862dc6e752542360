package main

import "github.com/seed-d3156d19/quarry/document"

// The JSON of show. The part that was asked for is there; without one the outline and
// the passages.
type showJSON struct {
	documentJSON
	Format      string              `json:"format"`
	Authority   int                 `json:"authority"`
	Readers     []string            `json:"readers"`
	Deny        []string            `json:"deny"`
	Public      bool                `json:"public"`
	Where       map[string][]string `json:"attributes"`
	Superseded  *supersededJSON     `json:"superseded"`
	Outline     []sectionJSON       `json:"outline,omitempty"`
	Passages    []passageJSON       `json:"passages,omitempty"` // in place of their number
	Text        *string             `json:"text,omitempty"`
	Extraction  *extractionJSON     `json:"extraction,omitempty"`
	References  *[]referenceJSON    `json:"references,omitempty"`
	Definitions *[]definitionJSON   `json:"definitions,omitempty"`
}

type sectionJSON struct {
	Level       int      `json:"level"`
	Heading     string   `json:"heading"`
	Number      string   `json:"number"`
	Path        []string `json:"path"`
	Span        [2]int   `json:"span"`
	Description string   `json:"description"`
}

type passageJSON struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Heading []string `json:"heading"`
	Context string   `json:"context"`
	Text    string   `json:"text"`
	Span    [2]int   `json:"span"`
	Tokens  int      `json:"tokens"`
}

type extractionJSON struct {
	Pages      int      `json:"pages"`
	EmptyPages []int    `json:"pages_without_text"`
	Characters int      `json:"characters"`
	Unreadable int      `json:"unreadable"`
	Headings   int      `json:"headings"`
	Outside    int      `json:"outside_headings"`
	Tables     int      `json:"tables"`
	Notes      []string `json:"notes"`
	Doubts     []string `json:"doubts"`
}

func (a *app) writeShow(s shown) error {
	r, m := s.revision, s.revision.Metadata
	out := showJSON{documentJSON: documentOf(s.listed), Format: r.Format, Authority: m.Authority, Public: m.Access.Everyone,
		Readers: list(m.Access.Readers), Deny: list(m.Access.Deny), Where: m.Attributes, Superseded: supersededOf(s.superseded)}
	if out.Where == nil {
		out.Where = map[string][]string{}
	}
	if s.part == "outline" || s.part == "" {
		for _, s := range r.Sections {
			out.Outline = append(out.Outline, sectionJSON{s.Level, s.Heading, s.Number, list(s.Path), pair(s.Span), s.Description})
		}
	}
	if s.part == "passages" || s.part == "" {
		for _, p := range r.Passages {
			out.Passages = append(out.Passages, passageJSON{string(p.ID), string(p.Kind), list(r.Sections[p.Section].Path), p.Context, p.Text, pair(p.Span), p.Tokens})
		}
	}
	switch s.part {
	case "text":
		out.Text = &r.Text
	case "extraction":
		e := s.extraction
		out.Extraction = &extractionJSON{e.Pages, list(e.EmptyPages), e.Characters, e.Unreadable, e.Headings, e.Outside, e.Tables, list(e.Notes), list(e.Doubts)}
	case "references":
		out.References = referencesOf(s.references)
	case "definitions":
		out.Definitions = definitionsOf(s)
	}
	return a.writeJSON(out)
}

func pair(s document.Span) [2]int { return [2]int{s.From, s.To} }
