package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"agentd/harness/runner"
	"agentd/internal/usage"
	"agentd/results"
)

// storedCommands are the commands that do something with a stored experiment.
func (a *app) storedCommands() []*cobra.Command {
	return []*cobra.Command{
		a.storedCommand(runner.Pause, "pause NAME", "Pause an experiment, in any process that works on it",
			"No process begins further interactions of the experiment until agentd resume."),
		a.storedCommand(runner.Resume, "resume NAME", "Resume an experiment as it was begun",
			"End a pause and go on with an experiment from what is stored of it, without its file. In a\n"+
				"database that workers share, the workers go on."),
		a.storedCommand(runner.Cancel, "cancel NAME", "Cancel an experiment",
			"End an experiment. It cannot be resumed, and what is stored of it stays."),
		a.storedCommand(runner.Watch, "watch [NAME]", "Show the progress of an experiment that other processes work on",
			"Show progress until the experiment ends, and then its summary. Without a name, watch the newest\nexperiment."),
	}
}

func (a *app) storedCommand(action runner.Action, use, short, long string) *cobra.Command {
	flags := defaultSettings()
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Example: fmt.Sprintf("  agentd %s main-relay", action), Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return a.act(c, action, name, &flags)
		},
	}
	registerDB(c.Flags(), &flags.DB)
	switch action {
	case runner.Watch:
		c.Args = cobra.MaximumNArgs(1)
		registerUnscored(c.Flags(), &flags.Unscored)
	case runner.Resume:
		c.Example += "\n  agentd resume main-relay --max-usd 6000"
		flags.given.registerMaxUSD(c.Flags(), "start no more work when the experiment has cost this much (default as before)")
		flags.given.registerKeys(c.Flags())
		flags.registerAsked(c.Flags())
		registerUnscored(c.Flags(), &flags.Unscored)
		registerMachine(c.Flags(), &flags.Machine)
	}
	return c
}

// act does something with a stored experiment.
func (a *app) act(c *cobra.Command, action runner.Action, name string, s *settings) error {
	if server := s.given.server; server.BaseURL != "" && server.KeyEnv != "" {
		s.given.keys = append(s.given.keys, server.BaseURL+"="+server.KeyEnv)
		s.given.server.BaseURL, s.given.server.KeyEnv = "", ""
	}
	if err := s.take(c.Flags()); err != nil {
		return err
	}
	if err := s.Machine.Check(); err != nil {
		return err
	}
	return a.runner().Do(c.Context(), action, name, &s.Settings)
}

// formerActions adds the flags of agentd run that were commands' forerunners, such as --pause NAME. The function
// that it returns says which was given; the action is empty for none.
func formerActions(c *cobra.Command) func() (runner.Action, string) {
	var flags []string
	names := map[runner.Action]*string{}
	for _, action := range runner.Actions() {
		names[action] = c.Flags().String(string(action), "", string(action)+" this experiment")
		hide(c.Flags(), string(action), nowSaid, fmt.Sprintf("agentd %s NAME", action))
		flags = append(flags, string(action))
	}
	c.MarkFlagsMutuallyExclusive(flags...)
	return func() (runner.Action, string) {
		for action, name := range names {
			if *name != "" {
				return action, *name
			}
		}
		return "", ""
	}
}

func (a *app) workerCommand() *cobra.Command {
	s := defaultSettings()
	c := &cobra.Command{
		Use:   "worker",
		Short: "Take relays of shared experiments, on this machine",
		Long: "Work on the experiments of a PostgreSQL database together with other machines, until\n" +
			"interrupted. agentd run --db postgres://… begins an experiment. Interrupted once, a worker\n" +
			"lets interactions finish and hands its relays back; interrupted twice, it does so at once.",
		Example: "  agentd worker --db postgres://user@host/agentd --concurrency 50",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !results.IsShared(s.DB) {
				return usage.Errorf("--db %q: workers share a PostgreSQL database, postgres://…; a file has one process, agentd run", s.DB)
			}
			if err := s.Machine.Check(); err != nil {
				return err
			}
			if err := s.readKeys(); err != nil {
				return err
			}
			return a.runner().Serve(c.Context(), &s.Settings)
		},
	}
	c.Flags().StringVar(&s.DB, "db", "", dbUsage)
	registerMachine(c.Flags(), &s.Machine)
	s.given.registerKeys(c.Flags())
	return c
}
