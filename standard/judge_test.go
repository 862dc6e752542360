package standard

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

func TestJudge(t *testing.T) {
	service := testkit.NewChats(t)
	service.Script(testkit.Replies(`{"reason": "It does.", "correct": true}`))
	s := config.Defaults()
	if j, err := Judge(s); j != nil || err != nil {
		t.Errorf("by default there is a judge: %v, %v", j, err)
	}
	s.Judge, s.JudgeService = config.InService, config.ChatService{URL: service.URL, Model: "m"}
	j, err := Judge(s)
	if err != nil || j.About().Model != "m" {
		t.Fatal(j, err)
	}
	v, err := j.Judge(t.Context(), evaluate.Case{Question: "q", Expected: []string{"a"}, Given: "a"})
	if want := (evaluate.Verdict{Correct: true, Reason: "It does.", Tokens: 18}); err != nil || v != want {
		t.Errorf("%+v, %v, want %+v", v, err, want)
	}
	for want, v := range map[string]config.ChatService{
		"judge.service.model: name the model": {},
		"judge.service.url":                   {URL: "h", Model: "m"},
	} {
		s.JudgeService = v
		if _, err := Judge(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
