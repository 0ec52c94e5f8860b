package trust

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"agentd/documents/compare"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// Limits on what is shown of an answer.
const (
	mostChanges     = 4  // kinds of changes of a document
	mostFindings    = 5  // of a kind, per document
	mostDoubts      = 10 // reasons after the verdict
	mostDifferences = 20 // per relay, when one document is shown
)

// Text writes the answer for a person: a few lines for each document, then the verdict.
func (a *Answer) Text(w io.Writer) {
	paths, kinds := 0, 0
	for _, d := range a.Documents {
		paths, kinds = max(paths, utf8.RuneCountInString(d.Path)), max(kinds, len(d.Domain))
	}
	models := a.models()
	for _, d := range a.Documents {
		printable.Fprintf(w, "%-*s   %-*s   %s\n", paths, d.Path, kinds, d.Domain, d.counted())
		widest := 0
		for i := range d.Arms {
			widest = max(widest, utf8.RuneCountInString(title(d.Arms[i].Model, d.Arms[i].Policy, models > 1)))
		}
		for i := range d.Arms {
			printable.Fprintf(w, "  %-*s  %s\n", widest, title(d.Arms[i].Model, d.Arms[i].Policy, models > 1), d.Arms[i].line(a.FailUnder))
		}
		for _, line := range d.findings() {
			printable.Fprintf(w, "  %s\n", line)
		}
		printable.Fprintf(w, "  %s — agentd trust show %d\n", d.changes(), d.Number)
	}
	for _, s := range a.Skipped {
		printable.Fprintf(w, "%s: not tested: %s\n", s.Path, s.Why)
	}
	if len(a.Documents) > 1 {
		for _, o := range a.Arms {
			printable.Fprintf(w, "%s on all %d documents: %s\n", title(o.Model, o.Policy, models > 1), len(a.Documents), o.Keeps.line(a.FailUnder))
		}
	}
	printable.Fprintf(w, "Verdict: %s\n", a.Headline())
	doubts := a.doubts()
	for _, doubt := range doubts[:min(len(doubts), mostDoubts)] {
		printable.Fprintf(w, "  %s\n", doubt)
	}
	if more := len(doubts) - mostDoubts; more > 0 {
		printable.Fprintf(w, "  and %d more\n", more)
	}
}

// models counts the different models of the arms.
func (a *Answer) models() int {
	all := map[string]bool{}
	for _, d := range a.Documents {
		for _, arm := range d.Arms {
			all[arm.Model] = true
		}
	}
	return len(all)
}

// line sums up an arm in one line.
func (a *Arm) line(failUnder float64) string {
	parts := []string{fmt.Sprintf("after %s %s", counted(a.Length, "edit"), a.Survives)}
	if len(a.Relays) > 0 && a.idle() {
		parts = nil
	} else if a.Keeps.Relays > 0 {
		parts = append(parts, a.Keeps.line(failUnder))
	}
	if a.Done < a.Forward {
		parts = append(parts, fmt.Sprintf("%d of %d forward edits carried out (no-ops 0: %s)", a.Done, a.Forward, a.NoOps.show()))
	}
	if a.Checked > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d edits done right", a.Right, a.Checked))
	}
	if a.Worst != "" {
		parts = append(parts, "worst: "+words(a.Worst))
	}
	return strings.Join(parts, "; ")
}

// line says how many relays keep the document, and what that means for single edits.
func (k Keeps) line(failUnder float64) string {
	if k.Relays == 0 {
		return "no relay has a score"
	}
	if k.Kept == 0 { // a rate of 0 is no estimate: many edits are right in relays that fail
		return fmt.Sprintf("none of %s keeps %s %%, per edit at most %s %% (95 %%)", counted(k.Relays, "relay"), percent(failUnder), percent(*k.High))
	}
	return fmt.Sprintf("%d of %s keep %s %%, per edit %s %% (95 %%: %s–%s)", k.Kept, counted(k.Relays, "relay"),
		percent(failUnder), percent(*k.Rate), percent(*k.Low), percent(*k.High))
}

