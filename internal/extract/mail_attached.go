package extract

import (
	"fmt"
	"path"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/source"
)

// maxAttachmentName bounds the name that an attachment has as a document, in bytes.
const maxAttachmentName = 200

// Attachments gives the files that a message carries, or those of a mailbox: of its
// n-th message in a folder "n". What is no message has none. A picture that stands in
// the text is left out.
func Attachments(_ string, data []byte) []source.Attachment {
	messages, box := messagesOf(data)
	var out []source.Attachment
	for i, m := range messages {
		c := &carried{names: map[string]int{}}
		if box {
			c.folder = fmt.Sprintf("%d/", i+1)
		}
		c.message(m, 0)
		out = append(out, c.out...)
	}
	return out
}

// carried collects what one message carries and what those in it do.
type carried struct {
	folder string
	names  map[string]int // how often each is given, in lower case
	out    []source.Attachment
}

func (c *carried) message(data []byte, depth int) {
	if m, err := readMessage(data); err == nil {
		c.of(m, depth)
	}
}

func (c *carried) of(m *mailMessage, depth int) {
	for _, a := range m.attached {
		if a.shown || len(a.content) == 0 {
			continue
		}
		c.out = append(c.out, source.Attachment{Path: c.folder + c.unique(attachmentName(a.name, a.kind)), Data: a.content,
			Carrier: source.Carrier{Title: m.subject, Date: m.date}})
	}
	if depth == maxForwarded {
		return
	}
	for _, inner := range m.inner {
		c.of(inner, depth+1)
	}
	for _, inner := range m.messages {
		c.message(inner, depth+1)
	}
}

// unique numbers the names that come again, as programs do that save them.
func (c *carried) unique(name string) string {
	for {
		low := strings.ToLower(name)
		n := c.names[low]
		c.names[low]++
		if n == 0 {
			return name
		}
		ext := path.Ext(name)
		name = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n+1, ext)
	}
}

// endingOf a type whose files are told by their name only.
var endingOf = map[string]string{
	"message/rfc822": ".eml", "application/zip": ".zip", "text/html": ".html", "text/csv": ".csv", "text/markdown": ".md", "application/json": ".json",
}

// attachmentName is a name that a file of a folder could have. A sender may write
// anything, paths among them.
func attachmentName(name, kind string) string {
	if name == kind {
		name = "attachment"
	}
	name = path.Base(strings.ReplaceAll(oneLine(withoutControls(name)), `\`, "/"))
	name = strings.TrimSpace(strings.ToValidUTF8(name, "_"))
	if name == "" || strings.Trim(name, "./") == "" {
		name = "attachment"
	}
	ext := extension(name)
	if ext == "" {
		ext = endingOf[kind]
		name += ext
	}
	if len(name) > maxAttachmentName {
		name = strings.ToValidUTF8(name[:maxAttachmentName-len(ext)], "") + ext
	}
	return name
}
