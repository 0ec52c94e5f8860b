package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// unknown stands where there is no number.
const unknown = "–"

// Text prints the report as aligned tables.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	m := r.Experiment.Manifest
	fmt.Fprintf(&b, "Experiment %s: %d environments, %d round trips, %d repeats, %s schedule, seed %d\n\n",
		r.Experiment.Name, len(m.Environments), m.RoundTrips, m.Repeats, m.Schedule, m.Seed)
	if len(r.Arms) == 0 {
		fmt.Fprintln(&b, "No interaction is stored yet.")
	}
	if r.scored() {
		r.survival(&b, "RS@k: mean share of the seed that survives k interactions, published score, in %",
			func(a Arm) []float64 { return a.RS })
		r.survival(&b, "Strict@k: the same, by the strict score, which sees additions and every field, in %",
			func(a Arm) []float64 { return a.Strict })
	}
	r.outcomes(&b)
	if len(r.Tools) > 0 {
		r.toolTable(&b)
	}
	r.notes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) scored() bool {
	for _, a := range r.Arms {
		if len(a.RS) > 0 {
			return true
		}
	}
	return false
}

func newTable(header table.Row) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	configs := []table.ColumnConfig{}
	for i := 3; i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}

func render(b *strings.Builder, title string, t table.Writer) {
	b.WriteString(title + "\n\n")
	for _, line := range strings.Split(t.Render(), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("\n")
}

// name marks stand-ins, so that nobody takes their numbers for a model's.
func name(model string, standIn bool) string {
	switch {
	case model == "":
		return "(none)"
	case standIn:
		return model + " (stand-in)"
	}
	return model
}

func (r *Report) survival(b *strings.Builder, title string, scores func(Arm) []float64) {
	trips := 0
	for _, a := range r.Arms {
		trips = max(trips, len(a.RS))
	}
	header := table.Row{"model", "policy", "relays"}
	for k := 1; k <= trips; k++ {
		header = append(header, fmt.Sprintf("@%d", 2*k))
	}
	t := newTable(header)
	for _, a := range r.Arms {
		if len(a.RS) == 0 {
			continue
		}
		row := table.Row{name(a.Model, a.StandIn), a.Policy, a.Relays}
		for k, score := range scores(a) {
			cell := fmt.Sprintf("%.1f", 100*score)
			if a.Reached[k] < a.Relays {
				cell += fmt.Sprintf(" (%d)", a.Reached[k])
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	render(b, title, t)
}

func (r *Report) outcomes(b *strings.Builder) {
	if len(r.Arms) == 0 {
		return
	}
	t := newTable(table.Row{"model", "policy", "interactions", "failed", "forward score %", "cost USD"})
	for _, a := range r.Arms {
		t.AppendRow(table.Row{name(a.Model, a.StandIn), a.Policy, a.Total, a.Failures, percent(a.Forward), amount(a.Cost)})
	}
	render(b, "Forward steps and failures", t)
}

func (r *Report) toolTable(b *strings.Builder) {
	t := newTable(table.Row{"model", "policy", "calls/task", "input ×", "output ×", "cost ×", "latency ×",
		"script %", "write_file %", "both %", "neither %", "distractors read %"})
	for _, u := range r.Tools {
		t.AppendRow(table.Row{
			name(u.Model, u.StandIn), u.Policy, fmt.Sprintf("%.1f", u.Calls),
			number(u.Input), number(u.Output), number(u.Cost), number(u.Latency),
			percent(&u.ByScript), percent(&u.ByWriting), percent(&u.ByBoth), percent(&u.ByNeither), percent(u.Distractors),
		})
	}
	render(b, "Tool use, and ratios to direct editing", t)
}

func (r *Report) notes(b *strings.Builder) {
	for _, a := range r.Arms {
		if a.StandIn {
			fmt.Fprintln(b, "stand-in: a program that plays a model at published rates of damage; its scores and costs are no model's.")
			break
		}
	}
	if r.Experiment.Manifest.WithoutOracle > 0 {
		fmt.Fprintf(b, "%d edits have no oracle: their forward steps are not scored, and stand-ins only carry the documents over for them.\n",
			r.Experiment.Manifest.WithoutOracle)
	}
	for _, u := range r.Unscored {
		fmt.Fprintf(b, "not scored: %s (%d interactions): the domain %s is not built yet.\n", u.Environment, u.Interactions, u.Domain)
	}
}

func percent(v *float64) string {
	if v == nil {
		return unknown
	}
	return fmt.Sprintf("%.1f", 100**v)
}

func number(v *float64) string {
	if v == nil {
		return unknown
	}
	return fmt.Sprintf("%.2f", *v)
}

func amount(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.4f", *v)
}
