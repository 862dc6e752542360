package extract

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/grid"
)

const publicSets = "../../../shared/sets"

// samples are the files of a pattern below the public sets; a test skips aloud
// where they are not.
func samples(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(publicSets, pattern))
	if err != nil || len(files) == 0 {
		t.Skipf("SKIPPED: the public sets are not beside the repository: %s", pattern)
	}
	return files
}

var anyWord = regexp.MustCompile(`[\pL\pN]+`)

// foundIn is the share of the words of want, as often as each occurs, that got has.
func foundIn(got, want string) float64 {
	have := map[string]int{}
	for _, w := range anyWord.FindAllString(strings.ToLower(got), -1) {
		have[w]++
	}
	found, all := 0, 0
	for _, w := range anyWord.FindAllString(strings.ToLower(want), -1) {
		all++
		if have[w] > 0 {
			have[w]--
			found++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

// ratio counts what of the other tool's is found.
type ratio struct{ found, all int }

func (r ratio) String() string { return fmt.Sprintf("%d of %d", r.found, r.all) }

func (r *ratio) add(got, want []string) {
	r.all += len(want)
	r.found += len(want) - len(missing(want, got))
}

var slideNumber = regexp.MustCompile(`^slide \d+ ?`)

// titles are the headings without level and number, a slide's without its own.
func titles(x Extracted) []string {
	var out []string
	for _, b := range x.Blocks {
		if b.Kind == Heading {
			text := strings.ToLower(strings.Join(anyWord.FindAllString(b.Text, -1), " "))
			out = append(out, slideNumber.ReplaceAllString(text, ""))
		}
	}
	return out
}

// cellTexts are the words of each cell of the tables.
func cellTexts(x Extracted) []string {
	var out []string
	for _, b := range x.Blocks {
		if b.Kind != Table {
			continue
		}
		for _, row := range append(slices.Clone(b.Header), b.Rows...) {
			for _, c := range grid.Cells(row.Of(x.Text)) {
				out = append(out, strings.ToLower(strings.Join(anyWord.FindAllString(c, -1), " ")))
			}
		}
	}
	return out
}

var pictureMark = regexp.MustCompile(`<!--.*?-->`)

// TestOfficeSamples: every sample is read or refused with its reason, within
// bounds, and has the words that another tool found in it.
func TestOfficeSamples(t *testing.T) {
	for _, tt := range []struct {
		folder string
		reason error   // every file is refused with it
		words  float64 // floor of the mean share of words found
	}{
		// Formulas read otherwise.
		{"docx", nil, 0.96}, {"pptx", nil, 0.97}, {"odf", nil, 0.97},
		// The other tool also repeats the values of charts and lists comments.
		{"xlsx", nil, 0.82},
		{"doc", ErrUnsupported, 0}, {"xls", ErrUnsupported, 0}, {"ppt", ErrUnsupported, 0},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			sum, n := 0.0, 0
			var headings, cells ratio
			for _, file := range samples(t, "parser_samples/"+tt.folder+"/sources/*") {
				if strings.HasSuffix(file, ".pdf") {
					continue
				}
				x, err := boundedExtract(t, file)
				switch {
				case tt.reason != nil && !errors.Is(err, tt.reason):
					t.Errorf("%s: %v, want it refused: %v", filepath.Base(file), err, tt.reason)
				case tt.reason == nil && err != nil && !errors.Is(err, ErrNoText):
					t.Errorf("%s: %v", filepath.Base(file), err)
				}
				want, readErr := os.ReadFile(filepath.Join(filepath.Dir(file), "../groundtruth", filepath.Base(file)+".md"))
				if readErr != nil || tt.reason != nil {
					continue
				}
				share := foundIn(x.Text, pictureMark.ReplaceAllString(string(want), ""))
				other, mdErr := Extract("a.md", want)
				if mdErr == nil {
					headings.add(titles(x), titles(other))
					cells.add(cellTexts(x), cellTexts(other))
				}
				t.Logf("%-45s %.3f of the words, %v", filepath.Base(file), share, err)
				sum, n = sum+share, n+1
			}
			if n > 0 {
				t.Logf("words: mean of %d: %.3f; headings: %v; cells: %v", n, sum/float64(n), headings, cells)
			}
			if n > 0 && sum/float64(n) < tt.words {
				t.Errorf("%.3f of the words on average, want %.2f", sum/float64(n), tt.words)
			}
		})
	}
}

// boundedExtract extracts within 30 s and 1 GB, counted as all that is allocated
// on the way.
func boundedExtract(t *testing.T, file string) (Extracted, error) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	x, err := Extract(filepath.Base(file), data)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if took > 30*time.Second || after.TotalAlloc-before.TotalAlloc > 1<<30 {
		t.Errorf("%s took %v and %d MB", file, took, (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	if err == nil {
		checkBlocks(t, x)
	}
	return x, err
}

// TestBookHeadings: chapters as documents of Word have the headings of their
// Markdown, in its order. The printed edition was edited apart from it, so that
// some headings read otherwise.
func TestBookHeadings(t *testing.T) {
	equal, all := 0, 0
	for _, file := range samples(t, "corpus_rust_book/docs/docx/chapter*.docx") {
		chapter := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "chapter"), ".docx")
		x, err := boundedExtract(t, file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		got := headingTexts(x)
		var want []string
		for _, md := range samples(t, "corpus_rust_book/docs/current/ch"+chapter+"-*.md") {
			m, err := boundedExtract(t, md)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, headingTexts(m)...)
		}
		same := common(got, want)
		if same < len(want) || len(got) != len(want) {
			t.Logf("chapter %s: %d in common of %d and %d: %q %q", chapter, same, len(got), len(want), missing(got, want), missing(want, got))
		}
		equal, all = equal+same, all+max(len(got), len(want))
	}
	t.Logf("%d headings of %d in common, in order and level", equal, all)
	if equal*100 < all*95 {
		t.Errorf("%d headings of %d in common", equal, all)
	}
}

func headingTexts(x Extracted) []string {
	var out []string
	for _, b := range x.Blocks {
		if b.Kind == Heading {
			out = append(out, strings.Repeat("#", b.Level)+strings.ToLower(strings.Join(anyWord.FindAllString(b.Text, -1), " ")))
		}
	}
	return out
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	best := make([]int, len(b)+1)
	for _, s := range a {
		diagonal := 0
		for j, u := range b {
			above := best[j+1]
			if s == u {
				best[j+1] = diagonal + 1
			} else {
				best[j+1] = max(above, best[j])
			}
			diagonal = above
		}
	}
	return best[len(b)]
}

// missing are those of a that b lacks.
func missing(a, b []string) []string {
	in := map[string]bool{}
	for _, s := range b {
		in[s] = true
	}
	var out []string
	for _, s := range a {
		if !in[s] {
			out = append(out, s)
		}
	}
	return out
}
