package corpus

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Files are a made corpus in a folder.
type Files struct {
	Dir      string
	Passages int
	Dims     int
}

// Open opens a corpus that Make wrote.
func Open(dir string) (Files, error) {
	b, err := os.ReadFile(filepath.Join(dir, madeFile))
	if err != nil {
		return Files{}, fmt.Errorf("there is no whole corpus in %s: %w", dir, err)
	}
	var m made
	if err := json.Unmarshal(b, &m); err != nil {
		return Files{}, fmt.Errorf("reading %s: %w", dir, err)
	}
	info, err := os.Stat(filepath.Join(dir, VectorsFile))
	if err != nil {
		return Files{}, err
	}
	return Files{Dir: dir, Passages: m.Passages, Dims: int(info.Size()) / 4 / m.Passages}, nil
}

// Documents calls fn with every document in order, with its vectors or without. What
// fn is given is its own.
func (f Files) Documents(vectors bool, fn func(Document) error) error {
	texts, err := os.Open(filepath.Join(f.Dir, TextsFile))
	if err != nil {
		return err
	}
	defer texts.Close()
	names, err := os.Open(filepath.Join(f.Dir, FiltersFile))
	if err != nil {
		return err
	}
	defer names.Close()
	numbers, err := os.Open(filepath.Join(f.Dir, VectorsFile))
	if err != nil {
		return err
	}
	defer numbers.Close()
	textLines, nameLines, floats := bufio.NewScanner(texts), bufio.NewScanner(names), bufio.NewReaderSize(numbers, 1<<20)
	textLines.Buffer(make([]byte, 1<<20), 1<<20)
	for n := range f.Passages / PassagesPerDocument {
		d := Document{Number: n, Passages: make([]string, PassagesPerDocument)}
		if !nameLines.Scan() {
			return fmt.Errorf("%s is cut short: delete the folder", FiltersFile)
		}
		d.Filters = strings.Fields(nameLines.Text())
		for i := range d.Passages {
			if !textLines.Scan() {
				return fmt.Errorf("%s is cut short: delete the folder", TextsFile)
			}
			d.Passages[i] = textLines.Text()
		}
		if vectors {
			if d.Vectors, err = readVectors(floats, PassagesPerDocument, f.Dims); err != nil {
				return fmt.Errorf("reading %s: %w", VectorsFile, err)
			}
		}
		if err := fn(d); err != nil {
			return err
		}
	}
	return nil
}

// Document reads one document, without its vectors.
func (f Files) Document(number int) (Document, error) {
	var found Document
	err := f.Documents(false, func(d Document) error {
		if d.Number == number {
			found = d
			return io.EOF
		}
		return nil
	})
	if err != io.EOF {
		return found, fmt.Errorf("document %d is not in %s: %w", number, f.Dir, err)
	}
	return found, nil
}

// Question is what one question asks of each way to search.
type Question struct {
	Terms  []string
	Vector []float32
}

// Questions reads the first n questions.
func (f Files) Questions(n int) ([]Question, error) {
	b, err := os.ReadFile(filepath.Join(f.Dir, QuestionsFile))
	if err != nil {
		return nil, err
	}
	file, err := os.Open(filepath.Join(f.Dir, QuestionVectorsFile))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	lines = lines[:min(n, len(lines))]
	vectors, err := readVectors(bufio.NewReader(file), len(lines), f.Dims)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", QuestionVectorsFile, err)
	}
	questions := make([]Question, len(lines))
	for i := range questions {
		questions[i] = Question{strings.Fields(lines[i]), vectors[i]}
	}
	return questions, nil
}

func readVectors(r io.Reader, n, dims int) ([][]float32, error) {
	raw := make([]byte, 4*n*dims)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, err
	}
	all := make([]float32, n*dims)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = all[i*dims : (i+1)*dims : (i+1)*dims]
	}
	return vectors, nil
}
