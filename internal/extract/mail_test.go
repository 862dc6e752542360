package extract

import (
	"strings"
	"testing"
)

// crlf is a message as it is sent.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

const mailHead = "From: =?utf-8?q?J=C3=BCrgen_K=C3=B6hler?= <jk@example.com>\nTo: Ann <ann@example.com>, ben@example.com\n" +
	"Subject: =?iso-8859-1?q?K=FCndigung?= of the plan\nDate: Thu, 5 Mar 2026 10:12:00 +0100\nMIME-Version: 1.0\n"

const mailHeadRead = "# Kündigung of the plan\n\nFrom: Jürgen Köhler <jk@example.com>\nTo: Ann <ann@example.com>, ben@example.com\nDate: 2026-03-05 10:12 +0100\n\n"

// TestMail gives the text that a message becomes, below its head.
func TestMail(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"a text", "\nHello Ann,\n\nthe term ends in May.\n", "Hello Ann,\n\nthe term ends in May.\n"},
		{"quoted-printable in Latin-1", "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe und =\nmehr\n", "Grüße und mehr\n"},
		{"base64 in GB18030", "Content-Type: text/plain; charset=gb18030\nContent-Transfer-Encoding: base64\n\nxOO6w8rAvefI1crH\n", "你好世界日是\n"},
		{"bytes of no declared encoding", "\nGr\xfc\xdfe aus K\xf6ln\n", "Grüße aus Köln\n"},
		{"an encoding nobody knows", "Content-Type: text/plain; charset=x-none\n\nHello\n", "Hello\n"},
		{"the text is preferred to the page", "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nPlain text here.\n--b\nContent-Type: text/html\n\n<p>Page text <b>here</b>.\n--b--\n", "Plain text here.\n"},
		{"a page alone", "Content-Type: text/html; charset=utf-8\n\n<html><body><h1>Terms</h1><table><tr><th>Plan<th>Price<tr><td>Team<td>10</table></body></html>\n",
			"# Terms\n\n| Plan | Price |\n| --- | --- |\n| Team | 10 |\n"},
		{"a text that only asks for a page", "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nNo HTML?\n--b\nContent-Type: text/html\n\n<p>The term of the contract ends on the last day of May.\n--b--\n", "The term of the contract ends on the last day of May.\n"},
		{"a signature", "\nYes.\n\n-- \nJürgen\nSales\n", "Yes.\n\n## Signature\n\nJürgen\nSales\n"},
		{"an answer above", "\nYes.\n\nOn Wed, 4 Mar 2026, Ann wrote:\n> Does it end?\n>\n> Ann\n", "Yes.\n\n## Quoted history\n\nOn Wed, 4 Mar 2026, Ann wrote:\n> Does it end?\n>\n> Ann\n"},
		{"an answer above with a signature", "\nYes.\n\n-- \nJK\n\nAm 4.3.2026 schrieb Ann:\n> Endet es?\n", "Yes.\n\n## Signature\n\nJK\n\n## Quoted history\n\nAm 4.3.2026 schrieb Ann:\n> Endet es?\n"},
		{"a signature below what is quoted", "\nYes.\n\n> Does it end?\n\n-- \nJK\n", "Yes.\n\n## Signature\n\nJK\n\n## Quoted history\n\n> Does it end?\n"},
		{"an original message", "\nYes.\n\n-----Original Message-----\nFrom: Ann\nDoes it end?\n", "Yes.\n\n## Quoted history\n\n-----Original Message-----\nFrom: Ann\nDoes it end?\n"},
		{"answers line by line", "\n> Does it end?\n\nYes.\n\n> When?\n\nIn May.\n", "> Does it end?\n\nYes.\n\n> When?\n\nIn May.\n"},
		{"only quoted", "\n> Does it end?\n", "> Does it end?\n"},
		{"a message that was cut", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\nContent-Type: image/png\n", "Hello\n"},
		{"forwarded as a message", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n--b\nContent-Type: message/rfc822\n\nFrom: c@example.com\nSubject: Old\n\nOld text\n--b--\n",
			"See below.\n\n## Old\n\nFrom: c@example.com\n\nOld text\n"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			for _, in := range []string{mailHead + tt.in, crlf(mailHead + tt.in)} {
				x, err := Extract("a.eml", []byte(in))
				if want := mailHeadRead + tt.want; err != nil || x.Text != want || x.Title != "Kündigung of the plan" || x.Format != "mail" {
					t.Errorf("got\n%s%v\nwant\n%s", x.Text, err, want)
				}
				checkBlocks(t, x)
				if lost := uncovered(x, 0); len(lost) > 0 {
					t.Errorf("in no block: %q", lost)
				}
			}
		})
	}
}

