package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// differences lists, for files chosen by a fixed seed, what the Markdown beside them has
// and we have not, and the other way round, so that a person can judge each.
func differences(root string, count int) error {
	all, err := originals(root)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(40, 40))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	listed := 0
	for _, o := range all {
		other, ok := o.other()
		if !ok || listed == count {
			continue
		}
		listed++
		ours, err := read(o.path)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s: %s\n", o.name, ours.Outcome)
		if ours.Outcome != "read" {
			continue
		}
		for _, part := range []struct {
			what         string
			ours, theirs []string
		}{{"headings", ours.Heads, other.Heads}, {"cells", ours.Cells, other.Cells}, {"words", ours.Words, other.Words}} {
			say("- "+part.what, lacking(part.ours, part.theirs))
			say("+ "+part.what, lacking(part.theirs, part.ours))
		}
	}
	return nil
}

func say(what string, list []string) {
	const shown = 25
	if len(list) == 0 {
		return
	}
	rest := ""
	if len(list) > shown {
		list, rest = list[:shown], fmt.Sprintf(" ... of %d", len(list))
	}
	fmt.Printf("  %s: %s%s\n", what, strings.Join(list, " | "), rest)
}
