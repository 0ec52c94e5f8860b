package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/charset"
	"agentd/internal/fidelity"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/vfs"
)

// Scored is the score of a candidate against a reference.
type Scored struct {
	ID         string             `json:"id"`
	Domain     string             `json:"domain"`
	Score      float64            `json:"score"`
	Strict     float64            `json:"strict"`
	Components map[string]float64 `json:"components"`
	Elements   domains.Elements   `json:"elements"`
	Problem    string             `json:"problem"`
	// Basis is set if Score is not computed: it is a judge's opinion, or a fallback that is not a score.
	Basis domains.Basis `json:"basis,omitempty"`
	// Approximate names the limits on work that were reached; the score is then approximate.
	Approximate string `json:"approximate,omitempty"`
	// Broken lists the new syntax errors, see Document.Broken. No number depends on it. Name sets Broken, Warnings, Why
	// and Differences.
	Broken []Slip `json:"broken,omitempty"`
	// Warnings are those of domains.Warnings.
	Warnings    []string           `json:"warnings,omitempty"`
	Why         []Why              `json:"why,omitzero"`
	Differences []scoredDifference `json:"differences,omitzero"`
	// Bytes is what became of the bytes, as Document.Bytes; nil if they were kept or NameBytes was not called.
	Bytes *fidelity.Kept `json:"bytes,omitempty"`

	info  domains.Info
	found []Difference
	only  string // name of the candidate's file, if it has only one
}

// scoredDifference is the JSON form of a Difference in a score.
type scoredDifference struct {
	Kind    string `json:"change"`
	Element string `json:"element"`
	Field   string `json:"field,omitempty"`
	Where   string `json:"where"`
	Was     string `json:"was"`
	Is      string `json:"is"`
}

// ScoredBy converts a domain's score of a candidate. It names no differences; call Name for that.
func ScoredBy(d domains.Domain, score domains.Score) Scored {
	components := score.Components
	if components == nil {
		components = map[string]float64{}
	}
	info := d.Info()
	return Scored{
		Domain: info.Name, Score: score.RS, Strict: score.Strict, Components: components, Elements: score.Elements,
		Problem: score.Problem, Basis: score.Basis, Approximate: score.Approximate, info: info,
	}
}

// Name names the differences between the documents that were scored, and warnings.
func (s *Scored) Name(d domains.Domain, reference, candidate vfs.Files) {
	against := d.Against(reference)
	s.found = DifferencesOf(against.Review(candidate))
	s.Broken = against.Broken(candidate)
	if len(candidate) == 1 {
		s.only = candidate.Names()[0]
	}
	s.Warnings = domains.Warnings(d, reference, candidate)
	s.Why = why(s.found, d.Elements(reference))
	s.Differences = make([]scoredDifference, len(s.found))
	for i, difference := range s.found {
		s.Differences[i] = scoredDifference(difference)
	}
}

// NameBytes says what became of the bytes, after Name. The files are as on the disk, in encodings of their own.
func (s *Scored) NameBytes(reference, candidate vfs.Files, assumed charset.Encoding) {
	if len(reference) == 1 && len(candidate) == 1 { // they are one document under any names
		candidate = vfs.Files{reference.Names()[0]: candidate[candidate.Names()[0]]}
	}
	if !reference.HasBinary() {
		s.Bytes = bytesOf(reference, candidate, assumed, s.found)
	}
}

// bytesOf is what became of the bytes of a document outside of its differences.
func bytesOf(before, after vfs.Files, assumed charset.Encoding, differences []Difference) *fidelity.Kept {
	var changed []string
	for _, d := range differences {
		changed = append(changed, d.Where, d.Was, d.Is)
	}
	return fidelity.Of(before, after, assumed, changed)
}

// ScoreFormats returns the formats that Write accepts.
func ScoreFormats() []string { return []string{Text, JSON, JUnit} }

// Write writes the score in one of the ScoreFormats. A JUnit test fails if Strict is below minStrict, from 0 to 1.
func (s *Scored) Write(w io.Writer, format string, minStrict float64) error {
	switch format {
	case JSON:
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		return encoder.Encode(s)
	case JUnit:
		return s.junit(w, minStrict)
	}
	return s.text(w)
}

