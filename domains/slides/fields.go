package slides

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/slides"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// marked is a text and what its mark says.
type marked struct {
	text       string
	x, y, font string   // as numbers are compared; empty if not given
	more       []string // further marks
	after      string   // what follows a placeholder
}

func (m *marked) fields(kind, name string) []domains.Field {
	fields := make([]domains.Field, 2, 6)
	fields[0], fields[1] = domains.Field{Name: "kind", Value: kind}, domains.Field{Name: name, Value: m.text}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("x", m.x)
	add("y", m.y)
	add("font", m.font)
	add("further marks", strings.Join(m.more, " "))
	add("text after", m.after)
	return fields
}

// readMarks takes the marks out of a text. A mark may have blanks in it and
// numbers with a sign or fraction; what is none stays in the text.
func readMarks(line string) marked {
	var m marked
	var text strings.Builder
	for {
		at := strings.Index(line, "[@(")
		if at < 0 {
			break
		}
		size := m.readMark(line[at:])
		if size == 0 {
			text.WriteString(line[:at+1])
			line = line[at+1:]
			continue
		}
		text.WriteString(line[:at] + " ")
		line = line[at+size:]
	}
	m.text = oneBlank(text.String() + line)
	return m
}

// emphasised is emphasis in the sign that stands for the same as a star.
var emphasised = lazyregexp.New(`(^|[\s(«“"'])_([^_\s](?:[^_]*[^_\s])?)_($|[\s).,;:!?»”"'\[])`)

// oneBlank is a text with one blank for each run of white space, and one sign of emphasis.
func oneBlank(text string) string {
	text = pytext.Strip(text)
	if strings.Contains(text, "_") {
		text = emphasised.ReplaceAllString(text, "$1*$2*$3")
	}
	if !strings.Contains(text, "  ") && !strings.ContainsAny(text, "\t\v\f\u00a0") {
		return text
	}
	return pytext.Collapse(text)
}

// readMark reads the mark that a text begins with and returns its length, 0 if it is none.
func (m *marked) readMark(text string) int {
	x, y, rest, ok := cutPair(text[1:])
	if !ok {
		return 0
	}
	font := ""
	if size, found := strings.CutPrefix(rest, "|"); found {
		if font, rest, ok = cutNumber(size, "pt"); !ok {
			return 0
		}
		rest = strings.TrimLeft(rest, " ")
	}
	if !strings.HasPrefix(rest, "]") {
		return 0
	}
	size := len(text) - len(rest) + 1
	if m.x == "" {
		m.x, m.y, m.font = x, y, font
	} else {
		m.more = append(m.more, oneBlank(text[:size]))
	}
	return size
}

// cutPair reads "@(x,y)" and the blanks after it.
func cutPair(text string) (x, y, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, "@("); !ok {
		return "", "", "", false
	}
	if x, rest, ok = cutNumber(rest, ","); ok {
		y, rest, ok = cutNumber(rest, ")")
	}
	return x, y, strings.TrimLeft(rest, " "), ok
}

// cutNumber reads a number with blanks around it and what must follow it.
func cutNumber(text, after string) (number, rest string, ok bool) {
	const longest = 24
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && end < longest && strings.IndexByte("+-.0123456789", text[end]) >= 0 {
		end++
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(text[end:], " "), after)
	return plain.Number(text[:end]), rest, ok && strings.ContainsAny(text[:end], "0123456789")
}

// readPlaceholder reads "[IMAGE: name @(x,y)]" and its like. A position may also stand in a mark.
func readPlaceholder(line string) marked {
	m := readMarks(line)
	inside, after, _ := strings.Cut(m.text, "]")
	m.after = pytext.Strip(after)
	_, name, _ := strings.Cut(inside, ":")
	if strings.HasPrefix(inside, "[TABLE") {
		name = strings.TrimLeft(inside[len("[TABLE"):], ": ")
	}
	m.text = pytext.Strip(name)
	if at := strings.LastIndex(name, "@("); at >= 0 && m.x == "" {
		if x, y, rest, ok := cutPair(name[at:]); ok && rest == "" {
			m.text, m.x, m.y = pytext.Strip(name[:at]), x, y
		}
	}
	return m
}

