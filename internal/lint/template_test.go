package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNoTemplates: templates call methods by their names, and where a program does that,
// the linker keeps every exported method of every type that it links, which were 3 MB.
// That a package imported from elsewhere imports them, as cobra does, costs nothing
// before it is asked to run one.
func TestNoTemplates(t *testing.T) {
	ours := linked(t, "cmd/quarry")
	if len(ours) < 40 || ours["evaluate"] == nil {
		t.Fatalf("only %d packages are linked: the walk is broken", len(ours))
	}
	for _, pkg := range slices.Sorted(maps.Keys(ours)) {
		for _, file := range ours[pkg] {
			for _, found := range runsTemplates(t, file) {
				t.Errorf("%s: package %q uses %s, with which quarry's binary grows by 3 MB: write what it makes in Go, as evaluate/html.go does", file, pkg, found)
			}
		}
	}
}

// linked lists the packages of this module that one links, itself among them, with their files.
func linked(t *testing.T, from string) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			dir := strings.TrimPrefix(path.Dir(file), ".")
			files[dir] = append(files[dir], file)
		}
	}
	found := map[string][]string{}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		if found[next[0]] != nil {
			continue
		}
		found[next[0]] = files[next[0]]
		for _, file := range files[next[0]] {
			next = append(next, imports(t, file)...)
		}
	}
	return found
}

// runsTemplates lists what of a file calls methods by their names: templates, those
// that cobra runs, and reflection.
func runsTemplates(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash("../../"+file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, spec := range parsed.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == "text/template" || p == "html/template" {
			found = append(found, p)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is && slices.Contains([]string{"SetUsageTemplate", "SetHelpTemplate", "SetVersionTemplate", "MethodByName"}, s.Sel.Name) {
			found = append(found, s.Sel.Name)
		}
		return true
	})
	return found
}
