package xlsx

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// chartsOf are the parts that hold the charts on a sheet's drawings.
func (r *reader) chartsOf(part string) []string {
	var out []string
	rels, err := r.pack.Relations(part)
	if err != nil {
		return nil
	}
	for _, rel := range rels {
		if rel.Type != "drawing" {
			continue
		}
		inner, err := r.pack.Relations(rel.Target)
		if err != nil {
			continue
		}
		for _, c := range inner {
			if c.Type == "chart" {
				out = append(out, c.Target)
			}
		}
	}
	slices.Sort(out)
	return out
}

// nameCharts writes the titles of charts. What they show stands in cells.
func (r *reader) nameCharts(parts []string) {
	r.charts += len(parts)
	for _, part := range parts {
		root, err := r.pack.Tree(part)
		if err != nil {
			continue
		}
		if title := strings.Join(strings.Fields(root.Find("c:chart").Child("c:title").String()), " "); title != "" {
			r.page.Text(r.page.Add(r.page.Body, atom.P), "Chart: "+title)
		}
	}
}
