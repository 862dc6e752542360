package extract

import (
	"strings"
	"testing"
)

// TestSubtitles gives the paragraphs that cues become.
func TestSubtitles(t *testing.T) {
	for _, tt := range []struct{ what, name, in, want string }{
		{"cues of one sentence", "a.srt", "1\n00:01:05,000 --> 00:01:07,000\nRefunds are paid\n\n2\n00:01:07,200 --> 00:01:09,000\nwithin\n<i>fourteen</i> days.\n",
			"[00:01:05] Refunds are paid within fourteen days."},
		{"a pause", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n01:00:09,000 --> 01:00:10,000\nTwo.\n", "[00:00:01] One.\n\n[01:00:09] Two."},
		{"voices, settings, notes and styles", "a.vtt", "WEBVTT - Town hall\n\nSTYLE\n::cue { color: red }\n\nNOTE by hand\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann Lee>What &amp; when?\n\n00:02.000 --> 00:03.000\n<v Ben>In May.\n\n00:03.000 --> 00:04.000\n<v Ben>Or June.\n",
			"[00:00:01] Ann Lee: What & when?\n\n[00:00:02] Ben: In May. Or June."},
		{"captions that roll up", "a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nso we\n\n00:01.000 --> 00:02.000\nso we\n<00:01.500><c>ship</c> it\n\n00:02.000 --> 00:03.000\nship it\nin May\n", "[00:00:00] so we ship it in May"},
		{"positions and a blank line in a cue", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Above\n\nbelow\n", "[00:00:01] Above below"},
		{"told by its content", "talk.txt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n", "[00:00:00] Hi"},
		{"another file of that name", "a.srt", "Section\n\ntext\n", "Section\n\ntext"},
	} {
		x, err := Extract(tt.name, []byte(tt.in))
		if got := strings.TrimSuffix(x.Text, "\n"); err != nil || got != tt.want {
			t.Errorf("%s: got\n%s %v\nwant\n%s", tt.what, got, err, tt.want)
		}
		checkBlocks(t, x)
		if lost := uncovered(x, 0); len(lost) > 0 {
			t.Errorf("in no block: %q", lost)
		}
	}
	x, err := Extract("a.vtt", []byte("WEBVTT - Town hall\n\n00:00.000 --> 00:01.000\nHi\n"))
	if err != nil || x.Title != "Town hall" || x.Format != "subtitles" {
		t.Errorf("%+v %v", x, err)
	}
}

// TestSubtitleLength: without a pause a paragraph ends at a sentence.
func TestSubtitleLength(t *testing.T) {
	x, err := Extract("a.srt", []byte(strings.Repeat("1\n00:00:01,000 --> 00:00:02,000\nThis cue is number one of two.\n\n2\n00:00:02,000 --> 00:00:03,000\nThis is the other of them.\n\n", 200)))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range x.Blocks {
		if s := b.Span.Of(x.Text); len(s) > 2*maxRun || !strings.HasSuffix(s, ".") {
			t.Errorf("%d bytes: …%s", len(s), s[max(0, len(s)-40):])
		}
	}
}

func FuzzSubtitles(f *testing.F) {
	f.Add("1\n00:00:01,000 --> 00:00:02,000\nAnn: x\n\n2\n0:03.0 --> 99999999999:00:04.5\n<v B>y\n\nz\n")
	f.Add("WEBVTT x\n\n00:00.000 --> 00:01.000\n&#13;&#0;<c>\n")
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.vtt", s) })
}
