package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Lucene runs in processes of Java. Its two indexes are measured apart.
const (
	luceneKeyword = "lucene"
	luceneVectors = "lucene-hnsw"
)

func isLucene(system string) bool { return strings.HasPrefix(system, luceneKeyword) }

func luceneLane(system string) measure.Lane {
	if system == luceneVectors {
		return measure.Vector
	}
	return measure.Keyword
}

// buildLucene compiles the program in lucene with Maven, which fetches what it needs.
func buildLucene(ctx context.Context) error {
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("its program cannot be built: %s is not installed", program)
		}
	}
	command := exec.CommandContext(ctx, "mvn", "-q", "-B", "compile", "dependency:build-classpath", "-Dmdep.outputFile=target/classpath")
	command.Dir = luceneDir
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("its program cannot be built: mvn in %s: %w: %s", luceneDir, err, bytes.TrimSpace(out))
	}
	return nil
}

const luceneDir = "lucene"

// javaArguments start the task with a heap that does for a million vectors. They are
// read by Main.java, in this order.
func javaArguments(t task, files corpus.Files) ([]string, error) {
	dependencies, err := os.ReadFile(filepath.Join(luceneDir, "target", "classpath"))
	if err != nil {
		return nil, err
	}
	classes := filepath.Join(luceneDir, "target", "classes") + string(os.PathListSeparator) + strings.TrimSpace(string(dependencies))
	lane := luceneLane(t.System)
	var filters []string
	for _, f := range corpus.Filters {
		filters = append(filters, f.Name)
	}
	return []string{
		"-Xmx4g", "-cp", classes, "quarry.Main",
		t.Task, string(lane), t.Corpus, strconv.Itoa(files.Passages), strconv.Itoa(files.Dims), t.Index, t.Result,
		strconv.Itoa(t.Plan.Questions), strconv.FormatInt(int64(t.Plan.Cap), 10), strconv.FormatInt(int64(t.Plan.Warm), 10),
		strconv.Itoa(measure.Depth[lane]), strconv.Itoa(measure.Answered[lane]), strings.Join(filters, ","),
		strings.Join(corpus.PhraseKinds, ","),
	}, nil
}

// javaVersion is the first line of what java says of itself, in short.
func javaVersion(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "java", "-version").CombinedOutput()
	if err != nil {
		return "no Java"
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return strings.ReplaceAll(first, `"`, "")
}
