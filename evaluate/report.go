package evaluate

// Report is what a run measured. Marshalled, it is the JSON of `quarry eval`.
type Report struct {
	Set       string           `json:"set"`
	Questions int              `json:"questions"`
	Metrics   map[string]Value `json:"metrics"`
	ByType    map[string]Group `json:"by_type"`
	Failures  []Failure        `json:"failures"`
	Problems  []Problem        `json:"problems"`
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
	// LostAt is the stage that lost the missing units, where Options.LostAt
	// was given and knows.
	LostAt  string     `json:"lost_at"`
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
	ID      string             `json:"id"`
	Type    string             `json:"type"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// Ranks are those of the units at the finest level that the question has.
	Ranks  []UnitRank `json:"ranks,omitempty"`
	Status string     `json:"status,omitempty"` // of the answer, where asked for
	Error  string     `json:"error,omitempty"`
}
