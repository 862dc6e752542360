package diagnose

import (
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/evaluate"
)

// What is measured by stage and what a diagnosis lists are the same stages in the same order:
// one that evaluate does not know would be counted nowhere.
func TestStagesAreThoseThatAreMeasured(t *testing.T) {
	var names []string
	for _, s := range Stages {
		names = append(names, string(s))
	}
	if measured := evaluate.Stages(); !slices.Equal(names, measured) {
		t.Errorf("diagnosed are %q, measured %q", names, measured)
	}
}
