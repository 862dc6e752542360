package s3

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct{ root, url, want, asks, bad string }{
		{root: "s3://rules", want: "s3://rules/", asks: "https://rules.s3.us-east-1.amazonaws.com/k"},
		{root: "s3://rules/a/b", want: "s3://rules/a/b/", asks: "https://rules.s3.us-east-1.amazonaws.com/k"},
		{root: "s3://my.rules//a/", want: "s3://my.rules/a/", asks: "https://s3.us-east-1.amazonaws.com/my.rules/k"},
		{root: "s3://rules", url: "http://h:9000", want: "s3://rules/", asks: "http://h:9000/rules/k"},
		{root: "s3://rules", url: "https://h/s3/", want: "s3://rules/", asks: "https://h/s3/rules/k"},
		{root: "s3:///a", bad: "names no bucket"},
		{root: "s3://Rules", bad: "names no bucket"},
		{root: "s3://a..b", bad: "names no bucket"},
		{root: "s3://key:secret@rules/", bad: "it holds a key"},
		{root: "gs://rules", bad: "does not begin with s3://"},
		{root: "s3://rules", url: "https://me:secret@h", bad: "sources.s3.url is no address"},
		{root: "s3://rules", url: "ftp://h", bad: "sources.s3.url is no address"},
	} {
		b, err := Open(c.root, Options{URL: c.url})
		switch {
		case c.bad != "":
			if err == nil || !strings.Contains(err.Error(), c.bad) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v, not %q", c.root, err, c.bad)
			}
		case err != nil || b.Root() != c.want || b.request("k", nil, nil, 0).URL != c.asks:
			t.Errorf("%s: %v, %s", c.root, err, b.request("k", nil, nil, 0).URL)
		}
	}
}

