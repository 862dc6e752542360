package mirror

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Naming counts the copies in a folder whose key is a document's path or ends with it, as
// of an address. It reads beside whoever fetches; a folder that is not there holds none.
func Naming(dir, document string) (int, error) {
	journal, err := os.Open(filepath.Join(dir, journalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	there := map[string]bool{}
	lines := bufio.NewReader(journal)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break // the end, or a line that is being written
		}
		var e Entry[json.RawMessage]
		if json.Unmarshal(line, &e) != nil {
			break // as Open reads it
		}
		there[e.Key] = !e.Gone
	}
	n := 0
	for key, is := range there {
		if is && (key == document || strings.HasSuffix(key, "/"+document)) {
			n++
		}
	}
	return n, nil
}
