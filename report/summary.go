package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/report/statistics"
)

// A Summary shows up to mostArms arms, but only mostArmsOfMore if there are more. mostLines limits
// the commands at its end.
const (
	mostArms       = 4
	mostArmsOfMore = 3
	mostLines      = 16
)

// Summary writes the summary at the end of a run: a line for each arm with its scores after the
// last interactions, the work that was done, failures and cost; then the reasons of failures, and
// commands that show more. On a screen of at least 80 columns it has at most sixteen lines plus the
// reasons, unless names are very long. db and name are the arguments that the commands need to find
// the experiment; empty for their defaults.
func (r *Report) Summary(w io.Writer, screen layout.Screen, db, name string) error {
	var b strings.Builder
	b.WriteString(screen.Paragraph(r.standing(), 0))
	failed := ""
	if told := InOneLine(r.Reasons, MostReasons); told != "" {
		failed = screen.Paragraph("What failed: "+told+".", 0)
	}
	b.WriteString(failed)
	shown := r.Arms
	if len(shown) > mostArms {
		shown = shown[:mostArmsOfMore]
	}
	if len(shown) > 0 {
		b.WriteString(r.armsTable(shown).String(screen))
	}
	if len(shown) > 0 && r.costHead() != "cost" {
		b.WriteString(screen.Paragraph("Nothing was paid: the cost of a stand-in is what a model at its price would have cost.", 2))
	}
	if note := r.sayingNothing(); note != "" {
		b.WriteString(screen.Paragraph(note, 2))
	}
	next := "Next: "
	if more := len(r.Arms) - len(shown); more > 0 {
		next = fmt.Sprintf("And %s. Next: ", count(more, "more arm"))
	}
	commands := nextCommands(db, name)
	for {
		line := screen.Paragraph(next+strings.Join(commands, ", "), 2)
		if len(commands) == 1 || strings.Count(b.String()+line, "\n")-strings.Count(failed, "\n") <= mostLines {
			b.WriteString(line)
			break
		}
		commands = commands[:len(commands)-1]
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// armsTable returns a row for each arm: its scores after the last interactions, the work that was done,
// failures and cost.
func (r *Report) armsTable(arms []Arm) *layout.Table {
	last := "last"
	if trips := r.trips(); trips > 0 {
		last = fmt.Sprint(2 * trips)
	}
	t := &layout.Table{Columns: []layout.Column{
		{Head: "arm", Label: true}, {Head: "RS@" + last, Number: true}, {Head: noOpsHead, Number: true}, {Head: "Strict@" + last, Number: true},
		{Head: "done", Number: true}, {Head: "failed", Number: true}, {Head: "cost USD", Number: true},
	}}
	for i := range arms {
		t.Rows = append(t.Rows, arms[i].summary(r.trips()))
	}
	return t
}

// costHead returns the heading of the column of costs. If all models are stand-ins, it says that nothing is paid.
func (r *Report) costHead() string {
	standIns := slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.StandIn })
	if standIns && !slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.Model != "" && !a.StandIn }) {
		return "would cost"
	}
	return "cost"
}

// nextCommands returns commands that show more, each on one line if it fits.
func nextCommands(db, name string) []string {
	flags := ""
	if db != "" {
		flags = " --db " + db
	}
	serve := "agentd serve" + flags
	if name != "" {
		flags += " --name " + name
	}
	commands := []string{"agentd report" + flags, "agentd trace worst" + flags, serve}
	for i := range commands {
		commands[i] = layout.Together(commands[i])
	}
	return commands
}

// standing returns the name and progress of the experiment.
func (r *Report) standing() string {
	m := r.Experiment.Manifest
	what := fmt.Sprintf("%s: %s, %s", r.Experiment.Name, count(len(m.Environments), "environment"), count(m.RoundTrips, "round trip"))
	if m.OfGym() {
		what = fmt.Sprintf("%s: finished episodes of a gym, %s", r.Experiment.Name, count(len(m.Environments), "environment"))
	}
	switch {
	case r.Stored == 0:
		return what + ". No interaction is stored yet."
	case r.Stored+r.givenUp() < r.Planned:
		return what + fmt.Sprintf(". Not finished: %d of %d interactions.", r.Stored, r.Planned)
	case r.givenUp() > 0:
		return what + fmt.Sprintf(". A service failed: %d of %d interactions.", r.Stored, r.Planned)
	}
	return what
}

// summary returns an arm's row after the given number of round trips.
func (a *Arm) summary(trips int) []layout.Cell {
	at := func(scores []statistics.Interval) layout.Cell {
		c := a.at(scores, trips)
		return layout.Cell{Text: c.text(Percent), Colour: shade(c.grade())}
	}
	cost := "unknown"
	if a.Cost != nil {
		cost = fmt.Sprintf("%.2f", *a.Cost)
	}
	var costColour text.Colors
	if a.StandIn {
		costColour = text.Colors{text.FgHiBlack}
	}
	return []layout.Cell{
		{Text: printable.Line(a.title())}, at(a.published().RS), at(a.NoOpsZero.RS), at(a.published().Strict), {Text: interval(a.Done).text(Percent)},
		{Text: fmt.Sprint(a.Failures)}, {Text: cost, Colour: costColour},
	}
}
