package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

func TestMetricsOfAnswers(t *testing.T) {
	cite := func(docs ...string) []Citation {
		var list []Citation
		for _, h := range hitsOf(docs...) {
			list = append(list, Citation{Document: h.Document, Heading: h.Heading, Quote: h.Text})
		}
		return list
	}
	quoted := Question{Sources: sources("a"), Passages: []string{"The fee is forty dollars a year.", "It rose to fifty."}}
	for _, c := range []struct {
		about string
		q     Question
		a     Answer
		want  map[string]float64
	}{
		{"abstains where it must", Question{Unanswerable: true}, Answer{Status: StatusInsufficient},
			map[string]float64{"abstention_precision": 1, "abstention_recall": 1, "answered_unanswerable": 0}},
		{"answers the unanswerable", Question{Unanswerable: true}, Answer{Status: StatusPartial, Citations: cite("a")},
			map[string]float64{"abstention_recall": 0, "answered_unanswerable": 1}},
		{"asks back instead of abstaining", Question{Unanswerable: true}, Answer{Status: StatusNeedsInformation},
			map[string]float64{"abstention_recall": 0, "answered_unanswerable": 0, "needs_information_precision": 0}},
		{"abstains without need", Question{Sources: sources("a")}, Answer{Status: StatusInsufficient},
			map[string]float64{"abstention_precision": 0, "answered": 0, "citation_recall": 0}},
		{"asks back where it must", Question{Type: TypeNeedsInfo, Unanswerable: true}, Answer{Status: StatusNeedsInformation},
			map[string]float64{"class_accuracy": 1, "needs_information_precision": 1, "needs_information_recall": 1}},
		{"takes small talk for a question", Question{Type: TypeNotForDocument}, Answer{Status: StatusInsufficient},
			map[string]float64{"class_accuracy": 0, "not_a_document_question_recall": 0}},

		{"cites one of two documents, and another", Question{Sources: sources("a", "b")}, Answer{Status: StatusAnswered, Citations: cite("a", "x")},
			map[string]float64{"answered": 1, "citation_precision": 0.5, "citation_recall": 0.5}},
		{"cites the section, twice", Question{Sources: sources("a#Pay")}, Answer{Status: StatusAnswered, Citations: cite("a#Pay/Rates", "a#Pay")},
			map[string]float64{"answered": 1, "citation_precision": 1, "citation_recall": 1}},
		{"cites another section", Question{Sources: sources("a#Pay")}, Answer{Status: StatusAnswered, Citations: cite("a#Leave")},
			map[string]float64{"answered": 1, "citation_precision": 0, "citation_recall": 0}},
		{"cites a passage around the quote", quoted, Answer{Status: StatusAnswered, Citations: cite("a=Fees. The fee is forty dollars a year. See below.")},
			map[string]float64{"answered": 1, "citation_precision": 1, "citation_recall": 0.5}},
		{"cites a part of the quote", quoted, Answer{Status: StatusAnswered, Citations: cite("a=forty dollars", "a=It rose to fifty")},
			map[string]float64{"answered": 1, "citation_precision": 1, "citation_recall": 1}},
		{"cites another sentence", quoted, Answer{Status: StatusAnswered, Citations: cite("a=Fees are due in May.")},
			map[string]float64{"answered": 1, "citation_precision": 0, "citation_recall": 0}},
		{"answers without a citation", quoted, Answer{Status: StatusAnswered}, map[string]float64{"answered": 1, "citation_recall": 0}},
		{"sends a task over a document away", Question{Type: TypeWholeDocument}, Answer{Status: StatusNotForDocuments},
			map[string]float64{"not_a_document_question_precision": 1}},
		{"sends a question away", quoted, Answer{Status: StatusNotForDocuments},
			map[string]float64{"not_a_document_question_precision": 0, "answered": 0, "citation_recall": 0}},

		{"no judgement, no metric", Question{}, Answer{Status: StatusAnswered, Citations: cite("a")}, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := answerValues(c.q, c.a, judge(c.q, c.q.Passages, finest))
			if !maps.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestWhichQuestionsCountInRetrieval(t *testing.T) {
	types := []string{"", "lookup", TypeUnanswerable, TypeWholeDocument, TypeNeedsInfo, TypeNotForDocument}
	var got []string
	for _, kind := range types {
		for _, q := range []Question{{Type: kind}, {Type: kind, Unanswerable: true}, {Type: kind, Unanswerable: true, Passages: []string{"x"}}} {
			got = append(got, fmt.Sprint(q.retrievable()))
		}
	}
	want := []string{"true", "false", "true", "true", "false", "true"}
	for range types[2:] {
		want = append(want, "false", "false", "true")
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
