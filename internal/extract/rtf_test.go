package extract

import (
	"slices"
	"strings"
	"testing"
)

const rtfHead = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}}` +
	`{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2\outlinelevel1 Ours;}{\s5 Title;}}`

func TestRtf(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"headings by style and outline level", `\pard\s5 Terms\par\pard\s1 Scope\par\pard\s2 Part\par\pard\outlinelevel2 Small\par\pard\s0 Text\par`, "# Terms\n\n# Scope\n\n## Part\n\n### Small\n\nText"},
		{"numbers beside the text", `\pard{\listtext\tab 1.\tab}one\par\pard{\listtext a)\tab}\ilvl1 inner\par\pard{\listtext 2.\tab}two\par\pard text\par\pard{\pntext\'b7\tab}bullet\par\pard{\listtext 7.2\tab}A clause.\par\pard\s1{\listtext 8\tab}Head\par`,
			"1. one\n   - a) inner\n2. two\n\ntext\n\n- bullet\n\n7.2 A clause.\n\n# 8 Head"},
		{"encodings", `\pard caf\'e9 {\f1\'cf\'f0\'e8} {\f2\'93\'fa\'96\'7b} \u8364?5 {\uc2\u228ab}{\uc1\u-10179?\u-8704?} \{\\\}\par`, "café При 日本 €5 ä😀 {\\}"},
		{"signs", `\pard a\tab b\line c\emdash d\~e pre\_paid \ldblquote x\rdblquote\par`, "a b\nc—d e pre-paid “x”"},
		{"hidden, deleted, fields, pictures", `\pard seen {\v hidden }{\deleted gone }{\field{\*\fldinst PAGE}{\fldrslt 7}}{\pict 00ff{\*\x}}{\*\unknown no}{\super 2}{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt in the box}}\par`, "seen 7^2in the box"},
		{"footnotes", `\pard Due{\footnote\pard Without tax.\par} now.\par\pard Next.\par`, "Due[^1] now.\n\n[^1]: Without tax.\n\nNext."},
		{"tables", `\trowd\trhdr\clvmgf\cellx1\clmgf\cellx2\clmrg\cellx3\pard\intbl Plan\cell 2026\cell\cell\row\trowd\trhdr\clvmrg\cellx1\cellx2\cellx3\pard\intbl\cell Q1\cell Q2\cell\row` +
			`\trowd\cellx1\cellx2\cellx3\pard\intbl Team\cell 40\par MB\cell 41\cell\row\pard after\par`, "| Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | --- |\n| Team | 40 MB | 41 |\n\nafter"},
		{"raw bytes", "\\pard a{\\bin5 }{\\}} b\\par", "a b"},
		{"groups that end too often", `\pard a}}} b\par`, "a b"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkText(t, "a.rtf", []byte(rtfHead+tt.in+`}`), tt.want) })
	}
}

func TestRtfSays(t *testing.T) {
	x, err := Extract("a.doc", []byte(rtfHead+`{\info{\title Refund \'a7 Policy}{\author Ann}}{\header Page}\pard a{\v h}{\*\annotation note}\par}`))
	want := []string{"Comments that were left out: 1.", "Runs of hidden text that were left out: 1.", "Page headers and footers were left out."}
	if err != nil || x.Format != "rtf" || x.Title != "Refund § Policy" || !slices.Equal(x.Notes, want) || x.Text != "a\n" {
		t.Errorf("%+v %v", x, err)
	}
	if _, err := Extract("a.rtf", []byte(rtfHead+strings.Repeat("{", 10_000)+"x")); err == nil || !strings.Contains(err.Error(), "too deeply") {
		t.Errorf("10,000 nested groups: %v", err)
	}
	if _, err := Extract("a.rtf", []byte("text")); err == nil || !strings.Contains(err.Error(), "not that of a .rtf file") {
		t.Errorf("text under the name: %v", err)
	}
}

func FuzzRtf(f *testing.F) {
	f.Add(rtfHead + `\pard\s1{\listtext 1.\tab}a{\footnote b}\par\trowd\clmgf\cellx1\clmrg\cellx2\pard\intbl x\cell y\nestcell\row}`)
	f.Add(`{\rtf1\ansi\mac\u-3913?\'93{\*\pict\bin9 }{\v{\deleted x}}\cell\row\trowd}`)
	f.Add(`}\footnote x}}`)
	f.Add("}\\ftootnot\x00 x\x80}}")
	f.Fuzz(func(t *testing.T, s string) {
		if x, err := Extract("a.rtf", []byte(`{\rtf`+s)); err == nil {
			checkBlocks(t, x)
		}
	})
}
