package screenplay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// fountain writes a play in Fountain.
func fountain(p struct{ Document, To, Title string }) exact.Steps {
	forward := func(head, body []block) (vfs.Files, error) {
		all, err := inFountain(head, body)
		return vfs.Files{p.To: printed(append([]paragraph{{"Title: " + p.Title}}, all...))}, err
	}
	return steps(p.Document, forward, func(files vfs.Files) (head, body []paragraph, err error) {
		text, err := plain.File(files, p.To)
		if err != nil {
			return nil, nil, err
		}
		return parted(fromFountain(text), p.To)
	})
}

func inFountain(head, body []block) (all []paragraph, err error) {
	for len(head) > 0 {
		n := 0
		for n < len(head) && head[n].in == cast {
			n++
		}
		if n > 0 {
			note := printed(written(head[:n]))
			all = append(all, paragraph{"/*\n" + note + "*/"})
			head = head[n:]
			continue
		}
		all = append(all, head[0].lines)
		head = head[1:]
	}
	for i := range body {
		p, err := body[i].fountain()
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (b *block) fountain() (paragraph, error) {
	if b.kind == counted {
		return append(paragraph{b.cue()}, b.text()...), nil
	}
	if lines, ok := b.unwrapped(); ok {
		lines[0] = "!" + lines[0]
		return lines, nil
	}
	if p := fromAction(b.lines); p[0] != b.lines[0] {
		return nil, fmt.Errorf("%q would be read as something else in Fountain", b.lines[0])
	}
	return b.lines, nil
}

func fromFountain(text string) (all []paragraph) {
	note, spoken := false, false // within /* and */; below the heading of the dialogue
	for n, p := range paragraphs(text) {
		if n == 0 && strings.HasPrefix(p[0], "Title:") {
			continue
		}
		if p[0] == "/*" {
			note, p = true, p[1:]
		}
		shut := note && len(p) > 0 && p[len(p)-1] == "*/"
		if shut {
			p = p[:len(p)-1]
		}
		switch {
		case len(p) == 0:
		case note || !spoken:
			_, in, _, ok := cutHeading(p[0])
			spoken = ok && in == dialogue
			all = append(all, p)
		default:
			all = append(all, fromAction(p))
		}
		note = note && !shut
	}
	return all
}

// fromAction is a paragraph of Fountain as a play has it.
func fromAction(p paragraph) paragraph {
	if text, forced := strings.CutPrefix(p[0], "!"); forced {
		return wrapped(append(paragraph{text}, p[1:]...))
	}
	if len(p) == 1 || strings.HasPrefix(p[0], "#") {
		return p
	}
	if l, rest, ok := cutLabel(p[0] + ":"); ok && rest == "" && isCapitals(l.name) {
		return append(paragraph{p[0] + ": " + p[1]}, p[2:]...)
	}
	return p
}

var promptHeadings = [...]string{cast: "## Characters", scene: "## Scene", dialogue: "## Dialogue"}

// book is a play with its cast and dialogue in tables of Markdown.
type book struct{ Document, To, Title string }

// markdown writes a play in Markdown.
func markdown(p book) exact.Steps { return steps(p.Document, p.write, p.read) }

func (p *book) write(head, body []block) (vfs.Files, error) {
	if text := printed(written(slices.Concat(head, body))); strings.Contains(text, "<br>") || strings.Contains(text, `\`) {
		return nil, errors.New(`<br> and \ cannot be told from those of a table`)
	}
	all := []paragraph{{"# " + p.Title}}
	for i := range head {
		b := &head[i]
		switch {
		case b.kind == heading && b.in != front && b.name == sectionNames[b.in]:
			all = append(all, paragraph{promptHeadings[b.in]})
		case b.kind == character:
			if head[i-1].kind != character {
				all = append(all, paragraph{"| name | description |", "| --- | --- |"})
			}
			table := &all[len(all)-1]
			*table = append(*table, row(b.name, cell(b.text())))
		case b.kind == prose:
			all = append(all, b.lines)
		default:
			return nil, fmt.Errorf("%q has no place above the dialogue", b.lines[0])
		}
	}
	table := paragraph{"| no | who | how | line |", "| --- | --- | --- | --- |"}
	spoken := 0
	for i := range body {
		b := &body[i]
		if b.kind != counted {
			table = append(table, b.promptRow())
			continue
		}
		spoken++
		how, line := cutManner(cell(b.text()))
		table = append(table, row(strconv.Itoa(spoken), b.cue(), how, line))
	}
	return vfs.Files{p.To: printed(append(all, table))}, nil
}

// promptRow is the row of what is no speech.
func (b *block) promptRow() string {
	if lines, ok := b.unwrapped(); ok {
		return row("", "", "stage", cell(lines))
	}
	return row("", "", "text", cell(b.lines))
}

// cutManner takes the parenthetical off a text that it opens.
func cutManner(text string) (manner, rest string) {
	shut := strings.Index(text, ") ")
	if shut < 0 || !isPair(text[:shut+1], '(', ')') || shut == 1 {
		return "", text
	}
	return text[1:shut], text[shut+2:]
}

func cell(lines []string) string {
	return strings.ReplaceAll(strings.Join(lines, "<br>"), "|", `\|`)
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// cells reads what row writes.
func cells(line string, count int) ([]string, bool) {
	const bar = "\x00"
	line = strings.ReplaceAll(line, `\|`, bar)
	inside, opened := strings.CutPrefix(line, "|")
	inside, shut := strings.CutSuffix(inside, "|")
	all := strings.Split(inside, "|")
	for i := range all {
		all[i] = strings.ReplaceAll(pytext.Strip(all[i]), bar, "|")
	}
	return all, opened && shut && len(all) == count
}

func (p *book) read(files vfs.Files) (head, body []paragraph, err error) {
	text, err := plain.File(files, p.To)
	if err != nil {
		return nil, nil, err
	}
	in := front
	for _, lines := range paragraphs(text) {
		switch {
		case lines[0] == "# "+p.Title:
		case in < dialogue && isPromptHeading(lines[0], &in):
			head = append(head, paragraph{"# " + sectionNames[in] + ":"})
		case in == cast && strings.HasPrefix(lines[0], "|"):
			head = append(head, castRows(lines))
		case in < dialogue:
			head = append(head, lines)
		default:
			body = append(body, dialogueRows(lines)...)
		}
	}
	if len(body) == 0 {
		err = fmt.Errorf("%s: no dialogue found", p.To)
	}
	return head, body, err
}

// isPromptHeading reports whether a line begins a section, and which.
func isPromptHeading(line string, in *section) bool {
	for s := cast; s <= dialogue; s++ {
		if promptHeadings[s] == line {
			*in = s
			return true
		}
	}
	return false
}

func castRows(table paragraph) paragraph {
	var entries paragraph
	for n, line := range table {
		c, ok := cells(line, 2)
		if n < 2 || !ok {
			continue // the header
		}
		entry := "- " + c[0]
		if c[1] != "" {
			entry += ": " + c[1]
		}
		entries = append(entries, strings.Split(entry, "<br>")...)
	}
	return entries
}

func dialogueRows(table paragraph) []paragraph {
	var all []paragraph
	for n, line := range table {
		c, ok := cells(line, 4)
		if n < 2 || !ok {
			continue // the header
		}
		who, how, lines := c[1], c[2], strings.Split(c[3], "<br>")
		switch {
		case who == "" && how == "stage":
			all = append(all, wrapped(lines))
		case who == "":
			all = append(all, lines)
		default:
			if how != "" {
				lines[0] = "(" + how + ") " + lines[0]
			}
			lines[0] = who + ": " + lines[0]
			all = append(all, lines)
		}
	}
	return all
}
