package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestSymbols gives the sections of source code: the name of each, and its lines; ⏎
// stands for a line feed. What belongs to the file itself has no name.
func TestSymbols(t *testing.T) {
	for _, tt := range []struct{ what, name, in, want string }{
		{"Go", "a.go", "// Package a.\npackage a\n\nimport \"x\"\n\nconst (\n\tA = 1\n\tB = 2\n)\n\n// F does.\nfunc (t *T) F(a int,\n\tb string) error {\n\treturn nil\n}\n\ntype T struct{}\n",
			"[// Package a.⏎package a⏎⏎import \"x\"]\nconst A, B [const (⏎\tA = 1⏎\tB = 2⏎)]\nfunc (t *T) F(a int, b string) error [// F does.⏎func (t *T) F(a int,⏎\tb string) error {⏎\treturn nil⏎}]\ntype T [type T struct{}]"},
		{"Go that does not parse", "a.go", "package a\n\nfunc {\n", "[package a⏎⏎func {]"},
		{"Python", "a.py", "\"\"\"Doc\ndef no(): pass\n\"\"\"\nimport x\nLIMIT = {\n'a': 1,\n}\n\n# About f.\n@wrap(\n    1)\n@other\ndef f(a, b={'k': 1}):\n    \"\"\"Doc.\"\"\"\n    return 1\n\n\nclass C(Base):\n    def m(self):\n        s = '''\ndef no():\n'''\n\nx = f(1)\nif x:\n    f(2)\n",
			"[\"\"\"Doc⏎def no(): pass⏎\"\"\"⏎import x⏎LIMIT = {⏎'a': 1,⏎}]\ndef f(a, b={'k': 1}) [# About f.⏎@wrap(⏎    1)⏎@other⏎def f(a, b={'k': 1}):⏎    \"\"\"Doc.\"\"\"⏎    return 1]\nclass C(Base) [class C(Base):⏎    def m(self):⏎        s = '''⏎def no():⏎''']\nx = f(1) [x = f(1)⏎if x:⏎    f(2)]"},
		{"JavaScript", "a.js", "import x from 'x'\nconst limit = 3\n\n/**\n * Doc.\n */\nexport async function f(a) {\n  return `}${a}{`.replace(/[{\"]/g, '{')\n}\nexport const g = (a) => {\n  return a\n}\nclass C extends D {\n  m() {}\n}\nf(1)\n",
			"[import x from 'x'⏎const limit = 3]\nexport async function f(a) [/**⏎ * Doc.⏎ */⏎export async function f(a) {⏎  return `}${a}{`.replace(/[{\"]/g, '{')⏎}]\nexport const g = (a) => [export const g = (a) => {⏎  return a⏎}]\nclass C extends D [class C extends D {⏎  m() {}⏎}]\nf(1) [f(1)]"},
		{"TypeScript", "a.ts", "export interface Plan {\n  price: number;\n}\n\ntype Id = string;\n\nexport enum E { A }\n", "export interface Plan [export interface Plan {⏎  price: number;⏎}]\ntype Id = string [type Id = string;]\nexport enum E [export enum E { A }]"},
		{"Java", "A.java", "package a;\n\nimport b.C;\n\n/** Doc. */\n@Old\npublic final class A<T> extends B {\n  String s = \"class No {\";\n  void m() {}\n}\n\nrecord R(int a) {}\n",
			"[package a;⏎⏎import b.C;]\n@Old public final class A<T> extends B [/** Doc. */⏎@Old⏎public final class A<T> extends B {⏎  String s = \"class No {\";⏎  void m() {}⏎}]\nrecord R(int a) [record R(int a) {}]"},
		{"C", "a.c", "#include <x.h>\n#define OPEN {\n\nstatic int table[] = {1, 2};\nint f(int a);\n\n/* Doc. */\nstatic int\nf(int a)\n{\n  return a == '{';\n}\n\nstruct s { int a; };\n\nint main(void) { return 0; }\n",
			"[#include <x.h>⏎#define OPEN {⏎⏎static int table[] = {1, 2};⏎int f(int a);]\nstatic int f(int a) [/* Doc. */⏎static int⏎f(int a)⏎{⏎  return a == '{';⏎}]\nstruct s [struct s { int a; };]\nint main(void) [int main(void) { return 0; }]"},
		{"C++", "a.cpp", "namespace a::b {\n\ntemplate <class T>\nclass Box : public Base<T> {\n  T t;\n};\n\nint Box<int>::get() const { return 1; }\n\n}  // namespace\n",
			"[namespace a::b {]\ntemplate <class T> class Box : public Base<T> [template <class T>⏎class Box : public Base<T> {⏎  T t;⏎};]\nint Box<int>::get() const [int Box<int>::get() const { return 1; }⏎⏎}  // namespace]"},
		{"Rust", "a.rs", "use x::y;\n\n/// Doc.\n#[derive(Debug)]\npub struct S<'a> {\n    s: &'a str,\n}\n\nimpl<'a> S<'a> {\n    fn m(&self) -> char { '{' }\n}\n\npub async fn f() {}\n",
			"[use x::y;]\n#[derive(Debug)] pub struct S<'a> [/// Doc.⏎#[derive(Debug)]⏎pub struct S<'a> {⏎    s: &'a str,⏎}]\nimpl<'a> S<'a> [impl<'a> S<'a> {⏎    fn m(&self) -> char { '{' }⏎}]\npub async fn f() [pub async fn f() {}]"},
		{"other code", "a.sql", "select 1;\n\n-- x\nselect 2;\n", "[select 1;⏎⏎-- x⏎select 2;]"},
		{"told by its first line", "run", "#!/usr/bin/env python3\n\ndef f():\n    pass\n", "[#!/usr/bin/env python3]\ndef f() [def f():⏎    pass]"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract(tt.name, []byte(tt.in))
			var got []string
			for _, b := range x.Blocks {
				got = append(got, strings.TrimPrefix(fmt.Sprintf("%s [%s]", b.Text, strings.ReplaceAll(b.Span.Of(x.Text), "\n", "⏎")), " "))
			}
			if s := strings.Join(got, "\n"); err != nil || s != tt.want || x.Text != tt.in {
				t.Errorf("got\n%s\n%v\nwant\n%s", s, err, tt.want)
			}
			checkBlocks(t, x)
			if lost := uncovered(x, 0); len(lost) > 0 {
				t.Errorf("in no block: %q", lost)
			}
		})
	}
}

