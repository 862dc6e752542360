package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// KeyFromEnv reads a key from an environment variable.
func (u Use) KeyFromEnv(name string) func() (string, error) {
	return func() (string, error) {
		key := os.Getenv(name)
		if strings.TrimSpace(key) == "" {
			return "", fmt.Errorf("the environment variable %s, which the key of the %s is read from, is not set: set it, or name another with %s.key_env",
				name, u.Noun, u.Keys)
		}
		return key, nil
	}
}

// KeyFromFile reads a key from a file that holds nothing else.
func (u Use) KeyFromFile(name string) func() (string, error) {
	return func() (string, error) {
		f, err := os.Open(name)
		if err != nil {
			var p *os.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return "", fmt.Errorf("the key of the %s cannot be read from %s: %w; name another file with %s.key_file",
				u.Noun, name, err, u.Keys)
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
		if err != nil {
			return "", fmt.Errorf("reading the key of the %s from %s: %w", u.Noun, name, err)
		}
		if strings.TrimSpace(string(data)) == "" {
			return "", fmt.Errorf("the file %s, which the key of the %s is read from, is empty: put the key into it", name, u.Noun)
		}
		return string(data), nil
	}
}

// maxKey bounds a key in bytes; tokens of cloud identities have some thousand.
const maxKey = 16 << 10

// usable takes white space off a key's ends and checks that it can stand in a
// header: net/http would put one that cannot into its error.
func (u Use) usable(key string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return "", fmt.Errorf("the key of the %s is empty: give one, or none", u.Noun)
	}
	if len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fmt.Errorf("the key of the %s is not one word of printable ASCII: check where it is read from", u.Noun)
	}
	return key, nil
}
