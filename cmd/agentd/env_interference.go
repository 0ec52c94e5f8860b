package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/interference"
	"agentd/experiment"
	"agentd/internal/opinion"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
)

func (s *envSource) interferenceCommand() *cobra.Command {
	var judge, db string
	c := &cobra.Command{
		Use:   "interference [NAME...]",
		Short: "Find distractors that get in the way of an edit",
		Long: "Look at every edit with the distractors. Without a judge, name distractors that have the name of a\n" +
			"document or of a file that the edit makes, and those that hold lines of either. With one, have it\n" +
			"see the instructions, the seed and the distractors and say for each edit whether they interfere,\n" +
			"and in which of five ways. The exit status is 1 if any do. docs/environments.md says how to mend.",
		Example: "  agentd env interference\n  agentd env interference --data mine/ --judge gpt-5.2",
		RunE: func(c *cobra.Command, names []string) (err error) {
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			ask := opinion.Asker(nil)
			if judge != "" {
				store, failed := results.Open(db)
				if failed != nil {
					return usage.Wrap(failed)
				}
				defer func() { err = errors.Join(err, store.Close()) }()
				j, done, failed := experiment.OpenJudge(judge, store)
				if failed != nil {
					return failed
				}
				defer func() { err = errors.Join(err, done()) }()
				ask = j.Session(c.Context()).Ask
			}
			return findInterference(c.Context(), c.OutOrStdout(), envs, ask)
		},
	}
	c.Flags().StringVar(&judge, "judge", "", "model that looks at each edit with the distractors (default rules alone)")
	c.Flags().StringVar(&db, "db", defaultDB, "database file that keeps the judge's answers")
	return c
}

// findInterference prints what interferes with each edit, and ends with an error if anything
// does.
func findInterference(ctx context.Context, w io.Writer, envs []environments.Environment, ask opinion.Asker) error {
	disturbed, edits, unanswered := 0, 0, 0
	for i := range envs {
		env := &envs[i]
		d, _ := domaincatalog.Lookup(env.Domain)
		for _, edit := range env.Edits {
			if err := ctx.Err(); err != nil {
				return err
			}
			edits++
			found, err := byRules(w, env, edit, d)
			if err != nil {
				return err
			}
			if ask != nil {
				choice, err := interference.Judge(ask, env, edit)
				switch {
				case errors.Is(err, domains.ErrNoAnswer):
					unanswered++
				case err != nil:
					return err
				case choice.Category != interference.None:
					found = true
					printInterference(w, env, edit, choice.Category, "judged: "+choice.Why)
				}
			}
			if found {
				disturbed++
			}
		}
	}
	if unanswered > 0 {
		printable.Fprintf(w, "of %d edits the judge gave no answer that can be read\n", unanswered)
	}
	if disturbed > 0 {
		return fmt.Errorf("distractors interfere with %d of %d edits; mend in this order: dismiss it, name files exactly, delete the distractor, delete the edit (docs/environments.md)", disturbed, edits)
	}
	_, err := printable.Fprintf(w, "distractors interfere with none of %d edits\n", edits)
	return err
}

// byRules prints what rules find, with what stays of the distractors if one is deleted.
func byRules(w io.Writer, env *environments.Environment, edit environments.Edit, d domains.Domain) (bool, error) {
	all := interference.ByRules(env, edit, d)
	for _, found := range all {
		left, err := interference.Without(env, found.File)
		if err != nil {
			return false, err
		}
		stays := fmt.Sprintf("without it %d tokens of distractors stay", left)
		if left < interference.LeastTokens {
			stays += fmt.Sprintf(", fewer than %d", interference.LeastTokens)
		}
		printInterference(w, env, edit, found.Kind, fmt.Sprintf("%s: %s; %s", found.File, found.What, stays))
	}
	return len(all) > 0, nil
}

func printInterference(w io.Writer, env *environments.Environment, edit environments.Edit, kind int, why string) {
	printable.Fprintf(w, "%s, %s: %s: %s\n", env.Name, edit.Name, interference.Kinds()[kind].Head, printable.Line(why))
}
