package corpus

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Files of a made corpus, in a folder of their own.
const (
	TextsFile           = "texts.txt"     // a passage a line
	FiltersFile         = "filters.txt"   // a document a line: names of the filters that keep it
	VectorsFile         = "vectors.f32"   // of the passages, float32, little-endian
	QuestionsFile       = "questions.txt" // a question a line
	QuestionVectorsFile = "questions.f32"
	madeFile            = "made.json" // written last: the others are whole
)

// QuestionsMade is the number of questions of every corpus.
const QuestionsMade = 1000

// Seed of the corpora that engines are compared on.
const Seed = 1

// made says that a folder's files are whole.
type made struct{ Passages int }

// version is raised when the same parameters make other files.
const version = 1

// Folder is the folder of a corpus below base. What it is made of is part of its name, so
// that what was made of something else is not taken for it.
func Folder(base string, p Parameters, seed uint64, passages int) (string, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	return filepath.Join(base, fmt.Sprintf("%d-%d-%08x-%d", passages, seed, crc32.ChecksumIEEE(b), version)), nil
}

// Make writes a corpus into a folder, unless it is there.
func Make(dir string, p Parameters, seed uint64, passages int) error {
	if passages <= 0 || passages%PassagesPerDocument != 0 {
		return fmt.Errorf("%d passages cannot be made: give a multiple of %d", passages, PassagesPerDocument)
	}
	if _, err := os.Stat(filepath.Join(dir, madeFile)); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	m := newMaker(p, seed, passages/PassagesPerDocument)
	if err := m.writeDocuments(dir); err != nil {
		return fmt.Errorf("writing documents to %s: %w", dir, err)
	}
	if err := m.writeQuestions(dir); err != nil {
		return fmt.Errorf("writing questions to %s: %w", dir, err)
	}
	b, err := json.Marshal(made{Passages: passages})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, madeFile), b, 0o644)
}

// writeDocuments draws documents on all cores and writes them in order.
func (m *maker) writeDocuments(dir string) (err error) {
	var texts, filters, vectors *output
	for name, file := range map[string]**output{TextsFile: &texts, FiltersFile: &filters, VectorsFile: &vectors} {
		if *file, err = create(filepath.Join(dir, name)); err != nil {
			return err
		}
		defer (*file).close(&err)
	}
	const atOnce = 256
	drawn := make([]Document, atOnce)
	for from := 0; from < m.documents; from += atOnce {
		part := drawn[:min(atOnce, m.documents-from)]
		var all sync.WaitGroup
		for worker := range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for i := worker; i < len(part); i += runtime.GOMAXPROCS(0) {
					part[i] = m.document(from + i)
				}
			})
		}
		all.Wait()
		for _, d := range part {
			filters.line(strings.Join(d.Filters, " "))
			for i := range d.Passages {
				texts.line(d.Passages[i])
				vectors.floats(d.Vectors[i])
			}
		}
	}
	return nil
}

func (m *maker) document(number int) Document {
	d := Document{Number: number, Filters: m.filters(number), Vectors: m.vectors(number)}
	for _, ranks := range m.text(number) {
		words := make([]string, len(ranks))
		for i, r := range ranks {
			words[i] = m.words[r]
		}
		d.Passages = append(d.Passages, strings.Join(words, " "))
	}
	return d
}

func (m *maker) writeQuestions(dir string) (err error) {
	questions, err := create(filepath.Join(dir, QuestionsFile))
	if err != nil {
		return err
	}
	defer questions.close(&err)
	vectors, err := create(filepath.Join(dir, QuestionVectorsFile))
	if err != nil {
		return err
	}
	defer vectors.close(&err)
	for i := range QuestionsMade {
		questions.line(strings.Join(m.question(i), " "))
		vectors.floats(m.questionVector(i))
	}
	return nil
}

// output is a file being written. What fails is told by close, as bufio.Writer keeps
// its first error.
type output struct {
	file *os.File
	*bufio.Writer
}

func create(path string) (*output, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &output{f, bufio.NewWriterSize(f, 1<<20)}, nil
}

func (o *output) line(s string) {
	o.WriteString(s)
	o.WriteByte('\n')
}

func (o *output) floats(values []float32) {
	b := o.AvailableBuffer()
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	o.Write(b)
}

func (o *output) close(err *error) {
	*err = errors.Join(*err, o.Flush(), o.file.Close())
}
