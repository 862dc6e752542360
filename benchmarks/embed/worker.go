package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// worker is a Python process that runs ONNX Runtime.
type worker struct {
	cmd     *exec.Cmd
	in      *json.Encoder
	out     *json.Decoder
	version string
}

func start(python, model string, threads int) (*worker, error) {
	cmd := exec.Command(python, "-B", "benchmarks/embed/onnx_worker.py", model)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &worker{cmd: cmd, in: json.NewEncoder(in), out: json.NewDecoder(bufio.NewReader(out))}
	var answer struct{ Version string }
	err = w.ask(map[string]any{"threads": threads}, &answer)
	w.version = answer.Version
	return w, err
}

func (w *worker) ask(request, answer any) error {
	if err := w.in.Encode(request); err != nil {
		return err
	}
	if err := w.out.Decode(answer); err != nil {
		return fmt.Errorf("the Python worker gave no answer: %w", err)
	}
	return nil
}

// close ends the process; again, it does nothing.
func (w *worker) close() {
	w.cmd.Process.Kill()
	w.cmd.Wait()
}

// limit is the longest input of the model, in tokens.
const limit = 256

func (w *worker) tokenize(texts []string) ([][]int32, error) {
	var answer struct{ IDs [][]int32 }
	err := w.ask(map[string]any{"tokenize": texts, "limit": limit}, &answer)
	return answer.IDs, err
}

func (w *worker) run(form string, batches [][][]int32) (times, [][]float32, error) {
	var answer struct {
		CPU, Wall float64
		Vectors   [][]float32
	}
	err := w.ask(map[string]any{"form": form, "batches": batches}, &answer)
	return times{answer.CPU, answer.Wall}, answer.Vectors, err
}
