package compare

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/vfs"
)

// The output formats.
const (
	Text     = "text"
	JSON     = "json"
	Markdown = "markdown"
	JUnit    = "junit"
)

// Formats returns the formats that Write accepts.
func Formats() []string { return []string{Text, JSON, Markdown, JUnit} }

// Write writes the report in one of the Formats. Only text has colours. An unknown format is a usage error.
func (r *Report) Write(w io.Writer, format string, coloured bool) error {
	switch format {
	case Text:
		return r.text(w, coloured)
	case JSON:
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	case Markdown:
		return r.markdown(w)
	case JUnit:
		return r.junit(w)
	}
	return usage.Unknown("format", format, Formats())
}

// text writes a line for each document whose bytes differ, and one for each of its changes.
func (r *Report) text(w io.Writer, coloured bool) error {
	var b strings.Builder
	style := StyleOf(w)
	style.Coloured = coloured
	for i := range r.Documents {
		d := &r.Documents[i]
		if d.Status == Same && d.Bytes == nil {
			continue
		}
		fmt.Fprintf(&b, "%s\n", d.heading())
		b.WriteString(style.Broken(d.Broken, d.Name) + style.Text(d.Warnings, d.Differences, All))
		if words := d.bytesApart(); words != "" {
			style.line(&b, KindBytes, printable.Line(words))
		}
	}
	for _, s := range r.Skipped {
		b.WriteString(printable.Sprintf("%s: not compared: %s\n", s.Path, s.Why))
	}
	b.WriteString(r.summary() + "\n")
	if coloured {
		w = printable.Exact(w) // escapes in the documents' texts are already removed
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading returns one line about a document: its name, domain and status.
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
	note := d.Note
	if words := d.Bytes.Words(); d.bytesApart() == "" && words != "" {
		note = joined(note, KindBytes+": "+words)
	}
	if note != "" {
		line += " (" + note + ")"
	}
	return printable.Line(line)
}

// KindBytes is the label of lines about the bytes of a document.
const KindBytes = "bytes"

// bytesApart returns the changes of the bytes for a line after the other changes. If there are none, the heading shows them instead.
func (d *Document) bytesApart() string {
	if d.Status == Same {
		return ""
	}
	return d.Bytes.Words()
}

// BytesChanges returns the changes of the bytes as differences, for rules.
func (d *Document) BytesChanges() []Difference {
	if d.Bytes == nil {
		return nil
	}
	all := make([]Difference, len(d.Bytes.Changes))
	for i, c := range d.Bytes.Changes {
		all[i] = Difference{Kind: KindBytes, Element: c.What, Where: c.File + ", " + c.What, Was: c.Was, Is: c.Is}
	}
	return all
}

// floored converts a share to a percentage with two decimals, rounded down so that only 1 gives 100.
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
	for _, status := range []Status{Same, Renamed, Changed, Added, Removed, Unreadable} {
		if n := documents[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) == 0 {
		return "documents: none"
	}
	line := "documents: " + strings.Join(parts, ", ")
	parts = nil
	for _, kind := range Kinds() {
		if n := kinds[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if len(parts) > 0 {
		line += "; in them: " + strings.Join(parts, ", ")
	}
	return line
}

// mostShown is how many changes of one document Markdown and JUnit name at most.
const mostShown = 100

// markdown writes a section for each document that changed, for comments on a pull request.
func (r *Report) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", printable.Markdown(r.summary()))
	for i := range r.Documents {
		d := &r.Documents[i]
		if d.Status == Same && d.Bytes == nil {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n", printable.Markdown(d.heading()))
		for _, line := range d.BrokenLines() {
			fmt.Fprintf(&b, "**%s**\n\n", printable.Markdown(line))
		}
		for _, warning := range d.Warnings {
			fmt.Fprintf(&b, "**"+careful+": %s**\n\n", printable.Markdown(warning))
		}
		if len(d.Differences) > 0 {
			b.WriteString("| | what | where | was | is |\n|---|---|---|---|---|\n")
		}
		for _, c := range d.Differences[:min(len(d.Differences), mostShown)] {
			cells := []string{c.Kind, c.Element, c.Where, c.Was, c.Is}
			for k := range cells {
				cells[k] = printable.Markdown(cells[k])
			}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
		if more := more(d.Differences, mostShown); more != "" {
			fmt.Fprintf(&b, "\n%s\n", more)
		}
		if words := d.bytesApart(); words != "" {
			fmt.Fprintf(&b, "\n"+KindBytes+": %s\n", printable.Markdown(words))
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "\n%s: not compared: %s\n", printable.Markdown(s.Path), printable.Markdown(s.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// junit writes a test for each document, which fails if the document means something else.
func (r *Report) junit(w io.Writer) error {
	suite := Suite{Name: "agentd diff"}
	for i := range r.Documents {
		d := &r.Documents[i]
		c := Case{Name: printable.Line(d.Name), Class: d.Domain}
		if words := d.Bytes.Words(); words != "" {
			c.Output = printable.Line(KindBytes + ": " + words)
		}
		if r.Fails == nil && d.Status != Same || r.Fails != nil && r.Fails(*d) {
			c.Failure = &Reason{Message: d.heading(), Text: strings.Join(append(d.BrokenLines(), Lines(d.Warnings, d.Differences, mostShown)...), "\n")}
		}
		suite.Add(c)
	}
	var all Suites
	all.Add(suite)
	return WriteJUnit(w, all)
}

// Listing lists the elements of a document, one per line, for programs that compare lines. If the domain is nil, it
// is detected.
func Listing(at string, domain domains.Domain) (string, error) {
	s, err := read(at, false)
	if err != nil {
		return "", err
	}
	s.rename(fitting(s.name, domain))
	var b strings.Builder
	for _, pair := range Pairs(s.files, nil, domain) {
		read, isText := pair.texts()
		if isText {
			pair.Before = read.before
		}
		pair.Before = pair.asRead(pair.Before)
		elements := []domains.Element{}
		if pair.Domain != nil && !pair.Domain.Info().Binary {
			elements = pair.Domain.Elements(pair.Before)
		} else {
			for _, name := range pair.Before.Names() {
				content := pair.Before[name]
				switch {
				case isText:
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
