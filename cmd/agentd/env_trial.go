package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentd/environments"
	"agentd/environments/ablation"
	"agentd/experiment"
	"agentd/harness"
	"agentd/harness/triage"
	"agentd/internal/printable"
	"agentd/internal/usage"
	policycatalog "agentd/policies/catalog"
)

// trialFlags are the flags of agentd env test.
type trialFlags struct {
	models, policies []string
	runs             int
	seed             uint64
	all              bool
	noAblation       bool
}

func (a *app) envTestCommand(source *envSource) *cobra.Command {
	var f trialFlags
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Try every edit alone, and judge what does not score 1",
		Long: "Have each model do every edit alone, there and back on a fresh seed, several times; print the\n" +
			"scores by edit, and for round trips below 1 whether the score is warranted, the evaluator errs,\n" +
			"or the instruction is ambiguous. Then leave elements out of the seeds: of N elements K left out\n" +
			"must score at most 1 - K/N. Nothing is stored.",
		Example: "  agentd env test accounting1\n  agentd env test --data mine/ --model gpt-5.4 --policy direct,agentic --runs 5",
		RunE: func(c *cobra.Command, names []string) error {
			if f.runs < 1 {
				return usage.Errorf("--runs %d: use at least 1", f.runs)
			}
			return testEnvironments(c.Context(), c.OutOrStdout(), source, f, names)
		},
	}
	c.Flags().StringSliceVar(&f.models, "model", []string{"sim:perfect", "sim:frontier", "sim:weak"}, "models")
	c.Flags().StringArrayVar(&f.policies, "policy", []string{"direct"}, "policies")
	c.Flags().IntVar(&f.runs, "runs", 3, "round trips of each edit with each model and policy")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of file orders, of the models, and of what is left out")
	c.Flags().BoolVar(&f.all, "everything", false, "print every round trip below 1, also the warranted ones")
	c.Flags().BoolVar(&f.noAblation, "no-ablation", false, "leave out the check by leaving elements out")
	return c
}

func testEnvironments(ctx context.Context, w io.Writer, source *envSource, f trialFlags, names []string) (err error) {
	m, spec := defaultMachine(), experiment.Default()
	spec.Models = (&givenFlags{models: f.models}).asked()
	if spec.Policies, err = policycatalog.ParseLists(f.policies); err != nil {
		return usage.Wrap(err)
	}
	spec.Relay.Repeats, spec.Relay.Seed = f.runs, f.seed
	spec.Environments.Data, spec.Environments.Names = source.data, names
	x, err := experiment.Open(ctx, spec, m.opening())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	trials, err := harness.NewWorker(x.Experiment).Trials(ctx, m.concurrency)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted, and nothing is stored: %w", err)
	}
	if err != nil {
		return err
	}
	if err := printTrials(w, trials, f, x.Domain); err != nil || f.noAblation {
		return err
	}
	return printAblation(w, x.Environments, f.seed, x.Domain)
}

// printTrials prints the scores by edit and arm, then the verdicts that a
// person should look at.
func printTrials(w io.Writer, trials []harness.Trial, f trialFlags, find lookup) error {
	header := []any{"environment", "edit", "model", "policy", "RS", "least", "strict", "forward"}
	for _, v := range triage.Verdicts() {
		header = append(header, v)
	}
	t := alignedTable(5, header...)
	var remarks []string
	verdicts := map[triage.Verdict]int{}
	total := len(trials)
	for len(trials) > 0 {
		of := trials[0]
		n := slices.IndexFunc(trials, func(t harness.Trial) bool { return t.Environment != of.Environment || t.Edit.Name != of.Edit.Name })
		if n < 0 {
			n = len(trials)
		}
		for arm := range slices.Chunk(triage.Trials(trials[:n], find), f.runs) {
			for _, j := range arm {
				verdicts[j.Verdict]++
			}
			t.AppendRow(trialRow(arm))
			remarks = append(remarks, remarksOn(arm, f.all)...)
		}
		trials = trials[n:]
	}
	if _, err := printable.Fprintf(w, "Every edit alone, %d round trips a model; mean and least published score, strict and forward score, in %%\n\n", f.runs); err != nil {
		return err
	}
	if err := printTable(w, t); err != nil {
		return err
	}
	if len(remarks) > 0 {
		printable.Fprintf(w, "\nTo be looked at\n")
	}
	for _, line := range remarks {
		printable.Fprintf(w, "%s\n", line)
	}
	_, err := printable.Fprintf(w, "\n%d round trips: %s\n", total, sumUp(verdicts))
	return err
}

