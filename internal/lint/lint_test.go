// Package lint holds the structure of the project as a test: which package may
// import which, and what no file may do.
package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/seed-d3156d19/quarry"

// layers lists, for every package, the packages of this module that it may
// import. A stage takes the result types of stages before it in its flow, never
// of a later one, and no stage and no root file names a driver: those are
// linked through standard only. A package that is not listed fails the test, so
// that a new one is placed before it is used.
var layers = map[string][]string{
	"document":  {},
	"embedding": {},
	"chat":      {},
	"evaluate":  {"chat", "document"},

	"store":           {"document"},
	"store/storetest": {"document", "store"},
	"store/local":     {"document", "store", "store/internal/near", "store/internal/phrases", "store/internal/rules", "store/internal/terms", "store/local/internal/scan"},
	"store/postgres":  {"document", "store", "store/internal/rules", "store/internal/terms", "store/postgres/internal/lanes"},

	// What all exact stores decide alike.
	"store/internal/rules":          {"document", "store"},
	"store/internal/near":           {},
	"store/internal/phrases":        {"store"},
	"store/internal/terms":          {"store"},
	"store/postgres/internal/lanes": {"document", "store", "store/internal/near", "store/internal/phrases", "store/internal/terms"},

	// One store to what another holds.
	"internal/transfer": {"document", "store"},

	// Kernels that compare vectors.
	"store/local/internal/scan": {},

	"internal/trace":      {},
	"internal/lazyregexp": {},
	"internal/grid":       {},
	"internal/diff":       {},
	"internal/wordpiece":  {},
	"internal/sentence":   {"document"},
	"internal/analyze":    {"document", "store", "internal/lazyregexp"},

	// Places that are no folder.
	"internal/source/remote": {"internal/retry"},
	"internal/source/mirror": {},
	"internal/source/watch":  {},
	"internal/source/s3":     {"internal/source", "internal/source/mirror", "internal/source/remote"},
	"internal/source/git":    {"internal/retry", "internal/source", "internal/source/mirror", "internal/source/remote"},
	"internal/source/web":    {"internal/source", "internal/source/mirror", "internal/source/remote"},

	// The way in.
	"internal/source":  {"document"},
	"internal/extract": {"document", "internal/extract/docx", "internal/extract/ocr", "internal/extract/odf", "internal/extract/office", "internal/extract/outlook", "internal/extract/pdf", "internal/extract/pptx", "internal/extract/rtf", "internal/extract/xlsx", "internal/grid", "internal/lazyregexp", "internal/source"},
	// A reader of an office format makes the tree of a web page, which extract renders.
	"internal/extract/office":  {},
	"internal/extract/docx":    {"internal/extract/office"},
	"internal/extract/odf":     {"internal/extract/office", "internal/extract/sheet"},
	"internal/extract/ocr":     {},
	"internal/extract/pdf":     {"internal/extract/ocr", "internal/extract/office", "internal/lazyregexp"},
	"internal/extract/pptx":    {"internal/extract/office"},
	"internal/extract/rtf":     {"internal/extract/office"},
	"internal/extract/sheet":   {"internal/extract/office"},
	"internal/extract/xlsx":    {"internal/extract/office", "internal/extract/sheet"},
	"internal/outline":         {"document", "internal/extract", "internal/sentence"},
	"internal/chunk":           {"document", "internal/extract", "internal/grid", "internal/outline", "internal/sentence", "internal/wordpiece"},
	"internal/reference":       {"document", "internal/extract", "internal/grid", "internal/lazyregexp"},
	"internal/extract/outlook": {"internal/extract/office"},

	// The way out.
	"internal/query":    {"document", "store", "internal/analyze", "internal/lazyregexp", "internal/trace"},
	"internal/retrieve": {"document", "embedding", "store", "internal/analyze", "internal/query", "internal/trace"},
	"internal/rerank":   {"internal/retrieve", "internal/trace"},
	"internal/evidence": {"document", "store", "internal/retrieve", "internal/trace", "internal/wordpiece"},
	"internal/claims":   {"document", "internal/analyze", "internal/lazyregexp", "internal/sentence"},
	"internal/generate": {"chat", "document", "internal/claims", "internal/evidence", "internal/trace", "internal/wordpiece"},
	"internal/answer": {"document", "store", "internal/analyze", "internal/claims", "internal/evidence", "internal/generate", "internal/grid", "internal/lazyregexp", "internal/query", "internal/retrieve",
		"internal/sentence", "internal/trace"},

	// What a question should have found is matched by the rules that measure it.
	"internal/diagnose": {"document", "evaluate", "store", "internal/analyze", "internal/answer", "internal/evidence", "internal/query",
		"internal/retrieve", "internal/trace"},

	// Which documents are versions of one page.
	"internal/series": {"document", "internal/lazyregexp"},

	// Both flows.
	"": {"chat", "document", "embedding", "evaluate", "store", "internal/analyze", "internal/answer", "internal/chunk", "internal/diagnose", "internal/diff",
		"internal/evidence", "internal/extract", "internal/extract/ocr", "internal/generate", "internal/outline", "internal/query", "internal/reference", "internal/rerank", "internal/retrieve", "internal/series", "internal/source", "internal/trace"},

	"internal/config": {"", "store", "document"},
	"standard":        {"", "chat", "chat/anthropic", "chat/openai", "reranking", "document", "embedding", "embedding/bert", "embedding/openai", "evaluate", "store", "store/local", "store/postgres", "internal/transfer", "internal/audit", "internal/config", "internal/directory", "internal/extract", "internal/source", "internal/source/git", "internal/source/mirror", "internal/source/remote", "internal/source/s3", "internal/source/watch", "internal/source/web", "internal/tika", "internal/extract/ocr"},
	"internal/tika":   {"internal/extract"},
	// Who is in which group, and what is kept of whom.
	"internal/directory": {"document"},
	"internal/audit":     {"", "document"},
	"internal/measure":   {"", "document", "evaluate", "store"},
	// Questions from documents: it reads what the way in made, and writes what evaluate reads.
	"internal/firstset": {"document", "evaluate", "internal/analyze", "internal/grid", "internal/lazyregexp", "internal/sentence"},
	"cmd/quarry":        {"", "document", "evaluate", "standard", "store", "internal/config", "internal/firstset", "internal/measure"},

	"internal/retry":   {},
	"internal/service": {"internal/retry"},
	"embedding/openai": {"embedding", "internal/service", "internal/wordpiece"},
	"chat/openai":      {"chat", "internal/service"},
	"chat/anthropic":   {"chat", "internal/service"},
	"reranking":        {"internal/service"},
	"embedding/bert": {"embedding", "embedding/bert/internal/encoder", "embedding/bert/internal/kernel",
		"embedding/bert/internal/safetensors", "internal/wordpiece"},
	"embedding/bert/internal/encoder":     {"embedding/bert/internal/kernel"},
	"embedding/bert/internal/kernel":      {},
	"embedding/bert/internal/safetensors": {},
	"benchmarks/extraction":               {"internal/extract", "internal/extract/ocr", "internal/grid"},
	"benchmarks/embed":                    {"embedding", "embedding/bert"},
	"benchmarks/promise":                  {"", "document", "embedding", "embedding/bert", "evaluate", "store/local", "internal/answer", "internal/query", "internal/trace"},
	"benchmarks/quality": {"", "document", "embedding", "embedding/bert", "evaluate", "store", "store/local", "internal/analyze",
		"internal/measure", "internal/wordpiece"},

	// A module of its own, so that what it compares with is no dependency of Quarry.
	"benchmarks/search":         {"benchmarks/search/corpus", "benchmarks/search/engine", "benchmarks/search/exact", "benchmarks/search/measure", "benchmarks/search/report"},
	"benchmarks/search/beside":  {"benchmarks/search/corpus", "benchmarks/search/engine", "benchmarks/search/measure"},
	"benchmarks/search/corpus":  {"internal/analyze"},
	"benchmarks/search/fit":     {"benchmarks/search/corpus", "embedding/bert", "internal/analyze"},
	"benchmarks/search/measure": {},
	"benchmarks/search/exact":   {"store", "benchmarks/search/corpus", "benchmarks/search/measure"},
	"benchmarks/search/engine": {"document", "store", "store/local", "store/postgres", "internal/analyze", "internal/retrieve",
		"benchmarks/search/corpus", "benchmarks/search/measure"},
	"benchmarks/search/report": {"benchmarks/search/corpus", "benchmarks/search/measure"},

	"internal/lint":    {},
	"internal/testkit": {},
	// A real server for tests.
	"internal/testkit/postgres": {},
	"internal/e2e":              {"", "document", "embedding", "embedding/bert", "evaluate", "standard", "store", "store/local", "internal/config", "internal/measure", "internal/testkit"},
}

