package extract

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// attachedMail is a message that carries parts.
func attachedMail(head string, parts ...string) string {
	return head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
}

func named(disposition, kind, name, content string) string {
	return "Content-Type: " + kind + "\nContent-Disposition: " + disposition + "; filename=\"" + name + "\"\n\n" + content
}

// TestAttachments gives path, content and carrier of what messages carry.
func TestAttachments(t *testing.T) {
	const carrier = " (Kündigung of the plan, 2026-03-05)"
	for _, tt := range []struct{ what, in, want string }{
		{"none", mailHead + "\nHello\n", ""},
		{"no message", "Hello\n", ""},
		{"one", attachedMail(mailHead, named("attachment", "text/plain", "fees.txt", "The fee.")), "fees.txt=The fee." + carrier},
		{"base64 and an encoded name", attachedMail(mailHead, "Content-Type: application/pdf; name=\"=?utf-8?q?Gr=C3=B6=C3=9Fe.pdf?=\"\nContent-Transfer-Encoding: base64\n\nJVBERi0="), "Größe.pdf=%PDF-" + carrier},
		{"names that come again", attachedMail(mailHead, named("attachment", "a/b", "a.md", "1"), named("attachment", "a/b", "A.md", "2"), named("attachment", "a/b", "a (2).md", "3"), named("attachment", "a/b", "a.md", "4")),
			"a.md=1" + carrier + "\nA (2).md=2" + carrier + "\na (2) (2).md=3" + carrier + "\na (3).md=4" + carrier},
		{"names that are paths", attachedMail(mailHead, named("attachment", "a/b", "../../etc/a.md", "1"), named("attachment", "a/b", `C:\\x\\b.md`, "2"), named("attachment", "a/b", "/", "3"), named("attachment", "a/b", "..", "4")),
			"a.md=1" + carrier + "\nb.md=2" + carrier + "\nattachment=3" + carrier + "\nattachment (2)=4" + carrier},
		{"without a name", attachedMail(mailHead, "Content-Type: message/rfc822\nContent-Disposition: attachment\n\nFrom: c@example.com\n\nOld", "Content-Type: application/zip\n\nPK"),
			"attachment.eml=From: c@example.com\n\nOld" + carrier + "\nattachment.zip=PK" + carrier},
		{"pictures in the text", attachedMail(mailHead, named("inline", "image/png", "logo.png", "x"), named("attachment", "image/png", "plan.png", "y")), "plan.png=y" + carrier},
		{"a document shown in the text", attachedMail(mailHead, named("inline", "application/pdf", "a.pdf", "x")), "a.pdf=x" + carrier},
		{"of a message within", attachedMail(mailHead, named("attachment", "a/b", "a.md", "1"), "Content-Type: message/rfc822\n\n"+strings.NewReplacer("--b", "--c", "=b", "=c").Replace(attachedMail("From: c@example.com\nSubject: Old\n", named("attachment", "a/b", "a.md", "2")))),
			"a.md=1" + carrier + "\na (2).md=2 (Old, )"},
		{"of a mailbox", "From a\n" + attachedMail(mailHead, named("attachment", "a/b", "a.md", "1")) + "\nFrom b\nFrom: b\nSubject: None\n\nx\n\nFrom c\n" + attachedMail("From: c\nSubject: Three\n", named("attachment", "a/b", "a.md", "3")),
			"1/a.md=1" + carrier + "\n3/a.md=3 (Three, )"},
		{"empty", attachedMail(mailHead, named("attachment", "a/b", "a.md", "")), ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			var got []string
			for _, a := range Attachments("a.eml", []byte(tt.in)) {
				got = append(got, fmt.Sprintf("%s=%s (%s, %s)", a.Path, strings.TrimSuffix(string(a.Data), "\n"), a.Carrier.Title, a.Carrier.Date))
			}
			if g := strings.Join(got, "\n"); g != tt.want {
				t.Errorf("got\n%s\nwant\n%s", g, tt.want)
			}
		})
	}
}

// FuzzAttachments: whatever a sender writes, each attachment has a path of its own
// that may be stored, of a file in a folder.
func FuzzAttachments(f *testing.F) {
	f.Add("a.md", "b/../c")
	f.Add(strings.Repeat("ä", 300)+".pdf", "..")
	f.Add("a\x00b\xff", ".meta.yaml")
	f.Add("a\n\x01.", "b."+strings.Repeat("c", 300))
	f.Fuzz(func(t *testing.T, a, b string) {
		c := &carried{names: map[string]int{}}
		for _, name := range []string{a, b, a, b} {
			c.of(&mailMessage{attached: []attached{{name: name, content: []byte("x")}}}, 0)
		}
		seen := map[string]bool{}
		for _, x := range c.out {
			if err := (document.ID{Source: "s", Path: x.Path}).Validate(); err != nil || seen[x.Path] || path.Base(x.Path) != x.Path || strings.ContainsAny(x.Path, "\n\r") {
				t.Fatalf("%q of %q and %q: %v", x.Path, a, b, err)
			}
			seen[x.Path] = true
		}
	})
}