func sumUp(verdicts map[triage.Verdict]int) string {
	var parts []string
	for _, v := range triage.Verdicts() {
		parts = append(parts, fmt.Sprintf("%d %s", verdicts[v], v))
	}
	return strings.Join(parts, ", ")
}

// trialRow sums up the trials of one edit with one arm.
func trialRow(arm []triage.Judged) []any {
	row := []any{arm[0].Environment.Name, arm[0].Edit.Name, arm[0].Arm.Model, arm[0].Arm.Policy.Name()}
	var value, strict, forward []float64
	verdicts := map[triage.Verdict]int{}
	for _, j := range arm {
		verdicts[j.Verdict]++
		if s := j.Backward.Score; s != nil && j.Verdict != triage.Broken {
			value, strict = append(value, s.Value), append(strict, s.Strict)
		}
		if j.Forward.Forward != nil && j.Verdict != triage.Broken {
			forward = append(forward, *j.Forward.Forward)
		}
	}
	least := "–"
	if len(value) > 0 {
		least = fmt.Sprintf("%.1f", 100*slices.Min(value))
	}
	row = append(row, meanPercent(value), least, meanPercent(strict), meanPercent(forward))
	for _, v := range triage.Verdicts() {
		row = append(row, verdicts[v])
	}
	return row
}

func meanPercent(scores []float64) string {
	if len(scores) == 0 {
		return "–"
	}
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return fmt.Sprintf("%.1f", 100*sum/float64(len(scores)))
}

// remarksOn are lines on the trials that need a person, or on all below 1.
func remarksOn(arm []triage.Judged, all bool) []string {
	var lines []string
	for _, j := range arm {
		if j.Verdict == triage.Sound || j.Verdict == triage.Warranted && !all {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s, %s, %s, run %d: %s: %s", j.Environment.Name, j.Edit.Name,
			strings.TrimSpace(j.Arm.Model+" "+j.Arm.Policy.Name()), j.Run, j.Verdict, j.Why))
	}
	return lines
}

// printAblation leaves elements out of every seed. A strict score above the
// bound is an error; a published score above it is a trait of its formula.
func printAblation(w io.Writer, envs []environments.Environment, seed uint64, find lookup) error {
	t := alignedTable(3, "environment", "element", "left out", "of", "score", "strict", "at most", "")
	var forgiving, unread []string
	for i := range envs {
		d, ok := envs[i].Scoring(find)
		if !ok {
			continue
		}
		results, err := ablation.Check(d, envs[i].Seed, seed)
		if err != nil {
			unread = append(unread, fmt.Sprintf("%s: %v", envs[i].Name, err))
			continue
		}
		for _, r := range results {
			if r.StrictAbove() && !slices.Contains(forgiving, envs[i].Name) {
				forgiving = append(forgiving, envs[i].Name)
			}
			t.AppendRow([]any{envs[i].Name, d.Info().Element, r.Left, r.Of,
				fmt.Sprintf("%.1f", 100*r.Value), fmt.Sprintf("%.1f", 100*r.Strict), fmt.Sprintf("%.1f", 100*r.Most), noteOn(r)})
		}
	}
	if _, err := printable.Fprintf(w, "\nElements left out of the seeds, and what is left of both scores, in %%\n\n"); err != nil {
		return err
	}
	if err := printTable(w, t); err != nil {
		return err
	}
	for _, line := range unread {
		printable.Fprintf(w, "%s\n", line)
	}
	if len(forgiving) > 0 {
		return fmt.Errorf("the strict score forgives losses in %s", strings.Join(forgiving, ", "))
	}
	return nil
}

func noteOn(r ablation.Result) string {
	switch {
	case r.StrictAbove():
		return "strict score above"
	case r.Miscounted:
		return "counted differently"
	case r.ValueAbove():
		return "published score above"
	}
	return ""
}
