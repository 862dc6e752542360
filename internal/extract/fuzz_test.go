package extract

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/source"
)

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"# 7.2 Term\n\nText\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nTable 1: x\n",
		"---\ntitle: x\n---\n- a\n  - b\n\n      c\n1. d\n> q\nlazy\n```\ncode\n",
		"[a]: /u\n'title'\nsetext\n===\n<!-- c -->\n<div>\nx\n</div>\n\n\tcode\n\n[^1]: note\n",
		"* * *\n- - a\n-\n\n  b\n~~~\n\n~~~\nx\n---\n|a\n|-\n",
		"0)\n\u00a0\n=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.md", s) })
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<title>t</title><main><h1>7.2 A</h1><p>x<b> y</b>z<table><caption>c<tr><th rowspan=2>a<th colspan=3>b<tr><td>1</table></main>",
		"<ul><li>a<ol type=i start=3><li value=9>b</ol><ul>c</ul></ul><dl><dt>t<dd><ul><li>x</ul></dl><pre>```\n</pre>",
		"<blockquote><p>a<br># b<br>|---|---|<hr><a href='http://x'>1. y</a></blockquote><nav>n</nav><aside>a</aside><svg><title>x</title></svg>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.html", s) })
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"TITLE HERE\n\n1. One\n\ntext\n3.2 Two\nmore\n\n- a\n b\n- c\n\na | b | c\n1 | 2 | 3\n4 | 5 | 6\n",
		"From: a\nSubject: b\n c\n\n> q\nTitle\n-----\nx\n=====\nx\n=====\n",
		"a   b\n1   2\n3   4\n\n(a) x\n(b) y\n\na\tb\n1\t2\n3\t4\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.txt", s) })
}

func fuzzed(t *testing.T, name, s string) {
	x, err := Extract(name, []byte(s))
	if err != nil {
		return
	}
	checkBlocks(t, x)
	if x.Format == formatMarkdown {
		checkCovered(t, x)
	}
	if x.Format == formatText {
		_, body, _ := cutFrontMatter(x.Text)
		for _, l := range uncovered(x, body) {
			if !textRuler(l) {
				t.Fatalf("the line %q of %q is in no block", l, x.Text)
			}
		}
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add("title: a\nreaders: [a, b]\neffective: {from: 2026-01-01, to: 2026}\n", "attributes: {region: [eu]}\nother: {a: [1, *x]}\n")
	f.Add("a: &a [1]\nb: *a\n", "deny: x\nversion: 1.10\n")
	f.Fuzz(func(t *testing.T, side, front string) {
		m, err := Metadata([]source.Sidecar{{Name: "_meta.yaml", Bytes: []byte(side)}}, []byte(front))
		if err != nil && (m.Access.Everyone || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("error %q leaves access open or has several lines", err)
		}
		if iv := m.Effective; iv.From != 0 && iv.To != 0 && iv.To <= iv.From {
			t.Fatalf("validity %v is empty", iv)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00b\x00"), false)
	f.Add([]byte("caf\xe9 \xb2\xbb\xb9\xfd"), true)
	f.Add([]byte("<meta charset=shift_jis>\x82\xa0\r\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, page bool) {
		d, err := decode(data, page)
		if err == nil && (strings.ContainsAny(d.text, "\r\x00") || strings.ToValidUTF8(d.text, "") != d.text) {
			t.Fatalf("%q is no canonical text", d.text)
		}
	})
}
