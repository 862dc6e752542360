package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Values are the settings that decide what is found and answered, and how answers are
// judged, by their keys, as they take effect. Places of the machine they were given on, stores, folders, addresses
// and keys of services, are not among them: they are kept with runs, which others read.
func Values(s Settings) map[string]string {
	s.Quarry = s.Quarry.WithDefaults()
	values := map[string]string{}
	for _, k := range keys {
		if !Incidental(k.name) && !place(k.name) {
			values[k.name] = k.get(&s)
		}
	}
	return values
}

// aliases are names that people use for a key, beside its own.
var aliases = map[string]string{"chunk.tokens": "chunk.target", "chunk.size": "chunk.target"}

// Key gives the whole name of a key that was named by its end: "fusion" is
// retrieval.fusion. An end that fits several is an error that lists them.
func Key(name string) (string, error) {
	if full, ok := aliases[name]; ok {
		return full, nil
	}
	var fits []string
	for _, k := range keys {
		if k.name == name {
			return name, nil
		}
		if strings.HasSuffix(k.name, "."+name) {
			fits = append(fits, k.name)
		}
	}
	switch len(fits) {
	case 0:
		return "", fmt.Errorf("unknown key %s, the nearest known is %s; quarry config lists them", name, nearestKey(name))
	case 1:
		return fits[0], nil
	}
	return "", fmt.Errorf("the key %s is not unique: give one of %s", name, strings.Join(fits, ", "))
}

// Empty are the settings of an empty file, as With takes them: what is not said is
// zero, so that a default can follow from what is said.
func Empty() Settings {
	s, err := Parse(File, nil)
	if err != nil {
		return Defaults() // an empty file is valid
	}
	return s
}

// With gives settings in which one key, by its whole name, has another value. It does
// not check how keys fit together: Settings.Check does.
func With(s Settings, name, value string) (Settings, error) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return s, fmt.Errorf("unknown key %s", name)
	}
	var doc yaml.Node
	err := decode(yaml.NewDecoder(strings.NewReader(value)), &doc)
	if err == nil && (len(doc.Content) != 1 || !keys[i].fits(doc.Content[0])) {
		err = errors.New("it is no value of its kind")
	}
	if err != nil || !keys[i].set(&s, doc.Content[0]) {
		return s, fmt.Errorf("%s must be %s, not %q", name, keys[i].want, value)
	}
	if err := (&parser{}).refuseZero(name, 0, doc.Content[0]); err != nil {
		return s, fmt.Errorf("%s must be above 0", name)
	}
	return s, nil
}

// Incidental reports whether a key changes nothing that is measured but time: a set is
// measured on documents that are there.
func Incidental(name string) bool {
	if name == "store" || name == "workers" || strings.HasPrefix(name, "sources.") || strings.HasPrefix(name, "access.") || strings.HasPrefix(name, "audit.") {
		return true
	}
	switch last(name) {
	case "key_env", "key_file", "batch_tokens", "batch_items", "requests", "timeout", "patience":
		return true
	}
	return false
}

// place reports whether a key says where something is. Which model is there, its
// name says.
func place(name string) bool { return last(name) == "folder" || last(name) == "url" }

// MakesPassages reports whether a key decides what is in the index: after a change of
// it, documents must be indexed or embedded anew to show its effect.
func MakesPassages(name string) bool {
	group, _, _ := strings.Cut(name, ".")
	return group == "extract" || group == "chunk" || group == "embedding" || group == "limits"
}
