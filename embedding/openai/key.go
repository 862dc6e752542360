package openai

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// KeyFromEnv reads a key from an environment variable.
func KeyFromEnv(name string) func() (string, error) {
	return func() (string, error) {
		key := os.Getenv(name)
		if strings.TrimSpace(key) == "" {
			return "", fmt.Errorf("the environment variable %s, which the key of the embedding service is read from, is not set: set it, or name another with embedding.service.key_env", name)
		}
		return key, nil
	}
}

// KeyFromFile reads a key from a file that holds nothing else.
func KeyFromFile(name string) func() (string, error) {
	return func() (string, error) {
		f, err := os.Open(name)
		if err != nil {
			var p *os.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return "", fmt.Errorf("the key of the embedding service cannot be read from %s: %w; name another file with embedding.service.key_file", name, err)
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
		if err != nil {
			return "", fmt.Errorf("reading the key of the embedding service from %s: %w", name, err)
		}
		if strings.TrimSpace(string(data)) == "" {
			return "", fmt.Errorf("the file %s, which the key of the embedding service is read from, is empty: put the key into it", name)
		}
		return string(data), nil
	}
}

// maxKey bounds a key; tokens of cloud identities have some thousand bytes.
const maxKey = 16 << 10

// usable takes white space off a key's ends and checks that it can stand in a
// header: net/http would put one that cannot into its error.
func usable(key string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return "", errors.New("the key of the embedding service is empty: give one, or none")
	}
	if len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("the key of the embedding service is not one word of printable ASCII: check where it is read from")
	}
	return key, nil
}
