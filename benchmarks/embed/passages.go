package main

import (
	"os"
	"path/filepath"
	"strings"
)

// words is how many words of a text line make a passage at most: mostly under 256
// tokens. Longer passages are left out, as theirs would be cut and ours not.
const words = 150

// realPassages cuts the texts of a folder at line ends into passages of 15 to 150
// words, as lengths of real passages vary, and takes n spread over them.
func realPassages(folder string, n int, theirs *worker) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.SplitSeq(string(b), "\n") {
			for part := strings.Fields(line); len(part) >= 15; part = part[min(words, len(part)):] {
				all = append(all, strings.Join(part[:min(words, len(part))], " "))
			}
		}
	}
	ids, err := theirs.tokenize(all)
	if err != nil {
		return nil, err
	}
	var fit []string
	for i, text := range all {
		if len(ids[i]) < limit {
			fit = append(fit, text)
		}
	}
	if len(fit) <= n {
		return fit, nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fit[i*len(fit)/n]
	}
	return out, nil
}
