package evaluate

import "slices"

// Report is what a run measured. Marshalled, it is the JSON of `quarry eval`.
type Report struct {
	Set       string `json:"set"`
	Only      string `json:"only,omitempty"` // Tuning or HeldOut, where only those were asked
	Questions int    `json:"questions"`
	// Unreviewed are questions that say that nobody has checked them; Outgrown
	// those whose judgements name what the corpus no longer holds.
	Unreviewed int              `json:"unreviewed"`
	Outgrown   int              `json:"outgrown"`
	Metrics    map[string]Value `json:"metrics"`
	ByType     map[string]Group `json:"by_type"`
	Failures   []Failure        `json:"failures"`
	Problems   []Problem        `json:"problems"`
	// ByStage is recall after each stage and what was lost there, with Options.Stager.
	ByStage []StageValue `json:"by_stage,omitempty"`
	// Answers says whose doing the wrong answers are, where answers were asked for.
	Answers *AnswerTable `json:"answers,omitempty"`
	// Judge says who gave answer_judged.
	Judge *JudgedBy `json:"judge,omitempty"`
	Cost  *Cost     `json:"cost,omitempty"`
	// ByQuestion is what Compare pairs; in the order of the set.
	ByQuestion   []Result    `json:"by_question,omitempty"`
	ComparedWith *Comparison `json:"compared_with,omitempty"`
}

// Value is a mean over the N questions that have judgements for the metric,
// with a 95 % interval. A metric with no such question is absent.
type Value struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// Group is the part of a report that one type of question makes up.
type Group struct {
	Questions int              `json:"questions"`
	Metrics   map[string]Value `json:"metrics"`
}

// Failure is a question that the system under test did not do well: not all
// its units came among the first ones, its status was wrong, or it failed.
type Failure struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Type     string `json:"type"`
	Reason   string `json:"reason"`
	// LostAt is the stage that lost the missing units, where Options.Stager
	// was given and knows.
	LostAt string `json:"lost_at"`
	// Blame is whose doing a wrong answer is: BlameRetrieval or BlameGeneration.
	Blame   string     `json:"blame,omitempty"`
	Missing []Unit     `json:"missing"`
	Ranks   []UnitRank `json:"ranks,omitempty"`
}

// Unit is what is judged: a quote of a document, a section, or a document.
type Unit struct {
	Document string `json:"document,omitempty"`
	Heading  string `json:"heading,omitempty"`
	Quote    string `json:"quote,omitempty"`
}

// UnitRank is where a unit came in the collapsed list; rank 0 is nowhere.
type UnitRank struct {
	Unit
	Rank int `json:"rank"`
}

// Result is what was measured of one question.
type Result struct {
	ID       string             `json:"id"`
	Question string             `json:"question"`
	Type     string             `json:"type"`
	Metrics  map[string]float64 `json:"metrics,omitempty"`
	// Ranks are those of the units at the finest level that the question has.
	Ranks  []UnitRank `json:"ranks,omitempty"`
	Status string     `json:"status,omitempty"` // of the answer, where asked for
	// GoldStatus is that of the answer from gold evidence.
	GoldStatus string `json:"gold_status,omitempty"`
	// Verdict is the judge's of the answer, GoldVerdict that of the answer from gold evidence.
	Verdict     *Verdict `json:"verdict,omitempty"`
	GoldVerdict *Verdict `json:"gold_verdict,omitempty"`
	Blame       string   `json:"blame,omitempty"` // as in Failure
	Seconds     float64  `json:"seconds,omitempty"`
	Tokens      int      `json:"tokens,omitempty"` // of the evidence
	Calls       int      `json:"calls,omitempty"`  // to models
	Error       string   `json:"error,omitempty"`
	// Stages are the shares of the units that each stage passed on.
	Stages map[string]float64 `json:"stages,omitempty"`
}

// Cost is what a run took.
type Cost struct {
	// Seconds is the time of search and answer, over all questions; Slowest that
	// of the slowest one in twenty.
	Seconds float64 `json:"seconds"`
	Mean    float64 `json:"mean"`
	Slowest float64 `json:"p95"`
	// Tokens are those of the evidence, a question on average.
	Tokens float64 `json:"tokens"`
	Calls  int     `json:"calls"` // to models
}

// costOf is nil where nothing was measured.
func costOf(results []Result) *Cost {
	var c Cost
	var seconds []float64
	for _, r := range results {
		c.Seconds += r.Seconds
		c.Tokens += float64(r.Tokens)
		c.Calls += r.Calls
		seconds = append(seconds, r.Seconds)
	}
	if c == (Cost{}) {
		return nil
	}
	slices.Sort(seconds)
	c.Mean, c.Tokens = c.Seconds/float64(len(results)), c.Tokens/float64(len(results))
	c.Slowest = seconds[(len(seconds)*95+99)/100-1]
	return &c
}
