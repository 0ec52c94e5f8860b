package triage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/layout"
	"agentd/internal/opinion"
	"agentd/internal/printable"
	"agentd/results"
)

// Write prints the trials of an experiment: a row with the scores for each edit and arm, and
// then a line for each trial that a person should look at, or with all for every trial that
// is not sound. The trials stand in the order of Stored; missing is what Stored counted.
func Write(w io.Writer, record results.Experiment, trials []Judged, missing int, all bool) error {
	header := []string{"environment", "edit", "model", "policy", "RS", "least", "strict", "forward"}
	for _, verdict := range Verdicts() {
		header = append(header, string(verdict))
	}
	t := layout.NewTable(5, header...)
	var remarks []string
	verdicts := map[Verdict]int{}
	for _, s := range Summaries(trials) {
		t.Row(s.row()...)
		for verdict, n := range s.Verdicts {
			verdicts[verdict] += n
		}
		remarked := s.Doubtful()
		if all {
			remarked = s.BelowOne()
		}
		for i := range remarked {
			j := &remarked[i]
			remarks = append(remarks, fmt.Sprintf("%s, %s, %s: %s: %s", j.Environment.Name, j.Edit.Name, j.label(), j.Verdict, j.Why))
		}
	}
	if _, err := printable.Fprintf(w, "Experiment %s: every edit alone, %d round trips a model; mean and least published score, strict and forward score, in %%\n\n",
		record.Name, record.Manifest.Repeats); err != nil {
		return err
	}
	if missing > 0 {
		printable.Fprintf(w, "Not finished: %d round trips are not stored.\n\n", missing)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	if len(remarks) > 0 {
		printable.Fprintf(w, "\nTo be looked at\n")
	}
	for _, line := range remarks {
		printable.Fprintf(w, "%s\n", line)
	}
	var parts []string
	for _, v := range Verdicts() {
		parts = append(parts, fmt.Sprintf("%d %s", verdicts[v], v))
	}
	_, err := printable.Fprintf(w, "\n%d round trips: %s\n", len(trials), strings.Join(parts, ", "))
	return err
}

// row is the table row of an edit with one arm.
func (s *Summary) row() []any {
	first, least := s.Trials[0], "–"
	if len(s.RS) > 0 {
		least = fmt.Sprintf("%.1f", 100*slices.Min(s.RS))
	}
	row := []any{
		first.Environment.Name, first.Edit.Name, first.Model, first.Policy,
		meanPercent(s.RS), least, meanPercent(s.Strict), meanPercent(s.Forward),
	}
	for _, v := range Verdicts() {
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

// label names a trial among those of its edit.
func (t *Trial) label() string {
	return fmt.Sprintf("%s, run %d", strings.TrimSpace(t.Model+" "+t.Policy), t.Run)
}

// WriteFlagged prints the flagged edits. Unless ask is nil, it has a judge sort the trials of
// each by whose error they are, and prints what the judge says. The trials stand in the order
// of Stored. find finds a domain by name.
func WriteFlagged(w io.Writer, trials []Judged, ask opinion.Asker, find func(name string) (domains.Domain, bool)) error {
	edits := Groups(trials, (*Trial).SameEdit)
	flagged := slices.DeleteFunc(slices.Clone(edits), func(edit []Judged) bool { return !Flagged(edit) })
	_, err := printable.Fprintf(w, "\n%d of %d edits are flagged: all models stay below %.0f %%\n", len(flagged), len(edits), 100*FlaggedBelow)
	if n := unscored(edits); n > 0 {
		printable.Fprintf(w, "%d of them are not flagged because nothing could score their round trips: stories need a judge (--judge MODEL)\n", n)
	}
	if err != nil || len(flagged) == 0 {
		return err
	}
	for _, edit := range flagged {
		printable.Fprintf(w, "%s, %s\n", edit[0].Environment.Name, edit[0].Edit.Name)
		if ask == nil {
			continue
		}
		sorted, err := Sort(ask, edit, find)
		if err != nil {
			return err
		}
		writeSorted(w, sorted)
	}
	if ask == nil {
		printable.Fprintf(w, "A judge (--judge MODEL) sorts their round trips by whose error it is.\n")
	}
	return nil
}

// writeSorted prints how many round trips of an edit the judge attributes to each cause, and
// its reasons.
func writeSorted(w io.Writer, sorted []Sorted) {
	counts := make([]int, len(Causes()))
	for _, s := range sorted {
		counts[s.Choice.Category]++
	}
	var parts []string
	for i, cause := range Causes() {
		parts = append(parts, fmt.Sprintf("%d %s", counts[i], cause.Head))
	}
	printable.Fprintf(w, "  by the judge: %s\n", strings.Join(parts, ", "))
	for _, s := range sorted {
		printable.Fprintf(w, "  %s: %s: %s\n", s.Trial.label(), Causes()[s.Choice.Category].Head, printable.Line(s.Choice.Why))
	}
}
