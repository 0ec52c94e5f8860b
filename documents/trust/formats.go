package trust

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/documents/compare"
	"agentd/internal/printable"
)

// Formats lists the forms in which an answer can be written, the default first.
func Formats() []string { return []string{compare.Text, compare.JSON, compare.JUnit, compare.Markdown} }

// Write writes the answer in one of the Formats.
func (a *Answer) Write(w io.Writer, format string) error {
	switch format {
	case compare.JSON:
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(a)
	case compare.JUnit:
		return a.junit(w)
	case compare.Markdown:
		a.markdown(w)
		return nil
	}
	a.Text(w)
	return nil
}

// junit writes a suite for each document and, if there are several, one for all together, with a case
// for each arm. With several documents, a single one fails only by a No, since the verdict is on all.
func (a *Answer) junit(w io.Writer) error {
	all := compare.Suites{Name: "agentd trust " + a.Experiment}
	for _, d := range a.Documents {
		s := compare.Suite{Name: d.Path}
		for i := range d.Arms {
			arm := &d.Arms[i]
			out := strings.Join(append(d.findings(), arm.line(a.FailUnder), d.changes()), "\n")
			c := compare.Case{Name: title(arm.Model, arm.Policy, true), Class: d.Domain, Output: out}
			c.Failure = a.failure(&arm.Judged, !a.stands(arm, len(a.Documents) == 1))
			s.Add(c)
		}
		all.Add(s)
	}
	if len(a.Documents) > 1 {
		s := compare.Suite{Name: "all documents"}
		for i := range a.Arms {
			o := &a.Arms[i]
			c := compare.Case{Name: title(o.Model, o.Policy, true), Class: "trust", Output: o.Keeps.line(a.FailUnder)}
			c.Failure = a.failure(&o.Judged, o.Trusted || o.NoWorse)
			s.Add(c)
		}
		all.Add(s)
	}
	for _, skipped := range a.Skipped {
		c, s := compare.Case{Name: skipped.Path, Class: "not tested"}, compare.Suite{Name: skipped.Path}
		if skipped.Asked {
			c.Failure = &compare.Reason{Message: skipped.Why, Type: string(Unknown)}
		} else {
			c.Skipped = &compare.Reason{Message: skipped.Why}
		}
		s.Add(c)
		all.Add(s)
	}
	return compare.WriteJUnit(w, all)
}

// stands reports whether an arm fails on a document: with a No or, if it is the only document, with
// anything but a Yes.
func (a *Answer) stands(arm *Arm, alone bool) bool {
	for _, o := range a.Arms {
		if o.Model == arm.Model && o.Policy == arm.Policy && o.NoWorse {
			return false
		}
	}
	return arm.Verdict == No || alone && arm.Verdict != Yes
}

// failure says why an arm failed; nil if it passed.
func (a *Answer) failure(j *Judged, passed bool) *compare.Reason {
	if passed {
		return nil
	}
	why := j.Reasons
	if j.Verdict == Unknown && a.Needed != nil {
		why = append(slices.Clone(why), a.Needed.String())
	}
	return &compare.Reason{Message: strings.Join(why, "; "), Type: string(j.Verdict)}
}

// markdown writes a table for a summary or a comment.
func (a *Answer) markdown(w io.Writer) {
	printable.Fprintf(w, "**Verdict: %s**\n\n", a.Headline())
	printable.Fprintf(w, "| document | domain | arm | survives | edits that keep %s %% | carried out | no-ops 0 | done right | worst edit | trusted |\n"+
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n", percent(a.FailUnder))
	for _, d := range a.Documents {
		for i := range d.Arms {
			arm := &d.Arms[i]
			printable.Fprintf(w, "| %s | %s | %s | %s | %s | %d of %d | %s | %d of %d | %s | %s |\n", printable.Markdown(d.Path), d.Domain, printable.Markdown(title(arm.Model, arm.Policy, true)),
				arm.Survives, arm.Keeps, arm.Done, arm.Forward, arm.NoOps.show(), arm.Right, arm.Checked, printable.Markdown(words(arm.Worst)), printable.Markdown(arm.mark()))
		}
	}
	for i := range a.Arms {
		o := &a.Arms[i]
		mark := o.mark()
		if o.NoWorse {
			mark = "no worse than before"
		}
		printable.Fprintf(w, "| all | | %s | | %s | | %s | | | %s |\n", printable.Markdown(title(o.Model, o.Policy, true)), o.Keeps, o.NoOps.show(), printable.Markdown(mark))
	}
	if a.Needed != nil {
		printable.Fprintf(w, "\n%s\n", printable.Markdown(a.Needed.String()))
	}
	printable.Fprintf(w, "\n")
	for _, d := range a.Documents {
		for _, found := range d.findings() {
			printable.Fprintf(w, "- **%s: %s**\n", printable.Markdown(d.Path), printable.Markdown(found))
		}
		printable.Fprintf(w, "- %s: %s\n", printable.Markdown(d.Path), printable.Markdown(d.changes()))
	}
	for _, s := range a.Skipped {
		printable.Fprintf(w, "- %s: not tested: %s\n", printable.Markdown(s.Path), printable.Markdown(s.Why))
	}
}

// mark is the verdict, and why it is not Yes.
func (j *Judged) mark() string {
	if j.Trusted {
		return string(Yes)
	}
	return string(j.Verdict) + ": " + strings.Join(j.Reasons, "; ")
}

// String is the rate with its bounds.
func (k Keeps) String() string {
	if k.Rate == nil {
		return "no score"
	}
	return fmt.Sprintf("%s (%s–%s)", percent(*k.Rate), percent(*k.Low), percent(*k.High))
}
