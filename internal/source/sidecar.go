package source

import (
	"fmt"
	"path"
	"strings"
	"sync"
)

const (
	folderSidecar   = "_meta.yaml"
	documentSidecar = ".meta.yaml"
)

// misnamed is the spelling of a sidecar's name that people try. It is treated
// as a sidecar that cannot be read: ignoring it could publish a document that
// it closes.
func misnamed(sidecar string) string { return strings.TrimSuffix(sidecar, "yaml") + "yml" }

// isFolderSidecar recognises a folder's sidecar in any case. Only the exact name
// can be read; the others close like one that cannot.
func isFolderSidecar(name string) bool {
	low := strings.ToLower(name)
	return low == folderSidecar || low == misnamed(folderSidecar)
}

func isSidecar(name string) bool {
	low := strings.ToLower(name)
	return strings.HasSuffix(low, documentSidecar) || strings.HasSuffix(low, misnamed(documentSidecar))
}

// sidecarBase is what a sidecar is for, in lower case: the name of a document,
// with its ending as it should be, or without.
func sidecarBase(sidecar string) string {
	low := strings.ToLower(sidecar)
	return strings.TrimSuffix(strings.TrimSuffix(low, documentSidecar), misnamed(documentSidecar))
}

// bases are the names under which a sidecar may be meant for a document.
func bases(document string) [2]string {
	low := strings.ToLower(document)
	return [2]string{low, strings.TrimSuffix(low, path.Ext(low))}
}

// folderMeta is a folder's sidecar, or that of an archive, which is one too, and,
// through outer, those above it.
type folderMeta struct {
	outer *folderMeta
	in    place
	name  string // within that place
	of    string // the archive's own name; "" for a folder

	once sync.Once
	read Sidecar
	err  error
}

// chain gives the sidecars from the outermost folder inwards.
func (m *folderMeta) chain() ([]Sidecar, error) {
	var up []*folderMeta
	for ; m != nil; m = m.outer {
		up = append(up, m)
	}
	out := make([]Sidecar, 0, len(up)+1)
	for i := len(up) - 1; i >= 0; i-- {
		m := up[i]
		m.once.Do(func() { m.read, m.err = readSidecar(m.in, m.name, m.of) })
		if m.err != nil {
			return nil, m.err
		}
		out = append(out, m.read)
	}
	return out, nil
}

// readSidecar reads the sidecar of a folder, or that of the file whose name is of.
func readSidecar(in place, name, of string) (Sidecar, error) {
	shown := in.prefix() + name
	if a, ok := in.(*archive); ok && a.attached {
		// Whoever wrote it must not say who reads it, nor what it supersedes.
		return Sidecar{}, fmt.Errorf("sidecar %s came with a message, whose own metadata alone counts: take it out", shown)
	}
	base := path.Base(name)
	want := of + documentSidecar
	if of == "" || strings.EqualFold(base, folderSidecar) {
		want = folderSidecar
	}
	if strings.HasSuffix(strings.ToLower(base), ".yml") {
		want = strings.TrimSuffix(base, "yml") + "yaml"
	}
	if base != want {
		return Sidecar{}, fmt.Errorf("sidecar %s is not read under this name: rename it to %s", shown, want)
	}
	data, err := in.read(name, nil, maxSidecarBytes, "")
	if err != nil {
		return Sidecar{}, fmt.Errorf("sidecar %s: %w", shown, err)
	}
	return Sidecar{Name: shown, Bytes: data}, nil
}
