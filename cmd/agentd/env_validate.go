package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/checks"
	"agentd/environments/properties"
	"agentd/experiment"
	"agentd/internal/layout"
	"agentd/internal/printable"
)

func (s *envSource) validateCommand() *cobra.Command {
	var everything, rules bool
	c := &cobra.Command{
		Use:   "validate [NAME...]",
		Short: "Check environments for what makes them untrustworthy",
		Long: "Make the structural checks on every environment and print a line for each that failed: where,\n" +
			"what is wrong, what to do. The exit status is 1 if any did. --rules lists the checks.",
		Example: "  agentd env validate\n  agentd env validate --data mine/ --everything\n  agentd env validate --rules",
		RunE: func(c *cobra.Command, names []string) (err error) {
			if rules {
				return printRules(c.OutOrStdout())
			}
			drafts, err := (&experiment.Environments{Data: s.data, Names: names}).Drafts()
			if err != nil {
				return err
			}
			runs := experiment.Sandbox{Name: experiment.Bwrap}.Programs(c.Context())
			defer func() { err = errors.Join(err, runs.Close()) }()
			return validate(c.OutOrStdout(), drafts, everything, domaincatalog.Running(runs))
		},
	}
	c.Flags().BoolVar(&everything, "everything", false, "print a line for each thing that a check found, not only the first")
	c.Flags().BoolVar(&rules, "rules", false, "list the checks with what each asks for")
	return c
}

func printRules(w io.Writer) error {
	var list layout.List
	for _, check := range checks.All() {
		list.Add(check.Name, string(check.Kind)+": "+check.Rule)
	}
	return list.Write(w)
}

func validate(w io.Writer, drafts []environments.Draft, everything bool, find lookup) error {
	failures := checks.Run(drafts, find)
	failed := map[string]bool{}
	for _, f := range failures {
		failed[f.Environment] = true
		if err := printFailure(w, f, everything); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d environments fail checks; docs/environments.md says what an environment is", len(failed), len(drafts))
	}
	_, err := printable.Fprintf(w, "%d environments pass all %d checks\n", len(drafts), len(checks.All()))
	return err
}

func printFailure(w io.Writer, f checks.Failure, everything bool) error {
	for i, found := range f.Findings {
		more := ""
		if rest := len(f.Findings) - 1; rest > 0 && !everything {
			more = fmt.Sprintf(" (and %d more like it)", rest)
		}
		if _, err := printable.Fprintf(w, "%-14s %-20s %s%s\n", f.Environment, f.Check, found, more); err != nil {
			return err
		}
		if i == 0 && !everything {
			break
		}
	}
	return nil
}

func (s *envSource) propertiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "properties [NAME...]",
		Short: "Measure what kind of text the seeds are",
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
