package source

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// packs makes the archive of each form.
var packs = []struct {
	ending string
	pack   func(testing.TB, map[string]string) string
}{
	{".zip", testkit.ZIP},
	{".tar", tarred},
	{".tar.gz", func(t testing.TB, files map[string]string) string { return gzipped(t, tarred(t, files)) }},
	{".tgz", func(t testing.TB, files map[string]string) string { return gzipped(t, tarred(t, files)) }},
}

// TestArchiveIsAFolder: an archive gives what a folder of its files would, below the
// sidecars of the folder that it lies in and its own.
func TestArchiveIsAFolder(t *testing.T) {
	for _, p := range packs {
		t.Run(p.ending, func(t *testing.T) {
			inner := p.pack(t, map[string]string{"deep.md": "deep", "_meta.yaml": "inner"})
			root := tree(t, map[string]string{
				"_meta.yaml": "outer", "b.md": "b",
				"in/a" + p.ending: p.pack(t, map[string]string{
					"x.md": "x", "dir/y.md": "y", "dir/y.md.meta.yaml": "near", "dir/_meta.yaml": "dir", ".hidden": "h", "dir/none.md.meta.yaml": "n",
					"dir/in" + p.ending: inner,
				}),
				"in/a" + p.ending + ".meta.yaml": "own",
			})
			a := "in/a" + p.ending + "!/"
			above := " <_meta.yaml> <in/a" + p.ending + ".meta.yaml>"
			checkShown(t, list(t, root, Options{}),
				"b.md <_meta.yaml>: b",
				a+"dir/in"+p.ending+"!/deep.md"+above+" <"+a+"dir/_meta.yaml> <"+a+"dir/in"+p.ending+"!/_meta.yaml>: deep",
				a+"dir/y.md"+above+" <"+a+"dir/_meta.yaml> <"+a+"dir/y.md.meta.yaml>: y",
				a+"x.md"+above+": x",
				"- in/a"+p.ending+": 1 hidden file or folder (its name begins with a dot)",
				"- "+a+"dir/none.md.meta.yaml: a sidecar without its document")

			s, err := Open(filepath.Join(root, "in"), Options{})
			if err == nil {
				t.Fatalf("a folder below one with metadata is opened: %v", s)
			}
		})
	}
}

