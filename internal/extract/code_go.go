package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// goSymbols are the declarations of a Go file, imports aside; none of a file that does
// not parse.
func goSymbols(text string) []symbol {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return min(max(set.PositionFor(p, false).Offset, 0), len(text)) }
	var out []symbol
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			end := d.End()
			if d.Body != nil {
				end = d.Body.Lbrace
			}
			out = append(out, symbol{at(d.Pos()), symbolName(text[at(d.Pos()):at(end)]), true})
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				out = append(out, symbol{at(d.Pos()), goNames(d), true})
			}
		}
	}
	return out
}

// goNames is a declaration by its names: "const A, B", "type T".
func goNames(d *ast.GenDecl) string {
	names := ""
	for _, s := range d.Specs {
		var idents []*ast.Ident
		switch s := s.(type) {
		case *ast.TypeSpec:
			idents = []*ast.Ident{s.Name}
		case *ast.ValueSpec:
			idents = s.Names
		}
		for _, id := range idents {
			if len(names) < maxSymbolName {
				names += ", " + id.Name
			}
		}
	}
	return symbolName(d.Tok.String() + " " + trimComma(names))
}

func trimComma(s string) string {
	if len(s) > 2 {
		return s[2:]
	}
	return s
}
