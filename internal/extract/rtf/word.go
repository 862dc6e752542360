package rtf

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// signs are control words that stand for text.
var signs = map[string]string{"tab": "\t", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"~": "\u00a0", "_": "-", "emspace": " ", "enspace": " ", "qmspace": " ", "page": " "}

// left are destinations that hold no text of the document.
var left = map[string]bool{"colortbl": true, "pict": true, "objdata": true, "fldinst": true, "nonshppict": true, "sp": true, "filetbl": true, "listtable": true,
	"listoverridetable": true, "revtbl": true, "rsidtbl": true, "generator": true, "themedata": true, "datastore": true, "xe": true, "tc": true, "bkmkstart": true, "bkmkend": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true,
	"ftnsep": true, "ftnsepc": true, "aftnsep": true, "aftnsepc": true, "annotation": true, "atnid": true, "atnauthor": true, "template": true}

// kept are destinations that may be unknown to a reader and hold text.
var kept = map[string]bool{"shptxt": true, "shpinst": true, "shppict": false, "pntext": true, "listtext": true, "fldrslt": true, "footnote": true, "moveto": true}

func (r *reader) word(t token, starred bool) {
	if s, ok := signs[t.word]; ok {
		r.write(s)
		return
	}
	if r.destination(t, starred) {
		return
	}
	on := !t.given || t.n != 0
	switch t.word {
	case "par", "sect":
		r.paragraph()
	case "line":
		if r.para.line != nil && !r.state.label {
			r.page.Add(r.para.line, atom.Br)
		}
	case "pard":
		r.para.level, r.para.style, r.para.list, r.para.inTable = 0, 0, 0, false
	case "plain":
		r.state.hidden, r.state.raised = false, false
	case "s":
		r.para.style = t.n
	case "outlinelevel":
		if t.n >= 0 && t.n < 9 {
			r.para.level = t.n + 1
		}
	case "ilvl":
		r.para.list = max(0, min(t.n, 8))
	case "intbl":
		r.para.inTable = true
	case "v":
		r.state.hidden = on
	case "deleted":
		r.state.deleted = on
	case "super":
		r.state.raised = on
	case "nosupersub", "sub":
		r.state.raised = false
	case "ansicpg":
		if e := office.CodePage(t.n); e != "" {
			r.state.encoding, r.defaultEncoding = e, e
		}
	case "mac":
		r.state.encoding, r.defaultEncoding = "macintosh", "macintosh"
	case "f":
		r.state.encoding = r.defaultEncoding
		if e := r.fonts[t.n]; e != "" {
			r.state.encoding = e
		}
	case "uc":
		r.state.skip = max(0, min(t.n, 16))
	case "u":
		r.unicode(t.n)
	case "trowd", "trhdr", "cellx", "clmgf", "clmrg", "clvmgf", "clvmrg", "cell", "nestcell", "row":
		r.tableWord(t.word)
	}
}

// destination takes a control word that begins a part of another kind.
func (r *reader) destination(t token, starred bool) bool {
	switch t.word {
	case "fonttbl":
		r.fontTable()
	case "stylesheet":
		r.styleSheet()
	case "info":
		r.info()
	case "listtext", "pntext":
		r.state.label = true
	case "footnote":
		r.beginNote()
	default:
		if !left[t.word] && !(starred && !kept[t.word]) {
			return false
		}
		if t.word == "annotation" {
			r.comments++
		}
		if strings.HasPrefix(t.word, "header") || strings.HasPrefix(t.word, "footer") {
			r.margins = true
		}
		r.scanner.skipGroup()
		if n := len(r.stack); n > 0 {
			r.state, r.stack = r.stack[n-1], r.stack[:n-1]
		}
	}
	return true
}

// unicode writes a character given by its number, which is signed, and leaves out
// the bytes that stand for it.
func (r *reader) unicode(n int) {
	c := rune(uint16(n))
	r.leftOver = r.state.skip
	switch {
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
		return
	case r.high != 0:
		c, r.high = utf16.DecodeRune(r.high, c), 0
	case c >= 0xF000 && c < 0xF100: // of a symbol font
		c = '•'
	}
	if c != 0 {
		r.write(string(c))
	}
}

// flush decodes the bytes that wait: a character may take two of them.
func (r *reader) flush() {
	if len(r.pending) == 0 {
		return
	}
	s := string(r.pending)
	if e, _ := charset.Lookup(r.state.encoding); e != nil {
		if out, err := e.NewDecoder().Bytes(r.pending); err == nil {
			s = string(out)
		}
	}
	r.pending = r.pending[:0]
	r.write(strings.ToValidUTF8(s, "\uFFFD"))
}

// fontCharsets are the encodings of a font's character set (\fcharset).
var fontCharsets = map[int]string{77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258",
	177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250"}

// fontTable reads the encoding of each font.
func (r *reader) fontTable() {
	font := -1
	r.group(func(t token, _ int) {
		switch {
		case t.kind == 'w' && t.word == "f":
			font = t.n
		case t.kind == 'w' && t.word == "fcharset" && fontCharsets[t.n] != "":
			r.fonts[font] = fontCharsets[t.n]
		}
	})
}

// styleSheet reads names and outline levels; a style is a group of its own.
func (r *reader) styleSheet() {
	number, st := 0, style{}
	r.group(func(t token, depth int) {
		switch {
		case t.kind == '{' && depth == 2:
			number, st = 0, style{}
		case t.kind == 'w' && depth == 2 && t.word == "s":
			number = t.n
		case t.kind == 'w' && depth == 2 && t.word == "outlinelevel" && t.n >= 0 && t.n < 9:
			st.outline = t.n + 1
		case t.kind == 't' && depth == 2 && len(st.name) < 100:
			st.name += string(rune(t.text))
		case t.kind == '}' && depth == 1:
			st.name = strings.ToLower(strings.Trim(st.name, "; "))
			r.styles[number] = st
		}
	})
}

// info reads the title of the document.
func (r *reader) info() {
	title := false
	var text []byte
	r.group(func(t token, depth int) {
		switch {
		case t.kind == 'w' && depth == 2:
			title = t.word == "title"
		case t.kind == 't' && title && depth == 2 && len(text) < 1000:
			text = append(text, t.text)
		case t.kind == '}':
			title = false
		}
	})
	if e, _ := charset.Lookup(r.defaultEncoding); e != nil {
		if out, err := e.NewDecoder().Bytes(text); err == nil {
			r.page.Title = strings.Join(strings.Fields(string(out)), " ")
		}
	}
}

// group visits the tokens to the end of the group that is open, with the depth
// that they stand at; the group itself is 1.
func (r *reader) group(visit func(t token, depth int)) {
	for depth := 1; depth > 0; {
		t, ok := r.scanner.next()
		if !ok {
			break
		}
		switch t.kind {
		case '{':
			depth++
		case '}':
			depth--
		}
		visit(t, depth)
	}
	if n := len(r.stack); n > 0 {
		r.state, r.stack = r.stack[n-1], r.stack[:n-1]
	}
}
