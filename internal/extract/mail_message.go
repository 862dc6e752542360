package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // the encodings that parts declare
	"github.com/emersion/go-message/mail"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract/outlook"
)

// mailMessage is what one message holds.
type mailMessage struct {
	subject  string
	fields   []string // From, To, Cc and Date, a line each
	text     string   // as it was typed; "" if the page says it
	page     string   // as Markdown
	date     document.Day
	attached []attached
	messages [][]byte // what stands in it as a message
	inner    []*mailMessage
	damaged  int // parts that could not be read whole
}

// attached is a file that a message carries.
type attached struct {
	name    string // as the message says it, or its type
	kind    string // MIME type
	shown   bool   // in the text, like a logo
	content []byte
}

var errMailHeader = errors.New("it is no e-mail: its header is malformed")

const (
	mailTime      = "2006-01-02 15:04 -0700"
	maxMailHeader = 1 << 20
	maxParts      = 1000 // of one message, those within others too
	maxPartDepth  = 20
	maxAddresses  = 50 // named of one field
)

func readMessage(data []byte) (*mailMessage, error) {
	if bytes.HasPrefix(data, outlook.Signature) {
		return readOutlook(data)
	}
	e, err := message.ReadWithOptions(bytes.NewReader(data), &message.ReadOptions{MaxHeaderBytes: maxMailHeader})
	if e == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return nil, errMailHeader
	}
	m := &mailMessage{}
	h := mail.Header{Header: e.Header}
	m.subject = headerText(h.Header, "Subject")
	for _, key := range []string{"From", "To", "Cc"} {
		m.field(key, addresses(h, key))
	}
	date := headerText(h.Header, "Date")
	if t, err := h.Date(); err == nil && !t.IsZero() {
		date = t.Format(mailTime)
		m.date = dayOf(t)
	}
	m.field("Date", date)
	if m.subject == "" && len(m.fields) == 0 {
		return nil, errMailHeader
	}
	p := &mailParts{m: m}
	p.part(e, 0)
	p.choose()
	return m, nil
}

// dayOf is the day where the message was written, 0 if no calendar has it.
func dayOf(t time.Time) document.Day {
	d := document.DayOf(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC))
	if d < document.DayMin || d > document.DayMax {
		return 0
	}
	return d
}

func (m *mailMessage) field(key, value string) {
	if value != "" {
		m.fields = append(m.fields, key+": "+value)
	}
}

// headerText is a field with its encoded words (RFC 2047) decoded, on one line.
func headerText(h message.Header, key string) string {
	s, err := h.Text(key)
	if err != nil {
		s = h.Get(key)
	}
	return headerValue(s)
}

func addresses(h mail.Header, key string) string {
	list, err := h.AddressList(key)
	if err != nil || len(list) == 0 {
		return headerText(h.Header, key)
	}
	var out []string
	for i, a := range list {
		if i == maxAddresses {
			out = append(out, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		s := a.Address
		if name := headerValue(a.Name); name != "" {
			s = name + " <" + a.Address + ">"
		}
		out = append(out, s)
	}
	return headerValue(strings.Join(out, ", "))
}

// headerValue is what a field says, whatever bytes it holds, on one line.
func headerValue(s string) string { return oneLine(withoutControls(inUTF8([]byte(s)))) }

// inUTF8 is text that should have been decoded, and is guessed where it was not.
// What no encoding explains is kept as far as it is text: a part that is refused
// would take its message along.
func inUTF8(b []byte) string {
	d, err := decode(b, false)
	if err != nil {
		return withoutControls(strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	return d.text
}

// mailParts collects the texts of a message, in the order of its parts.
type mailParts struct {
	m            *mailMessage
	plain, pages []string
	parts        int
}

func (p *mailParts) part(e *message.Entity, depth int) {
	if p.parts++; p.parts > maxParts || depth > maxPartDepth {
		return
	}
	if r := e.MultipartReader(); r != nil {
		for {
			inner, err := r.NextPart()
			if inner == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				return // the end, or a message that was cut: what came before counts
			}
			p.part(inner, depth+1)
		}
	}
	kind, params, _ := e.Header.ContentType()
	kind = headerValue(kind)
	disposition, dp, _ := e.Header.ContentDisposition()
	name := headerValue(dp["filename"])
	if name == "" {
		name = headerValue(params["name"])
	}
	body, _ := io.ReadAll(e.Body) // what can be read of a part that was cut
	switch {
	case kind == "message/rfc822" && disposition != "attachment":
		p.m.messages = append(p.m.messages, body)
	case disposition == "attachment" || name != "" && disposition != "inline" || kind != "text/plain" && kind != "text/html" && kind != "":
		if name == "" {
			name = kind
		}
		if disposition == "attachment" || name != kind || !strings.HasPrefix(kind, "image/") {
			p.m.attached = append(p.m.attached, attached{name, kind, disposition != "attachment" && strings.HasPrefix(kind, "image/"), body})
		}
	case kind == "text/html":
		p.pages = append(p.pages, inUTF8(body))
	default:
		p.plain = append(p.plain, inUTF8(body))
	}
}

// choose takes what was typed, or the page where that says much more: some
// programs send a text that only asks for one that shows pages.
func (p *mailParts) choose() {
	text := strings.Trim(strings.Join(p.plain, "\n\n"), "\n")
	var pages []string
	for _, page := range p.pages {
		if x, err := extractHTML(page); err == nil {
			pages = append(pages, strings.TrimSpace(x.Text))
		}
	}
	if page := strings.Join(pages, "\n\n"); len(page) > 5*len(strings.TrimSpace(text)) {
		p.m.page = page
		return
	}
	p.m.text = text
}
