package extract

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
	"github.com/seed-d3156d19/quarry/internal/extract/outlook"
)

// officeKinds are the formats with a document around a part of given content,
// and the small valid one that damaged copies are made of.
var officeKinds = []struct {
	name  string
	build func(body string) []byte
	body  string
	open  string // an element that may nest
	fill  string // one of many small parts
}{
	{"a.docx", func(s string) []byte { return wordDocument(s) }, para(styled("H1"), "Scope") + para(numbered("2", "0"), "x"),
		"<w:sdt><w:sdtContent>|</w:sdtContent></w:sdt>", `<w:p><w:r><w:t>x</w:t></w:r></w:p>`},
	{"a.odt", func(s string) []byte { return openDocument("text", s) }, odfHeading(1, "A") + odfList("L1", odfPara("", "x")),
		"<text:section>|</text:section>", `<text:p>x</text:p>`},
	{"a.ods", func(s string) []byte { return openDocument("spreadsheet", "<table:table>"+s+"</table:table>") }, `<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>`,
		"<table:table-row-group>|</table:table-row-group>", `<table:table-row table:number-rows-repeated="100000"><table:table-cell table:number-columns-repeated="9000"><text:p>x</text:p></table:table-cell></table:table-row>`},
	{"a.odp", func(s string) []byte { return openDocument("presentation", "<draw:page>"+s+"</draw:page>") }, `<draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>`,
		"<draw:g>|</draw:g>", `<draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>`},
	{"a.pptx", func(s string) []byte { return presentation(s) }, slideShape("title", "", "0 0 9 1", "<a:p><a:r><a:t>A</a:t></a:r></a:p>"),
		"<p:grpSp>|</p:grpSp>", `<p:sp><p:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>`},
	{"a.xlsx", func(s string) []byte { return workbook(nil, "<sheetData>"+s+"</sheetData>") }, `<row><c t="str"><v>a</v></c></row>`, "<extLst><ext>|</ext></extLst>", `<row><c><v>1</v></c><c><v>2</v></c></row>`},
}

// TestOfficeRefused: what cannot be read says why, and what to do.
func TestOfficeRefused(t *testing.T) {
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	wide := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	for _, tt := range []struct {
		what, name, data, says string
		is                     error
	}{
		{"Word 97", "a.doc", ole + wide("WordDocument"), "save it as .docx", ErrUnsupported},
		{"Word 97 under another name", "a.docx", ole + wide("WordDocument"), "save it as .docx", ErrUnsupported},
		{"Excel 97", "a.xls", ole + wide("Workbook"), "save it as", ErrUnsupported},
		{"PowerPoint 97", "a.ppt", ole + wide("PowerPoint Document"), "save it as", ErrUnsupported},
		{"a binary sheet", "a.xlsb", string(officeZip("[Content_Types].xml", `<Types><Override ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>`)), "save it as", ErrUnsupported},
		{"encrypted", "a.docx", ole + wide("EncryptedPackage"), "without a password", office.ErrEncrypted},
		{"encrypted OpenDocument", "a.odt", string(officeZip("mimetype", "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml", `<m:encryption-data/>`)), "without a password", office.ErrEncrypted},
		{"a message is another format", "a.msg", ole + wide("__substg1.0_") + wide("WordDocument"), "open it with Outlook", outlook.ErrDamaged},
		{"text under the name", "a.docx", "just text", "the content is not that of a .docx file", nil},
		{"cut", "a.docx", string(wordDocument(para("", "x"))[:900]), "damaged", office.ErrDamaged},
		{"XML that ends early", "a.docx", string(wordDocument("<w:p>")), "damaged", office.ErrDamaged},
		{"no main part", "a.docx", string(officeZip("[Content_Types].xml", typesOf("wordprocessingml.document"))), "damaged", office.ErrDamaged},
		{"nothing to read", "a.docx", string(wordDocument(para("", " "))), "no text", ErrNoText},
		{"metadata as text", "a.docx", string(wordDocument(para("", "---") + para("", "readers: [board]") + para("", "---"))), "front matter", nil},
		{"another archive", "a.jar", string(officeZip("x.txt", "x")), ".jar", ErrUnsupported},
	} {
		t.Run(tt.what, func(t *testing.T) {
			_, err := Extract(tt.name, []byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want it to say %q", err, tt.says)
			}
		})
	}
}

// TestOfficeLimits: hostile documents cost bounded memory and time.
func TestOfficeLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out the bombs of office documents")
	}
	bomb := `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`
	for _, kind := range officeKinds {
		before, after, _ := strings.Cut(kind.open, "|")
		for _, tt := range []struct {
			what, body, says string
			prolog           string
		}{
			{"10,000 nested tags", strings.Repeat(before, 10_000) + kind.body + strings.Repeat(after, 10_000), "nests its elements too deeply", ""},
			{"entities within entities", kind.body + "&b;", "document type", bomb},
			{"an entity that nothing declares", kind.body + "&b;", "damaged", ""},
			{"a tag of a million attributes", "<x " + strings.Repeat(`a="" `, 1_000_000) + "/>", "divide it", ""},
		} {
			t.Run(kind.name+" "+tt.what, func(t *testing.T) {
				data := kind.build(tt.body)
				if tt.prolog != "" {
					data = withProlog(t, data, tt.prolog)
				}
				bounded(t, func() {
					if _, err := Extract(kind.name, data); err == nil || !strings.Contains(err.Error(), tt.says) {
						t.Errorf("%v, want it to say %q", err, tt.says)
					}
				})
			})
		}
		t.Run(kind.name+" unpacks to much more than it is", func(t *testing.T) {
			if testing.Short() {
				t.Skip("SKIPPED: -short leaves out what takes seconds")
			}
			data := grown(t, kind.build("BODY"), kind.fill, 200<<20)
			bounded(t, func() {
				if _, err := Extract(kind.name, data); !errors.Is(err, office.ErrTooLarge) {
					t.Errorf("%v, want %v", err, office.ErrTooLarge)
				}
			})
		})
	}
}

