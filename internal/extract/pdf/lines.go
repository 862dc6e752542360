package pdf

import (
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// note keeps where the lines of a region stand.
func (d *document) note(region []segment, page int) {
	for _, s := range region {
		if s.table != nil {
			d.note(s.table.drawn, page)
			continue
		}
		var b strings.Builder
		for _, w := range s.words {
			b.WriteString(w.text)
		}
		d.page.Lines = append(d.page.Lines, office.Line{Text: b.String(), Page: page,
			Box: [4]int{int(math.Floor(s.left)), int(math.Floor(s.top)), int(math.Ceil(s.right)), int(math.Ceil(s.bottom))}})
	}
}
