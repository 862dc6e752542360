package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// twoPages is a PDF without an index of its objects, which readers mend.
func twoPages(lines ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] >>\nendobj\n" +
		"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n")
	for i, l := range lines {
		content := "BT /F1 11 Tf 70 700 Td (" + l + ") Tj ET"
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>\nendobj\n", 4+2*i, 5+2*i)
		fmt.Fprintf(&b, "%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", 5+2*i, len(content), content)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\n%%EOF\n")
	return b.String()
}

// TestPages: what comes from a PDF says its page, to people and to programs.
func TestPages(t *testing.T) {
	s := newSandbox(t)
	s.shareCompiled()
	s.write("office/lease.pdf", twoPages("The lease begins in May and ends in June.", "The deposit is EUR 900 for each tenant."))
	s.want(0, "add", "office")
	contains(t, s.want(0, "ask", "How much is the deposit for each tenant?").out, "(lease.pdf, page 2)", "EUR 900")
	ask := s.object(0, "ask", "How much is the deposit for each tenant?")
	for _, of := range []string{"citations", "evidence"} {
		if at := first(t, of, ask[of]).(map[string]any)["page"]; of == "citations" && at != 2.0 || at == nil {
			t.Errorf("the page of the first of %s is %v", of, at)
		}
	}
	// 842 points high, the letters stand on 700 from below.
	box := first(t, "boxes", first(t, "citations", ask["citations"]).(map[string]any)["boxes"]).([]any)
	if len(box) != 5 || box[0] != 2.0 || box[1].(float64) < 69 || box[1].(float64) > 71 || box[2].(float64) < 130 || box[4].(float64) > 146 || box[4].(float64) < 142 {
		t.Errorf("the quote is in the box %v", box)
	}
	hit := first(t, "hits", s.object(0, "search", "when the lease begins")["hits"]).(map[string]any)
	if hit["page"] != 1.0 {
		t.Errorf("the hit is %v", hit)
	}
}

// shareCompiled lets the command find what was compiled of the PDF module before,
// which takes some seconds.
func (s *sandbox) shareCompiled() {
	s.t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return
	}
	kept := filepath.Join(cache, "quarry", "pdfium")
	if os.MkdirAll(kept, 0o700) == nil && os.MkdirAll(filepath.Join(s.top, "cache", "quarry"), 0o700) == nil {
		_ = os.Symlink(kept, filepath.Join(s.top, "cache", "quarry", "pdfium")) // it only saves time
	}
}
