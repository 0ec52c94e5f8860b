package main

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"agentd/experiment"
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
