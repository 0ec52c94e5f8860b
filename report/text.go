package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// unknown stands where there is no number.
const unknown = "–"

// Text prints the report as aligned tables.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	m := r.Experiment.Manifest
	fmt.Fprintf(&b, "Experiment %s: %s, %s, %s, %s schedule, seed %d\n", r.Experiment.Name,
		count(len(m.Environments), "environment"), count(m.RoundTrips, "round trip"), count(m.Repeats, "repeat"), m.Schedule, m.Seed)
	switch {
	case r.Stored == 0:
		fmt.Fprintln(&b, "No interaction is stored yet.")
	case r.Stored < r.Planned:
		fmt.Fprintf(&b, "Not finished: %d of %d interactions are stored.\n", r.Stored, r.Planned)
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "It was changed while it ran: %s: %s\n", c.At.Format(time.DateTime), strings.Join(c.Differences, ", "))
	}
	fmt.Fprintln(&b)
	if r.scored() {
		r.survival(&b, "RS@k: mean share of the seed that survives k interactions, published score, in %",
			func(a Arm) []float64 { return a.RS })
		r.survival(&b, "Strict@k: the same, by the strict score, which sees additions and every field, in %",
			func(a Arm) []float64 { return a.Strict })
	}
	r.outcomes(&b)
	if len(r.Tools) > 0 {
		r.toolTable(&b)
		r.ratioTable(&b)
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
		over, partial := table.Row{"", "over relays", ""}, false
		for k, score := range scores(a) {
			cell := percent(&score)
			if a.Reached[k] == 0 {
				cell = unknown
			}
			row = append(row, cell)
			over = append(over, fmt.Sprintf("(%d)", a.Reached[k]))
			partial = partial || a.Reached[k] < a.Relays
		}
		t.AppendRow(row)
		if partial {
			t.AppendRow(over)
		}
	}
	render(b, title, t)
}

func (r *Report) outcomes(b *strings.Builder) {
	if len(r.Arms) == 0 {
		return
	}
	t := newTable(table.Row{"model", "policy", "interactions", "failed", "forward score %", "over steps", "cost USD"})
	for _, a := range r.Arms {
		over := fmt.Sprint(a.Forwards)
		if a.Forwards < a.ForwardSteps {
			over += fmt.Sprintf(" of %d", a.ForwardSteps)
		}
		t.AppendRow(table.Row{name(a.Model, a.StandIn), a.Policy, a.Total, a.Failures, percent(a.Forward), over, amount(a.Cost)})
	}
	render(b, "Failures, forward steps against their oracles, and cost", t)
}

func (r *Report) toolTable(b *strings.Builder) {
	t := newTable(table.Row{"model", "policy", "calls/task", "by script", "by write_file", "by both", "by neither", "distractors read"})
	for _, u := range r.Tools {
		t.AppendRow(table.Row{
			name(u.Model, u.StandIn), u.Policy, fmt.Sprintf("%.1f", u.Calls),
			percent(&u.ByScript), percent(&u.ByWriting), percent(&u.ByBoth), percent(&u.ByNeither), percent(u.Distractors),
		})
	}
	render(b, "Tool use: calls for each interaction, how interactions edited in %, distractor files read in %", t)
}

func (r *Report) ratioTable(b *strings.Builder) {
	t := newTable(table.Row{"model", "policy", "interactions", "input ×", "output ×", "cost ×", "latency ×"})
	for _, u := range r.Tools {
		if u.Pairs > 0 {
			t.AppendRow(table.Row{
				name(u.Model, u.StandIn), u.Policy, u.Pairs, number(u.Input), number(u.Output), number(u.Cost), number(u.Latency),
			})
		}
	}
	if t.Length() > 0 {
		render(b, "Ratios to direct editing by the same model, over the interactions that both have", t)
	}
}

func (r *Report) notes(b *strings.Builder) {
	for _, a := range r.Arms {
		if a.StandIn {
			fmt.Fprintln(b, "stand-in: a program that plays a model at published rates of damage; its scores and costs are no model's.")
			break
		}
	}
	if r.UnknownAttempts > 0 {
		fmt.Fprintf(b, "of unknown cost: %s that may have been charged for beyond what the tables say: time-outs, answers cut off.\n",
			count(r.UnknownAttempts, "request"))
	}
	if r.Experiment.Manifest.WithoutOracle > 0 {
		fmt.Fprintf(b, "without an oracle: %s; their forward steps are not scored, and stand-ins only carry the documents over for them.\n",
			count(r.Experiment.Manifest.WithoutOracle, "edit"))
	}
	if len(r.Unscored) > 0 {
		names, interactions := make([]string, len(r.Unscored)), 0
		for i, u := range r.Unscored {
			names[i] = u.Environment
			interactions += u.Interactions
		}
		const width = 120
		note := fmt.Sprintf("not scored, as their domains are not built yet (%s): %s.",
			count(interactions, "interaction"), strings.Join(names, ", "))
		for line := range strings.SplitSeq(text.WrapSoft(note, width), "\n") {
			fmt.Fprintln(b, strings.TrimRight(line, " "))
		}
	}
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
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
