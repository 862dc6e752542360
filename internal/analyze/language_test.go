package analyze

import (
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// cases reads the lines "language: text" of a file.
func cases(t *testing.T, file string, each func(l Language, text string)) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for line := range strings.Lines(string(data)) {
		l, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if _, known := scriptOf[Language(l)]; !known {
			t.Fatalf("%s: %q is no language", file, line)
		}
		read++
		each(Language(l), text)
	}
	if read < 10 {
		t.Fatalf("%s has %d cases", file, read)
	}
}

func said(words []Word) string {
	terms := make([]string, len(words))
	for i, w := range words {
		terms[i] = w.Term
		if w.Part {
			terms[i] = "+" + w.Term
		}
	}
	return strings.Join(terms, " ")
}

func TestWordsOfLanguages(t *testing.T) {
	cases(t, "words.txt", func(l Language, line string) {
		text, want, _ := strings.Cut(line, " => ")
		if got := said(byDefault.with(l).Words(text)); got != want {
			t.Errorf("%s: %s\n got %s\nwant %s", l, text, got, want)
		}
	})
}

func TestQuestionsMeetTexts(t *testing.T) {
	cases(t, "meet.txt", func(l Language, line string) {
		question, texts, _ := strings.Cut(line, " = ")
		asked := map[string]bool{}
		for _, term := range ForQuestion(question, l).Terms {
			asked[term.Term] = true
		}
		for text := range strings.SplitSeq(texts, " | ") {
			held := func(w Word) bool { return asked[w.Term] }
			if words := byDefault.with(l).Words(text); !slices.ContainsFunc(words, held) {
				t.Errorf("%s: %q does not find %q: %v, %s", l, question, text, asked, said(words))
			}
		}
	})
}

func TestDetect(t *testing.T) {
	cases(t, "detect.txt", func(l Language, text string) {
		if got := weighEvidence(text, maxSampled).choose(byDefault, marginDocument)[scriptOf[l]]; got != l {
			t.Errorf("%q is %s, not %s", text, got, l)
		}
	})
}

// A table repeats words row by row; the second time says nothing new.
func TestEvidenceCountsWordsOnce(t *testing.T) {
	text := "Der Mieter zahlt die Miete und eine Kaution. "
	once, often := weighEvidence(text, maxSampled), weighEvidence(strings.Repeat(text, 50), maxSampled)
	if !slices.Equal(once[latin], often[latin]) {
		t.Error("a text says more of its language when it is repeated")
	}
}

func TestDeclaredLanguage(t *testing.T) {
	for tag, want := range map[string]Language{
		"de": "de", "de-AT": "de", "DE_de": "de", "nb-NO": "no", "nn": "no", "zh-Hans": "", "tlh": "", "": "", "en-GB": "en",
	} {
		if got := declared(tag); got != want {
			t.Errorf("%q declares %q, not %q", tag, got, want)
		}
	}
}

// revision is a document with a passage for each text, in a section of its own.
func revision(language string, texts ...string) document.Revision {
	r := document.Revision{Title: "Handbook", Sections: []document.Section{{Parent: -1}}}
	r.Metadata.Language = language
	for _, text := range texts {
		r.Passages = append(r.Passages, document.Passage{Text: text})
		r.Text += text + "\n\n"
	}
	return r
}

func holds(t store.Terms, term string) bool {
	return slices.ContainsFunc(t.Postings, func(p store.Posting) bool { return p.Term == term })
}

func TestRevisionInItsLanguage(t *testing.T) {
	const (
		english = "The tenants are paying their deposits before the keys are handed over to them, and the landlord keeps them until the end of the lease."
		other   = "Employees who are ill are telling their manager before ten o'clock in the morning; leaving early needs the approval of the head of the department."
		german  = "Die Mieter zahlen ihre Kautionen, bevor ihnen die Schlüssel übergeben werden, und der Vermieter behält sie bis zum Ende der Verträge."
		short   = "Kautionen: 2.400"
	)
	for _, c := range []struct {
		what     string
		revision document.Revision
		want     []string // a term of each passage
		marks    []bool   // of German
	}{
		{"detected", revision("", german, short), []string{"vertrag", "kaution"}, []bool{true, true}},
		{"declared", revision("de", short), []string{"kaution"}, []bool{true}},
		{"declared, whatever a passage looks like", revision("en", english, german), []string{"tenant", "mieter"}, []bool{false, false}},
		{"declared in vain", revision("zh", english), []string{"tenant"}, []bool{false}},
		{"English", revision("", english, short), []string{"tenant", "kautionen"}, []bool{false, false}},
		{"mixed", revision("", english, other, german), []string{"tenant", "leav", "vertrag"}, []bool{false, false, true}},
	} {
		got := Revision(c.revision)
		for i, want := range c.want {
			if !holds(got.Terms[i], want) {
				t.Errorf("%s: passage %d has no %q: %v", c.what, i, want, got.Terms[i].Postings)
			}
			if holds(got.Terms[i], "@de") != c.marks[i] {
				t.Errorf("%s: passage %d is marked as German: %v", c.what, i, !c.marks[i])
			}
		}
	}
}

