package extract

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// extractMail reads one message (RFC 5322, or as Outlook saves it), or all of a mailbox
// (mbox, RFC 4155).
// Each is a section under its subject: who wrote when to whom, the text, and apart
// from it what is quoted below the text and the signature. What is attached is named;
// it is read as documents of their own (see Attachments).
func extractMail(data []byte) (Extracted, error) {
	w := &mailWriter{}
	messages, box := messagesOf(data)
	for i, m := range messages {
		err := w.message(m, 1, 0)
		switch {
		case err != nil && !box:
			return Extracted{}, err
		case err != nil:
			w.note("Message %d could not be read: its header is malformed.", i+1)
		}
	}
	x := Extracted{Format: formatMail, Text: w.b.String(), Blocks: w.blocks, Notes: w.notes, Doubts: w.doubts}
	if !box {
		x.Title = w.subject
	}
	return x, nil
}

// messagesOf are those of a mailbox, or the one that a file is.
func messagesOf(data []byte) (messages [][]byte, box bool) {
	if bytes.HasPrefix(data, []byte("From ")) {
		return mailbox(data), true
	}
	return [][]byte{data}, false
}

// mailbox cuts a mailbox at its "From " lines, each of which follows a blank line and
// stands before a header.
func mailbox(data []byte) [][]byte {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	var out [][]byte
	from := 0
	take := func(to int) {
		_, m, _ := bytes.Cut(data[from:to], []byte("\n"))
		if len(bytes.TrimSpace(m)) > 0 {
			out = append(out, unquotedFrom.ReplaceAll(m, []byte("$1")))
		}
		from = to
	}
	for _, at := range mailStart.FindAllIndex(data, -1) {
		if start := at[0] + 2; start > from {
			take(start)
		}
	}
	take(len(data))
	return out
}

var (
	mailStart = lazyregexp.New(`\n\nFrom [^\n]+\n(?:>?[!-9;-~]+:)`)
	// unquotedFrom: what a mailbox quotes so that it begins no message.
	unquotedFrom = lazyregexp.New(`(?m)^>(>*From )`)

	mailHeader = lazyregexp.New(`(?i)^(?:From [^\n]*\r?\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){2}`)
	mailSigns  = lazyregexp.New(`(?im)^(?:MIME-Version|Message-ID|Received|Return-Path):`)
	mailAuthor = lazyregexp.New(`(?im)^From:`)
)

// beginsLikeMail is whether a file begins with a header that a program wrote: what a
// person copied into a text has neither of its ids.
func beginsLikeMail(head string) bool {
	if !mailHeader.MatchString(head) {
		return false
	}
	head, _, _ = strings.Cut(strings.ReplaceAll(head, "\r\n", "\n"), "\n\n")
	return mailSigns.MatchString(head) && mailAuthor.MatchString(head)
}

// mailWriter makes the canonical text of messages.
type mailWriter struct {
	made
	notes   []string
	doubts  []string
	subject string // of the first message
	count   int
}

const maxMailNotes = 20

func (w *mailWriter) note(format string, args ...any) {
	if len(w.notes) < maxMailNotes {
		w.notes = append(w.notes, fmt.Sprintf(format, args...))
	}
}

// message writes one message under a heading of the given level; depth counts the
// messages that it is attached to.
func (w *mailWriter) message(data []byte, level, depth int) error {
	m, err := readMessage(data)
	if err == nil {
		w.write(m, level, depth)
	}
	return err
}

func (w *mailWriter) write(m *mailMessage, level, depth int) {
	w.count++
	subject := m.subject
	if subject == "" && (w.count > 1 || depth > 0) {
		subject = fmt.Sprintf("Message %d", w.count)
	}
	if w.count == 1 {
		w.subject = m.subject
	}
	if m.damaged > 0 && len(w.doubts) < maxMailNotes {
		w.doubts = append(w.doubts, fmt.Sprintf("%d parts of a message are damaged and were not read whole.", m.damaged))
	}
	w.heading(level, subject)
	var head []string
	for _, f := range m.fields {
		head = append(head, escapeStart(f))
	}
	if len(m.attached) > 0 {
		var names []string
		for _, a := range m.attached {
			names = append(names, a.name)
		}
		head = append(head, "Attachments: "+strings.Join(names, ", "))
	}
	w.markdown(strings.Join(head, "\n"), level)
	switch {
	case m.page != "":
		w.markdown(m.page, level)
	default:
		text, signature, history := partsOfMail(m.text)
		w.plain(text, level)
		w.apart(level+1, "Signature", signature)
		w.apart(level+1, "Quoted history", history)
	}
	if depth == maxForwarded && len(m.messages)+len(m.inner) > 0 {
		w.note("Messages attached to each other more than %d deep were left out.", maxForwarded)
		return
	}
	for _, inner := range m.inner {
		w.write(inner, level+1, depth+1)
	}
	for _, inner := range m.messages {
		if err := w.message(inner, level+1, depth+1); err != nil {
			w.note("An attached message could not be read: its header is malformed.")
		}
	}
}

// maxForwarded bounds how deep messages are attached to messages.
const maxForwarded = 5

// apart adds text under a heading that tells it from what the message says.
func (w *mailWriter) apart(level int, heading, text string) {
	if !blank(text) {
		w.heading(level, heading)
		w.plain(text, level)
	}
}
