package outlook

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html/charset"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// Message is what one message holds. Text is in UTF-8, unless the message does not
// say how it is encoded: then it is as it stands.
type Message struct {
	Subject      string
	From, To, Cc string
	Sent         time.Time // zero if it was not
	Text         string
	HTML         []byte // encoded as it says itself, or else by CodePage
	CodePage     string // a name of WHATWG's Encoding Standard, "" if unknown
	RTF          []byte
	Attachments  []Attachment
	Messages     []*Message // what is attached as a message
	// Damaged is how many parts of the file, those of attached messages among them, could
	// not be read. An attached message says 0.
	Damaged int
}

// Attachment is a file that a message carries.
type Attachment struct {
	Name  string
	Kind  string // MIME type, "" if it says none
	Shown bool   // in the text, like a logo
	Data  []byte
}

// Properties by their ids ([MS-OXPROPS]).
const (
	subjectID          = 0x0037
	sentID             = 0x0039 // PidTagClientSubmitTime
	senderNameID       = 0x0042 // PidTagSentRepresentingName
	senderAddressID    = 0x0065
	recipientTypeID    = 0x0C15
	realSenderNameID   = 0x0C1A
	realSenderID       = 0x0C1F
	displayCcID        = 0x0E03
	displayToID        = 0x0E04
	deliveredID        = 0x0E06
	bodyID             = 0x1000
	rtfID              = 0x1009
	htmlID             = 0x1013
	displayNameID      = 0x3001
	addressID          = 0x3003
	attachDataID       = 0x3701
	attachNameID       = 0x3704
	attachLongNameID   = 0x3707
	attachKindID       = 0x370E
	attachFlagsID      = 0x3714
	recipientSMTPID    = 0x39FE
	internetCodePageID = 0x3FDE
	codePageID         = 0x3FFD // of strings that are not Unicode
	senderSMTPID       = 0x5D01
	hiddenID           = 0x7FFE
)

// Types of properties ([MS-OXCDATA], 2.11.1), as they end the name of a stream.
const (
	typeUnicode = "001f"
	typeString8 = "001e"
	typeBinary  = "0102"
	typeObject  = "000d"
)

const (
	maxDepth      = 5 // of messages attached to each other
	maxRecipients = 50
	maxAttached   = 2048 // [MS-OXMSG] 2.2.1
)

// Bytes before the properties of each kind of storage ([MS-OXMSG] 2.4.1).
const (
	messageHeader  = 32
	embeddedHeader = 24
	partHeader     = 8 // of a recipient or an attachment
)

// Read reads a message.
func Read(data []byte) (*Message, error) {
	c, err := openCompound(data)
	if err != nil {
		return nil, err
	}
	root := c.root()
	if root.inside["__properties_version1.0"] == nil {
		return nil, ErrDamaged
	}
	m := readMessage(root, messageHeader, 0)
	m.Damaged = len(c.damaged)
	return m, nil
}

func readMessage(s *storage, header, depth int) *Message {
	p := &properties{storage: s, fixed: fixed(s, header)}
	p.codePage = office.CodePage(int(p.number(codePageID)))
	m := &Message{Subject: p.text(subjectID), Text: p.text(bodyID), HTML: p.bytes(htmlID, typeBinary), CodePage: office.CodePage(int(p.number(internetCodePageID)))}
	if m.HTML == nil {
		m.HTML = []byte(p.text(htmlID))
	}
	m.RTF = inflateRTF(p.bytes(rtfID, typeBinary))
	m.From = address(p.first(senderNameID, realSenderNameID), p.first(senderSMTPID, senderAddressID, realSenderID))
	m.Sent = p.time(sentID)
	if m.Sent.IsZero() {
		m.Sent = p.time(deliveredID)
	}
	m.To, m.Cc = p.recipients()
	slices.Sort(s.names) // they are numbered
	attached := 0
	for _, name := range s.names {
		if strings.HasPrefix(name, "__attach_version1.0_#") && attached < maxAttached {
			attached++
			m.attach(s.storage(name), p.codePage, depth)
		}
	}
	return m
}

