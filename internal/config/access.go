package config

import (
	"fmt"
	"strings"
)

// access is how a service is reached, whatever is asked of it.
type access struct {
	group             string // of its keys
	keyEnv, keyFile   string
	timeout, patience int // seconds
}

func (a access) check() error {
	switch {
	case a.keyEnv != "" && a.keyFile != "":
		return fmt.Errorf("%s.key_file and key_env are both given: keep one", a.group)
	case strings.ContainsAny(a.keyEnv, "=\x00 -"): // perhaps the key itself, which no error shows
		return fmt.Errorf("%s.key_env is no name of an environment variable: give the name of the one that holds the key, such as OPENAI_API_KEY, not the key", a.group)
	case a.timeout > 3600:
		return fmt.Errorf("%s.timeout is %d: give 1 to 3600 seconds", a.group, a.timeout)
	case a.patience > 86400:
		return fmt.Errorf("%s.patience is %d: give 1 to 86400 seconds", a.group, a.patience)
	}
	return nil
}