// testsMayAlso lists what test files may import beyond their package's layer.
var testsMayAlso = map[string][]string{
	"store/local":                    {"store/storetest"},
	"store/postgres":                 {"internal/testkit/postgres", "store/local", "store/storetest"},
	"internal/transfer":              {"internal/testkit/postgres", "store/local", "store/postgres", "store/storetest"},
	"store/local/internal/scan":      {"internal/testkit"},
	"store/internal/near":            {"store"},
	"embedding/bert/internal/kernel": {"internal/testkit"},
	"internal/reference":             {"internal/outline", "internal/testkit"},
	"internal/extract":               {"internal/testkit"},
	"internal/extract/ocr":           {"internal/testkit"},
	"internal/extract/outlook":       {"internal/testkit"},
	"internal/extract/pdf":           {"internal/testkit"},
	"internal/e2e":                   {"internal/testkit", "internal/testkit/postgres"},
	"internal/tika":                  {"internal/testkit"},
	"internal/service":               {"internal/testkit"},
	"internal/source":                {"internal/testkit"},
	"internal/source/remote":         {"internal/testkit"},
	"internal/source/web":            {"internal/testkit"},
	"internal/source/git":            {"internal/testkit"},
	"internal/source/s3":             {"internal/testkit"},
	"embedding/openai":               {"internal/testkit"},
	"chat/openai":                    {"internal/testkit"},
	"chat/anthropic":                 {"internal/testkit"},
	"reranking":                      {"internal/testkit"},
	"internal/generate":              {"internal/retrieve", "internal/testkit"},
	"standard":                       {"internal/testkit"},
	"cmd/quarry":                     {"internal/testkit"},
	"":                               {"store/local", "standard", "internal/directory", "chat/openai", "embedding/openai", "reranking", "internal/testkit"},
}

