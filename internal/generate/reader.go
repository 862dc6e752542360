package generate

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/claims"
)

// reader cuts a text that comes in parts into claims and passes each on as soon as it is
// sure where it ends: when another line, or another sentence with two words, has begun behind
// it, since a citation may follow a full stop.
type reader struct {
	each func(claims.Claim) error

	all  strings.Builder
	from int // where the present line begins
	done int // claims of the present line that were passed on
	held []claims.Claim
	over bool // there was more than is read
}

const (
	// maxText bounds what is read of an answer, in bytes.
	maxText = 64 << 10
	// longLine is from where a line is looked at only when a sentence may have ended: each look
	// reads the whole of it.
	longLine = 4 << 10
)

func (r *reader) text() string { return r.all.String() }

// add takes the next part.
func (r *reader) add(part string) error {
	if left := maxText - r.all.Len(); len(part) > left {
		part, r.over = strings.ToValidUTF8(part[:left], ""), true
	}
	r.all.WriteString(part)
	ends := " \n"
	if r.all.Len()-r.from > longLine {
		ends = ".!?\n"
	}
	if !strings.ContainsAny(part, ends) {
		return nil
	}
	for {
		line, more := r.line()
		if err := r.take(line, more); err != nil || !more {
			return err
		}
		r.from += len(line) + 1
		r.done = 0
	}
}

// line is the present one, and whether it has ended.
func (r *reader) line() (line string, ended bool) {
	rest := r.all.String()[r.from:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		return rest[:n], true
	}
	return rest, false
}

// take passes on the claims of a line that are complete.
func (r *reader) take(line string, ended bool) error {
	if isOther(line) {
		return nil
	}
	list := claims.Split(line)
	ready := len(list)
	if !ended {
		for ready > 0 && (ready == len(list) || len(strings.Fields(list[ready].Text)) < 2) {
			ready--
		}
	}
	for r.done < ready {
		c := list[r.done]
		r.done++
		if err := r.pass(c); err != nil {
			return err
		}
	}
	return nil
}

// pass holds back a line that leads in a list until the list has ended, as it has the citations
// of what it leads in.
func (r *reader) pass(c claims.Claim) error {
	if len(r.held) > 0 && (c.Bullet != "" || !c.Line) {
		r.held = append(r.held, c)
		return nil
	}
	if err := r.release(); err != nil {
		return err
	}
	if len(c.Cites) == 0 && !c.Broken && strings.HasSuffix(c.Text, ":") {
		r.held = append(r.held, c)
		return nil
	}
	return r.each(c)
}

func (r *reader) release() error {
	held := r.held
	r.held = nil
	claims.LeadIn(held)
	for _, c := range held {
		if err := r.each(c); err != nil {
			return err
		}
	}
	return nil
}

// end passes on what is left. Of a text that was cut off the last sentence is broken.
func (r *reader) end(cut bool) {
	line, _ := r.line()
	if !isOther(line) {
		list := claims.Split(line)
		for i := min(r.done, len(list)); i < len(list); i++ {
			c := list[i]
			c.Broken = c.Broken || cut && i == len(list)-1 && !whole(line)
			if r.pass(c) != nil {
				return
			}
		}
	}
	_ = r.release()
}

// whole reports whether a line ends with a citation and a full stop, in either order.
func whole(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, "].") || strings.HasSuffix(line, "]") && strings.ContainsAny(line[max(0, strings.LastIndexByte(line, '[')-2):], ".!?")
}

// isOther reports whether a line, or its beginning so far, is none of the answer's sentences.
func isOther(line string) bool {
	line = strings.TrimLeft(strings.TrimSpace(line), "-*• ")
	for _, prefix := range []string{missingLine, conflictLine, neededLine} {
		if strings.HasPrefix(line, prefix) || line != "" && strings.HasPrefix(prefix, line) {
			return true
		}
	}
	return false
}
