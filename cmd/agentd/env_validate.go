package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"agentd/environments/checks"
	"agentd/environments/properties"
	"agentd/harness/experiment"
	"agentd/internal/layout"
)

func (s *envSource) validateCommand() *cobra.Command {
	var options checks.Options
	var rules bool
	c := &cobra.Command{
		Use:   "validate [NAME...]",
		Short: "Check environments for mistakes",
		Long: "Make the structural checks on every environment and print a line for each that failed: where,\n" +
			"what is wrong, what to do. The exit status is 1 if an environment is broken or unfinished, and with\n" +
			"--strict also if it only lacks a size, a number or a label that the paper's have. --rules lists the checks.",
		Example: "  agentd env validate\n  agentd env validate --data mine/ --everything\n  agentd env validate --rules",
		RunE: func(c *cobra.Command, names []string) (err error) {
			if rules {
				return checks.WriteRules(c.OutOrStdout())
			}
			drafts, err := (&experiment.Environments{Data: s.data, Names: names}).Drafts()
			if err != nil {
				return err
			}
			scoring := experiment.Sandbox{Name: experiment.Bwrap}.Scoring(c.Context())
			defer func() { err = errors.Join(err, scoring.Close()) }()
			for i := range drafts {
				scoring.Equip(&drafts[i].Environment)
			}
			return checks.Write(c.OutOrStdout(), drafts, options, scoring.Find)
		},
	}
	c.Flags().BoolVar(&options.Everything, "everything", false, "print a line for each thing that a check found, not only the first")
	c.Flags().BoolVar(&options.Strict, "strict", false, "count an environment that is not comparable with the paper as failed")
	c.Flags().BoolVar(&rules, "rules", false, "list the checks with what each asks for")
	return c
}

func (s *envSource) propertiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "properties [NAME...]",
		Short: "Measure properties of the seeds' text",
		Long: "Print for each seed its tokens (o200k_base) and, in percent, the paper's properties: naturalness,\n" +
			"numerical, vocabulary richness, repetitiveness, structural density; and two of ours: different\n" +
			"words in any 50 (MATTR), bytes that compression saves (DEFLATE). docs/environments.md has the\n" +
			"definitions.",
		Example: "  agentd env properties\n  agentd env properties --data delegate52.jsonl 'accounting*'",
		RunE: func(c *cobra.Command, names []string) error {
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			t := layout.NewTable(3, "environment", "domain", "tokens", "natural", "numerical", "richness", "repetitive", "structure", "MATTR", "DEFLATE")
			percent := func(share float64) string { return fmt.Sprintf("%.1f", 100*share) }
			for i := range envs {
				p, err := properties.Of(envs[i].Seed)
				if err != nil {
					return err
				}
				t.Row(envs[i].Name, envs[i].Domain, p.Tokens, percent(p.Naturalness), percent(p.Numerical),
					percent(p.Richness), percent(p.Repetitiveness), percent(p.Structure),
					percent(p.MATTR), percent(p.Deflate))
			}
			return t.Write(c.OutOrStdout())
		},
	}
}
