package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
	"strings"
	"testing"
)

// zipHeaders is a ZIP of members that are what their headers say.
func zipHeaders(t testing.TB, headers ...*zip.FileHeader) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, h := range headers {
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte("text of " + h.Name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarred(t testing.TB, files map[string]string) string {
	t.Helper()
	var headers []*tar.Header
	for _, name := range slices.Sorted(maps.Keys(files)) {
		headers = append(headers, &tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o644})
	}
	return tarHeaders(t, files, headers...)
}

func tarHeaders(t testing.TB, files map[string]string, headers ...*tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		err := w.WriteHeader(h)
		if err == nil && h.Size > 0 {
			_, err = w.Write([]byte(files[h.Name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed) // some are large
	if err == nil {
		_, err = w.Write([]byte(s))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shown is a listing line by line: each item with what reading it gives, then what
// was left out.
func shown(t *testing.T, l Listing) string {
	t.Helper()
	var out []string
	for _, it := range l.Items {
		o, err := it.Read(t.Context())
		line := it.Path
		for _, s := range o.Sidecars {
			line += " <" + s.Name + ">"
		}
		if o.Carrier != nil {
			line += " (" + o.Carrier.Title + ")"
		}
		if err != nil {
			line = "! " + err.Error()
		} else {
			line += ": " + string(o.Bytes)
		}
		out = append(out, line)
	}
	for _, s := range l.Skipped {
		out = append(out, "- "+s.Path+": "+s.Reason)
	}
	for _, u := range l.Unread {
		out = append(out, "? "+u)
	}
	return strings.Join(out, "\n")
}

func checkShown(t *testing.T, l Listing, want ...string) {
	t.Helper()
	if got := shown(t, l); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
