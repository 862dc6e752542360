package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/trace"
)

func TestIntent(t *testing.T) {
	for _, c := range []struct {
		question string
		want     Intent
	}{
		{"After the contract renewal, can the customer still request a refund?", Fact},
		{"How do I cancel my subscription?", Fact},
		{"Can I cancel a training?", Fact},
		{"Who may cancel the order INV-4471?", Fact},
		{"cancellation rules for training", Fact},
		{"Update process for the wiki", Fact},
		{"What is the current refund policy?", Fact},
		{"What is the current status of DEC-0054?", Fact},
		{"Show me the retention periods", Fact},
		{"List the approvers of refunds", Fact},
		{"How many days of leave do I have?", Fact},
		{"Report a lost laptop: how?", Fact},

		{"Cancel my subscription", Action},
		{"Please delete the user account of our trainee", Action},
		{"Can you reset my password?", Action},
		{"could you please send the invoice to the customer", Action},
		{"I want you to book a flight", Action},
		{"Book me a room in Oslo", Action},

		{"What is Northfjord Air's current account balance?", LiveData},
		{"What's the weather in Bergen today?", LiveData},
		{"How long is the support queue right now?", LiveData},
		{"Who is logged in at the moment?", LiveData},

		{"Summarise the travel policy", WholeDocument},
		{"Please give me an overview of the agreement", WholeDocument},
		{"Can you translate the leave policy into German?", WholeDocument},
		{"How many times does the contract mention notice?", Fact},
		{"How many words does the contract have?", WholeDocument},
	} {
		if got := intent(c.question); got != c.want {
			t.Errorf("intent(%q) = %q, want %q", c.question, got, c.want)
		}
	}
}

func TestRequirements(t *testing.T) {
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"What does a refund cost?", []string{"What does a refund cost?"}},
		{"By when is the security course due, and how long must a password be with a second factor?", []string{"By when is the security course due", "how long must a password be with a second factor?"}},
		{"Who approves a refund of 31k and how fast is the invoice paid?", []string{"Who approves a refund of 31k", "how fast is the invoice paid?"}},
		{"Who approves a refund, and who gets it?", []string{"Who approves a refund, and who gets it?"}},
		{"Where is the main office? When does reception open?", []string{"Where is the main office?", "When does reception open?"}},
		{"I am new. Where do I get a badge?", []string{"I am new. Where do I get a badge?"}},
		{"How many vacation days do I have? I work in Bergen.", []string{"How many vacation days do I have? I work in Bergen."}},
		{"salt, pepper and how", []string{"salt, pepper and how"}},
		{"refunds", []string{"refunds"}},
		{"???", []string{"???"}},
	} {
		p, err := Understand(c.question, &trace.Trace{})
		if err != nil {
			t.Errorf("%q: %v", c.question, err)
			continue
		}
		var got []string
		for _, r := range p.Requirements {
			got = append(got, r.Text)
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q asks %q, want %q", c.question, got, c.want)
		}
	}
}

func TestVague(t *testing.T) {
	for _, c := range []struct {
		question string
		want     bool
	}{
		{"How long do I have to ask for a refund?", true},
		{"refunds", true},
		{"How long do I have to ask for a refund in Norway?", false},
		{"What is the handling fee?", false},
		{"How long does RF-204 give for a refund?", false},
		{"What does RF-204 say?", false},
		{"Who is it?", false},
		{"Where is the main office? When does reception open?", false},
	} {
		p, err := Understand(c.question, &trace.Trace{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Vague() != c.want {
			t.Errorf("%q is vague: %v", c.question, p.Vague())
		}
	}
}

func TestRefusedQuestions(t *testing.T) {
	for question, want := range map[string]error{
		"":                               ErrEmpty,
		" \n\t ":                         ErrEmpty,
		"\xff\u200b \x00":                ErrEmpty,
		strings.Repeat("why? ", 10_000):  ErrTooLong,
		strings.Repeat("a", MaxQuestion): nil,
	} {
		if _, err := Understand(question, &trace.Trace{}); !errors.Is(err, want) {
			t.Errorf("a question of %d bytes: %v, want %v", len(question), err, want)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	f.Add("Who approves, and how; why? \"DEC-0054\" § 7.2 \xff")
	f.Fuzz(func(t *testing.T, question string) {
		p, err := Understand(question, &trace.Trace{})
		if err == nil && (len(p.Requirements) == 0 || len(p.Requirements) > maxRequirements) {
			t.Fatalf("%q has %d requirements", question, len(p.Requirements))
		}
	})
}
