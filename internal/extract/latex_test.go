package extract

import "testing"

// TestLaTeX gives the blocks of sources; ⏎ stands for a line feed.
func TestLaTeX(t *testing.T) {
	const pre = "\\documentclass{article}\n\\title{The \\textbf{Plan}\\thanks{x}}\n\\newcommand{\\x}{y}\n\\begin{document}\n\\maketitle\n"
	for _, tt := range []struct{ what, in, want string }{
		{"sections as LaTeX numbers them", pre + "\\section{One \\& all}\\label{a}\ntext\n\\subsection{Two}\nmore\n\\section*{Thanks}\nx\n\\section{Three}\ny\n\\appendix\n\\section{Extra}\nz\n\\end{document}\nnot read\n",
			"heading 2 \"One & all\" №1\nparagraph [text]\nheading 3 \"Two\" №1.1\nparagraph [more]\nheading 2 \"Thanks\"\nparagraph [x]\nheading 2 \"Three\" №2\nparagraph [y]\nheading 2 \"Extra\" №A\nparagraph [z]"},
		{"chapters", "\\chapter{One}\n\\section{Two}\ntext\n", "heading 1 \"One\" №1\nheading 2 \"Two\" №1.1\nparagraph [text]"},
		{"levels that are numbered", "\\documentclass{book}\n\\begin{document}\n\\chapter{A}\n\\section{B}\n\\subsection{C}\n\\subsubsection{D}\ntext\n", "heading 1 \"A\" №1\nheading 2 \"B\" №1.1\nheading 3 \"C\" №1.1.1\nheading 4 \"D\"\nparagraph [text]"},
		{"levels that the source has numbered", "\\setcounter{secnumdepth}{1}\n\\begin{document}\n\\section{B}\n\\subsection{C}\ntext\n", "heading 2 \"B\" №1\nheading 3 \"C\"\nparagraph [text]"},
		{"a title over two lines", "\\section{One\n  two}\ntext\n", "heading 2 \"One two\" №1\nparagraph [text]"},
		{"a title within its paragraph", "\\paragraph{Terms.} The plan ends.\n", "paragraph [\\paragraph{Terms.} The plan ends.]"},
		{"comments", "% no\ntext % yes\n\n%\\section{no}\n", "paragraph [text % yes]"},
		{"lists", "\\begin{itemize}\n\\item a\n\\begin{enumerate}\n\\item b\n\\end{enumerate}\n\\item c\n\\end{itemize}\n\ntext\n", "list item[\\item a⏎\\begin{enumerate}⏎\\item b⏎\\end{enumerate}] item[\\item c⏎\\end{itemize}]\nparagraph [text]"},
		{"a table", "\\begin{table}\n\\caption{Prices in \\emph{EUR}}\n\\begin{tabular}{lr}\n\\toprule\nPlan & Price \\\\\n\\midrule\nTeam & 10 \\\\\nFirm &\n20 \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n",
			"table head[Plan & Price \\\\] row[Team & 10 \\\\] row[Firm &⏎20 \\\\] caption[Prices in EUR]"},
		{"rules behind the rows", "\\begin{tabular}{l|r} \\hline\nPlan & Price \\\\ \\hline\nTeam & 10 \\\\ \\hline\n\\end{tabular}\n", "table head[Plan & Price \\\\ \\hline] row[Team & 10 \\\\ \\hline]"},
		{"figures and code", "\\begin{figure}\n\\includegraphics{x}\n\\caption{The plan.}\n\\end{figure}\n\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n", "paragraph [\\caption{The plan.}]\ncode [\\begin{verbatim}⏎\\section{no}⏎\\end{verbatim}]"},
		{"formulas within text", "so\n\\begin{equation}\nx=1\n\\end{equation}\nholds.\n", "paragraph [so⏎\\begin{equation}⏎x=1⏎\\end{equation}⏎holds.]"},
		{"abstract and references", pre + "\\begin{abstract}\nIn short.\n\\end{abstract}\n\\begin{thebibliography}{9}\n\\bibitem{a} A. Lee.\n\\end{thebibliography}\n\\end{document}\n", "heading 2 \"Abstract\"\nparagraph [In short.]\nheading 2 \"References\"\nlist item[\\bibitem{a} A. Lee.⏎\\end{thebibliography}]"},
		{"an environment that nothing ends", "\\begin{itemize}\n\\item a\n\ntext\n", "paragraph [\\begin{itemize}]\nparagraph [\\item a]\nparagraph [text]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.tex", tt.in, tt.want) })
	}
	x, err := Extract("a.tex", []byte(pre+"\\input{b}\n\ntext\n\\end{document}\n"))
	if err != nil || x.Title != "The Plan" || x.Format != "latex" || len(x.Notes) != 1 {
		t.Errorf("%q %q %v", x.Title, x.Notes, err)
	}
	if _, err := Extract("a.tex", []byte("---\nreaders: [group:hr]\n---\n\\section{x}\n")); !HidesMetadata(err) {
		t.Errorf("metadata that is not read: %v", err)
	}
}

func FuzzLaTeX(f *testing.F) {
	f.Add("\\title{a}\\chapter{b}\n\\section{c{d}\n}\n\\begin{table}\n\\caption{e}\n\\begin{tabular}{l}\na & b \\\\ \\hline\n\\end{tabular}\n\\end{table}\n\\begin{itemize}\n\\item x\n\\end{itemize}\n")
	f.Add("\\begin{figure}\n\\caption{a\n}\\end{figure}\n\\begin{thebibliography}\n\\end{document}\n\\appendix\n\\section{}\n")
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.tex", s) })
}
