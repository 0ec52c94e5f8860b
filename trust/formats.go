package trust

import (
	"encoding/json"
	"encoding/xml"
	"io"
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
	}
)

// junit writes a suite for each document and a case for each arm.
func (a *Answer) junit(w io.Writer) error {
	all := testSuites{Name: "agentd trust " + a.Experiment}
	for _, d := range a.Documents {
		s := testSuite{Name: d.Path}
		for i := range d.Arms {
			arm := &d.Arms[i]
			c := testCase{Name: arm.title(true), Class: d.Domain, Out: strings.Join(append(d.warnings(), arm.line(), d.changes()), "\n")}
			if !arm.Trusted && !arm.NoWorse {
				c.Failure = &message{strings.Join(arm.Reasons, "; ")}
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		all.add(s)
	}
	for _, skipped := range a.Skipped {
		c, s := testCase{Name: skipped.Path, Class: "not tested"}, testSuite{Name: skipped.Path}
		if skipped.Asked {
			c.Failure, s.Failures = &message{skipped.Why}, 1
		} else {
			c.Skipped, s.Skipped = &message{skipped.Why}, 1
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

func (t *testSuites) add(s testSuite) {
	s.Tests = len(s.Cases)
	t.Tests += s.Tests
	t.Failures += s.Failures
	t.Suites = append(t.Suites, s)
}

// markdown writes a table for a summary or a comment.
func (a *Answer) markdown(w io.Writer) {
	printable.Fprintf(w, "**Verdict: %s**\n\n", a.Verdict())
	printable.Fprintf(w, "| document | domain | arm | survives | carried out | done right | worst edit | trusted |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, d := range a.Documents {
		for i := range d.Arms {
			arm := &d.Arms[i]
			printable.Fprintf(w, "| %s | %s | %s | %s | %d of %d | %d of %d | %s | %s |\n", cell(d.Path), d.Domain, cell(arm.title(true)),
				arm.Survives, arm.Done, arm.Forward, arm.Right, arm.Checked, cell(words(arm.Worst)), arm.mark())
		}
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

// mark says whether an arm is trusted, and why not.
func (a *Arm) mark() string {
	switch {
	case a.Trusted:
		return "yes"
	case a.NoWorse:
		return "no worse than before"
	}
	return "no: " + cell(strings.Join(a.Reasons, "; "))
}

// cell shows a text inside of a table or a list in Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "\n", " ").Replace(text)
}