// TestArchiveAsSource: an archive may be the source itself, and each member can be
// found alone.
func TestArchiveAsSource(t *testing.T) {
	for _, p := range packs {
		root := tree(t, map[string]string{"_meta.yaml": "outer", "a" + p.ending: p.pack(t, map[string]string{"x.md": "x", "y/in.zip": testkit.ZIP(t, map[string]string{"z.md": "z"})})})
		for _, place := range []string{root, filepath.Join(root, "a"+p.ending)} {
			s, err := Open(place, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{"x.md": "x", "y/in.zip!/z.md": "z", "y/in.zip": "", "y": "", "none.md": ""} {
				l, err := s.Find(t.Context(), "a"+p.ending+"!/"+path)
				if err != nil {
					t.Fatal(err)
				}
				if want != "" {
					want = "a" + p.ending + "!/" + path + " <_meta.yaml>: " + want
				}
				checkShown(t, l, want)
			}
		}
	}
}

// TestArchiveKeepsSidecarRules: a sidecar that is nearly right closes what it may be
// for in an archive too, and for an archive.
func TestArchiveKeepsSidecarRules(t *testing.T) {
	for _, sidecar := range []string{"a.md.META.yaml", "a.meta.yaml", "_META.yaml", "_meta.yml"} {
		for _, p := range packs {
			l := list(t, tree(t, map[string]string{"p" + p.ending: p.pack(t, map[string]string{"a.md": "a", sidecar: "readers: []"})}), Options{})
			if _, err := read(t, l, "p"+p.ending+"!/a.md"); err == nil || !strings.Contains(err.Error(), "rename it") {
				t.Errorf("%s in %s: %v", sidecar, p.ending, err)
			}
		}
	}
	for _, sidecar := range []string{"p.zip.META.yaml", "p.zip.meta.yml", "p.meta.yaml"} {
		l := list(t, tree(t, map[string]string{"p.zip": testkit.ZIP(t, map[string]string{"a.md": "a"}), sidecar: "readers: []"}), Options{})
		if _, err := read(t, l, "p.zip!/a.md"); err == nil || !strings.Contains(err.Error(), "rename it to p.zip.meta.yaml") {
			t.Errorf("%s: %v", sidecar, err)
		}
	}
}

// TestMembersThatAreRefused: each in one sentence, and the rest is read.
func TestMembersThatAreRefused(t *testing.T) {
	file := func(name string) *zip.FileHeader { return &zip.FileHeader{Name: name, Method: zip.Deflate} }
	link := file("link.md")
	link.SetMode(os.ModeSymlink | 0o777)
	locked, odd := zipHeaders(t, file("a.md"), file("locked.md")), zipHeaders(t, file("a.md"), file("odd.md"))
	for _, tt := range []struct {
		what, name, content string
		want                []string
	}{
		{"a path that leads outside", "z.zip", zipHeaders(t, file("a.md"), file("../../b.md"), file("x/../../c.md"), file(`..\d.md`)),
			[]string{"z.zip!/a.md: text of a.md", `- z.zip: 3 left out whose path leads outside the archive, first "../../b.md": make the archive anew`}},
		{"an absolute path", "z.zip", zipHeaders(t, file("a.md"), file("/etc/b.md"), file(`C:\b.md`)),
			[]string{"z.zip!/a.md: text of a.md", `- z.zip: 2 left out whose path is absolute, first "/etc/b.md": make the archive anew`}},
		{"a path of control characters", "z.zip", zipHeaders(t, file("a.md"), file("b\x00.md"), file("c\n.md")),
			[]string{"z.zip!/a.md: text of a.md", `- z.zip: 2 left out whose path holds characters that no path has, first "b\x00.md": make the archive anew`}},
		{"a path without end", "z.zip", zipHeaders(t, file("a.md"), file(strings.Repeat("a/", 65)+"b.md"), file(strings.Repeat("a", 600))),
			[]string{"z.zip!/a.md: text of a.md", `- z.zip: 2 left out whose path is longer than 512 bytes or 64 folders, first "` + strings.Repeat("a/", 40) + `": make the archive anew`}},
		{"a path given twice", "z.zip", zipHeaders(t, file("a.md"), file("b.md"), file("./b.md"), file("b.md")),
			[]string{"z.zip!/a.md: text of a.md", "! read z.zip!/b.md: the archive holds several files of this path: make it anew with one"}},
		{"a link", "z.zip", zipHeaders(t, file("a.md"), link),
			[]string{"z.zip!/a.md: text of a.md", "- z.zip!/link.md: a symbolic link, not followed"}},
		{"an encrypted member", "z.zip", patched(t, locked, "locked.md", 8, 1),
			[]string{"z.zip!/a.md: text of a.md", "! read z.zip!/locked.md: " + errLocked.Error()}},
		{"a method that nobody knows", "z.zip", patched(t, odd, "odd.md", 10, 99),
			[]string{"z.zip!/a.md: text of a.md", "! read z.zip!/odd.md: " + errMethod.Error()}},
		{"a member that is too large", "z.zip", testkit.ZIP(t, map[string]string{"a.md": "a", "big.md": strings.Repeat("0", 200)}),
			[]string{"z.zip!/a.md: a", "! read z.zip!/big.md: 200 bytes is more than the limit of 100: raise limits.document_bytes to index it: too large"}},
		{"a sidecar that is a link", "t.tar", tarHeaders(t, map[string]string{"a.md": "a"}, &tar.Header{Name: "a.md", Size: 1}, &tar.Header{Name: "_meta.yaml", Typeflag: tar.TypeSymlink, Linkname: "a.md"}),
			[]string{"! read t.tar!/a.md: sidecar t.tar!/_meta.yaml: it is a symbolic link, which is not followed"}},
		{"links, pipes and devices of a TAR", "t.tar", tarHeaders(t, map[string]string{"a.md": "a"}, &tar.Header{Name: "a.md", Size: 1},
			&tar.Header{Name: "hard.md", Typeflag: tar.TypeLink, Linkname: "a.md"}, &tar.Header{Name: "pipe.md", Typeflag: tar.TypeFifo}, &tar.Header{Name: "dev.md", Typeflag: tar.TypeBlock}),
			[]string{"t.tar!/a.md: a", "- t.tar!/dev.md: a device, not followed", "- t.tar!/hard.md: a symbolic link, not followed", "- t.tar!/pipe.md: a named pipe, not followed"}},
		{"paths of a TAR", "t.tgz", gzipped(t, tarred(t, map[string]string{"a.md": "a", "../b.md": "b", "/c.md": "c"})),
			[]string{"t.tgz!/a.md: a", `- t.tgz: 1 left out whose path is absolute, first "/c.md": make the archive anew`,
				`- t.tgz: 1 left out whose path leads outside the archive, first "../b.md": make the archive anew`}},
		{"backslashes and another code page", "z.zip", zipHeaders(t, &zip.FileHeader{Name: `dir\K` + "\x81" + `ndigung.md`, NonUTF8: true, Method: zip.Store}),
			[]string{"z.zip!/dir/Kündigung.md: text of dir\\K\x81ndigung.md"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			l := list(t, tree(t, map[string]string{tt.name: tt.content, "beside.md": "beside"}), Options{MaxBytes: 100})
			checkShown(t, l, append([]string{"beside.md: beside"}, tt.want...)...)
		})
	}
}

// patched sets a byte of the last header of a name in a ZIP's directory.
func patched(t *testing.T, archive, name string, at int, value byte) string {
	t.Helper()
	const directoryName = 46
	i := strings.LastIndex(archive, name) - directoryName
	if i < 0 || archive[i:i+4] != "PK\x01\x02" {
		t.Fatalf("there is no %s", name)
	}
	b := []byte(archive)
	b[i+at] = value
	return string(b)
}

// TestArchivesThatAreRefused: what cannot be looked into to its end is a document that
// fails, and what lay in it may still be there. None of it is read, as what closes
// it may be what is missing.
func TestArchivesThatAreRefused(t *testing.T) {
	whole := tarred(t, map[string]string{"a.md": "a", "b.md": strings.Repeat("b", 2000)})
	deep := testkit.ZIP(t, map[string]string{"z.md": "z"})
	for range maxNested {
		deep = testkit.ZIP(t, map[string]string{"in.zip": deep, "a.md": "a"})
	}
	var manyZip []*zip.FileHeader
	var manyTar []*tar.Header
	for i := range maxMembers + 1 {
		manyZip = append(manyZip, &zip.FileHeader{Name: fmt.Sprint(i)})
		manyTar = append(manyTar, &tar.Header{Name: fmt.Sprint(i)})
	}
	zeros := map[string]string{}
	for i := range 3 {
		zeros[fmt.Sprint(i, ".md")] = strings.Repeat("0", 22<<20)
	}
	zerosZip := testkit.ZIP(t, zeros)
	for _, tt := range []struct {
		what, name, content string
		want                []string
	}{
		{"not one at all", "z.zip", "text", []string{"! read z.zip: the content is not that of a ZIP: give it the ending of what it is", "? z.zip"}},
		{"nothing", "z.zip", "", []string{"! read z.zip: the content is not that of a ZIP: give it the ending of what it is", "? z.zip"}},
		{"a ZIP without its directory", "z.zip", testkit.ZIP(t, map[string]string{"a.md": "a"})[:40], []string{"! read z.zip: " + errDamaged.Error(), "? z.zip"}},
		{"a TAR that is none", "t.tar", strings.Repeat("text", 300), []string{"! read t.tar: " + errDamaged.Error(), "? t.tar"}},
		{"an empty TAR", "t.tar", "", []string{"! read t.tar: " + errDamaged.Error(), "? t.tar"}},
		{"a TAR that is cut", "t.tar", whole[:3000], []string{"! read t.tar: " + errDamaged.Error(), "? t.tar"}},
		{"a TAR that is cut between files", "t.tar", whole[:1024], []string{"! read t.tar: " + errDamaged.Error(), "? t.tar"}},
		{"a compressed TAR that is cut", "t.tgz", gzipped(t, whole)[:90], []string{"! read t.tgz: " + errDamaged.Error(), "? t.tgz"}},
		{"a TAR that is cut before what closes it", "t.tar", tarred(t, map[string]string{"a.md": "a", "b/_meta.yaml": "readers: []", "b/c.md": "c"})[:1536], []string{"! read t.tar: " + errDamaged.Error(), "? t.tar"}},
		{"no compressed TAR", "t.tar.gz", "text", []string{"! read t.tar.gz: " + errDamaged.Error(), "? t.tar.gz"}},
		{"too many in each other", "z.zip", deep, []string{"z.zip!/a.md: a", "z.zip!/in.zip!/a.md: a", "z.zip!/in.zip!/in.zip!/a.md: a", "! read z.zip!/in.zip!/in.zip!/in.zip: " + errNested.Error(), "? z.zip!/in.zip!/in.zip!/in.zip"}},
		{"too many files", "z.zip", zipHeaders(t, manyZip...), []string{"! read z.zip: " + errMembers.Error(), "? z.zip"}},
		{"too many files of a TAR", "t.tar", tarHeaders(t, nil, manyTar...), []string{"! read t.tar: " + errMembers.Error(), "? t.tar"}},
		{"a ZIP of nothing but zeros", "z.zip", zerosZip, []string{"! read z.zip: " + errRatio.Error(), "? z.zip"}},
		{"a compressed TAR of nothing but zeros", "t.tgz", gzipped(t, tarred(t, zeros)), []string{"! read t.tgz: " + errRatio.Error(), "? t.tgz"}},
		{"one of them in another", "z.zip", testkit.ZIP(t, map[string]string{"a.md": "a", "in.zip": zerosZip}),
			[]string{"z.zip!/a.md: a", "! read z.zip!/in.zip: " + errRatio.Error(), "? z.zip!/in.zip"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			l := list(t, tree(t, map[string]string{tt.name: tt.content, "beside.md": "beside"}), Options{})
			got := strings.Split(shown(t, l), "\n")
			want := append([]string{"beside.md: beside"}, tt.want...)
			if !l.Complete || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("complete %v, got\n%s\nwant\n%s", l.Complete, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// A TAR that unpacks to more than is held in memory is refused before that.
func TestHeldArchiveIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: 257 MiB are packed")
	}
	var line strings.Builder // packs to a hundredth
	for i := range 400 {
		fmt.Fprintf(&line, "%d ", i*i*i)
	}
	one := strings.Repeat(line.String(), (20<<20)/line.Len())
	files := map[string]string{}
	for i := range 14 {
		files[fmt.Sprint(i, ".md")] = one
	}
	l := list(t, tree(t, map[string]string{"t.tgz": gzipped(t, tarred(t, files))}), Options{})
	checkShown(t, l, "! read t.tgz: "+errHeld.Error(), "? t.tgz")
}

// TestDocumentsThatAreArchives: what declares itself one document is one, whatever
// its ending.
func TestDocumentsThatAreArchives(t *testing.T) {
	for _, parts := range []map[string]string{
		{"[Content_Types].xml": "<Types/>", "word/document.xml": "<x/>"},
		{"mimetype": "application/epub+zip", "x.xhtml": "<x/>"},
	} {
		z := testkit.ZIP(t, parts)
		l := list(t, tree(t, map[string]string{"a.zip": z, "b.docx": z, "c.zip": testkit.ZIP(t, map[string]string{"d.zip": z})}), Options{})
		checkShown(t, l, "a.zip: "+z, "b.docx: "+z, "c.zip!/d.zip: "+z)
	}
}

// A folder that is named as the inside of an archive beside it does not stand for it.
func TestFolderNamedAsInside(t *testing.T) {
	l := list(t, tree(t, map[string]string{"a.zip": testkit.ZIP(t, map[string]string{"x.md": "archive", "y.md": "y"}), "a.zip!/x.md": "folder"}), Options{})
	if paths(l) != "a.zip!/x.md a.zip!/y.md" || len(l.Skipped) != 1 || !strings.Contains(l.Skipped[0].Reason, "rename") {
		t.Errorf("%s\n%s", paths(l), skipped(l))
	}
}

// An archive that is written anew after it was listed is not read where other bytes
// stand now.
func TestArchiveChangesAfterListing(t *testing.T) {
	for _, p := range packs {
		root := tree(t, map[string]string{"a" + p.ending: p.pack(t, map[string]string{"x.md": "old", "y.md": "old"})})
		l := list(t, root, Options{})
		write(t, filepath.Join(root, "a"+p.ending), p.pack(t, map[string]string{"x.md": "longer and new"}))
		// What is held in memory is still what was listed.
		o, err := read(t, l, "a"+p.ending+"!/y.md")
		if held := string(o.Bytes) == "old"; held != (formOf(p.ending) == formTarGzip) || !held && !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %q, %v", p.ending, o.Bytes, err)
		}
	}
}

// TestMembersReadAtOnce: archives that share what is held in memory give each its
// own.
func TestMembersReadAtOnce(t *testing.T) {
	files := map[string]string{}
	for i := range 4 {
		inner := map[string]string{}
		for j := range 5 {
			inner[fmt.Sprint(j, ".md")] = fmt.Sprint("text ", i, " ", j)
		}
		files[fmt.Sprint(i, ".zip")] = testkit.ZIP(t, map[string]string{"in.tgz": gzipped(t, tarred(t, inner))})
	}
	l := list(t, tree(t, map[string]string{"a.tgz": gzipped(t, tarred(t, files)), "b.zip": testkit.ZIP(t, files)}), Options{})
	if len(l.Items) != 40 {
		t.Fatalf("%s", paths(l))
	}
	var wait sync.WaitGroup
	for range 3 {
		for _, it := range l.Items {
			wait.Go(func() {
				o, err := it.Read(t.Context())
				var i, j int
				if _, scanErr := fmt.Sscanf(it.Path[strings.Index(it.Path, Inside)+2:], "%d.zip!/in.tgz!/%d.md", &i, &j); scanErr != nil {
					t.Error(scanErr)
				}
				if want := fmt.Sprint("text ", i, " ", j); err != nil || string(o.Bytes) != want {
					t.Errorf("%s: %q, %v", it.Path, o.Bytes, err)
				}
			})
		}
	}
	wait.Wait()
}

// TestWithin: what is handed over is looked into as what lies in a folder, below the
// sidecars that are given.
func TestWithin(t *testing.T) {
	pack := testkit.ZIP(t, map[string]string{"x.md": "x", "in.zip": testkit.ZIP(t, map[string]string{"y.md": "y"}), "_meta.yaml": "own"})
	given := []Sidecar{{Name: "metadata", Bytes: []byte("m")}}
	for _, tt := range []struct {
		what, path, name, data string
		want                   []string
	}{
		{"an archive", "up/a.zip", "up/a.zip", pack, []string{"up/a.zip!/in.zip!/y.md <metadata> <up/a.zip!/_meta.yaml>: y", "up/a.zip!/x.md <metadata> <up/a.zip!/_meta.yaml>: x"}},
		{"a message", "m", "m.eml", "Offer\na.md=1", []string{"m <metadata>: Offer\na.md=1", "m!/a.md <metadata> (Offer): 1"}},
		{"a document", "a.md", "a.md", "text", []string{"a.md <metadata>: text"}},
		{"a damaged archive", "a.zip", "a.zip", "PK", []string{"! read a.zip: " + errDamaged.Error(), "? a.zip"}},
		{"a large archive", "a.zip", "a.zip", "PK" + strings.Repeat("x", 5000), []string{"! read a.zip: 5002 bytes is more than the limit of 4096: raise limits.document_bytes to index it: too large", "? a.zip"}},
	} {
		l, err := Within(t.Context(), tt.path, tt.name, []byte(tt.data), given, Options{MaxBytes: 4096, Attachments: attachmentsOf})
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
		}
		checkShown(t, l, tt.want...)
	}
}

// memory is a place without a disk.
type memory map[string]string

func (memory) prefix() string { return "" }

func (m memory) entries(string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	for name, content := range m {
		out = append(out, &member{path: name, size: int64(len(content))})
	}
	return out, nil
}

func (m memory) read(name string, _ fs.FileInfo, limit int64, key string) ([]byte, error) {
	if size := int64(len(m[name])); size > limit {
		return nil, tooLarge(size, limit, key)
	}
	return []byte(m[name]), nil
}

// FuzzArchive: whatever an archive says, its documents have paths that may be
// stored, each once, and reading them ends within the limit.
func FuzzArchive(f *testing.F) {
	files := map[string]string{"a.md": "a", "b/_meta.yaml": "m", "b/c.md": strings.Repeat("c", 600), "in.zip": testkit.ZIP(f, map[string]string{"x.md": "x"})}
	f.Add(0, []byte(testkit.ZIP(f, files)))
	f.Add(1, []byte(tarred(f, files)))
	f.Add(2, []byte(gzipped(f, tarred(f, files))))
	f.Fuzz(func(t *testing.T, form int, data []byte) {
		const limit = 1 << 16
		w := &walk{in: memory{"a" + packs[uint(form)%3].ending: string(data)}, max: limit, shelf: &shelf{}, found: &found{}}
		if err := w.all(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, it := range w.found.listing().Items {
			if err := (document.ID{Source: "s", Path: it.Path}).Validate(); err != nil || it.Path <= last || strings.ContainsAny(it.Path, "\n\x00") {
				t.Fatalf("%q after %q: %v", it.Path, last, err)
			}
			last = it.Path
			o, err := it.Read(t.Context())
			if err == nil && len(o.Bytes) > limit {
				t.Fatalf("%s has %d bytes", it.Path, len(o.Bytes))
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("the error has several lines: %q", err)
			}
		}
	})
}
