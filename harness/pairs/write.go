package pairs

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/layout"
	"agentd/internal/printable"
)

// Formats in which one pair's score is written.
const (
	Text  = "text"
	JSON  = "json"
	JUnit = "junit"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{Text, JSON, JUnit} }

// Write writes the score of a pair. name says which pair it is. minStrict is what Strict has to
// reach, from 0 to 1: a JUnit test fails below it.
func (s *Scored) Write(w io.Writer, format, name string, minStrict float64) error {
	switch format {
	case JSON:
		return s.writeJSON(printable.ForJSON(w), name)
	case JUnit:
		return s.writeJUnit(printable.ForPrograms(w), name, minStrict)
	}
	return s.writeText(w)
}

// Write writes a graded step, as Text or JSON.
func (g *Graded) Write(w io.Writer, format string) error {
	if format == JSON {
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		return encoder.Encode(g)
	}
	screen := layout.ScreenOf(w)
	t := layout.NewTable(2, "number", "value", "what it is")
	t.Columns[2].Number = false
	done := "no"
	if g.Done {
		done = "yes"
	}
	t.Row("done", done, "all files asked for are there, and one holds something new")
	for _, row := range []struct {
		name  string
		value float64
		what  string
	}{
		{"forward", g.Forward, "how much of what the exact program makes is there"},
		{"idle", g.Idle, "the same of doing nothing"},
		{"progress", g.Progress, "how far from doing nothing to what the exact program makes"},
		{"kept", g.Kept, "what the edit must not touch and is there unchanged"},
		{"reward", g.Reward, "progress × kept; 0 unless done"},
	} {
		t.Row(row.name, fmt.Sprintf("%.4f", row.value), row.what)
	}
	text := t.String(screen)
	for _, file := range g.Files {
		text += screen.Paragraph(printable.Line(file), 2)
	}
	_, err := io.WriteString(printable.Exact(w), text)
	return err
}

// basisNames name a value by what it is.
var basisNames = map[domains.Basis]string{
	domains.Computed: "RS", domains.Opinion: "RS (judged)", domains.Fallback: "similarity of texts, no score",
	domains.Own: "strict (no other is published)",
}

// basisNotes say what a value tells.
var basisNotes = map[domains.Basis]string{
	domains.Computed: "what survives, as the published evaluator scores it", domains.Opinion: "what survives, as the judge sees it",
	domains.Fallback: "how alike the texts are; only a judge could score them", domains.Own: "what survives, by the format's own rules",
}

func (s *Scored) writeText(w io.Writer) error {
	screen := layout.ScreenOf(w)
	info, score := s.Domain.Info(), s.Score
	t := layout.NewTable(2, "number", "value", "what it is")
	t.Columns[2].Number = false
	value := func(v float64) string { return fmt.Sprintf("%.4f", v) }
	t.Row(basisNames[score.Basis], value(score.Value), basisNotes[score.Basis])
	for _, component := range info.Components {
		t.Row("· "+component, value(score.Components[component]), "part of RS")
	}
	t.Row("Strict", value(score.Strict), "1 only if nothing that matters changed, additions included")
	for _, why := range s.Why() {
		t.Row("· "+why.Element, "", why.String())
	}
	t.Row(info.Element+"s", fmt.Sprintf("%d of %d", score.Elements.Candidate, score.Elements.Reference), "counted in the candidate, of those in the reference")
	text := ""
	for _, warning := range s.Warnings {
		text += screen.Paragraph("careful: "+warning, 2)
	}
	text += t.String(screen)
	if score.Problem != "" {
		text += screen.Paragraph("problem: "+score.Problem, 2)
	}
	if score.Approximate != "" {
		text += screen.Paragraph("approximate: "+score.Approximate, 2)
	}
	for _, difference := range s.Differences {
		text += screen.Paragraph(printable.Line(difference.String()), 2)
	}
	_, err := io.WriteString(printable.Exact(w), text)
	return err
}