// TestMailAttachments: what is attached is named where the message is read.
func TestMailAttachments(t *testing.T) {
	x, err := Extract("a.eml", []byte(mailHead+"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.pdf\n\nx\n--b--\n"))
	if err != nil || !strings.Contains(x.Text, "\nAttachments: Größe.pdf\n") || len(x.Notes) != 0 {
		t.Errorf("%s %q %v", x.Text, x.Notes, err)
	}
}

func TestMailbox(t *testing.T) {
	box := "From a@example.com Thu Mar  5 10:12:00 2026\nFrom: a@example.com\nSubject: One\n\nFirst.\n\nFrom here on it is text.\n\n>From quoted\n\n" +
		"From b@example.com Thu Mar  5 10:12:00 2026\nFrom: b@example.com\nSubject: Two\n\nSecond.\n\nHEADING OF IT\n\nText.\n"
	want := "# One\n\nFrom: a@example.com\n\nFirst.\n\nFrom here on it is text.\n\nFrom quoted\n\n# Two\n\nFrom: b@example.com\n\nSecond.\n\nHEADING OF IT\n\nText.\n"
	for _, name := range []string{"a.mbox", "a.eml", "box", "a.txt"} {
		in := box
		if name == "box" || name == "a.txt" {
			in = strings.ReplaceAll(box, "Subject:", "Message-ID: <x@y>\nSubject:")
		}
		x, err := Extract(name, []byte(crlf(in)))
		if err != nil || x.Text != want || x.Title != "" {
			t.Errorf("%s: got\n%s%v", name, x.Text, err)
		}
	}
}

func TestMailRefused(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"no header", "Hello\n\nthere\n", errMailHeader.Error()},
		{"a header of nothing", "X-A: b\n\nthere\n", errMailHeader.Error()},
		{"a header without end", "From: a@example.com\n" + strings.Repeat("X-A: b\n", 1<<18), errMailHeader.Error()},
		{"nothing in it", "", errMailHeader.Error()},
		{"metadata", "---\nreaders: [group:hr]\n---\n" + mailHead + "\nHello\n", errMailHeader.Error()},
	} {
		if _, err := Extract("a.eml", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}

// TestMailNested: parts within parts and messages within messages end somewhere.
func TestMailNested(t *testing.T) {
	deep := mailHead
	for range 5000 {
		deep += "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	}
	messages := strings.Repeat("From: a@example.com\nContent-Type: message/rfc822\n\n", 5000)
	for what, in := range map[string]string{"parts": deep, "messages": messages, "quotes": mailHead + "\n" + strings.Repeat(">", 200_000) + "\n" + strings.Repeat("> x\n", 200_000) + "end\n"} {
		if x, err := Extract("a.eml", []byte(in)); err == nil {
			checkBlocks(t, x)
		} else {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func FuzzMail(f *testing.F) {
	f.Add(mailHead + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n\n-- \nx\n--b\nContent-Type: text/html\n\n<p>x\n--b--\n")
	f.Add("From a\nFrom: a\nSubject: =?utf-8?b?AA==?=\n\nx\n\nFrom b\nTo: c\n\n> y\n")
	f.Add("From: a\nContent-Transfer-Encoding: base64\nContent-Type: message/rfc822\n\nRnJvbTogYQoK\n")
	f.Add("From: a\n\n\n\r\xc0\xfa\x04\xf9\x1e\x15\x15\n") // no encoding explains it
	f.Add("From: a\nContent-Type: \x90\n\nx\n")
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.eml", s) })
}