// rowFields are the cells of a row by their number.
func rowFields(line, ruler string) []domains.Field {
	m := readMarks(line)
	const textAt = 1
	fields := slices.Delete(m.fields(published.KindNames[published.RowPart], textField), textAt, textAt+1)
	for n, value := range cells(m.text) {
		if value != "" {
			fields = append(fields, domains.Field{Name: "cell " + strconv.Itoa(n+1), Value: value})
		}
	}
	if ruler != "" {
		fields = append(fields, domains.Field{Name: "header", Value: "yes"})
	}
	return fields
}

// cells are those of a row, nil if all are empty.
func cells(line string) []string {
	all := splitRow(line)
	filled := false
	for i := range all {
		all[i] = oneBlank(all[i])
		filled = filled || all[i] != ""
	}
	if !filled {
		return nil
	}
	return all
}

// splitRow divides a row at its bars, with or without those at its ends. A bar after a backslash is part of a cell.
func splitRow(line string) []string {
	line = strings.TrimPrefix(line, "|")
	if !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	if !strings.Contains(line, `\|`) {
		return strings.Split(line, "|")
	}
	var all []string
	start := 0
	for at := range len(line) {
		if line[at] == '|' && (at == 0 || line[at-1] != '\\') {
			all = append(all, line[start:at])
			start = at + 1
		}
	}
	return append(all, line[start:])
}

// sentenceField is a sentence of notes.
const sentenceField = "sentence"

// notesFields are the sentences of notes, however they are wrapped.
func notesFields(p *part) []domains.Field {
	lines := p.lines[1:p.own]
	closed := len(lines) > 0 && isNotesEnd(pytext.Strip(lines[len(lines)-1]))
	if closed {
		lines = lines[:len(lines)-1]
	}
	fields := []domains.Field{{Name: "kind", Value: published.KindNames[published.NotesPart]}}
	if !closed {
		fields = append(fields, domains.Field{Name: element.End, Value: element.Missing})
	}
	for _, sentence := range sentences(oneBlank(strings.Join(lines, " "))) {
		if sentence != "" {
			fields = append(fields, domains.Field{Name: sentenceField, Value: sentence})
		}
	}
	return fields
}

// sentences divides a text after full stops and the like that a blank follows.
func sentences(text string) []string {
	var all []string
	start := 0
	for at := range len(text) - 1 {
		if text[at+1] == ' ' && strings.IndexByte(".!?", text[at]) >= 0 {
			all = append(all, text[start:at+1])
			start = at + 2
		}
	}
	return append(all, text[min(start, len(text)):])
}

// placed says of lines outside of the format which part of a slide that both sides have they stand above, and marks
// notes of the candidate the sentences of which stand in another order.
func placed(ref, got []domains.Element) (refs, gots []domains.Element) {
	if slices.ContainsFunc(ref, isLine) && slices.ContainsFunc(got, isLine) {
		// The labels that occur as often in both documents.
		common, others := labelsOf(ref), labelsOf(got)
		maps.DeleteFunc(common, func(l label, n int) bool { return others[l] != n })
		ref, got = above(ref, common), above(got, common)
	}
	return ref, element.MarkReordered(ref, got, saidIn)
}

func isLine(e domains.Element) bool { return e.Kind == lineKind }

// label is what a part of a slide is known by.
type label struct{ kind, text string }

func labelOf(e *domains.Element) label {
	return label{e.Fields[0].Value, e.Fields[min(1, len(e.Fields)-1)].Value}
}

// labelsOf counts the parts of slides with each label.
func labelsOf(elements []domains.Element) map[label]int {
	counts := map[label]int{}
	for i := range elements {
		if elements[i].Kind == counted {
			counts[labelOf(&elements[i])]++
		}
	}
	return counts
}

