package main

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"agentd/harness/experiment"
	"agentd/internal/manual"
	"agentd/internal/printable"
	"agentd/models"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The version, the commit it was built from, Go, and what it speaks with models",
		Example: "  agentd version", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			commit, changed := "unknown", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					switch {
					case s.Key == "vcs.revision":
						commit = cmp.Or(s.Value, commit)
					case s.Key == "vcs.modified" && s.Value == "true":
						changed = ", with changes"
					}
				}
			}
			_, err := printable.Fprintf(c.OutOrStdout(), "agentd %s\ncommit %s%s\n%s, %s/%s\ndialects %s\n", experiment.Version,
				commit, changed, runtime.Version(), runtime.GOOS, runtime.GOARCH, models.APIs())
			return err
		},
	}
}

func manCommand() *cobra.Command {
	date := time.Now()
	c := &cobra.Command{
		Use: "man FOLDER", Short: "Write the manual pages of all commands", Args: cobra.ExactArgs(1),
		Example: "  agentd man ~/.local/share/man/man1",
		RunE: func(c *cobra.Command, args []string) error {
			return manual.Write(c.Root(), args[0], experiment.Version, date)
		},
	}
	c.Flags().TimeVar(&date, "date", date, []string{time.DateOnly}, "date that the pages show")
	c.Flags().Lookup("date").DefValue = "" // today
	return c
}
