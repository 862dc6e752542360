package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// lineChange is a line of a page that differs between two of its versions.
type lineChange struct {
	Page, Title, Old, New string
	OldVersion            string `json:"old_version"`
	NewVersion            string `json:"new_version"`
}

// madeQuestion asks for what differs in a line, as it was on a day.
type madeQuestion struct {
	page, text string
	day        document.Day
	values     []string // that the line of the day holds and the other does not
}

// How many questions are made, and of what chance.
const (
	madeQuestions = 100
	seed          = 20261130
)

func readChanges(file string) ([]lineChange, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []lineChange
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c lineChange
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, c)
	}
	return out, lines.Err()
}

// makeQuestions makes questions of the lines that differ outside of where links lead, from
// one of the two sides by chance: the line without its values, on the day of its version.
func makeQuestions(changes []lineChange) []madeQuestion {
	var differ []lineChange
	for _, c := range changes {
		if withoutTargets(c.Old) != withoutTargets(c.New) {
			differ = append(differ, c)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(differ), func(i, j int) { differ[i], differ[j] = differ[j], differ[i] })
	var out []madeQuestion
	for _, c := range differ {
		asked, other, version := c.Old, c.New, c.OldVersion
		if random.IntN(2) == 1 {
			asked, other, version = c.New, c.Old, c.NewVersion
		}
		q := madeQuestion{page: c.Page}
		others := valuesOf(other)
		for _, v := range valuesOf(asked) {
			if !slices.Contains(others, v) && !slices.Contains(q.values, v) {
				q.values = append(q.values, v)
			}
		}
		day, err := document.ParseDay(version)
		q.text = questionOf(c.Title, asked, q.values)
		if len(q.values) == 0 || err != nil || q.text == "" {
			continue // nothing is asked for
		}
		q.day = day
		if out = append(out, q); len(out) == madeQuestions {
			break
		}
	}
	return out
}

var (
	target    = regexp.MustCompile(`\]\([^)]*\)`)
	value     = regexp.MustCompile(`[$]?[\pL\pN]*\pN[\pL\pN]*(?:[.,:][\pL\pN]*\pN[\pL\pN]*)*`)
	wordsOnly = regexp.MustCompile(`[\pL\pN$][\pL\pN$.,:'’&@/-]*`)
	item      = regexp.MustCompile(`^\s*\d+[.)]\s+`)
	tag       = regexp.MustCompile(`<[^>]*>|\{%[^%]*%\}|&\w+;`)
)

func withoutTargets(line string) string { return target.ReplaceAllString(line, "]") }

// valuesOf are the words of a text that hold a digit. The number of a list's item is none: it
// says where the item stands, and nobody asks for it.
func valuesOf(text string) []string {
	return value.FindAllString(strings.ToLower(withoutTargets(item.ReplaceAllString(text, ""))), -1)
}

// How many words of its line a question has.
const (
	fewestWords = 3 // of fewer nobody could say what is asked
	mostWords   = 30
)

// questionOf is the page's title and the words of a line without values.
func questionOf(title, line string, values []string) string {
	line = tag.ReplaceAllString(withoutTargets(line), " ")
	var out []string
	for _, w := range wordsOnly.FindAllString(line, -1) {
		if v := valuesOf(w); len(v) > 0 && slices.Contains(values, v[0]) {
			continue
		}
		if out = append(out, w); len(out) == mostWords {
			break
		}
	}
	if len(out) < fewestWords {
		return ""
	}
	return title + ": " + strings.Join(out, " ")
}