func (m *Message) attach(s *storage, codePage string, depth int) {
	p := &properties{storage: s, fixed: fixed(s, partHeader), codePage: codePage}
	if inner := s.storage(fmt.Sprintf("__substg1.0_%04x%s", attachDataID, typeObject)); inner != nil {
		if depth < maxDepth && inner.inside["__properties_version1.0"] != nil {
			m.Messages = append(m.Messages, readMessage(inner, embeddedHeader, depth+1))
		}
		return
	}
	const shownInText = 4 // ATT_MHTML_REF
	m.Attachments = append(m.Attachments, Attachment{Name: p.first(attachLongNameID, attachNameID, displayNameID), Kind: strings.ToLower(p.text(attachKindID)),
		Shown: p.number(attachFlagsID)&shownInText != 0 || p.number(hiddenID) != 0, Data: p.bytes(attachDataID, typeBinary)})
}

// properties are those of one storage.
type properties struct {
	*storage
	fixed    map[uint16][]byte // 8 bytes each
	codePage string
}

// fixed reads the properties that take no more than 8 bytes ([MS-OXMSG] 2.4.2).
func fixed(s *storage, header int) map[uint16][]byte {
	out := map[uint16][]byte{}
	b := s.stream("__properties_version1.0")
	for b = b[min(header, len(b)):]; len(b) >= 16; b = b[16:] {
		out[binary.LittleEndian.Uint16(b[2:])] = b[8:16]
	}
	return out
}

func (p *properties) bytes(id int, kind string) []byte {
	return p.stream(fmt.Sprintf("__substg1.0_%04x%s", id, kind))
}

func (p *properties) text(id int) string {
	if b := p.bytes(id, typeUnicode); b != nil {
		return strings.TrimRight(utf16LE(b), "\x00")
	}
	b := p.bytes(id, typeString8)
	if e, _ := charset.Lookup(p.codePage); e != nil {
		if decoded, err := e.NewDecoder().Bytes(b); err == nil {
			b = decoded
		}
	}
	return strings.TrimRight(string(b), "\x00")
}

// first is the first of several that is there.
func (p *properties) first(ids ...int) string {
	for _, id := range ids {
		if s := p.text(id); s != "" {
			return s
		}
	}
	return ""
}

func (p *properties) number(id int) uint32 {
	if b := p.fixed[uint16(id)]; b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// time is in intervals of 100 ns since 1601 ([MS-DTYP] 2.3.3).
func (p *properties) time(id int) time.Time {
	const since1601 = 11644473600 // seconds to 1970
	b := p.fixed[uint16(id)]
	if b == nil || binary.LittleEndian.Uint64(b) == 0 {
		return time.Time{}
	}
	return time.Unix(int64(binary.LittleEndian.Uint64(b)/1e7)-since1601, 0).UTC()
}

// recipients are named with their addresses where the message has them, else as
// Outlook shows them.
func (p *properties) recipients() (to, cc string) {
	var lists [2][]string
	slices.Sort(p.names)
	for _, name := range p.names {
		if !strings.HasPrefix(name, "__recip_version1.0_#") {
			continue
		}
		s := p.storage.storage(name)
		r := &properties{storage: s, fixed: fixed(s, partHeader), codePage: p.codePage}
		kind := int(r.number(recipientTypeID)&3) - 1 // 1 To, 2 Cc, 3 Bcc; 0 the sender
		a := address(r.text(displayNameID), r.first(recipientSMTPID, addressID))
		if kind != 0 && kind != 1 || a == "" {
			continue
		}
		if len(lists[kind]) == maxRecipients {
			a = "and others"
		} else if len(lists[kind]) > maxRecipients {
			continue
		}
		lists[kind] = append(lists[kind], a)
	}
	to, cc = strings.Join(lists[0], ", "), strings.Join(lists[1], ", ")
	if to == "" && cc == "" {
		to, cc = p.text(displayToID), p.text(displayCcID)
	}
	return to, cc
}

// address is a name with what can be written to. Within one organisation that is a
// path of its directory, which says nothing to a reader.
func address(name, mail string) string {
	switch {
	case !strings.Contains(mail, "@"), strings.Contains(name, mail):
		return name
	case name == "":
		return mail
	}
	return name + " <" + mail + ">"
}
