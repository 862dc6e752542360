package extract

import (
	"cmp"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/seed-d3156d19/quarry/internal/extract/outlook"
	"github.com/seed-d3156d19/quarry/internal/extract/rtf"
)

// readOutlook reads a message as Outlook saves it.
func readOutlook(data []byte) (*mailMessage, error) {
	o, err := outlook.Read(data)
	if err != nil {
		return nil, err
	}
	m := fromOutlook(o)
	m.damaged = o.Damaged
	return m, nil
}

func fromOutlook(o *outlook.Message) *mailMessage {
	m := &mailMessage{subject: headerValue(o.Subject)}
	m.field("From", headerValue(o.From))
	m.field("To", headerValue(o.To))
	m.field("Cc", headerValue(o.Cc))
	if !o.Sent.IsZero() {
		if m.date = dayOf(o.Sent); m.date != 0 {
			m.field("Date", o.Sent.Format(mailTime))
		}
	}
	for _, a := range o.Attachments {
		kind, _, _ := strings.Cut(headerValue(a.Kind), ";")
		name := cmp.Or(headerValue(a.Name), kind, "attachment")
		m.attached = append(m.attached, attached{name, kind, a.Shown && (kind == "" || strings.HasPrefix(kind, "image/")), a.Data})
	}
	for _, inner := range o.Messages {
		m.inner = append(m.inner, fromOutlook(inner))
	}
	p := &mailParts{m: m, plain: []string{inUTF8([]byte(o.Text))}}
	if len(o.HTML) > 0 {
		p.pages = append(p.pages, outlookPage(o))
	}
	p.choose()
	if blank(m.text) && blank(m.page) && o.RTF != nil {
		if page, err := rtf.Read(o.RTF); err == nil {
			if x, err := renderPage(formatMail, page); err == nil {
				m.page = strings.TrimSpace(x.Text)
			}
		}
	}
	return m
}

// outlookPage is the page of a message, in the code page that the message says where
// the page says none.
func outlookPage(o *outlook.Message) string {
	if e, _ := charset.Lookup(o.CodePage); e != nil && !strings.Contains(strings.ToLower(string(o.HTML[:min(len(o.HTML), 4096)])), "charset") {
		if b, err := e.NewDecoder().Bytes(o.HTML); err == nil {
			return string(b)
		}
	}
	d, err := decode(o.HTML, true)
	if err != nil {
		return ""
	}
	return d.text
}