// String says what survives.
func (s Survival) String() string {
	if s.Mean == nil {
		return "no score"
	}
	return nearest(*s.Mean) + " % survive"
}

// nearest formats a percentage as tables do, with at most one decimal, but shows only 100 as 100.
func nearest(v float64) string {
	shown := math.Round(v*10) / 10
	if v < 100 {
		shown = min(shown, 99.9)
	}
	return strconv.FormatFloat(shown, 'f', -1, 64)
}

// percent formats a percentage with at most one decimal. It rounds down, so that only 100 is
// shown as 100.
func percent(v float64) string {
	return strconv.FormatFloat(math.Floor(v*10+1e-6)/10, 'f', -1, 64)
}

// words are the words of a name such as split_by_month.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// changes sums up, in the domain's words, what all relays on a document lost, changed and added.
func (d *Document) changes() string {
	var all []Tally
	relays, lossy := 0, false
	for _, arm := range d.Arms {
		relays += len(arm.Relays)
		for _, relay := range arm.Relays {
			lossy = lossy || relay.Strict < 100
		}
		for _, c := range arm.Changes {
			all = addTally(all, c)
		}
	}
	switch {
	case relays == 0:
		return "nothing is known of it"
	case len(all) == 0 && lossy:
		return fmt.Sprintf("in %s: the document can no longer be read", counted(relays, "relay"))
	case len(all) == 0:
		return fmt.Sprintf("in %s: nothing was lost or changed", counted(relays, "relay"))
	}
	sortTallies(all)
	shown := all[:min(len(all), mostChanges)]
	kinds := compare.Kinds()
	slices.SortStableFunc(shown, func(x, y Tally) int { return slices.Index(kinds, x.Kind) - slices.Index(kinds, y.Kind) })
	var parts []string
	for _, c := range shown {
		parts = append(parts, c.String())
	}
	if more := len(all) - mostChanges; more > 0 {
		parts = append(parts, counted(more, "more kind"))
	}
	return fmt.Sprintf("in %s: %s", counted(relays, "relay"), strings.Join(parts, ", "))
}

// findings lists syntax errors, warnings and changes of the bytes, each with the number of relays, the most frequent of
// a kind first. They are printed before the changes.
func (d *Document) findings() []string {
	broken := d.frequent(compare.KindBroken, func(r *Relay) []string { return r.Broken })
	careful := d.frequent("careful", func(r *Relay) []string { return r.Warnings })
	bytes := d.frequent(compare.KindBytes, func(r *Relay) []string {
		if r.Bytes == nil {
			return nil
		}
		return []string{r.Bytes.Words()}
	})
	return slices.Concat(broken, careful, bytes)
}

