package main

import "testing"

// TestReferences: show says where references lead, and what terms mean, to the asker.
func TestReferences(t *testing.T) {
	s := newSandbox(t)
	s.write("office/a.md", "# Lease\n\n## 1. Terms\n\n\"Fee\" means the fee of section 2. See Policy RF-204, section 9 of RF-204, clause 7 and [pay](pay.md).\n\n## 2. Fees\n\nThe Minimum Charge Level (MCL) holds.\n",
		"office/refunds.md", "---\nnumber: RF-204\n---\n# Refunds\n\nNone.\n",
		"office/pay.md", "---\nreaders: [group:hr]\n---\n# Pay\n\nMuch.\n")
	s.want(0, "add", "office")
	contains(t, s.want(0, "show", "a.md", "--references").out, "Lease › 1 Terms\n", "  section 2 -> Lease › 2 Fees\n", "  Policy RF-204 -> refunds.md\n",
		"  section 9 of RF-204 -> refunds.md, without the place\n", "  clause 7 -> leads nowhere\n", "  [pay](pay.md) -> leads nowhere\n")
	contains(t, s.want(0, "show", "a.md", "--references", "--as", "group:hr").out, "  [pay](pay.md) -> pay.md\n")
	contains(t, s.want(0, "show", "refunds.md", "--references").out, "no references were found")
	contains(t, s.want(0, "show", "a.md", "--definitions").out, "Fee: the fee of section 2.", "MCL: Minimum Charge Level\n")
	contains(t, s.want(0, "show", "refunds.md", "--definitions").out, "no definitions were found")

	all := s.object(0, "show", "a.md", "--references")["references"].([]any)
	fields(t, "reference", all[0], "kind text span heading target")
	if r := all[4].(map[string]any); len(all) != 5 || r["kind"] != "link" || r["target"] != nil {
		t.Errorf("%v", all)
	}
	target := fields(t, "target", all[0].(map[string]any)["target"], "document source title heading span placed")
	if target["document"] != "a.md" || target["placed"] != true {
		t.Errorf("%v", target)
	}
	if none := s.object(0, "show", "refunds.md", "--references")["references"].([]any); len(none) != 0 {
		t.Errorf("%v", none)
	}
	d := fields(t, "definition", first(t, "definitions", s.object(0, "show", "a.md", "--definitions")["definitions"]), "kind term meaning span heading")
	if d["kind"] != "term" || d["term"] != "Fee" {
		t.Errorf("%v", d)
	}
}