// TestHostileCode: what nothing closes costs neither the stack nor the square of the size.
func TestHostileCode(t *testing.T) {
	const n = 50_000
	for what, unit := range map[string]string{"braces": "{", "brackets": "(", "strings": "\"\n", "comments": "/*", "templates": "`${", "patterns": "=/\n", "quotes": "'''\n", "functions": "f(){}\n", "decorators": "@x\n", "namespaces": "namespace a {\n"} {
		for _, name := range []string{"a.go", "a.py", "a.js", "a.java", "a.cpp", "a.rs"} {
			took := testkit.Took(func() {
				x, err := Extract(name, []byte(strings.Repeat(unit, n)))
				if err != nil {
					t.Fatalf("%s in %s: %v", what, name, err)
				}
				checkBlocks(t, x)
			})
			if took > 5*time.Second {
				t.Errorf("%s in %s took %v", what, name, took)
			} else if took > time.Second {
				t.Logf("%s in %s took %v", what, name, took)
			}
		}
	}
}

func FuzzCode(f *testing.F) {
	for i, s := range []string{"package a\n// x\nfunc f() {}\nvar a, b = 1, 2\n", "@a\ndef f(:\n '''\n\nx\n", "/* a */ function f() { `${'` } }\nlet a = /[/;\n", "#define a \\\n{\nint f() {}\nnamespace { }; }", "fn f<'a>() { 'x' }\n#[x]\nimpl A {}"} {
		f.Add(uint8(i), s)
	}
	names := []string{"a.go", "a.py", "a.ts", "a.cpp", "a.rs", "a.java"}
	f.Fuzz(func(t *testing.T, i uint8, s string) {
		name := names[int(i)%len(names)]
		fuzzed(t, name, s)
		if x, err := Extract(name, []byte(s)); err == nil && len(uncovered(x, 0)) > 0 {
			t.Fatalf("in no block: %q", uncovered(x, 0))
		}
	})
}