// above gives lines their place; the elements themselves stay as they are.
func above(elements []domains.Element, common map[label]int) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case counted:
			if l := labelOf(e); common[l] > 0 {
				next = l.kind + " " + brief(l.text)
			}
		case lineKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "above", Value: next})
		}
	}
	return elements
}

// saidIn are the sentences of notes.
func saidIn(e *domains.Element) []domains.Field {
	if e.Kind != counted || e.Fields[0].Value != published.KindNames[published.NotesPart] {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Fields), func(f domains.Field) bool { return f.Name != sentenceField })
}

// evidence counts the elements of a deck. Other texts in Markdown have headings and bullets as well, so a deck needs
// front matter, a layout mark, notes or a placeholder, or it has nothing but titles and what stands on slides. Lines
// that stand on no slide must not outnumber the elements.
func evidence(files vfs.Files, elements []domains.Element) int {
	if isDeck(files, elements) {
		return domains.OfKinds(counted)(files, elements)
	}
	found := domains.Prevailing(counted)(files, elements)
	foreign := domains.OfKinds(lineKind)(files, elements)
	if foreign > 0 && !slices.ContainsFunc(elements, isOfDecks) {
		return 0
	}
	return found
}

// isOfDecks reports whether an element is one that decks have and few other texts.
func isOfDecks(e domains.Element) bool { return e.Kind == frontKind || isOfDecksAlone(e) }

// isOfDecksAlone leaves out front matter that any text may have, with a title and an author.
func isOfDecksAlone(e domains.Element) bool {
	return slices.ContainsFunc(e.Fields, func(f domains.Field) bool {
		if e.Kind == frontKind {
			return f.Name == "entry" && isEntryOfDecks(f.Value) ||
				f.Name == "value" && slices.Contains([]string{"beamer", "pptx", "revealjs"}, f.Value)
		}
		switch f.Value {
		case published.KindNames[published.NotesPart], published.KindNames[published.ImagePart], published.KindNames[published.ChartPart], published.KindNames[published.TablePart]:
			return f.Name == "kind"
		}
		return f.Name == "x"
	})
}

// isEntryOfDecks tells the names of entries that makers of slides know: total_slides, slide-level,
// and those of Marp, Beamer, reveal.js and Slidev.
func isEntryOfDecks(name string) bool {
	return strings.Contains(name, "slide") || slices.Contains(entriesOfDecks, name)
}

var entriesOfDecks = []string{
	"aspectratio", "aspectRatio", "marp", "paginate", "revealOptions", "verticalSeparator", "transition", "mdc", "drawings", "themeConfig",
}

// isDeck reports whether a text is a deck without doubt: something in it is of decks alone, or rulers divide it and its name, a
// remark in it, or front matter of one slide says so.
func isDeck(files vfs.Files, elements []domains.Element) bool {
	if slices.ContainsFunc(elements, isOfDecksAlone) {
		return true
	}
	for name, text := range files {
		if len(slideRuler.FindAllStringIndex(text, 3)) > 1 && (deckName.MatchString(name) || deckRemark.MatchString(text) || slideFront.MatchString(text)) {
			return true
		}
	}
	return false
}

var (
	slideRuler = lazyregexp.New(`(?m)^--{1,2}[ \t]*\r?$`)
	deckName   = lazyregexp.New(`(?i)(?:^|[^a-z])(?:slides?|slideshow|deck|talk|presentation|marp|slidev)(?:[^a-z]|$)`)
	// slideFront is front matter of one slide, as Slidev has it below a ruler.
	slideFront = lazyregexp.New(`\n[ \t]*\r?\n---[ \t]*\r?\n(?:layout|class|background|clicks|transition|src|hideInToc|image|zoom|level):[ \t]`)
	deckRemark = lazyregexp.New(`(?m)^<!--\s*(?:_class:|_paginate:|\.slide:|\.element:)|^Notes?:\s`)
)

// slideshow is the domain, which any text of headings and bullets could be of.
type slideshow struct{ domains.Domain }

// MayBeGeneral implements domains.Unsure.
func (s slideshow) MayBeGeneral(files vfs.Files) bool {
	return !isDeck(files, s.Elements(files))
}
