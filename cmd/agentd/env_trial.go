package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/ablation"
	"agentd/experiment"
	"agentd/fleet/process"
	"agentd/harness"
	"agentd/harness/triage"
	"agentd/internal/opinion"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
	"agentd/results"
)

// trialFlags are the flags of agentd env test.
type trialFlags struct {
	models, policies []string
	runs             int
	seed             uint64
	db, name, judge  string
	all              bool
	noAblation       bool
}

func (a *app) envTestCommand(source *envSource) *cobra.Command {
	var f trialFlags
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Try every edit alone, and judge what does not score 1",
		Long: "Have each model do every edit alone, there and back on a fresh seed, several times: an experiment\n" +
			"with the schedule single-round-trips, stored like any other. Print the scores by edit, and for\n" +
			"round trips below 1 whether the score is warranted, the evaluator errs, or the instruction is\n" +
			"ambiguous. Edits on which all models stay below 80 % are flagged; a judge sorts them by whose\n" +
			"error it is. Then leave elements out of the seeds: of N elements K left out must score at most\n" +
			"1 - K/N.",
		Example: "  agentd env test accounting1\n  agentd env test --data mine/ --model gpt-5.2,gpt-5-mini --runs 5 --judge gpt-5.4\n" +
			"  agentd env test --name my-single-round-trips",
		RunE: func(c *cobra.Command, names []string) error {
			if f.runs < 1 {
				return usage.Errorf("--runs %d: use at least 1", f.runs)
			}
			if f.name != "" && len(names) > 0 {
				return usage.Errorf("--name shows all that an experiment tried; take out %s", strings.Join(names, " "))
			}
			return a.testEnvironments(c.Context(), c.OutOrStdout(), source, f, names)
		},
	}
	c.Flags().StringSliceVar(&f.models, "model", []string{"sim:perfect", "sim:frontier", "sim:weak"}, "models")
	c.Flags().StringArrayVar(&f.policies, "policy", []string{"direct"}, "policies")
	c.Flags().IntVar(&f.runs, "runs", 3, "round trips of each edit with each model and policy")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of file orders, of the models, and of what is left out")
	c.Flags().StringVar(&f.db, "db", defaultDB, "database file of the results")
	c.Flags().StringVar(&f.name, "name", "", "show this experiment, and run nothing")
	c.Flags().StringVar(&f.judge, "judge", "", "model that sorts the round trips of flagged edits by whose error it is")
	c.Flags().BoolVar(&f.all, "everything", false, "print every round trip below 1, also the warranted ones")
	c.Flags().BoolVar(&f.noAblation, "no-ablation", false, "leave out the check by leaving elements out")
	return c
}

func (a *app) testEnvironments(ctx context.Context, w io.Writer, source *envSource, f trialFlags, names []string) (err error) {
	runs := experiment.Sandbox{Name: experiment.Bwrap}.Programs(ctx)
	defer func() { err = errors.Join(err, runs.Close()) }()
	view := trialView{trialFlags: f, find: domaincatalog.Running(runs)}
	if f.name == "" {
		if view.name, err = a.runTrials(ctx, source, f, names); err != nil {
			return err
		}
	}
	return view.show(ctx, w)
}

