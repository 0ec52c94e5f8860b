package trust

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/internal/printable"
)

// Formats lists the forms in which an answer can be written, the default first.
func Formats() []string { return []string{"text", "json", "junit", "markdown"} }

// Write writes the answer in one of the Formats.
func (a *Answer) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(a)
	case "junit":
		return a.junit(w)
	case "markdown":
		a.markdown(w)
		return nil
	}
	a.Text(w)
	return nil
}

// The elements of JUnit's XML that readers of test results know.
type (
	testSuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Suites   []testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
		Out     string   `xml:"system-out,omitempty"`
	}
	message struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"` // of a failure: the verdict
	}
)

// junit writes a suite for each document and, if there are several, one for all of them, with a
// case for each arm. In that of a document only a No fails, since the verdict is on all.
func (a *Answer) junit(w io.Writer) error {
	all := testSuites{Name: "agentd trust " + a.Experiment}
	for _, d := range a.Documents {
		s := testSuite{Name: d.Path}
		for i := range d.Arms {
			arm := &d.Arms[i]
			out := strings.Join(append(d.warnings(), arm.line(a.FailUnder), d.changes()), "\n")
			c := testCase{Name: title(arm.Model, arm.Policy, true), Class: d.Domain, Out: out}
			s.add(c, a.failure(&arm.Judged, !a.stands(arm, len(a.Documents) == 1)))
		}
		all.add(s)
	}
	if len(a.Documents) > 1 {
		s := testSuite{Name: "all documents"}
		for i := range a.Arms {
			o := &a.Arms[i]
			c := testCase{Name: title(o.Model, o.Policy, true), Class: "trust", Out: o.Keeps.line(a.FailUnder)}
			s.add(c, a.failure(&o.Judged, o.Trusted || o.NoWorse))
		}
		all.add(s)
	}
	for _, skipped := range a.Skipped {
		c, s := testCase{Name: skipped.Path, Class: "not tested"}, testSuite{Name: skipped.Path}
		if skipped.Asked {
			c.Failure, s.Failures = &message{skipped.Why, string(Unknown)}, 1
		} else {
			c.Skipped, s.Skipped = &message{Message: skipped.Why}, 1
		}
		s.Cases = []testCase{c}
		all.add(s)
	}
	out := printable.Exact(w)
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// stands reports whether an arm on a document stands against the verdict: where it is the only
// document, by all that is not a Yes.
func (a *Answer) stands(arm *Arm, alone bool) bool {
	for _, o := range a.Arms {
		if o.Model == arm.Model && o.Policy == arm.Policy && o.NoWorse {
			return false
		}
	}
	return arm.Verdict == No || alone && arm.Verdict != Yes
}

// failure is that of an arm; nil if it passed.
func (a *Answer) failure(j *Judged, passed bool) *message {
	if passed {
		return nil
	}
	why := j.Reasons
	if j.Verdict == Unknown && a.More != nil {
		why = append(slices.Clone(why), a.More.String())
	}
	return &message{strings.Join(why, "; "), string(j.Verdict)}
}

func (s *testSuite) add(c testCase, failed *message) {
	if c.Failure = failed; failed != nil {
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

func (t *testSuites) add(s testSuite) {
	s.Tests = len(s.Cases)
	t.Tests += s.Tests
	t.Failures += s.Failures
	t.Suites = append(t.Suites, s)
}

// markdown writes a table for a summary or a comment.
func (a *Answer) markdown(w io.Writer) {
	printable.Fprintf(w, "**Verdict: %s**\n\n", a.Headline())
	printable.Fprintf(w, "| document | domain | arm | survives | edits that keep %s %% | carried out | no-ops 0 | done right | worst edit | trusted |\n"+
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n", percent(a.FailUnder))
	for _, d := range a.Documents {
		for i := range d.Arms {
			arm := &d.Arms[i]
			printable.Fprintf(w, "| %s | %s | %s | %s | %s | %d of %d | %s | %d of %d | %s | %s |\n", cell(d.Path), d.Domain, cell(title(arm.Model, arm.Policy, true)),
				arm.Survives, arm.Keeps, arm.Done, arm.Forward, arm.NoOps.show(), arm.Right, arm.Checked, cell(words(arm.Worst)), cell(arm.mark()))
		}
	}
	for i := range a.Arms {
		o := &a.Arms[i]
		mark := o.mark()
		if o.NoWorse {
			mark = "no worse than before"
		}
		printable.Fprintf(w, "| all | | %s | | %s | | %s | | | %s |\n", cell(title(o.Model, o.Policy, true)), o.Keeps, o.NoOps.show(), cell(mark))
	}
	if a.More != nil {
		printable.Fprintf(w, "\n%s\n", cell(a.More.String()))
	}
	printable.Fprintf(w, "\n")
	for _, d := range a.Documents {
		for _, warning := range d.warnings() {
			printable.Fprintf(w, "- **%s: careful: %s**\n", cell(d.Path), cell(warning))
		}
		printable.Fprintf(w, "- %s: %s\n", cell(d.Path), cell(d.changes()))
	}
	for _, s := range a.Skipped {
		printable.Fprintf(w, "- %s: not tested: %s\n", cell(s.Path), cell(s.Why))
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

// cell shows a text inside of a table or a list in Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "\n", " ").Replace(text)
}