// Why says what became of the elements of one kind: why Strict is what it is.
type Why struct {
	Element   string `json:"element"`   // the kind, as in "transaction"
	Reference int    `json:"reference"` // elements of the kind in the reference
	Changed   int    `json:"changed"`
	Lost      int    `json:"lost"`
	Added     int    `json:"added"`
	Moved     int    `json:"moved"`
	// Emptied are the fields that are gone from elements which are still there.
	Emptied int `json:"fields_lost,omitempty"`
}

// String is as in "12 of 1,204 changed, 3 lost".
func (w Why) String() string {
	var parts []string
	of, fields := " of "+layout.Thousands(w.Reference), "fields lost"
	if w.Emptied == 1 {
		fields = "field lost"
	}
	for _, part := range []struct {
		n    int
		what string
	}{{w.Changed, "changed"}, {w.Lost, "lost"}, {w.Moved, "moved"}, {w.Added, "added"}, {w.Emptied, fields}} {
		if part.n == 0 {
			continue
		}
		if part.what == "added" {
			of = ""
		}
		parts = append(parts, layout.Thousands(part.n)+of+" "+part.what)
		of = ""
	}
	return strings.Join(parts, ", ")
}

// Why lists what became of the elements, kind by kind in the order of the differences. An
// element of which several fields changed counts once.
func (s *Scored) Why() []Why {
	var all []Why
	seen := map[string]bool{}
	for i, difference := range s.Differences {
		part := s.parts[i]
		at := slices.IndexFunc(all, func(w Why) bool { return w.Element == part.Element })
		if at < 0 {
			at = len(all)
			all = append(all, Why{Element: part.Element, Reference: s.counts[part.Element]})
		}
		w := &all[at]
		switch difference.Kind {
		case domains.Lost:
			w.Lost++
		case domains.Added:
			w.Added++
		case domains.Moved:
			w.Moved++
		default:
			if difference.Gone {
				w.Emptied++
			}
			element := part.Element + "\x00" + strings.TrimSuffix(difference.Where, part.Field)
			if !seen[element] {
				seen[element] = true
				w.Changed++
			}
		}
	}
	return all
}

// difference is a domains.Difference in JSON.
type difference struct {
	Change  string `json:"change"`
	Element string `json:"element"`
	Field   string `json:"field,omitempty"`
	Where   string `json:"where"`
	Was     string `json:"was"`
	Is      string `json:"is"`
}

// listed are differences in JSON, never nil.
func listed(found []domains.Difference, parts []domains.Part) []difference {
	all := make([]difference, len(found))
	for i, d := range found {
		all[i] = difference{d.Verdict().String(), parts[i].Element, parts[i].Field, d.Where, d.Was, d.Is}
	}
	return all
}

func (s *Scored) writeJSON(w io.Writer, name string) error {
	answer := answerOf(name, s.Domain.Info().Name, s.Score)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		scored
		Warnings    []string     `json:"warnings,omitempty"`
		Why         []Why        `json:"why"`
		Differences []difference `json:"differences"`
	}{answer, s.Warnings, append([]Why{}, s.Why()...), listed(s.Differences, s.parts)})
}

func (s *Scored) writeJUnit(w io.Writer, name string, minStrict float64) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *failure `xml:"failure"`
		Output  string   `xml:"system-out,omitempty"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: "agentd score", Tests: 1}
	var lines []string
	for _, warning := range s.Warnings {
		lines = append(lines, "careful: "+warning)
	}
	for _, difference := range s.Differences {
		lines = append(lines, difference.String())
	}
	text := strings.Join(lines, "\n")
	one := testCase{Name: name, Class: s.Domain.Info().Name, Output: fmt.Sprintf("RS %.4f, Strict %.4f", s.Score.Value, s.Score.Strict)}
	if s.Score.Strict < minStrict {
		suite.Failures = 1
		one.Failure = &failure{fmt.Sprintf("Strict is %.4f, below %.4f", s.Score.Strict, minStrict), text}
	}
	suite.Cases = []testCase{one}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
