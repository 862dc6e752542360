package evaluate

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Gate is conditions that a report must meet, all of them.
type Gate []Condition

// Condition is "recall@5>=0.9": a metric, or a count of questions, and its limit.
type Condition struct {
	Name  string // a metric's, or one of the counts
	Op    string // >=, <=, >, < or ==
	Limit float64
}

// String gives the condition as it is written.
func (c Condition) String() string {
	return c.Name + c.Op + strconv.FormatFloat(c.Limit, 'g', -1, 64)
}

// The counts that a gate knows beside metrics. Those of a comparison are absent
// without a baseline.
var counts = map[string]func(Report) (float64, string){
	"failures":   func(r Report) (float64, string) { return float64(len(r.Failures)), "" },
	"problems":   func(r Report) (float64, string) { return float64(len(r.Problems)), "" },
	"outgrown":   func(r Report) (float64, string) { return float64(r.Outgrown), "" },
	"unreviewed": func(r Report) (float64, string) { return float64(r.Unreviewed), "" },
	"worse":      compared(func(c Comparison) int { return len(c.Worse) }),
	"better":     compared(func(c Comparison) int { return len(c.Better) }),
	"broken":     compared(func(c Comparison) int { return len(c.Broken) }),
	"fixed":      compared(func(c Comparison) int { return len(c.Fixed) }),
}

func compared(count func(Comparison) int) func(Report) (float64, string) {
	return func(r Report) (float64, string) {
		if r.ComparedWith == nil {
			return 0, "there is no baseline to compare with"
		}
		return float64(count(*r.ComparedWith)), ""
	}
}

var condition = regexp.MustCompile(`^\s*([^<>=\s]+)\s*(>=|<=|==|>|<|=)\s*([^<>=\s]+)\s*$`)

// ParseGate reads conditions with commas between, "recall@5>=0.9,worse<=2".
// Whatever it cannot read is an error: a gate that was mistyped must not stand
// open.
func ParseGate(s string) (Gate, error) {
	var g Gate
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			return nil, fmt.Errorf("evaluate: the gate %q has an empty condition: write it as recall@5>=0.9,worse<=2", s)
		}
		m := condition.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("evaluate: the gate's condition %q is not NAME, then one of >= <= > < ==, then a number, such as recall@5>=0.9", strings.TrimSpace(part))
		}
		c := Condition{Name: m[1], Op: m[2]}
		if c.Op == "=" {
			c.Op = "=="
		}
		limit, err := strconv.ParseFloat(m[3], 64)
		if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) {
			return nil, fmt.Errorf("evaluate: the gate's condition %q: %q is no number", strings.TrimSpace(part), m[3])
		}
		c.Limit = limit
		if _, isCount := counts[c.Name]; !isCount {
			if _, err := parseMetric(c.Name); err != nil {
				return nil, fmt.Errorf("evaluate: the gate's condition %q: %s; and there are the counts %s", strings.TrimSpace(part),
					strings.TrimPrefix(err.Error(), "evaluate: "), strings.Join(countNames(), ", "))
			}
			if limit < 0 || limit > 1 {
				return nil, fmt.Errorf("evaluate: the gate's condition %q: a metric lies between 0 and 1, so the limit must, too", strings.TrimSpace(part))
			}
		}
		g = append(g, c)
	}
	return g, nil
}

func countNames() []string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Metrics are the metrics that the gate looks at: a run must measure them.
func (g Gate) Metrics() []string {
	var names []string
	for _, c := range g {
		if _, isCount := counts[c.Name]; !isCount && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Compares reports whether a condition needs a baseline.
func (g Gate) Compares() bool {
	for _, c := range g {
		if of, ok := counts[c.Name]; ok {
			if _, absent := of(Report{}); absent != "" {
				return true
			}
		}
	}
	return false
}

// GateResult is what became of a gate.
type GateResult struct {
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`
}

// Check is what became of one condition.
type Check struct {
	Condition string   `json:"condition"`
	Passed    bool     `json:"passed"`
	Value     *float64 `json:"value"` // null where it is absent
	Reason    string   `json:"reason,omitempty"`
}

// Check holds a report against the gate. What is absent, since no question
// has judgements for it or there is no baseline, does not pass.
func (g Gate) Check(r Report) GateResult {
	result := GateResult{Passed: true, Checks: []Check{}}
	for _, c := range g {
		check := Check{Condition: c.String()}
		v, why := c.value(r)
		if why != "" {
			check.Reason = c.Name + " is absent: " + why
		} else {
			check.Value, check.Passed = &v, c.holds(v)
			if !check.Passed {
				check.Reason = fmt.Sprintf("%s is %s, and %s was asked for", c.Name, strconv.FormatFloat(math.Round(v*1e4)/1e4, 'g', -1, 64), c)
			}
		}
		result.Passed = result.Passed && check.Passed
		result.Checks = append(result.Checks, check)
	}
	return result
}

func (c Condition) value(r Report) (v float64, absent string) {
	if of, ok := counts[c.Name]; ok {
		return of(r)
	}
	m, ok := r.Metrics[c.Name]
	if !ok {
		return 0, "no question has judgements for it"
	}
	return m.Value, ""
}

// holds compares with a tolerance for the rounding of a mean, so that nine
// questions of ten are 0.9.
func (c Condition) holds(v float64) bool {
	const rounding = 1e-9
	switch c.Op {
	case ">=":
		return v >= c.Limit-rounding
	case "<=":
		return v <= c.Limit+rounding
	case ">":
		return v > c.Limit+rounding
	case "<":
		return v < c.Limit-rounding
	}
	return math.Abs(v-c.Limit) <= rounding
}
