package compare

import (
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Formats are the forms in which a report can be written.
func Formats() []string { return []string{"text", "json", "markdown", "junit"} }

// Write writes the report in one of the Formats. Colours are for text alone. An unknown format
// is a usage error.
func (r *Report) Write(w io.Writer, format string, coloured bool) error {
	switch format {
	case "text":
		return r.text(w, coloured)
	case "json":
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	case "markdown":
		return r.markdown(w)
	case "junit":
		return r.junit(w)
	}
	return usage.Unknown("format", format, Formats())
}

// colours of the kinds of changes.
var colours = map[string]text.Color{
	domains.Lost.String(): text.FgRed, domains.Added.String(): text.FgGreen,
	domains.Changed.String(): text.FgYellow, domains.Moved.String(): text.FgCyan,
}

// text writes a line for each document that is not the same to the letter, and one for each of
// its changes.
func (r *Report) text(w io.Writer, coloured bool) error {
	var b strings.Builder
	for i := range r.Documents {
		d := &r.Documents[i]
		if d.Status == Same {
			continue
		}
		fmt.Fprintf(&b, "%s\n", d.heading())
		for _, warning := range d.Warnings {
			kind := "careful"
			if coloured {
				kind = text.Colors{text.FgRed, text.Bold}.EscapeSeq() + kind + text.EscapeReset
			}
			b.WriteString("  " + kind + "  " + printable.Line(warning) + "\n")
		}
		for _, c := range d.Changes {
			kind := fmt.Sprintf("%-7s", c.Kind)
			if coloured {
				kind = "\x1b[" + fmt.Sprint(int(colours[c.Kind])) + "m" + kind + "\x1b[0m"
			}
			b.WriteString("  " + kind + "  " + printable.Line(c.said) + "\n")
		}
	}
	for _, s := range r.Skipped {
		b.WriteString(printable.Sprintf("%s: not compared: %s\n", s.Path, s.Why))
	}
	b.WriteString(r.summary() + "\n")
	if coloured {
		w = printable.Exact(w) // every text in it is shown harmlessly already
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading is a line about a document.
func (d *Document) heading() string {
	parts := []string{d.Name}
	if d.Domain != "" {
		parts = append(parts, d.Domain)
	}
	parts = append(parts, string(d.Status))
	if d.Status == Changed || d.Status == Unreadable {
		parts = append(parts, fmt.Sprintf("%.2f %% survive", floored(d.Strict)))
	}
	line := strings.Join(parts, "  ")
	if d.Note != "" {
		line += " (" + d.Note + ")"
	}
	return printable.Line(line)
}

// floored is a share as a percentage of two decimals, never rounded up to 100.
func floored(share float64) float64 {
	const hundredths = 10_000
	return float64(int(share*hundredths)) / (hundredths / 100)
}

// summary counts documents and changes in one line.
func (r *Report) summary() string {
	documents, kinds := map[Status]int{}, map[string]int{}
	for i := range r.Documents {
		documents[r.Documents[i].Status]++
		for kind, n := range r.Documents[i].Counts() {
			kinds[kind] += n
		}
	}
	var parts []string
	for _, status := range []Status{Same, Changed, Added, Removed, Unreadable} {
		if n := documents[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) == 0 {
		return "documents: none"
	}
	line := "documents: " + strings.Join(parts, ", ")
	parts = nil
	for _, kind := range []domains.Change{domains.Lost, domains.Added, domains.Changed, domains.Moved} {
		if n := kinds[kind.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if len(parts) > 0 {
		line += "; in them: " + strings.Join(parts, ", ")
	}
	return line
}

// mostShown bounds the changes of one document that Markdown and JUnit name.
const mostShown = 100

// markdown writes a section for each document that is not the same, for comments on a pull request.
func (r *Report) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", markdownText(r.summary()))
	for i := range r.Documents {
		d := &r.Documents[i]
		if d.Status == Same {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n", markdownText(d.heading()))
		for _, warning := range d.Warnings {
			fmt.Fprintf(&b, "**careful: %s**\n\n", markdownText(warning))
		}
		if len(d.Changes) > 0 {
			b.WriteString("| | what | where | was | is |\n|---|---|---|---|---|\n")
		}
		for _, c := range d.Changes[:min(len(d.Changes), mostShown)] {
			cells := []string{c.Kind, c.Element, c.Where, c.Was, c.Is}
			for k := range cells {
				cells[k] = markdownText(cells[k])
			}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
		if more := len(d.Changes) - mostShown; more > 0 {
			fmt.Fprintf(&b, "\nand %d more\n", more)
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "\n%s: not compared: %s\n", markdownText(s.Path), markdownText(s.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownText is a text on one line in which nothing is markup, and that mentions no user.
func markdownText(s string) string {
	var b strings.Builder
	for _, c := range printable.Line(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&@", c) {
			fmt.Fprintf(&b, "&#%d;", c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// suites are test suites as JUnit's XML has them.
type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suite   suite    `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Failure *failure `xml:"failure"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit writes a test for each document, which fails if the document means something else.
func (r *Report) junit(w io.Writer) error {
	all := suites{Suite: suite{Name: "agentd diff", Tests: len(r.Documents)}}
	for i := range r.Documents {
		d := &r.Documents[i]
		c := testCase{Name: printable.Line(d.Name), Class: d.Domain}
		if d.Status != Same {
			all.Suite.Failures++
			c.Failure = &failure{d.heading(), d.list()}
		}
		all.Suite.Cases = append(all.Suite.Cases, c)
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}

// list has a line for each change.
func (d *Document) list() string {
	var lines []string
	for _, warning := range d.Warnings {
		lines = append(lines, "careful: "+printable.Line(warning))
	}
	for _, c := range d.Changes[:min(len(d.Changes), mostShown)] {
		lines = append(lines, c.Kind+" "+printable.Line(c.said))
	}
	if more := len(d.Changes) - mostShown; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// Listing is what a document holds as its reader sees it, an element to a line, for programs
// that compare lines. A nil domain finds out.
func Listing(at string, domain domains.Domain) (string, error) {
	s, err := read(at, false)
	if err != nil {
		return "", err
	}
	s.rename(fitting(s.name, domain))
	var b strings.Builder
	for _, pair := range Pairs(s.files, nil, domain) {
		pair.Before = pair.asRead(pair.Before)
		elements := []domains.Element{}
		if pair.Domain != nil && !pair.Domain.Info().Binary {
			elements = pair.Domain.Elements(pair.Before)
		} else {
			for _, name := range pair.Before.Names() {
				content := pair.Before[name]
				switch {
				case isText(pair.Before, name):
					b.WriteString(content)
				case vfs.Binary(name):
					fmt.Fprintf(&b, "%s: %s, sha256 %.12x\n", printable.Line(name), picture.Describe(content), sha256.Sum256([]byte(content)))
				default:
					fmt.Fprintf(&b, "%s: %s\n", printable.Line(name), size(content, true))
				}
			}
		}
		for _, e := range elements {
			fields := slices.Clone(e.Fields)
			slices.SortStableFunc(fields, func(x, y domains.Field) int { return strings.Compare(x.Name, y.Name) })
			b.WriteString(e.Kind + " " + printable.Line(e.Key))
			for _, f := range fields {
				b.WriteString("; " + strings.TrimPrefix(printable.Line(f.Name)+"="+printable.Line(f.Value), "="))
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}
