package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/internal/config"
)

// version is what the build knows of itself: the module's version, or the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "commit " + s.Value
		}
	}
	return "development"
}

func (a *app) versionVerb() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version",
		Long:              "Print the version, the Go version it was built with and the system.",
		Example:           "  quarry version",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			v, built, system := version(), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
			if a.json {
				return a.writeJSON(struct {
					Version string `json:"version"`
					Go      string `json:"go"`
					System  string `json:"system"`
				}{v, built, system})
			}
			a.printf("quarry %s (%s, %s)\n", v, built, system)
			return nil
		},
	}
}

func (a *app) configuration() *cobra.Command {
	return &cobra.Command{
		Use:               "config",
		Short:             "Print a quarry.yaml with every key, its default and what it does",
		Long:              "Print a quarry.yaml with every key, its default and what it does.",
		Example:           "  quarry config > quarry.yaml",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			a.out.WriteString(config.Sample())
			return nil
		},
	}
}
