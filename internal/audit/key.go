package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const keyBytes = 32

// hash is HMAC-SHA-256 with a key that lies beside the log: questions and names are few
// enough to be guessed by who has a plain hash.
func (l *Log) hash(text string) (string, error) {
	if l.key == nil {
		key, err := l.readKey()
		if err != nil {
			return "", err
		}
		l.key = key
	}
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte(text))
	return "hmac:" + hex.EncodeToString(mac.Sum(nil)[:16]), nil
}

// readKey reads the key, or makes one: of several processes that do, one succeeds, and
// the others read its key. It is written whole under another name first.
func (l *Log) readKey() ([]byte, error) {
	name := filepath.Join(l.o.Dir, keyName)
	key, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := l.makeKey(name); err != nil {
			return nil, err
		}
		key, err = os.ReadFile(name)
	}
	if err == nil && len(key) != keyBytes {
		err = fmt.Errorf("%s is no key: delete it to have another made, which makes other hashes", name)
	}
	return key, err
}

func (l *Log) makeKey(name string) error {
	made, err := os.CreateTemp(l.o.Dir, keyName+"-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails
	_, err = made.Write(key)
	err = errors.Join(err, made.Sync(), made.Close())
	if err != nil {
		return err
	}
	if err := os.Link(made.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
