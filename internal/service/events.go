package service

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxEvent bounds one line of a stream, in bytes.
const maxEvent = 1 << 20

// Events reads a stream of server-sent events (HTML standard, section 9.2) and gives the data of
// each; names, ids and comments are passed over, as the data of model services says what
// it is. It ends with the stream, or with the first error of each.
func Events(body io.Reader, each func(data []byte) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 4096), maxEvent)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			if len(data) > 0 {
				if err := each(data); err != nil {
					return err
				}
			}
			data = nil
			continue
		}
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(rest, []byte(" "))...)
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return errors.New("gave a stream with a line larger than it can be")
		}
		return err
	}
	if len(data) > 0 { // a last event without its empty line
		return each(data)
	}
	return nil
}
