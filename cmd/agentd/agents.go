package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies/exec/agents"
)

func agentsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "agents",
		Short: "The coding agents that can be measured as policies",
		Long: "Coding agents that people use run as policies, agent:NAME, once they are installed. Each has a\n" +
			"preset, a file that says where it comes from and how it is run. FILE.yaml in place of NAME is a\n" +
			"preset of your own.",
		Example: "  agentd agents list\n  agentd agents install codex\n  agentd run --model gpt-5.4 --policy agentic,agent:codex",
	}
	c.AddCommand(listAgentsCommand(), installAgentCommand(), showAgentCommand())
	return c
}

func listAgentsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "The agents with presets, and which are installed",
		Example: "  agentd agents list", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lines, _, err := agents.Overview()
			screen := layout.ScreenOf(c.OutOrStdout())
			for _, line := range lines {
				printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(screen.Paragraph(line, 2)))
			}
			return err
		},
	}
}

func installAgentCommand() *cobra.Command {
	var version string
	var quiet bool
	c := &cobra.Command{
		Use:   "install NAME...",
		Short: "Install agents into the user's cache",
		Long: "Install agents from npm or PyPI, at the versions of their presets, into a folder of the user's\n" +
			"cache. Installation scripts of packages are not run. What npm and pip say goes to standard error.",
		Example: "  agentd agents install codex opencode\n  agentd agents install ./my-agent.yaml",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, names []string) error {
			log := io.Writer(c.ErrOrStderr())
			if quiet {
				log = io.Discard
			}
			for _, name := range names {
				p, err := findAgent(name, version)
				if err != nil {
					return err
				}
				store, err := agents.UserStore()
				if err != nil {
					return err
				}
				done, err := store.Install(c.Context(), p, log)
				if err != nil {
					return err
				}
				printable.Fprintf(c.OutOrStdout(), "%s %s installed: %d MB in %d files, hash %s\n", done.Name, done.Version, done.Bytes>>20, done.Files, done.Hash)
			}
			return nil
		},
	}
	c.Flags().StringVar(&version, "version", "", "another version than the preset's")
	c.Flags().BoolVar(&quiet, "quiet", false, "do not show what npm and pip say")
	return c
}

// findAgent returns a preset. One that does not exist is a usage error.
func findAgent(name, version string) (agents.Preset, error) {
	p, err := agents.Find(name)
	if err == nil {
		p, err = p.At(version)
	}
	var none *agents.UnknownError
	if errors.As(err, &none) {
		return p, usage.Unknown("agent", none.Name, none.Known)
	}
	if err != nil {
		return p, usage.Wrap(err)
	}
	return p, nil
}

func showAgentCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "An agent's preset, to copy and change",
		Example: "  agentd agents show codex > mine.yaml", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := findAgent(args[0], "")
			if err != nil {
				return err
			}
			_, err = io.WriteString(printable.ForPrograms(c.OutOrStdout()), p.Text())
			return err
		},
	}
}
