package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// keyLike is a line that opens a YAML mapping.
var keyLike = lazyregexp.New(`^["']?[\pL_][\pL\pN_ .-]{0,60}["']?[ \t]*:(?:[ \t]|$)`)

// cutFrontMatter finds the YAML between fences at the head of a text and where
// the body begins. A document that merely begins with a thematic break has no
// front matter. What begins like front matter and is not closed is an error:
// read as text, it would publish a document that it closes.
func cutFrontMatter(text string) (yaml []byte, body int, err error) {
	first := lineEnd(text, 0, len(text))
	if strings.TrimRight(text[:first], " \t") != "---" || first == len(text) {
		return nil, 0, nil
	}
	looks, seen := false, false
	for at := first + 1; at < len(text); {
		end := lineEnd(text, at, len(text))
		line := strings.TrimRight(text[at:end], " \t")
		if line == "---" || line == "..." {
			if !looks && seen {
				return nil, 0, nil
			}
			return closedFrontMatter(text[first+1:at], min(end+1, len(text)), looks)
		}
		if !seen && line != "" && !strings.HasPrefix(line, "#") {
			seen = true
			looks = keyLike.MatchString(line) || strings.HasPrefix(line, "{")
			if !looks {
				return nil, 0, nil
			}
		}
		at = end + 1
	}
	if looks {
		return nil, 0, errors.New("front matter begins at line 1 and is not closed: put a line --- after its last key")
	}
	return nil, 0, nil
}

func closedFrontMatter(yaml string, body int, looks bool) ([]byte, int, error) {
	m, err := parseMapping([]byte(yaml))
	switch {
	case err == nil && m == nil && strings.Trim(yaml, " \t\n") == "":
		return []byte(yaml), body, nil // fences with nothing between
	case errors.Is(err, errNotMapping) && !looks:
		return nil, 0, nil
	case err != nil:
		return nil, 0, fmt.Errorf("front matter: %w", shiftLines(err, 1))
	}
	return []byte(yaml), body, nil
}
