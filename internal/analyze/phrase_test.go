package analyze

import (
	"fmt"
	"slices"
	"testing"
)

func TestForPhrase(t *testing.T) {
	for _, c := range []struct {
		name    string
		text    string
		present []Language
		want    string
	}{
		{"function words keep their places", "Termination for the Customer's convenience", nil, "[[termin] [for] [the] [custom] [conveni]]"},
		{"a word has a term for each language", "die ordentliche Kündigung", []Language{German}, "[[die] [ordentlich ordent] [kundigung kundig]]"},
		{"a compound is one word", "Kündigungsfrist einhalten", []Language{German}, "[[kundigungsfrist] [einhalten einhalt]]"},
		{"bigrams", "自動更新の", nil, "[[自動] [動更] [更新] [新の]]"},
		{"a letter at the edge is cut from its neighbours", "第7.2条", nil, "[[7.2]]"},
		{"a letter between others is not", "A社B", nil, "[[a] [社] [b]]"},
		{"one letter", "税", nil, "[]"},
		{"nothing", " ?! ", nil, "[]"},
	} {
		if got := fmt.Sprint(ForPhrase(c.text, c.present...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A phrase that is cut out of a text between words stands in the text's terms as it is, in the
// language of the text, whatever others are present.
func TestPhraseStandsInItsText(t *testing.T) {
	present := []Language{German, "fr"}
	for _, c := range []struct{ language, text, quote string }{
		{"en", "Either party may give notice of termination for convenience within 30 days.", "notice of termination for convenience"},
		{"de", "Die ordentliche Kündigung der Rahmenverträge bedarf der Textform.", "Kündigung der Rahmenverträge bedarf"},
		{"fr", "L'avenant de l'accord prend effet à la signature.", "l'accord prend effet"},
		{"ja", "本契約の自動更新の通知は30日前までに行う。", "自動更新の通知"},
		{"zh", "本合同期满后自动续约一年，除非提前通知。", "期满后自动续约"},
		{"ru", "Досрочное расторжение договора возможно по соглашению сторон.", "расторжение договора возможно"},
	} {
		places := map[string][]uint32{}
		for _, p := range Revision(revision(c.language, c.text)).Terms[0].Postings {
			places[p.Term] = append(places[p.Term], p.Positions...)
		}
		phrase := ForPhrase(c.quote, present...)
		stands := func(at uint32) bool {
			for i, terms := range phrase {
				if !slices.ContainsFunc(terms, func(term string) bool { return slices.Contains(places[term], at+uint32(i)) }) {
					return false
				}
			}
			return true
		}
		held := false
		for at := range uint32(40) {
			held = held || stands(at)
		}
		if !held || len(phrase) < 3 {
			t.Errorf("%q does not stand in %q: %v", c.quote, c.text, phrase)
		}
	}
}
