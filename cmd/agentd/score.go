package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	"agentd/documents/requests"
	"agentd/harness/experiment"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
)

func (a *app) scoreCommand() *cobra.Command {
	var domain, file, judging, from, encoding string
	var minStrict float64
	var differences bool
	format := compare.Text
	var paths requests.Paths
	step := requests.Step{Direction: results.Forward}
	var source experiment.Environments
	var documents []string
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "score",
		Short: "Score pairs of documents with the domain evaluators, or one step of an environment",
		Long: "Score how much of a reference survives in a candidate: one pair as a table, or a file of\n" +
			"pairs as JSONL. \"-\" reads pairs from standard input. Python programs are run, in the sandbox, by the\n" +
			"tests of a scaffold; fiction is put before a judge, whose calls are paid for.\n\n" +
			"With --env and --edit, grade what a step has left against what its exact program makes: done,\n" +
			"forward, kept, and the reward that agentd gym gives. A folder without any of the distractors is\n" +
			"taken as the result alone. Lines of --pairs may name a step by env, edit and direction.",
		Example: "  agentd score --domain accounting --reference seed/ --candidate out/\n" +
			"  agentd score --domain python --reference seed/ --candidate out/ --scaffold scaffold/\n" +
			"  agentd score --domain accounting --reference seed/ --candidate out/ --format junit --min-strict 0.98\n" +
			"  agentd score --pairs pairs.jsonl --differences > scores.jsonl\n" +
			"  agentd score --env accounting1 --edit csv_journal --candidate out/\n" +
			"  agentd score --env accounting1 --edit csv_journal --direction backward --candidate out/ --format json",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			scoring := choice.Scoring(c.Context())
			defer func() { err = errors.Join(err, scoring.Close()) }()
			steps := stepsOf(source, documents, scoring)
			if paths.Encoding, err = encodingOf(encoding); err != nil {
				return err
			}
			s := requests.Scorer{Find: scoring.Find, Asked: steps.Asked, Differences: differences, MinStrict: minStrict}
			if judging != "" {
				var done func() error
				if s.Judge, done, err = experiment.OpenJudge(c.Context(), judging, nil, nil); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
			}
			if file != "" {
				if domain != "" || paths != (requests.Paths{}) || step != (requests.Step{Direction: results.Forward}) {
					return usage.Errorf("--pairs takes the place of --domain, --reference, --candidate, --scaffold, --env, --edit and --direction")
				}
				return scorePairs(c.Context(), c.OutOrStdout(), &s, file)
			}
			if step.Env != "" || step.Edit != "" {
				if step.Env == "" || step.Edit == "" || paths.Candidate == "" || domain != "" || paths.Reference != "" || paths.Scaffold != "" {
					return usage.Errorf("give --env, --edit and --candidate, and neither --domain, --reference nor --scaffold")
				}
				return gradeStep(c.OutOrStdout(), &s, steps, step, from, paths.Candidate, format)
			}
			if from != "" {
				return usage.Errorf("--from goes with --env and --edit")
			}
			if domain == "" || paths.Reference == "" || paths.Candidate == "" {
				return usage.Errorf("give --pairs FILE, all of --domain, --reference and --candidate, or all of --env, --edit and --candidate")
			}
			scored, err := s.ScorePaths(domain, paths)
			if err != nil {
				return err
			}
			if err := scored.Write(c.OutOrStdout(), format, minStrict); err != nil {
				return err
			}
			if scored.Strict < minStrict {
				return fmt.Errorf("the strict score is %.4f, below --min-strict %g", scored.Strict, minStrict)
			}
			return nil
		},
	}
	c.Flags().StringVar(&domain, "domain", "", "domain of the documents; agentd domains lists them")
	c.Flags().StringVar(&paths.Reference, "reference", "", "file or folder of the reference")
	c.Flags().StringVar(&paths.Candidate, "candidate", "", "file or folder of the candidate")
	registerEncoding(c.Flags(), &encoding)
	c.Flags().StringVar(&paths.Scaffold, "scaffold", "", "folder of what scoring needs in addition to the documents, such as the tests of a program")
	c.Flags().StringVar(&file, "pairs", "", "JSONL file of pairs: id, domain, reference, candidate, metadata, scaffold; or steps: id, env, edit, direction, candidate")
	c.Flags().StringVar(&step.Env, "env", "", "environment of a step; agentd env list lists them")
	c.Flags().StringVar(&step.Edit, "edit", "", "edit of the step, by its name or its number from 1")
	oneOf(c.Flags(), (*string)(&step.Direction), "direction", "direction", []string{string(results.Forward), string(results.Backward)}, "of the step: forward or backward, which begins with what the exact program made")
	c.Flags().StringVar(&from, "from", "", "file or folder of what the step before has left, for a step in the middle of a relay (default the seed, or what the exact program made)")
	c.Flags().StringVar(&source.Data, "data", "", "data set file or folder of environments of steps (default the built-in ones)")
	c.Flags().IntVar(&source.Derived, "derived", 0, "how many edits to derive of each environment's seed, to be graded as well (default with --documents 8)")
	c.Flags().StringSliceVar(&documents, "documents", nil, documentsUsage)
	oneOf(c.Flags(), &format, "format", "format", compare.ScoreFormats(), "of one pair: text, json or junit; the answers to --pairs are always lines of JSON")
	c.Flags().Float64Var(&minStrict, "min-strict", 0, "exit with status 1 if Strict, of any pair, is below this number from 0 to 1")
	c.Flags().BoolVar(&differences, "differences", false, "with --pairs, name the differences in each answer")
	c.Flags().StringVar(&judging, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	registerSandbox(c.Flags(), &choice)
	return c
}

// gradeStep grades what a step has left in a file or folder. from is what it began with, distractors
// included, in the middle of a relay; empty elsewhere.
func gradeStep(out io.Writer, s *requests.Scorer, steps *experiment.Steps, step requests.Step, from, candidate, format string) error {
	if format == compare.JUnit {
		return usage.Errorf("--format junit: a step has text and json")
	}
	left, err := compare.Documents(candidate)
	if err != nil {
		return err
	}
	if from == "" {
		graded, err := s.Grade(step, left)
		if err != nil {
			return err
		}
		return graded.Write(out, format)
	}
	before, err := compare.Documents(from)
	if err != nil {
		return err
	}
	asked, err := steps.AskedOf(step.Env, step.Edit, step.Direction, before)
	if err != nil {
		return err
	}
	graded := requests.Graded{Step: step, Grade: asked.Grade(left)}
	return graded.Write(out, format)
}

// scorePairs scores a file of pairs, or those of standard input.
func scorePairs(ctx context.Context, out io.Writer, s *requests.Scorer, file string) error {
	in, err := datafile.OpenInput(ctx, file, os.Stdin)
	if err != nil {
		return usage.Errorf("reading pairs: %w", err)
	}
	defer in.Close()
	done, err := s.Score(ctx, file, in, printable.ForJSON(out))
	switch {
	case errors.Is(err, datafile.ErrTooLarge): // wrong input, not a failure of ours
		return usage.Wrap(err)
	case err != nil:
		return err
	case done.Bad > 0:
		return usage.Errorf("%s: %d lines are not pairs that can be scored; their answers say why", file, done.Bad)
	case done.Below > 0:
		return fmt.Errorf("the strict score of %d pairs is below --min-strict %g", done.Below, s.MinStrict)
	}
	return nil
}