// runTrials runs the single round trips and returns the name of the experiment.
func (a *app) runTrials(ctx context.Context, source *envSource, f trialFlags, names []string) (name string, err error) {
	s := defaultSettings()
	s.db, s.Models = f.db, (&givenFlags{models: f.models}).asked()
	if s.Policies, err = policycatalog.ParseLists(f.policies); err != nil {
		return "", usage.Wrap(err)
	}
	s.Relay.Schedule.Kind, s.Relay.Repeats, s.Relay.Seed = harness.SingleRoundTrips, f.runs, f.seed
	s.Environments.Data, s.Environments.Names = source.data, names
	if f.judge != "" {
		s.Judge.Model = &experiment.Model{Spec: models.Spec{Name: f.judge}}
	}
	later := &process.Later{}
	x, err := experiment.Open(ctx, s.Spec, s.opening(later))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	store, err := results.Open(s.db)
	if err != nil {
		return "", usage.Wrap(err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	later.Store = store
	record, stopped, err := a.work(ctx, store, x, &s)
	if err == nil {
		err = stopped
	}
	return record.Name, shownInterrupt(err, s.db)
}

// trialView shows an experiment of single round trips.
type trialView struct {
	trialFlags
	find lookup
}

func (v *trialView) show(ctx context.Context, w io.Writer) (err error) {
	judging := judgeFlags{model: v.judge}
	store, err := judging.open(v.db)
	if err != nil {
		return usage.Wrap(err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	record, err := findExperiment(ctx, store, v.name)
	if err != nil {
		return err
	}
	trials, missing, err := triage.Stored(ctx, store, record)
	if errors.Is(err, triage.ErrNotSingle) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return fmt.Errorf("experiment %s: no round trip is stored yet", record.Name)
	}
	v.runs = record.Manifest.Repeats
	judged := triage.Trials(trials, v.find)
	if err := v.print(w, record, judged, missing); err != nil {
		return err
	}
	if err := v.printFlagged(ctx, w, store, judged); err != nil || v.noAblation {
		return err
	}
	return printAblation(w, tried(trials), v.seed, v.find)
}

// tried are the environments of trials, each once.
func tried(trials []triage.Trial) []environments.Environment {
	var envs []environments.Environment
	for _, t := range trials {
		if !slices.ContainsFunc(envs, func(e environments.Environment) bool { return e.Name == t.Environment.Name }) {
			envs = append(envs, *t.Environment)
		}
	}
	return envs
}

// print prints the scores by edit and arm, then the verdicts that a person should look at.
func (v *trialView) print(w io.Writer, record results.Experiment, trials []triage.Judged, missing int) error {
	header := []any{"environment", "edit", "model", "policy", "RS", "least", "strict", "forward"}
	for _, verdict := range triage.Verdicts() {
		header = append(header, verdict)
	}
	t := alignedTable(5, header...)
	var remarks []string
	verdicts := map[triage.Verdict]int{}
	for _, s := range triage.Summaries(trials) {
		t.AppendRow(trialRow(&s))
		for verdict, n := range s.Verdicts {
			verdicts[verdict] += n
		}
		remarked := s.Doubtful()
		if v.all {
			remarked = s.BelowOne()
		}
		remarks = append(remarks, remarksOn(remarked)...)
	}
	if _, err := printable.Fprintf(w, "Experiment %s: every edit alone, %d round trips a model; mean and least published score, strict and forward score, in %%\n\n", record.Name, v.runs); err != nil {
		return err
	}
	if missing > 0 {
		printable.Fprintf(w, "Not finished: %d round trips are not stored.\n\n", missing)
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
	_, err := printable.Fprintf(w, "\n%d round trips: %s\n", len(trials), sumUp(verdicts))
	return err
}

// printFlagged names the edits on which all arms stay low, with the judge's opinion of whose
// error that is, if there is a judge.
func (v *trialView) printFlagged(ctx context.Context, w io.Writer, store *results.Store, trials []triage.Judged) (err error) {
	var flagged [][]triage.Judged
	edits := triage.Groups(trials, (*triage.Trial).SameEdit)
	for _, edit := range edits {
		if triage.Flagged(edit) {
			flagged = append(flagged, edit)
		}
	}
	_, err = printable.Fprintf(w, "\n%d of %d edits are flagged: all models stay below %.0f %%\n", len(flagged), len(edits), 100*triage.FlaggedBelow)
	if err != nil || len(flagged) == 0 {
		return err
	}
	var ask opinion.Asker
	if v.judge != "" {
		j, done, failed := experiment.OpenJudge(v.judge, store)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, done()) }()
		ask = j.Session(ctx).Ask
	}
	for _, edit := range flagged {
		printable.Fprintf(w, "%s, %s\n", edit[0].Environment.Name, edit[0].Edit.Name)
		if ask == nil {
			continue
		}
		sorted, err := triage.Sort(ask, edit, v.find)
		if err != nil {
			return err
		}
		printSorted(w, sorted)
	}
	if ask == nil {
		printable.Fprintf(w, "A judge (--judge MODEL) sorts their round trips by whose error it is.\n")
	}
	return nil
}

// printSorted prints how many round trips of an edit the judge puts down to what, and why.
func printSorted(w io.Writer, sorted []triage.Sorted) {
	counts := make([]int, len(triage.Causes()))
	for _, s := range sorted {
		counts[s.Choice.Category]++
	}
	var parts []string
	for i, cause := range triage.Causes() {
		parts = append(parts, fmt.Sprintf("%d %s", counts[i], cause.Head))
	}
	printable.Fprintf(w, "  by the judge: %s\n", strings.Join(parts, ", "))
	for _, s := range sorted {
		t := s.Trial
		printable.Fprintf(w, "  %s, run %d: %s: %s\n", strings.TrimSpace(t.Model+" "+t.Policy), t.Run,
			triage.Causes()[s.Choice.Category].Head, printable.Line(s.Choice.Why))
	}
}

func sumUp(verdicts map[triage.Verdict]int) string {
	var parts []string
	for _, v := range triage.Verdicts() {
		parts = append(parts, fmt.Sprintf("%d %s", verdicts[v], v))
	}
	return strings.Join(parts, ", ")
}

// trialRow is the row of an edit with one arm.
func trialRow(s *triage.Summary) []any {
	first, least := s.Trials[0], "–"
	if len(s.Value) > 0 {
		least = fmt.Sprintf("%.1f", 100*slices.Min(s.Value))
	}
	row := []any{
		first.Environment.Name, first.Edit.Name, first.Model, first.Policy,
		meanPercent(s.Value), least, meanPercent(s.Strict), meanPercent(s.Forward),
	}
	for _, v := range triage.Verdicts() {
		row = append(row, s.Verdicts[v])
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

// remarksOn are lines on trials.
func remarksOn(trials []triage.Judged) []string {
	var lines []string
	for _, j := range trials {
		lines = append(lines, fmt.Sprintf("%s, %s, %s, run %d: %s: %s", j.Environment.Name, j.Edit.Name,
			strings.TrimSpace(j.Model+" "+j.Policy), j.Run, j.Verdict, j.Why))
	}
	return lines
}

// printAblation leaves elements out of every seed. A strict score above the
// bound is an error; a published score above it is a trait of its formula.
func printAblation(w io.Writer, envs []environments.Environment, seed uint64, find lookup) error {
	t := alignedTable(3, "environment", "element", "left out", "of", "score", "strict", "at most", "")
	found := ablation.CheckAll(envs, seed, find)
	for _, r := range found.Results {
		t.AppendRow([]any{r.Environment, r.Element, r.Left, r.Of,
			fmt.Sprintf("%.1f", 100*r.Value), fmt.Sprintf("%.1f", 100*r.Strict), fmt.Sprintf("%.1f", 100*r.Most), noteOn(r.Result)})
	}
	if _, err := printable.Fprintf(w, "\nElements left out of the seeds, and what is left of both scores, in %%\n\n"); err != nil {
		return err
	}
	if err := printTable(w, t); err != nil {
		return err
	}
	for _, err := range found.Unread {
		printable.Fprintf(w, "%v\n", err)
	}
	if len(found.Forgiving) > 0 {
		return fmt.Errorf("the strict score forgives losses in %s", strings.Join(found.Forgiving, ", "))
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
