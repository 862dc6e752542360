package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
)

// app is one run of the command: its flags and where it writes.
type app struct {
	out  bytes.Buffer // results; written to standard output in the end, made safe
	std  io.Writer
	errs io.Writer
	args []string

	made     string // the store that this run made; see openNew
	madeWith config.Settings

	store   string
	config  string
	tried   *config.Settings // in the place of the configuration's, while eval --try tries them
	json    bool
	verbose bool
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{std: stdout, errs: stderr, args: args}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(&a.out)
	root.SetErr(stderr)
	err := a.helpFor(root)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err != nil {
		a.unmake(context.WithoutCancel(ctx))
	}
	if failed := a.flush(); err == nil {
		err = failed
	}
	if err == nil {
		return 0
	}
	if ctx.Err() != nil {
		err = errInterrupted
	}
	a.note("%s", sentence(err))
	return exitCode(err)
}

// flush writes the results that there are.
func (a *app) flush() error {
	_, err := a.std.Write(neutral(a.out.Bytes()))
	a.out.Reset()
	if err != nil {
		return errors.New("the result could not be written: " + cause(err).Error())
	}
	return nil
}

const about = `Quarry finds the evidence in a set of documents that answers a question, and
answers only from it, each sentence with its citation.`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:               "quarry",
		Short:             "Answers from documents, with the evidence",
		Long:              about,
		Example:           `  quarry ask --docs handbook "After the contract renewal, can the customer still request a refund?"`,
		Args:              cobra.ArbitraryArgs, // an unknown verb comes to RunE
		SilenceErrors:     true,
		SilenceUsage:      true,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	var wantsVersion bool
	root.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case wantsVersion:
			a.printf("quarry %s\n", version())
			return nil
		case len(args) == 0:
			return cmd.Help()
		}
		return unknownVerb(root, args[0])
	}
	root.SetFlagErrorFunc(a.flagError)
	// As cobra makes it, after which nothing is completed; what cobra prints can only be
	// changed by a template, with which the linker keeps 3 MB of methods that nobody calls.
	root.Flags().BoolVar(&wantsVersion, "version", false, "version for quarry")
	_ = root.Flags().SetAnnotation("version", cobra.FlagSetByCobraAnnotation, []string{"true"})
	f := root.PersistentFlags()
	f.StringVar(&a.store, "store", "", "the store, a file or a postgres:// address (default "+config.DefaultStore+", or QUARRY_STORE)")
	f.StringVar(&a.config, "config", "", "the configuration (default "+config.File+" if there)")
	f.BoolVar(&a.json, "json", false, "write one JSON object")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "say more")
	root.AddCommand(a.add(), a.sync(), a.remove(), a.docs(), a.show(), a.history(), a.diff(), a.search(), a.ask(), a.why(), a.eval(), a.status(), a.reembed(), a.doctor(), a.backup(), a.restore(), a.copy(), a.configuration(), a.versionVerb())
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { cmd.SetContext(quarry.Via(cmd.Context(), cmd.CommandPath())) }
	root.InitDefaultHelpCmd()
	return root
}

// settings reads the configuration that --config names, or quarry.yaml if it is
// there.
func (a *app) settings() (config.Settings, error) {
	s, err := a.configured()
	s.Quarry.AuditFailed = func(err error) { a.note("note: %s", sentence(err)) }
	return s, err
}

func (a *app) configured() (config.Settings, error) {
	if a.tried != nil {
		return *a.tried, nil
	}
	name := a.config
	if name == "" {
		if _, err := os.Stat(config.File); errors.Is(err, fs.ErrNotExist) {
			return config.Defaults(), nil
		}
		name = config.File
	}
	return config.Load(name)
}

// namedStore is the store that the command line or the environment names.
func (a *app) namedStore() string {
	if a.store != "" {
		return a.store
	}
	return os.Getenv("QUARRY_STORE")
}

func (a *app) storePath(s config.Settings) string {
	for _, path := range []string{a.namedStore(), s.Store} {
		if path != "" {
			return path
		}
	}
	return config.DefaultStore
}

// open opens the store for verbs that make none.
func (a *app) open(ctx context.Context) (*standard.Corpus, string, error) {
	s, err := a.settings()
	if err != nil {
		return nil, "", err
	}
	path := a.storePath(s)
	corpus, err := standard.OpenExisting(ctx, path, s)
	return corpus, path, err
}

// firstWord is the first argument that is neither a flag nor a flag's value.
func (a *app) firstWord(root *cobra.Command) string {
	for i := 0; i < len(a.args); i++ {
		arg := a.args[i]
		switch {
		case arg == "--":
			return ""
		case !strings.HasPrefix(arg, "-"):
			return arg
		case strings.HasPrefix(arg, "--") && !strings.Contains(arg, "="):
			if f := root.PersistentFlags().Lookup(arg[2:]); f != nil && f.Value.Type() != "bool" {
				i++
			}
		}
	}
	return ""
}