// bounded runs f and fails when it takes a minute, on a
// machine that does other things as well, or when memory in use passes 1 GB.
func bounded(t *testing.T, f func()) {
	t.Helper()
	runtime.GC()
	done := make(chan uint64)
	stop := make(chan struct{})
	go func() {
		var most uint64
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			case <-stop:
				done <- most
				return
			}
		}
	}()
	start := time.Now()
	f()
	took := time.Since(start)
	close(stop)
	most := <-done
	t.Logf("%v, %d MB in use at most", took.Round(time.Millisecond), most>>20)
	if took > time.Minute || most > 1<<30 {
		t.Errorf("it took %v and %d MB", took, most>>20)
	}
}

// rewritten copies an archive with the content of each part changed.
func rewritten(t *testing.T, data []byte, change func(name, content string) io.Reader) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		part, err := w.Create(f.Name)
		if err == nil {
			_, err = io.Copy(part, change(f.Name, string(content)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func withProlog(t *testing.T, data []byte, prolog string) []byte {
	return rewritten(t, data, func(_, s string) io.Reader {
		if !strings.Contains(s, "&b;") {
			return strings.NewReader(s)
		}
		return strings.NewReader(prolog + strings.TrimPrefix(s, `<?xml version="1.0"?>`))
	})
}

// grown puts size bytes of fill in place of BODY.
func grown(t *testing.T, data []byte, fill string, size int) []byte {
	return rewritten(t, data, func(_, s string) io.Reader {
		before, after, ok := strings.Cut(s, "BODY")
		if !ok {
			return strings.NewReader(s)
		}
		chunk := strings.Repeat(fill, 1<<20/len(fill))
		readers := []io.Reader{strings.NewReader(before)}
		for range size / len(chunk) {
			readers = append(readers, strings.NewReader(chunk))
		}
		return io.MultiReader(append(readers, strings.NewReader(after))...)
	})
}

// TestOfficeDamaged: copies of the samples with bytes changed, cut or repeated,
// in the archive and in its parts, are read or refused; none ends the program.
func TestOfficeDamaged(t *testing.T) {
	copies := 8
	if testing.Short() {
		copies = 1
	}
	if os.Getenv("QUARRY_LONG") != "" {
		copies = 200
	}
	for _, pattern := range []string{"docx", "odf", "pptx", "xlsx"} {
		for _, file := range samples(t, "parser_samples/"+pattern+"/sources/*") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".pdf") || len(data) > 100_000 {
				continue
			}
			rnd := rand.New(rand.NewPCG(1, uint64(len(data))))
			for range copies {
				damaged := damage(rnd, data)
				if rnd.IntN(4) > 0 && bytes.HasPrefix(data, []byte("PK")) {
					damaged = rewritten(t, data, func(name, s string) io.Reader {
						if strings.HasSuffix(name, ".xml") && rnd.IntN(2) == 0 {
							s = string(damage(rnd, []byte(s)))
						}
						return strings.NewReader(s)
					})
				}
				if x, err := Extract(filepath.Base(file), damaged); err == nil {
					checkBlocks(t, x)
				}
			}
		}
	}
}

func damage(rnd *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	if len(out) == 0 {
		return out
	}
	for range 1 + rnd.IntN(8) {
		at := rnd.IntN(len(out))
		n := min(len(out)-at, 1+rnd.IntN(200))
		switch rnd.IntN(4) {
		case 0:
			out[at] ^= byte(1 << rnd.IntN(8))
		case 1: // a part is lost
			out = append(out[:at], out[at+n:]...)
		case 2: // a part stands twice
			out = append(out[:at+n:at+n], out[at:]...)
		case 3: // the figures of numbers change
			for i := at; i < at+n; i++ {
				if out[i] >= '0' && out[i] <= '9' {
					out[i] = '9'
				}
			}
		}
		if len(out) == 0 {
			return out
		}
	}
	return out
}

// FuzzOffice reads arbitrary content where a format has its body, so that the
// fuzzer need not find its way through the archive.
func FuzzOffice(f *testing.F) {
	for i, k := range officeKinds {
		f.Add(i, k.body)
		f.Add(i, strings.Replace(k.open, "|", k.body, 1))
	}
	f.Fuzz(func(t *testing.T, i int, body string) {
		k := officeKinds[((i%len(officeKinds))+len(officeKinds))%len(officeKinds)]
		if x, err := Extract(k.name, k.build(body)); err == nil {
			checkBlocks(t, x)
		}
	})
}
