package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
)

func (a *app) envCommand() *cobra.Command {
	var data string
	var files bool
	c := &cobra.Command{Use: "env", Short: "Work environments", Example: "  agentd env list\n  agentd env show accounting1"}
	c.PersistentFlags().StringVar(&data, "data", "", "data set file or folder of environments (default the built-in ones)")
	list := &cobra.Command{
		Use: "list", Short: "List environments", Example: "  agentd env list --data delegate52.jsonl", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			envs, err := loadEnvironments(data)
			if err != nil {
				return err
			}
			for i := range envs {
				listEnvironment(c.OutOrStdout(), &envs[i])
			}
			return nil
		},
	}
	show := &cobra.Command{
		Use: "show NAME", Short: "Show one environment", Example: "  agentd env show accounting1 --files", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			envs, err := loadEnvironments(data)
			if err != nil {
				return err
			}
			var names []string
			for i := range envs {
				if envs[i].Name == args[0] {
					showEnvironment(c.OutOrStdout(), &envs[i], files)
					return nil
				}
				names = append(names, envs[i].Name)
			}
			return unknown("environment", args[0], names)
		},
	}
	show.Flags().BoolVar(&files, "files", false, "print the files too")
	c.AddCommand(list, show)
	return c
}

func listEnvironment(w io.Writer, env *environments.Environment) {
	note := ""
	if _, ok := domaincatalog.Lookup(env.Domain); !ok {
		note = "  (not scored: the domain is not built yet)"
	}
	fmt.Fprintf(w, "%-16s %-12s %2d edits  %s%s\n", env.Name, env.Domain, len(env.Edits), env.Title, note)
}

func showEnvironment(w io.Writer, env *environments.Environment, files bool) {
	fmt.Fprintf(w, "%s: %s\ndomain: %s\nlicence: %s\norigin: %s\n", env.Name, env.Title, env.Domain, env.Licence, env.Origin)
	if env.Summary != "" {
		fmt.Fprintf(w, "%s\n", env.Summary)
	}
	for key, value := range env.Metadata {
		fmt.Fprintf(w, "%s: %s\n", key, value)
	}
	d, built := domaincatalog.Lookup(env.Domain)
	if built {
		if stats, err := d.With(env.Metadata).Statistics(env.Seed); err == nil {
			for _, count := range stats.Counts {
				fmt.Fprintf(w, "%s: %s\n", count.Name, count.Value)
			}
		}
	}
	fmt.Fprintln(w, "\nseed:")
	for _, name := range env.Seed.Names() {
		fmt.Fprintf(w, "  %s (%d bytes)\n", name, len(env.Seed[name]))
	}
	fmt.Fprintln(w, "distractors:")
	for _, name := range env.Distractors.Names() {
		fmt.Fprintf(w, "  %s (%d bytes)\n", name, len(env.Distractors[name]))
	}
	for _, edit := range env.Edits {
		oracle := "no oracle"
		if built {
			if _, ok := env.OracleFor(edit, d); ok {
				oracle = "oracle"
			}
		}
		fmt.Fprintf(w, "\n%s (%s; %s)\n  forward:  %s\n  targets:  %s\n  backward: %s\n", edit.Name,
			strings.Join(edit.Operations, ", "), oracle, edit.Forward, strings.Join(edit.Targets, ", "), edit.Backward)
	}
	if !files {
		return
	}
	for _, name := range env.Seed.Names() {
		fmt.Fprintf(w, "\n--- %s\n%s", name, env.Seed[name])
	}
	for _, name := range env.Distractors.Names() {
		fmt.Fprintf(w, "\n--- %s (distractor)\n%s", name, env.Distractors[name])
	}
}