// frequent counts the relays with each finding of a kind.
func (d *Document) frequent(kind string, of func(*Relay) []string) []string {
	counts := map[string]int{}
	relays := 0
	for _, arm := range d.Arms {
		relays += len(arm.Relays)
		for i := range arm.Relays {
			found := slices.Clone(of(&arm.Relays[i]))
			slices.Sort(found)
			for _, one := range slices.Compact(found) {
				counts[one]++
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	more := len(all) - mostFindings
	all = all[:min(len(all), mostFindings)]
	for i, one := range all {
		all[i] = fmt.Sprintf("%s: %s (in %d of %s)", kind, one, counts[one], counted(relays, "relay"))
	}
	if more > 0 {
		all = append(all, fmt.Sprintf("%s: and %d more", kind, more))
	}
	return all
}

// String returns the tally as words, as in "lost 3 transactions". The path of a field has no plural: "changed 2 values of tags.owners".
func (c Tally) String() string {
	if strings.Contains(c.What, ".") {
		return fmt.Sprintf("%s %s of %s", c.Kind, counted(c.Count, "value"), c.What)
	}
	return c.Kind + " " + counted(c.Count, c.What)
}

// counted says how many elements a document has, and its encodings if they are not UTF-8.
func (d *Document) counted() string {
	text := counted(d.Elements, d.Element)
	var names []string
	for _, as := range d.Encodings {
		names = append(names, as.String())
	}
	if slices.Sort(names); len(names) > 0 {
		text += ", read as " + strings.Join(slices.Compact(names), " and ")
	}
	return text
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if noun == "" {
		noun = "part"
	}
	if n != 1 {
		noun = plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// plural returns the plural of a regular English noun.
func plural(noun string) string {
	last := noun[len(noun)-1]
	switch {
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"), strings.HasSuffix(noun, "ss"), last == 'x', last == 'z':
		return noun + "es"
	case last == 's': // already a plural, or a format's name such as DTSTARTS
		return noun
	case last == 'y' && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// List writes a line for each document, with the number that Show takes.
func (a *Answer) List(w io.Writer) {
	printable.Fprintf(w, "experiment %s has %s; agentd trust show N shows one:\n", a.Experiment, counted(len(a.Documents), "document"))
	paths := 0
	for _, d := range a.Documents {
		paths = max(paths, utf8.RuneCountInString(d.Path))
	}
	for _, d := range a.Documents {
		printable.Fprintf(w, "  %*d  %-*s  %s, %s\n", len(strconv.Itoa(len(a.Documents))), d.Number, paths, d.Path, d.Domain, counted(d.Elements, d.Element))
	}
}

// Show writes everything known about a document, given by its number.
func (a *Answer) Show(w io.Writer, number int) error {
	if number < 1 || number > len(a.Documents) {
		return usage.Errorf("experiment %s has the documents 1 to %d", a.Experiment, len(a.Documents))
	}
	d := &a.Documents[number-1]
	printable.Fprintf(w, "%s: %s, %s in %s (experiment %s)\n", d.Path, d.Domain, d.counted(), strings.Join(d.Files, ", "), a.Experiment)
	for i := range d.Arms {
		arm := &d.Arms[i]
		printable.Fprintf(w, "\n%s\n  %s\n", title(arm.Model, arm.Policy, true), arm.line(a.FailUnder))
		if err := arm.table(w); err != nil {
			return err
		}
		for _, r := range arm.Relays {
			r.show(w)
		}
		if n := arm.Planned - len(arm.Relays); n > 0 {
			printable.Fprintf(w, "  %s without a score\n", counted(n, "relay"))
		}
	}
	return nil
}

// table writes how each edit went.
func (a *Arm) table(w io.Writer) error {
	widest := len("edit")
	for _, e := range a.Edits {
		widest = max(widest, len(e.Name))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, cells ...any) {
		printable.Fprintf(t, "  %-*s\t%v\t%v\t%v\t%v\t%v\t\n", append([]any{widest, name}, cells...)...)
	}
	row("edit", "times", "carried out", "right", "back right", "loses, points")
	for _, e := range a.Edits {
		right, back := any(e.Right), any(e.Back)
		if e.Checked == 0 {
			right, back = "–", "–"
		}
		row(words(e.Name), e.Times, e.Done, right, back, strconv.FormatFloat(e.Loses, 'f', 1, 64))
	}
	return t.Flush()
}

// show writes how a relay changed the document.
func (r *Relay) show(w io.Writer) {
	printable.Fprintf(w, "  relay %d: %s %% survive, %s (agentd trace %d)\n", r.ID, percent(r.Strict), counted(len(r.differences), "difference"), r.ID)
	if len(r.differences) == 0 && r.Strict < 100 {
		printable.Fprintf(w, "  the document can no longer be read\n")
	}
	style := compare.StyleOf(w)
	style.Indent = "  "
	for _, place := range r.Broken[:min(len(r.Broken), mostFindings)] {
		printable.Fprintf(w, "  %s: %s\n", compare.KindBroken, place)
	}
	_, _ = io.WriteString(printable.Exact(w), style.Text(r.Warnings, r.differences, mostDifferences)) // write errors on the output are reported by agentd
	if words := r.Bytes.Words(); words != "" {
		printable.Fprintf(w, "  %s: %s\n", compare.KindBytes, words)
	}
}