// A compound is one word: its parts make the passage no longer and stand where it does.
func TestPartsTakeNoPlace(t *testing.T) {
	got := Revision(revision("de", "Fristenfrist und Kündigungsfrist gelten")).Terms[0]
	if got.Lengths[store.Text] != 4 {
		t.Errorf("length %d of 4 words", got.Lengths[store.Text])
	}
	for _, p := range got.Postings {
		if p.Term == "frist" && !slices.Equal(p.Positions, []uint32{0, 2}) {
			t.Errorf("the part frist stands at %v", p.Positions)
		}
		if p.Term == "gelt" && !slices.Equal(p.Positions, []uint32{3}) {
			t.Errorf("the last word stands at %v", p.Positions)
		}
	}
	r := store.Revision{Revision: document.Revision{Sections: []document.Section{{Parent: -1}}}, Outline: []store.Terms{got}}
	r.Document = document.ID{Source: "docs", Path: "a.md"}
	if err := (store.Change{Put: []store.Revision{r}}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestQuestionInLanguagesOfPassages(t *testing.T) {
	for _, c := range []struct {
		question string
		present  []Language
		want     string
	}{
		// English passages alone: as ever.
		{"Which deposits are returned?", nil, "deposit return"},
		{"Wie lange ist die Kündigungsfrist?", nil, "wie lang ist die kundigungsfrist"},
		// A word whose stems are one has one term, others one for each language.
		{"Wie lange ist die Kündigungsfrist?", []Language{"de"}, "lang kundigungsfrist kundig frist"},
		{"Which servers are running?", []Language{"de"}, "server serv run running"},
		{"contracts", []Language{"de", "fr", "es"}, "contract contracts"},
		// Function words are those of the question's language.
		{"What is the Kündigungsfrist?", []Language{"de"}, "kundigungsfrist kundig frist"},
		{"Combien de jours de congé ?", []Language{"de", "fr"}, "jour cong"},
		{"сколько дней отпуска", nil, "дне отпуск"},
	} {
		var got []string
		for _, term := range ForQuestion(c.question, c.present...).Terms {
			got = append(got, term.Term)
		}
		slices.Sort(got)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q with %v asks for %q, not %q", c.question, c.present, got, want)
		}
	}
}

// All languages at once must not multiply a question.
func TestQuestionStaysSmall(t *testing.T) {
	all := markedLanguages
	for _, question := range []string{
		"How many days of paid leave do employees have after their probation period ends?",
		"Wie viele Urlaubstage stehen Mitarbeitern nach der Probezeit im Kalenderjahr zu?",
	} {
		words := len(Words(question))
		if terms := len(ForQuestion(question, all...).Terms); terms > 4*words {
			t.Errorf("%q has %d words and %d terms in %d languages", question, words, terms, len(all))
		}
	}
}

// Operators of other systems are text here: each question asks for what it says.
func TestOperatorsAreText(t *testing.T) {
	for question, want := range map[string]string{
		`refund AND renewal`:      "refund renew",
		`refund NOT renewal`:      "refund not renew",
		`refund -renewal`:         "refund renew",
		`+refund !renewal`:        "refund renew",
		`title:refund`:            "titl refund",
		`refund* renew?`:          "refund renew",
		`"refund renewal`:         "refund renew",
		`"refund "renewal""`:      "refund renew",
		`(refund OR (renewal`:     "refund renew",
		`refund^2 renewal~1`:      "refund 2 renew 1",
		`[refund TO renewal}`:     "refund renew",
		`refund\ && || renewal\`:  "refund renew",
		`/refund|renewal/`:        "refund renew",
		`refund NEAR/5 renewal`:   "refund near 5 renew",
		`'; DROP TABLE refund --`: "drop tabl refund",
		`$refund{renewal}`:        "refund renew",
		`refund%20_renewal_`:      "refund 20 renew",
		`《合同》-解除 "违约金`:            "合同 解除 违约 约金",
	} {
		for _, present := range [][]Language{nil, {"de", "fr"}} {
			var got []string
			for _, term := range ForQuestion(question, present...).Terms {
				got = append(got, term.Term)
			}
			for _, term := range strings.Fields(want) {
				if !slices.Contains(got, term) {
					t.Errorf("%s asks for %q, not %q", question, got, want)
				}
			}
		}
	}
}

// Identifiers are the same in every language and at every neighbour.
func TestIdentifiersInEveryLanguage(t *testing.T) {
	for _, text := range []string{
		"Was bedeutet DEC-0054?", "“DEC-0054”", "que dit DEC‑0054 ?", "DEC‐0054", "エラーDEC-0054が出る", "错误DEC-0054。", "오류 DEC-0054는",
		"ข้อผิดพลาดDEC-0054คือ", "ошибка DEC-0054:", "الخطأ DEC-0054", "L'erreur DEC-0054", "«dec-0054»",
	} {
		if q := ForQuestion(text, "de", "fr"); !slices.Equal(q.Whole, []string{"dec0054"}) {
			t.Errorf("%q gives %q", text, q.Whole)
		}
		whole := func(f Found) bool { return f.Value == "dec0054" && !f.Part }
		if found := Identifiers(text); !slices.ContainsFunc(found, whole) {
			t.Errorf("as a text %q holds %v", text, found)
		}
	}
}

func TestFunctionWordsAreRead(t *testing.T) {
	for _, l := range []Language{"de", "fr", "es", "it", "pt", "nl", "sv", "no", "da", "ru", "ar"} {
		if n := len(functionWordsIn()[l]); n < 30 {
			t.Errorf("%s has %d function words", l, n)
		}
	}
	for l := range functionWordsIn() {
		if _, known := scriptOf[l]; !known {
			t.Errorf("functionwords.txt names %q", l)
		}
	}
}

// Every language that is told apart has trigrams, and the other way round.
func TestProfilesAreOfKnownLanguages(t *testing.T) {
	for s, p := range profiles() {
		want := slices.Sorted(maps.Keys(known[s]))
		got := slices.Sorted(slices.Values(p.languages))
		if !slices.Equal(got, want) {
			t.Errorf("script %d has the profiles %v, and the languages %v", s, got, want)
		}
	}
}

// reference is the evidence of a Latin text of plain words, each said once, straight
// from the file: ln of the share of every trigram that any language of the script has.
func reference(text string) map[Language]float64 {
	shares := map[Language]map[string]float64{}
	anywhere := map[string]bool{}
	for line := range strings.Lines(trigramFile) {
		fields := strings.Fields(line)
		l := Language(fields[0])
		if s, known := scriptOf[l]; !known || s != latin {
			continue
		}
		shares[l] = map[string]float64{}
		for i := 1; i < len(fields); i += 2 {
			shares[l][fields[i]], _ = strconv.ParseFloat(fields[i+1], 64)
			anywhere[fields[i]] = true
		}
	}
	out := map[Language]float64{}
	for _, word := range strings.Fields(strings.ToLower(text)) {
		letters := []rune("_" + word + "_")
		for i := 0; i+3 <= len(letters); i++ {
			for l := range shares {
				if t := string(letters[i : i+3]); anywhere[t] {
					out[l] += math.Log(max(absent, shares[l][t]))
				}
			}
		}
		for _, letter := range word {
			if letter >= 0x80 && anywhere[string(letter)] {
				for l := range shares {
					out[l] += math.Log(max(absent, shares[l][string(letter)]))
				}
			}
		}
	}
	return out
}

func TestEvidenceIsTheFormula(t *testing.T) {
	for _, text := range []string{"Der Mieter zahlt für fünf Räume", "qxz", "Le délai", "Hyran betalas på måndag"} {
		want := reference(text)
		got := weighEvidence(text, maxSampled)[latin]
		for i, l := range profiles()[latin].languages {
			share := 0.0
			if got != nil {
				share = float64(got[i])
			}
			if math.Abs(share-want[l]) > 1e-3 {
				t.Errorf("%q in %s: %g, not %g", text, l, share, want[l])
			}
		}
	}
}

// What documents were analysed before, in whatever languages, and what are at the same
// time, changes nothing.
func TestRevisionsOneAfterAnother(t *testing.T) {
	var texts []document.Revision
	for _, text := range []string{
		"The limits of the deductible apply to every claim that is made under this policy.",
		"Die Kündigungsfrist des Versicherungsvertrages beträgt drei Monate zum Ende des Jahres.",
		"Договор страхования может быть расторгнут страхователем в любое время.",
		"The Deductible of the Claims, E1021 and INV-4471; clause 7.2(b).",
		"La cotisation est payable d'avance et l'assuré doit déclarer les sinistres.",
	} {
		texts = append(texts, document.Revision{
			Text: text, Sections: []document.Section{{Parent: -1}}, Passages: []document.Passage{{Text: text}, {Text: "# " + text}},
		})
	}
	var want []store.Revision
	for _, r := range texts {
		want = append(want, newBuilder().revision(r))
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 40 {
				n := (i*i + worker) % len(texts)
				if got := Revision(texts[n]); !reflect.DeepEqual(got, want[n]) {
					t.Errorf("text %d is analysed as %v, alone as %v", n, got.Terms, want[n].Terms)
				}
			}
		})
	}
	all.Wait()
}