func (s *Scored) junit(w io.Writer, minStrict float64) error {
	c := Case{Name: printable.Line(s.ID), Class: s.Domain, Output: fmt.Sprintf("RS %.4f, Strict %.4f", s.Score, s.Strict)}
	lines := brokenLines(s.Broken, s.only)
	if s.Strict < minStrict {
		c.Failure = &Reason{
			Message: fmt.Sprintf("Strict is %.4f, below %.4f", s.Strict, minStrict),
			Text:    strings.Join(append(lines, Lines(s.Warnings, s.found, mostShown)...), "\n"),
		}
	} else if len(lines) > 0 {
		c.Output += "\n" + strings.Join(lines, "\n")
	}
	if words := s.Bytes.Words(); words != "" {
		c.Output += "\n" + printable.Line(KindBytes+": "+words)
	}
	suite := Suite{Name: "agentd score"}
	suite.Add(c)
	return WriteJUnit(w, suite)
}

// basisNames are the labels of a value by its basis.
var basisNames = map[domains.Basis]string{
	domains.Computed: "RS", domains.Opinion: "RS (judged)", domains.Fallback: "similarity of texts, no score",
	domains.Own: "strict (no other is published)",
}

// basisNotes explain a value by its basis.
var basisNotes = map[domains.Basis]string{
	domains.Computed: "what survives, as the published evaluator scores it", domains.Opinion: "what survives, as the judge sees it",
	domains.Fallback: "how alike the texts are; only a judge could score them", domains.Own: "what survives, by the format's own rules",
}

func (s *Scored) text(w io.Writer) error {
	screen := layout.ScreenOf(w)
	t := layout.NewTable(2, "number", "value", "what it is")
	t.Columns[2].Number = false
	value := func(v float64) string { return fmt.Sprintf("%.4f", v) }
	t.Row(basisNames[s.Basis], value(s.Score), basisNotes[s.Basis])
	for _, component := range s.info.Components {
		t.Row("· "+component, value(s.Components[component]), "part of RS")
	}
	t.Row("Strict", value(s.Strict), "1 only if nothing that matters changed, additions included")
	for _, why := range s.Why {
		t.Row("· "+why.Element, "", why.String())
	}
	t.Row(s.info.Element+"s", fmt.Sprintf("%d of %d", s.Elements.Candidate, s.Elements.Reference), "counted in the candidate, of those in the reference")
	style := StyleOf(w)
	text := style.Broken(s.Broken, s.only) + style.Text(s.Warnings, nil, All) + t.String(screen)
	if s.Problem != "" {
		text += screen.Paragraph("problem: "+s.Problem, 2)
	}
	if s.Approximate != "" {
		text += screen.Paragraph("approximate: "+s.Approximate, 2)
	}
	text += style.Text(nil, s.found, All)
	if words := s.Bytes.Words(); words != "" {
		var line strings.Builder
		style.line(&line, KindBytes, printable.Line(words))
		text += line.String()
	}
	_, err := io.WriteString(printable.Exact(w), text)
	return err
}

// Why counts the lost, added, changed and moved elements of one kind, which explain why Strict is below 1.
type Why struct {
	Element   string `json:"element"`   // the kind, as in "transaction"
	Reference int    `json:"reference"` // elements of the kind in the reference
	Changed   int    `json:"changed"`
	Lost      int    `json:"lost"`
	Added     int    `json:"added"`
	Moved     int    `json:"moved"`
	// FieldsLost are the fields that are missing from elements that still exist.
	FieldsLost int `json:"fields_lost,omitempty"`
}

// String is as in "3 of 1,204 lost, 12 changed".
func (w Why) String() string {
	var parts []string
	of, fields := " of "+layout.Thousands(w.Reference), "fields lost"
	if w.FieldsLost == 1 {
		fields = "field lost"
	}
	for _, part := range []struct {
		n    int
		what string
	}{{w.Lost, "lost"}, {w.Changed, "changed"}, {w.Added, "added"}, {w.Moved, "moved"}, {w.FieldsLost, fields}} {
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

// why lists what became of the elements, kind by kind in the order of the differences. An
// element of which several fields changed counts once.
func why(differences []Difference, reference []domains.Element) []Why {
	all := []Why{}
	of, seen := map[string]int{}, map[string]bool{}
	for _, e := range reference {
		of[e.Kind]++
	}
	for _, d := range differences {
		at := slices.IndexFunc(all, func(w Why) bool { return w.Element == d.Element })
		if at < 0 {
			at = len(all)
			all = append(all, Why{Element: d.Element, Reference: of[d.Element]})
		}
		w := &all[at]
		switch {
		case d.Kind == domains.Lost.String() && d.Field == "":
			w.Lost++
			continue
		case d.Kind == domains.Added.String():
			w.Added++
			continue
		case d.Kind == domains.Moved.String():
			w.Moved++
			continue
		case d.Kind == domains.Lost.String():
			w.FieldsLost++
		}
		element := d.Element + "\x00" + strings.TrimSuffix(d.Where, d.Field)
		if !seen[element] {
			seen[element] = true
			w.Changed++
		}
	}
	return all
}
