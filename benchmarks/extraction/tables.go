package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// longest is how long a program may take for a file.
const longest = 5 * time.Minute

// measured is one run of a program.
type measured struct {
	processor float64 // seconds, its start included
	peak      float64 // MB held at most
	out       []byte
}

// measure runs a program once.
func measure(program string, args ...string) (measured, error) {
	var out bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return measured{}, err
	}
	late := time.AfterFunc(longest, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	late.Stop()
	m := measured{out: out.Bytes()}
	if s := cmd.ProcessState; s != nil {
		m.processor, m.peak = (s.UserTime() + s.SystemTime()).Seconds(), peak(s)
	}
	return m, err
}

// least is the least of some runs by processor time.
func least(rounds int, program string, args ...string) (measured, error) {
	var best measured
	for i := range rounds {
		m, err := measure(program, args...)
		if err != nil {
			return m, err
		}
		if i == 0 || m.processor < best.processor {
			best = m
		}
	}
	return best, nil
}

// tables writes a line for each file and one for each format.
func tables(w io.Writer, root string, rounds, each int, tools []tool) error {
	all, err := originals(root)
	if err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	empty, small, remove, err := nothing()
	if err != nil {
		return err
	}
	defer remove()
	if _, err := measure(own, "-one", small); err != nil { // PDFium is compiled once
		return err
	}
	start, err := least(rounds, own, "-one", empty)
	if err != nil {
		return err
	}
	startPDF, err := least(rounds, own, "-one", small)
	if err != nil {
		return err
	}
	tools, missing := startable(tools, rounds, empty)
	fmt.Fprintf(w, "%s, %s/%s, %d processors.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if each < len(all) {
		fmt.Fprintf(w, "The other programs read the first %d files of each format.\n\n", each)
	}
	for _, name := range missing {
		fmt.Fprintf(w, "%s could not be had and is left out.\n\n", name)
	}
	fmt.Fprintln(w, "| file | outcome | s | MB | headings | cells | words |\n| --- | --- | --- | --- | --- | --- | --- |")
	formats := map[string]*format{}
	var order []string
	for _, o := range all {
		ours, err := least(rounds, own, "-one", o.path)
		if err != nil {
			fmt.Fprintf(w, "| %s | **%v** | %.2f | %.0f | | | |\n", o.name, err, ours.processor, ours.peak)
			continue
		}
		var r reading
		if err := json.Unmarshal(ours.out, &r); err != nil {
			return err
		}
		words, heads, cells := "", "", ""
		if other, ok := o.other(); ok && r.Outcome == "read" {
			heads, cells = ratio(r.Heads, other.Heads), ratio(r.Cells, other.Cells)
			words = fmt.Sprintf("%.3f", 1-float64(len(lacking(r.Words, other.Words)))/float64(max(1, len(other.Words))))
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %.0f | %s | %s | %s |\n", o.name, strings.ReplaceAll(r.Outcome, "|", `\|`), ours.processor, ours.peak, heads, cells, words)
		if r.Outcome != "read" || r.Scanned { // nearly all of the time of these is tesseract's
			continue
		}
		key := strings.TrimPrefix(strings.ToLower(filepath.Ext(o.path)), ".")
		if formats[key] == nil {
			formats[key] = &format{name: key, others: map[string]sum{}}
			order = append(order, key)
		}
		began := start.processor
		if key == "pdf" {
			began = startPDF.processor
		}
		asked := tools
		if formats[key].files >= each {
			asked = nil
		}
		formats[key].add(o, max(0, ours.processor-began), asked, rounds)
	}
	slices.Sort(order)
	fmt.Fprintf(w, "\n| format | files | MB | ours, s | MB/s |")
	for _, t := range tools {
		fmt.Fprintf(w, " %s |", t.name)
	}
	fmt.Fprintln(w, "\n| --- | --- | --- | --- | --- |"+strings.Repeat(" --- |", len(tools)))
	for _, key := range order {
		formats[key].print(w, tools)
	}
	fmt.Fprintf(w, "\nStart, taken off: ours %.3f s, with PDFium %.3f s", start.processor, startPDF.processor)
	for _, t := range tools {
		fmt.Fprintf(w, ", %s %.3f s", t.name, t.start)
	}
	fmt.Fprintln(w, ".")
	return nil
}

// nothing gives a page and a PDF of one letter, for the time that a start takes.
func nothing() (page, pdf string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "extraction")
	if err != nil {
		return "", "", nil, err
	}
	page, pdf, remove = filepath.Join(dir, "a.html"), filepath.Join(dir, "a.pdf"), func() { os.RemoveAll(dir) }
	if err = os.WriteFile(page, []byte("<p>a</p>"), 0o600); err == nil {
		err = os.WriteFile(pdf, []byte(onePage), 0o600)
	}
	return page, pdf, remove, err
}

// onePage is a PDF without an index of its objects, which readers mend.
const onePage = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [4 0 R] >>\nendobj\n" +
	"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n" +
	"4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>\nendobj\n" +
	"5 0 obj\n<< /Length 33 >>\nstream\nBT /F1 11 Tf 70 700 Td (a) Tj ET\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
