package evaluate

import (
	"fmt"
	"net/url"
	"strings"
)

// DocPath makes the id of a BEIR document a path that document.ID accepts and
// that is safe as a file's name: letters and digits of ASCII, '-', '_' and
// '.' but for a leading one stay, every other byte becomes %XX. DocID undoes it.
func DocPath(id string) string {
	var b strings.Builder
	for i := 0; i < len(id); i++ {
		c := id[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.' && i > 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// DocID is the id that DocPath made the path from.
func DocID(path string) (string, error) {
	id, err := url.PathUnescape(path)
	if err != nil || DocPath(id) != path {
		return "", fmt.Errorf("evaluate: %q is not the path of a BEIR document", path)
	}
	return id, nil
}
