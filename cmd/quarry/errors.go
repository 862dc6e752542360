package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
)

// Kinds of errors that have an exit code of their own.
var (
	errUsage       = errors.New("wrong usage")
	errGate        = errors.New("the gate failed")
	errSomeFailed  = errors.New("some documents failed")
	errInterrupted = errors.New("it was interrupted; what was done is kept, run the command again to go on")
)

// exits maps errors to exit codes; the first that fits counts, and everything
// else is 1. 0 is done, an abstention being a result.
var exits = []struct {
	kind error
	code int
}{
	{errUsage, 2},
	{quarry.ErrEmptyQuestion, 2},
	{quarry.ErrLongQuestion, 2},
	{errGate, 3},
	{errSomeFailed, 4},
}

func exitCode(err error) int {
	for _, e := range exits {
		if errors.Is(err, e.kind) {
			return e.code
		}
	}
	return 1
}

// kindError is a sentence of its own that errors.Is knows as a kind.
type kindError struct {
	kind error
	text string
}

func (e kindError) Error() string { return e.text }
func (e kindError) Unwrap() error { return e.kind }

func usage(format string, args ...any) error {
	return kindError{errUsage, fmt.Sprintf(format, args...)}
}

// sentence is an error as the command prints it: packages say who they are,
// the command does that once.
func sentence(err error) string {
	s := err.Error()
	for _, prefix := range []string{"quarry: ", "evaluate: ", "document: "} {
		s = strings.TrimPrefix(s, prefix)
	}
	return s
}

// cause takes the path out of a file system error whose message names it again,
// and the name of a Go function.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	if rest, ok := strings.CutPrefix(err.Error(), "EvalSymlinks: "); ok {
		return errors.New(rest)
	}
	return err
}

// note writes one sentence to standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.errs, "quarry: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

func unknownVerb(root *cobra.Command, word string) error {
	var verbs []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	if nearest := config.Nearest(word, verbs); 2*config.Distance(word, nearest) <= utf8.RuneCountInString(word) {
		return usage("unknown verb %q, the nearest known is %s; quarry --help lists them", word, nearest)
	}
	return usage("unknown verb %q; quarry --help lists those that there are", word)
}

// helpFor is an error where help is asked for a verb that there is not; the
// library would print the help for all.
func (a *app) helpFor(root *cobra.Command) error {
	word := a.firstWord(root)
	topic := word
	if word == "help" {
		for i, arg := range a.args {
			if arg == word && i+1 < len(a.args) {
				topic = a.args[i+1]
			}
		}
	} else if !slices.Contains(a.args, "--help") && !slices.Contains(a.args, "-h") {
		return nil
	}
	if topic == "" || strings.HasPrefix(topic, "-") || strings.HasPrefix(topic, "__") || topic == "completion" {
		return nil
	}
	for _, c := range root.Commands() {
		if c.Name() == topic || c.HasAlias(topic) {
			return nil
		}
	}
	return unknownVerb(root, topic)
}

// flagError says in a sentence what is wrong with a flag.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if !cmd.HasParent() {
		// The flags may be those of the verb that was meant.
		if word := a.firstWord(cmd); word != "" {
			return unknownVerb(cmd, word)
		}
	}
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		nearest := config.Nearest(name, flagNames(cmd))
		if unknown.GetSpecifiedShortnames() != "" {
			return usage("unknown flag -%s; %s --help lists the flags", name, cmd.CommandPath())
		}
		return usage("unknown flag --%s, the nearest known is --%s; %s --help lists the flags", name, nearest, cmd.CommandPath())
	case errors.As(err, &missing):
		return usage("the flag --%s needs a value: %s --help says which", missing.GetFlag().Name, cmd.CommandPath())
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usage("%q is no value for the flag --%s: give %s", invalid.GetValue(), f.Name, kindOf(f))
	}
	return usage("%v; %s --help lists the flags", err, cmd.CommandPath())
}

func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "another"
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	slices.Sort(names)
	return names
}

// needs checks that a verb got from least to most arguments; most below 0 is
// any number.
func needs(what string, least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s needs %s: %s", cmd.CommandPath(), what, example(cmd))
		case most >= 0 && len(args) > most:
			return usage("%s takes %s, and %q is one too many", cmd.CommandPath(), what, args[most])
		}
		return nil
	}
}

// needsFile checks that a verb got the name of one file.
func needsFile(what string) cobra.PositionalArgs {
	one := needs(what, 1, 1)
	return func(cmd *cobra.Command, args []string) error {
		if err := one(cmd, args); err != nil {
			return err
		}
		if args[0] == "" {
			return usage("%s needs %s, and its name is empty: %s", cmd.CommandPath(), what, example(cmd))
		}
		return nil
	}
}

func example(cmd *cobra.Command) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	return line
}
