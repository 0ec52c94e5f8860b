package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/internal/layout"
	"agentd/internal/printable"
)

const (
	mostBriefArms    = 12
	mostBriefReasons = 5
)

// Brief writes one page of text: how much survives with each arm, a comparison of the policies, why
// interactions failed, and where to find more. demanded names the sections made only on request.
func (r *Report) Brief(w io.Writer, screen layout.Screen, demanded []string) error {
	all, err := r.Sections()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, one := range r.each() {
		one.briefArms(&b, screen)
	}
	isComparison := func(s Section) bool { return s.Name == "comparison" }
	var more []string
	tables := tableWriter{Screen: screen}
	for _, s := range forReaders(harmless(all)) {
		if isComparison(s) {
			for i := range s.Tables {
				tables.write(&b, &s.Tables[i])
			}
		} else if slices.ContainsFunc(s.Tables, func(t Table) bool { return !t.silent() }) {
			more = append(more, s.Name)
		}
	}
	for _, one := range r.each() {
		title := "Why interactions failed or changed nothing"
		if len(r.together) > 0 {
			title += ": " + printable.Line(one.Experiment.Name)
		}
		one.briefReasons(&b, title, screen)
	}
	tables.end(&b)
	for _, note := range r.Notes() {
		b.WriteString(screen.Paragraph(note, 2))
	}
	if len(more) > 0 {
		b.WriteString(screen.Paragraph(fmt.Sprintf("More sections: %s. %s prints one of them, %s all; %s read all documents, and so have to be named.",
			strings.Join(more, ", "), layout.Together("--section NAME"), "--all", strings.Join(demanded, ", ")), 2))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// briefArms writes the conditions of the experiment and a line for each arm.
func (r *Report) briefArms(b *strings.Builder, screen layout.Screen) {
	var heading strings.Builder
	r.state(&heading)
	for line := range strings.Lines(heading.String()) {
		b.WriteString(screen.Paragraph(strings.TrimSuffix(line, "\n"), 0))
	}
	if len(r.Arms) == 0 {
		return
	}
	b.WriteString("\n" + r.armsTable(r.Arms[:min(len(r.Arms), mostBriefArms)]).String(screen))
	if left := len(r.Arms) - mostBriefArms; left > 0 {
		b.WriteString(screen.Paragraph(fmt.Sprintf("And %s: --section survival.", count(left, "more arm")), 2))
	}
	b.WriteString("\n")
}

// briefReasons writes why interactions failed or changed nothing, the most frequent reasons first, each with an example.
func (r *Report) briefReasons(b *strings.Builder, title string, screen layout.Screen) {
	if len(r.Reasons) == 0 {
		return
	}
	b.WriteString(screen.Paragraph(title, 0) + "\n")
	t := layout.NewTable(2, "reason", "times", "%", "e.g. agentd trace")
	for _, reason := range r.Reasons[:min(len(r.Reasons), mostBriefReasons)] {
		t.Row(printable.Line(reason.what()), layout.Thousands(reason.Count), Percent.text(float64(reason.Count)/float64(max(r.Stored, 1))),
			layout.Together(fmt.Sprint(reason.Relay, " ", reason.Number)))
	}
	b.WriteString(t.String(screen))
	if len(r.Reasons) > mostBriefReasons {
		left := r.Reasons[mostBriefReasons:]
		b.WriteString(screen.Paragraph(fmt.Sprintf("And %s for %s: --all.", count(Failed(left), "interaction"), count(len(left), "other reason")), 2))
	}
	b.WriteString("\n")
}
