package extract

import (
	"fmt"
	"html"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// extractSubtitles reads the cues of WebVTT (W3C, 2019) and SubRip and joins them to
// paragraphs, each with the time at which it begins: up to a pause, a change of
// speaker or a length. Sentences run over several cues; with times between their
// words they could neither be found nor quoted.
func extractSubtitles(text string) (Extracted, error) {
	s := &subtitles{}
	var group []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			group = append(group, line)
			continue
		}
		s.group(group)
		group = group[:0]
	}
	s.group(group)
	s.flush()
	if s.cues == 0 { // another file of this name
		return extractText(text)
	}
	return Extracted{Format: formatSubtitles, Text: s.b.String(), Title: s.title, Blocks: s.blocks}, nil
}

type subtitles struct {
	b       strings.Builder
	blocks  []Block
	title   string
	run     strings.Builder // the paragraph so far
	last    string          // line of a cue: captions that roll up repeat it
	from    int             // of the paragraph, in milliseconds
	end     int             // of the last cue
	speaker string
	cues    int
}

const (
	pause = 3000 // milliseconds between cues after which something new begins
	// maxRun is where a paragraph ends with its sentence, in bytes: some 150 tokens.
	maxRun = 700
)

var (
	cueTime    = lazyregexp.New(`^((?:\d+:)?\d{1,2}:\d{2})[.,](\d{1,3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2})[.,](\d{1,3})`)
	cueVoice   = lazyregexp.New(`^<v(?:\.[^ >]*)? ([^>]+)>`)
	cueSpeaker = lazyregexp.New(`^-?\s*(\p{Lu}[\pL .'-]{1,30}):\s`)
	cueTag     = lazyregexp.New(`</?[a-z0-9][^<>]*>|\{\\[^{}]*\}`)
	cueEnds    = lazyregexp.New(`[.?!…]["')\]]*$`)
)

// group takes the lines between two blank ones: a cue, the head of the file, a note, a
// style.
func (s *subtitles) group(lines []string) {
	at := 0
	for at < len(lines) && at < 2 && !cueTime.MatchString(lines[at]) {
		at++
	}
	switch {
	case len(lines) == 0:
	case at < len(lines) && cueTime.MatchString(lines[at]):
		s.cue(cueTime.FindStringSubmatch(lines[at]), lines[at+1:])
	case s.cues == 0 && strings.HasPrefix(lines[0], "WEBVTT"):
		s.title = strings.TrimLeft(strings.TrimPrefix(lines[0], "WEBVTT"), " \t-–:")
	case strings.HasPrefix(lines[0], "STYLE"), strings.HasPrefix(lines[0], "REGION"), strings.HasPrefix(lines[0], "NOTE"):
	default: // more of the cue before, which a blank line cut
		s.say(lines)
	}
}

func (s *subtitles) cue(time, lines []string) {
	from, to := milliseconds(time[1], time[2]), milliseconds(time[3], time[4])
	s.cues++
	speaker := ""
	if len(lines) > 0 {
		if m := cueVoice.FindStringSubmatch(lines[0]); m != nil {
			speaker = oneLine(m[1])
			lines = append([]string{speaker + ": " + lines[0]}, lines[1:]...)
		} else if m := cueSpeaker.FindStringSubmatch(lines[0]); m != nil {
			speaker = m[1]
		}
	}
	said := s.run.String()
	if from-s.end > pause || speaker != "" && speaker != s.speaker ||
		len(said) > maxRun && cueEnds.MatchString(said) || len(said) > 3*maxRun {
		s.flush()
	} else if speaker != "" && s.run.Len() > 0 { // named again
		lines[0] = strings.TrimPrefix(lines[0], speaker+": ")
	}
	if s.run.Len() == 0 {
		s.from = from
	}
	s.end = to
	if speaker != "" {
		s.speaker = speaker
	}
	s.say(lines)
}

func (s *subtitles) say(lines []string) {
	for _, l := range lines {
		l = oneLine(html.UnescapeString(cueTag.ReplaceAllString(l, "")))
		if l == "" || l == s.last {
			continue
		}
		if s.run.Len() > 0 {
			s.run.WriteByte(' ')
		}
		s.run.WriteString(l)
		s.last = l
	}
}

func (s *subtitles) flush() {
	if s.run.Len() == 0 {
		return
	}
	if s.b.Len() > 0 {
		s.b.WriteByte('\n')
	}
	from := s.b.Len()
	t := s.from / 1000
	fmt.Fprintf(&s.b, "[%02d:%02d:%02d] %s", t/3600, t/60%60, t%60, withoutControls(s.run.String()))
	s.blocks = append(s.blocks, Block{Kind: Paragraph, Span: document.Span{From: from, To: s.b.Len()}})
	s.b.WriteByte('\n')
	s.run.Reset()
}

// milliseconds of a time such as 01:02:03 and the figures behind its point.
func milliseconds(t, fraction string) int {
	n := 0
	for part := range strings.SplitSeq(t, ":") {
		n = n*60 + digits(part)
	}
	return n*1000 + digits((fraction + "00")[:3])
}

// digits is a number, of which the first eight digits count.
func digits(s string) int {
	n := 0
	for i := range min(len(s), 8) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
