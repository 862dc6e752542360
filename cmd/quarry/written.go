package main

import "github.com/seed-d3156d19/quarry"

// sentenceRepairedJSON and sentenceRemovedJSON are sentences of a model that did not hold against the evidence.
type sentenceRepairedJSON struct {
	Text    string `json:"text"`
	Fault   string `json:"fault"`
	Instead string `json:"instead"`
}

// sentenceSupportJSON is a sentence that held, with what a second model says of its support.
type sentenceSupportJSON struct {
	Text  string  `json:"text"`
	Score float64 `json:"score"`
}

type sentenceRemovedJSON struct {
	Text  string `json:"text"`
	Fault string `json:"fault"`
}

// addWritten adds what only an answer that a model wrote has.
func (out *answerJSON) addWritten(answer quarry.Answer) {
	for _, r := range answer.Repaired {
		out.Repaired = append(out.Repaired, sentenceRepairedJSON(r))
	}
	for _, s := range answer.Scores {
		out.Support = append(out.Support, sentenceSupportJSON(s))
	}
	for _, r := range answer.Removed {
		out.Removed = append(out.Removed, sentenceRemovedJSON(r))
	}
}

// printFaults lists the sentences of a model that did not hold.
func (a *app) printFaults(answer quarry.Answer) {
	if len(answer.Removed)+len(answer.Repaired) == 0 {
		return
	}
	a.printf("\n")
	for _, r := range answer.Repaired {
		a.printf("Repaired: %q, as %s.\n", oneLine(r.Text), oneLine(r.Fault))
	}
	for _, r := range answer.Removed {
		a.printf("Removed: %q, as %s.\n", oneLine(r.Text), oneLine(r.Fault))
	}
}
