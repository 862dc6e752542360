package extract

import (
	"errors"
	"fmt"
	"strings"
)

// extractJSON makes Markdown of the values: keys as a path of headings, arrays of
// like objects as tables, strings as the text they are. Of JSON lines each
// value is a record.
func extractJSON(text string) (Extracted, error) {
	values, blobs, err := readJSON(text)
	if errors.Is(err, errJSONSize) {
		return Extracted{}, err
	}
	if err != nil { // comments, a file that was cut: what stands there can be read all the same
		x, err := extractPlainCode(text)
		x.Notes = append(x.Notes, "It is not valid JSON and was read as text.")
		return x, err
	}
	root := jsonValue{kind: '[', items: values}
	if len(values) == 1 {
		root = values[0]
	}
	if isNotebook(root) {
		return readNotebook(root)
	}
	w := &jsonWriter{}
	w.value(root, 1)
	x := fromMarkdown(formatJSON, w.b.String())
	x.Title = jsonLabel(root, "title", "name")
	if blobs > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("Values of more than %d characters without a space were left out: %d.", maxUnbroken, blobs))
	}
	return x, nil
}

type jsonWriter struct{ b strings.Builder }

// maxItem is the bytes of a string that is the item of a list and no text of its own.
const maxItem = 300

// short is a value that fits on the line of its key.
func short(v jsonValue) bool {
	if v.kind == '[' {
		n := 0
		for _, m := range v.items {
			if n += len(m.text); !m.scalar() || !short(m) || n > maxItem {
				return false
			}
		}
		return true
	}
	return v.scalar() && len(v.text) <= maxItem && !strings.Contains(v.text, "\n")
}

// line is what a short value says.
func (v jsonValue) line() string {
	if v.kind != '[' {
		return oneLine(v.text)
	}
	var parts []string
	for _, m := range v.items {
		if !blank(m.text) {
			parts = append(parts, oneLine(m.text))
		}
	}
	return strings.Join(parts, ", ")
}

// value writes v, whose parts have headings of the given level and below.
func (w *jsonWriter) value(v jsonValue, level int) {
	switch v.kind {
	case '{':
		w.object(v, level)
	case '[':
		w.array(v, level)
	default:
		w.text(v.text)
	}
}

// object writes what is short first, as a list: what stands behind a heading
// would belong to it.
func (w *jsonWriter) object(v jsonValue, level int) {
	for i, m := range v.items {
		if short(m) && !m.empty() {
			w.item(v.keys[i], m.line())
		}
	}
	w.gap()
	for i, m := range v.items {
		switch {
		case short(m) || m.empty():
		case level > maxLevel:
			w.flat(v.keys[i], m)
		default:
			w.heading(level, v.keys[i])
			w.value(m, level+1)
		}
	}
}

func (w *jsonWriter) array(v jsonValue, level int) {
	if keys := likeKeys(v.items); keys != nil {
		w.table(keys, v.items)
		return
	}
	for i, m := range v.items {
		switch {
		case m.empty():
		case short(m):
			w.item("", m.line())
		case level > maxLevel:
			w.flat("", m)
		case m.scalar():
			w.gap()
			w.text(m.text)
		default:
			label := jsonLabel(m, "title", "name", "label", "id", "key")
			if label == "" {
				label = fmt.Sprintf("Record %d", i+1)
			}
			w.heading(level, label)
			w.value(m, level+1)
		}
	}
	w.gap()
}

// gap ends what stands above with a blank line.
func (w *jsonWriter) gap() {
	if s := w.b.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		w.b.WriteByte('\n')
	}
}

// flat writes what lies below the last level of headings, with its keys in front.
func (w *jsonWriter) flat(key string, v jsonValue) {
	if v.scalar() {
		w.item(key, oneLine(v.text))
		return
	}
	for i, m := range v.items {
		k := key
		if v.kind == '{' {
			k = strings.TrimPrefix(key+"."+v.keys[i], ".")
		}
		w.flat(k, m)
	}
}

func (w *jsonWriter) heading(level int, text string) {
	if text = escapeInline(oneLine(text)); text == "" {
		text = "…"
	}
	w.gap()
	w.b.WriteString(strings.Repeat("#", level) + " " + text + "\n\n")
}

func (w *jsonWriter) item(key, value string) {
	switch {
	case value == "":
		return
	case key == "":
		value = escapeStart(value)
	case strings.Contains(key, "*"):
		value = key + ": " + value
	default:
		value = "**" + key + "**: " + value
	}
	w.b.WriteString("- " + value + "\n")
}

// text writes a string as paragraphs: a line that is empty ends one.
func (w *jsonWriter) text(s string) {
	for l := range strings.Lines(strings.TrimSpace(s)) {
		w.b.WriteString(escapeStart(strings.TrimSpace(l)) + "\n")
	}
	w.gap()
}

// maxTableKeys is the most columns of a table of objects: of more, the objects
// are read one by one.
const maxTableKeys = 64

// likeKeys gives the keys of objects that are like rows: two at least, of short
// values, which share most of their keys. Otherwise it is nil.
func likeKeys(items []jsonValue) []string {
	if len(items) < 2 {
		return nil
	}
	var keys []string
	seen := map[string]bool{}
	filled := 0
	for _, m := range items {
		if m.kind != '{' {
			return nil
		}
		for i, k := range m.keys {
			if !short(m.items[i]) || len(keys) > maxTableKeys {
				return nil
			}
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
			filled++
		}
	}
	if len(keys) < 2 || len(keys) > maxTableKeys || filled*2 < len(keys)*len(items) {
		return nil
	}
	return keys
}

func (w *jsonWriter) table(keys []string, items []jsonValue) {
	w.gap()
	w.b.WriteByte('|')
	for _, k := range keys {
		w.b.WriteString(" " + tableCell(k) + " |")
	}
	w.b.WriteString("\n|" + strings.Repeat(" --- |", len(keys)) + "\n")
	for _, m := range items {
		w.b.WriteByte('|')
		for i, k := range keys {
			v := jsonValue{}
			if i < len(m.keys) && m.keys[i] == k { // mostly in the same order
				v = m.items[i]
			} else {
				v = m.member(k)
			}
			w.b.WriteString(" " + tableCell(v.line()) + " |")
		}
		w.b.WriteByte('\n')
	}
	w.gap()
}

// jsonLabel is the first of some members that names an object.
func jsonLabel(v jsonValue, keys ...string) string {
	for _, k := range keys {
		if m := v.member(k); m.scalar() && short(m) && !blank(m.text) {
			return oneLine(m.text)
		}
	}
	return ""
}
