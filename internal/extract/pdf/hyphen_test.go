package pdf

import "testing"

func TestJoinLines(t *testing.T) {
	known := speller{"termination": true, "long-term": true, "e-mail": true, "term": true, "well": true}
	for _, tt := range []struct{ a, b, want string }{
		{"the", "buyer", "the buyer"},
		{"notice of termi-", "nation, and", "notice of termination, and"},
		{"a long-", "term contract", "a long-term contract"},
		{"by e-", "mail.", "by e-mail."},
		{"an un-", "known word", "an unknown word"},
		{"the X-", "Ray unit", "the X-Ray unit"},
		{"YYMMDDhhmm-", "hh", "YYMMDDhhmm-hh"},
		{"(Termi-", "nation", "(Termination"},
		{"pages 10-", "12", "pages 10-12"},
		{"a dash -", "then", "a dash - then"},
		{"", "first", "first"},
		{"本契約は", "五年間", "本契約は五年間"},
		{"定义。", "（一）", "定义。（一）"},
		{"한국어 문장은", "띄어 쓴다", "한국어 문장은 띄어 쓴다"},
		{"Version 中", "is", "Version 中 is"},
	} {
		if got := string(known.join([]byte(tt.a), tt.b)); got != tt.want {
			t.Errorf("%q and %q are %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}