// open gives the bucket below a prefix as a source.
func (s *server) open(t *testing.T, prefix string) *Bucket {
	t.Helper()
	b, err := Open("s3://rules/"+prefix, Options{Dir: t.TempDir(), MaxBytes: 1000, MaxObjects: 30, URL: s.URL, Region: "eu-north-1", Key: Key{ID: "ID", Secret: "secret/+"},
		Options: remote.Options{Private: true, Timeout: time.Minute, Patience: time.Hour, Clock: s.clock}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.asked
	s.asked = nil
	return out
}

// holds lists and compares what reading gives.
func holds(t *testing.T, what string, b *Bucket, want map[string]string) source.Listing {
	t.Helper()
	l, err := b.List(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	have := map[string]string{}
	for _, it := range l.Items {
		o, err := it.Read(t.Context())
		have[it.Path] = string(o.Bytes)
		for _, m := range o.Sidecars {
			have[it.Path] += " with " + m.Name
		}
		switch {
		case errors.Is(err, source.ErrGone):
			have[it.Path] = "gone"
		case errors.Is(err, source.ErrUnavailable):
			have[it.Path] = "unavailable"
		case err != nil:
			have[it.Path] = "error: " + err.Error()
		}
	}
	if !maps.Equal(have, want) {
		t.Errorf("%s: it holds %q, not %q", what, have, want)
	}
	return l
}

func TestBucket(t *testing.T) {
	s := newServer(t, map[string]string{
		"docs/a.md": "A", "docs/b c+d.md": "B", "docs/ü/%2F&=?#.md": "C", "docs/deep/_meta.yaml": "readers: [user:ann]\n", "docs/deep/er/e.md": "E",
		"docs/": "", "docs/empty/": "", "docs/huge.md": strings.Repeat("x", 1001), "docsx.md": "not of the prefix", "other/x.md": "X",
	})
	b := s.open(t, "docs")
	want := map[string]string{"a.md": "A", "b c+d.md": "B", "ü/%2F&=?#.md": "C", "deep/er/e.md": "E with deep/_meta.yaml",
		"huge.md": "error: 1001 bytes is more than the limit of 1000: raise limits.document_bytes to index it: too large"}
	if l := holds(t, "at first", b, want); !l.Complete {
		t.Error("it is not called complete")
	}
	s.requests()
	holds(t, "unchanged", b, want)
	if asked := s.requests(); len(asked) > 0 {
		t.Errorf("unchanged, %q were asked for", asked)
	}

	s.objects["docs/a.md"], s.objects["docs/new.md"] = "A2", "N"
	delete(s.objects, "docs/b c+d.md")
	delete(s.objects, "docs/deep/_meta.yaml")
	want = map[string]string{"a.md": "A2", "new.md": "N", "ü/%2F&=?#.md": "C", "deep/er/e.md": "E", "huge.md": want["huge.md"]}
	holds(t, "changed", b, want)
	if asked := s.requests(); !slices.Equal(asked, []string{"docs/a.md", "docs/new.md"}) {
		t.Errorf("changed, %q were asked for", asked)
	}

	s.secret = ""
	b.options.Key = Key{}
	holds(t, "open to everyone", b, want)
}

// What one object answers decides about that one alone.
func TestFaultsOfObjects(t *testing.T) {
	s := newServer(t, map[string]string{"a.md": "A", "b.md": "B", "c.md": "C", "d.md": "D"})
	b := s.open(t, "")
	holds(t, "at first", b, map[string]string{"a.md": "A", "b.md": "B", "c.md": "C", "d.md": "D"})
	for key := range s.objects {
		s.objects[key] += "2"
	}
	s.objects["new.md"] = "N"
	s.faults["a.md"], s.faults["b.md"], s.faults["c.md"], s.faults["new.md"] = 500, 403, 404, 503
	for range 2 {
		holds(t, "failing", b, map[string]string{"a.md": "unavailable", "b.md": "error: it answers 403 (InternalError)", "c.md": "gone", "d.md": "D2", "new.md": "unavailable"})
	}
	clear(s.faults)
	holds(t, "mended", b, map[string]string{"a.md": "A2", "b.md": "B2", "c.md": "C2", "d.md": "D2", "new.md": "N"})
}

// What an archive or message holds that is not to be had now stays, with or without a copy
// of it; what lies in one that is gone or closed does not.
func TestArchiveUnavailable(t *testing.T) {
	s := newServer(t, map[string]string{"a.zip": "A", "b.zip": "B", "c.zip": "C", "d.md": "D"})
	s.faults["a.zip"], s.faults["b.zip"], s.faults["c.zip"] = 500, 403, 404
	l := holds(t, "failing", s.open(t, ""), map[string]string{"a.zip": "unavailable", "b.zip": "error: it answers 403 (InternalError)", "c.zip": "gone", "d.md": "D"})
	if want := []string{"a.zip"}; !slices.Equal(l.Unread, want) {
		t.Errorf("what may still hold documents is %q, not %q", l.Unread, want)
	}
}

// What a folder hides is no document when it cannot be read either.
func TestHiddenObjects(t *testing.T) {
	s := newServer(t, map[string]string{"a.md": "A", ".trash/b.md": "B", "c/.d.md": strings.Repeat("d", 2000), ".e.md": "E"})
	s.faults[".trash/b.md"], s.faults[".e.md"] = 500, 403
	l := holds(t, "hidden", s.open(t, ""), map[string]string{"a.md": "A"})
	var skipped []string
	for _, f := range l.Skipped {
		skipped = append(skipped, f.Path)
	}
	if slices.Sort(skipped); !slices.Equal(skipped, []string{".e.md", ".trash/b.md", "c/.d.md"}) {
		t.Errorf("left out: %q", skipped)
	}
}

// A server that is down is not asked for every object.
func TestServerDown(t *testing.T) {
	s := newServer(t, map[string]string{})
	want := map[string]string{}
	for _, name := range strings.Split("abcdefghij", "") {
		s.objects[name+".md"], s.faults[name+".md"], want[name+".md"] = name, 500, "unavailable"
	}
	holds(t, "down", s.open(t, ""), want)
	if n := len(s.requests()); n != 4*maxFailures {
		t.Errorf("%d requests", n)
	}
}

// A listing that cannot be had whole changes nothing: neither is anything removed, nor is
// anything taken up whose sidecar may stand on a page that is missing.
func TestListingFails(t *testing.T) {
	at := map[string]string{"1.md": "1", "2.md": "2", "3.md": "3", "4.md": "4", "A.md": "A", "_meta.yaml": "readers: [user:ann]\n"}
	for _, c := range []struct {
		what   string
		change func(s *server, b *Bucket)
		want   string
	}{
		{"the first page", func(s *server, _ *Bucket) { s.faults["after "] = 500 }, "listing its objects: it answers 500 (tried 4 times)"},
		{"the second page", func(s *server, _ *Bucket) { s.faults["after 3.md"] = 503 }, "listing its objects: it answers 503 (tried 4 times)"},
		{"a wrong secret", func(_ *server, b *Bucket) { b.options.Key.Secret = "x" }, "it answers 403 (SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY"},
		{"an unknown key", func(_ *server, b *Bucket) { b.options.Key.ID = "x" }, "it answers 403 (InvalidAccessKeyId): check AWS_ACCESS_KEY_ID"},
		{"another region", func(_ *server, b *Bucket) { b.options.Region = "us-east-1" }, "check sources.s3.region"},
		{"no bucket", func(_ *server, b *Bucket) { b.name = "nowhere" }, "it answers 404 (NoSuchBucket): check the name of the bucket"},
		{"a wrong clock", func(s *server, _ *Bucket) { s.clock = newServer(t, nil).clock; s.clock.Sleep(t.Context(), time.Hour) }, "set this machine's clock"},
		{"a page that says not how to go on", func(s *server, _ *Bucket) { s.next = "none" }, "the server does not say how to go on"},
		{"a page that comes again and again", func(s *server, _ *Bucket) { s.next = "same" }, "the server does not say how to go on"},
		{"pages without end", func(s *server, _ *Bucket) { s.next = "endless" }, "there are more than 30"},
		{"a sidecar", func(s *server, _ *Bucket) { s.objects["_meta.yaml"] += " "; s.faults["_meta.yaml"] = 500 }, "the sidecar _meta.yaml, which may close documents, cannot be had"},
		{"a sidecar that is closed", func(s *server, _ *Bucket) { s.objects["x.md.meta.yaml"] = " "; s.faults["x.md.meta.yaml"] = 403 }, "the sidecar x.md.meta.yaml, which may"},
		{"a sidecar that is a folder", func(s *server, _ *Bucket) { s.objects["_meta.yaml/x"] = " " }, "the sidecar _meta.yaml is not read (it is called like a folder)"},
	} {
		s := newServer(t, maps.Clone(at))
		b := s.open(t, "")
		if _, err := b.List(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := copies(t, b)
		delete(s.objects, "4.md")
		s.objects["5.md"] = "5"
		c.change(s, b)
		if _, err := b.List(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.what, err, c.want)
		}
		if after := copies(t, b); !strings.Contains(c.what, "sidecar") && !slices.Equal(before, after) {
			t.Errorf("%s: the copies were %v and are %v", c.what, before, after)
		}
	}
}

func copies(t *testing.T, b *Bucket) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(b.options.Dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Keys are whatever who may write to a bucket likes.
func TestHostileKeys(t *testing.T) {
	s := newServer(t, map[string]string{"docs/ok.md": "O"})
	for _, key := range []string{"docs/../x.md", "docs//x.md", "docs/a/./x.md", "docs/..", "docs/x\\..\\y.md", "docs/x\x00y.md", "docs/\xff.md", "docs/full/", "docs/both", "docs/both/in.md"} {
		s.objects[key] = "hostile"
	}
	b := s.open(t, "docs")
	l := holds(t, "hostile keys", b, map[string]string{"ok.md": "O", "both/in.md": "hostile"})
	if len(l.Skipped) != 9 {
		t.Errorf("left out are %v", l.Skipped)
	}
	if entries, err := os.ReadDir(b.options.Dir); err != nil || len(entries) != 3 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// The key goes to the server that is configured, and nothing that it says leads elsewhere.
func TestRedirect(t *testing.T) {
	s := newServer(t, map[string]string{"a.md": "A"})
	s.faults["after "] = 307
	if _, err := s.open(t, "").List(t.Context()); err == nil || !strings.Contains(err.Error(), "it answers 307") {
		t.Error(err)
	}
	b := s.open(t, "")
	b.options.Private = false
	if _, err := b.List(t.Context()); !errors.Is(err, remote.ErrPrivate) {
		t.Errorf("a private address: %v", err)
	}
}

// Whatever a server lists, only clean relative paths are taken, each once, and no sidecar
// is left out in silence.
func FuzzListing(f *testing.F) {
	f.Add([]byte("<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>docs/a%2Fb+c.md</Key><Size>3</Size><ETag>x</ETag></Contents><Contents><Key>docs/../_meta.yaml</Key></Contents></ListBucketResult>"))
	f.Add([]byte("<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>docs/a</Key></Contents><Contents><Key>docs/a/b</Key></Contents></ListBucketResult>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := parsePage(body)
		if err != nil {
			return
		}
		get := &fetch{bucket: &Bucket{prefix: "docs/", options: Options{MaxBytes: 10}}, faults: map[string]error{}}
		list, err := get.choose(p.Contents)
		sidecars := 0
		for _, o := range p.Contents {
			if strings.HasPrefix(o.Key, "docs/") && !strings.HasSuffix(o.Key, "/") && source.IsSidecar(o.Key) {
				sidecars++
			}
		}
		for _, o := range list {
			if !fs.ValidPath(o.path) || o.Size > 10 {
				t.Errorf("%q is taken, of %d bytes", o.path, o.Size)
			}
			if source.IsSidecar(o.path) {
				sidecars--
			}
		}
		if err == nil && sidecars != 0 {
			t.Errorf("%d sidecars are left out of %q", sidecars, body)
		}
	})
}
