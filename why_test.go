package quarry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// What cannot be asked or looked for is an error of its own kind, and nothing of it
// is done.
func TestWhyRefuses(t *testing.T) {
	c := over(t, quarry.Options{})
	root, _ := folder(t, map[string]string{"fees.md": "# Fees\n\nThe handling fee is 5 percent.\n"})
	synced(t, c, root)
	const question = "What is the handling fee?"
	megabyte := strings.Repeat("handling fee ", 80_000)
	for _, r := range []struct {
		name, question string
		expected       quarry.Expected
		want           error
	}{
		{"nothing expected", question, quarry.Expected{}, quarry.ErrExpected},
		{"a heading without its document", question, quarry.Expected{Heading: "Fees"}, quarry.ErrExpected},
		{"a quote without letters", question, quarry.Expected{Quote: " \n\t- "}, quarry.ErrExpected},
		{"a quote of a megabyte", question, quarry.Expected{Quote: megabyte}, quarry.ErrExpected},
		{"a name of a megabyte", question, quarry.Expected{Document: megabyte}, quarry.ErrExpected},
		{"a question of a megabyte", megabyte, quarry.Expected{Document: "fees.md"}, quarry.ErrLongQuestion},
	} {
		_, err := c.Why(t.Context(), r.question, document.Scope{}, r.expected)
		if !errors.Is(err, r.want) || len(err.Error()) > 300 {
			t.Errorf("%s: %.300v", r.name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Why(ctx, question, document.Scope{}, quarry.Expected{Document: "fees.md"}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// LostAt goes by the run that was made, and does not search again: a document
// that came later changes nothing of it.
func TestLostAtOfARun(t *testing.T) {
	c := over(t, quarry.Options{})
	root, write := folder(t, map[string]string{"fees.md": "# Fees\n\nThe handling fee is 5 percent.\n"})
	synced(t, c, root)
	asked, err := c.Ask(t.Context(), "What is the handling fee?", document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if len(asked.Candidates) != 1 || asked.Candidates[0].Keyword.Place != 1 || asked.Candidates[0].Fused != 1 || len(asked.Beyond) != 0 {
		t.Errorf("the run has %+v and beyond %+v", asked.Candidates, asked.Beyond)
	}
	for range 2 {
		stage, err := c.LostAt(t.Context(), asked, document.Scope{}, quarry.Expected{Document: "fees.md#Fees"})
		if err != nil || stage != "" {
			t.Errorf("lost at %q, %v", stage, err)
		}
		write("more.md", "# Handling fee\n\nThe handling fee is a handling fee.\n")
		synced(t, c, root)
	}
}