// panics is where a panic is allowed: code that cannot be reached unless
// the program itself is wrong.
var panics = map[string]bool{
	"internal/wordpiece/vocabulary.go": true, // the embedded vocabulary does not unpack
}

func TestLayers(t *testing.T) {
	files := goFiles(t)
	if len(files) < 20 {
		t.Fatalf("only %d Go files were found: the walk is broken", len(files))
	}
	for _, file := range files {
		dir := path.Dir(file)
		if dir == "." {
			dir = ""
		}
		allowed, listed := layers[dir]
		if !listed {
			t.Errorf("%s: package %q has no place in the table of layers", file, dir)
			continue
		}
		if strings.HasSuffix(file, "_test.go") {
			allowed = append(slices.Clone(allowed), testsMayAlso[dir]...)
			allowed = append(allowed, dir)
		}
		for _, imported := range imports(t, file) {
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %q: a package of %q may import only %q", file, imported, dir, allowed)
			}
		}
	}
}

// TestCode holds rules that reviews would otherwise have to repeat.
func TestCode(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.FromSlash("../../"+file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if lines := set.File(parsed.Pos()).LineCount(); lines > 600 {
			t.Errorf("%s has %d lines: a file is one idea", file, lines)
		}
		library := !strings.HasPrefix(file, "cmd/") && !strings.HasPrefix(file, "benchmarks/")
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init functions hide what a program does at start", set.Position(n.Pos()))
				}
			case *ast.CallExpr:
				switch f := n.Fun.(type) {
				case *ast.Ident:
					if f.Name == "panic" && !panics[file] {
						t.Errorf("%s: a panic takes the caller's program down; return an error", set.Position(n.Pos()))
					}
				case *ast.SelectorExpr:
					pkg, _ := f.X.(*ast.Ident)
					if pkg == nil {
						break
					}
					if library && (pkg.Name == "fmt" && strings.HasPrefix(f.Sel.Name, "Print") || pkg.Name == "log" && (strings.HasPrefix(f.Sel.Name, "Print") || strings.HasPrefix(f.Sel.Name, "Fatal")) || pkg.Name == "os" && f.Sel.Name == "Exit") {
						t.Errorf("%s: %s.%s in a library: return it to the caller", set.Position(n.Pos()), pkg.Name, f.Sel.Name)
					}
				}
			}
			return true
		})
	}
}

// goFiles lists the Go files of the module by slash path from its root.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "tools") {
			return fs.SkipDir
		}
		if strings.HasSuffix(p, ".go") {
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// imports lists the packages of this module that a file imports, "" being the root.
func imports(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash("../../"+file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, spec := range parsed.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if p == module {
			out = append(out, "")
		} else if rest, ok := strings.CutPrefix(p, module+"/"); ok {
			out = append(out, rest)
		}
	}
	return out
}
