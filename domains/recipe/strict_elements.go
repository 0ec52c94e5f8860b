package recipe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// What elements are other than the counted ones, and the fields that forgives knows.
const (
	tipKind     = "tip"
	headingKind = "heading"
	lineKind    = "line"

	amountField  = "amount"
	unitField    = "unit"
	nameField    = "name"
	sectionField = "section"
)

// numberField is the field, always the last of a record, that has its number.
func (l label) numberField() string {
	switch l {
	case ingredient:
		return "ingredient number"
	case step:
		return "step number"
	}
	return "tip number"
}

// elements flattens a document for Strict. Steps have their place by number,
// ingredients and tips have none.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, name := range files.Names() {
		lines := read(files[name])
		f.all = slices.Grow(f.all, len(lines))
		for i := range lines {
			f.line(&lines[i])
		}
	}
	f.placeSteps()
	return f.all
}

type flattener struct {
	all             []domains.Element
	headings, lines int
	steps           []placedStep
}

func (f *flattener) line(l *line) {
	switch l.label {
	case ingredient:
		f.ingredient(l)
		return
	case step:
		f.steps = plain.Append(f.steps, placedStep{number: l.number, at: len(f.all)})
		f.sentences(counted, "step "+string(l.number), l)
		return
	case tip:
		f.sentences(tipKind, "tip "+string(l.number), l)
		return
	}
	if l.heading {
		f.headings++
		f.add(domains.Element{
			Kind: headingKind, Key: "heading " + strconv.Quote(l.text), Position: f.headings,
			Fields: []domains.Field{{Name: "text", Value: l.text}},
		})
		return
	}
	if text := pytext.Strip(l.raw); !isRuler(text) {
		f.lines++
		f.add(domains.Element{
			Kind: lineKind, Key: "line " + strconv.Itoa(f.lines) + " outside of records", Position: f.lines,
			Fields: []domains.Field{{Value: pytext.Collapse(text)}},
		})
	}
}

func (f *flattener) ingredient(l *line) {
	found := readIngredient(l.text)
	fields := []domains.Field{
		{Name: amountField, Value: found.amount}, {Name: unitField, Value: found.unit},
		{Name: nameField, Value: found.name}, {Name: "preparation", Value: found.preparation},
		{Name: sectionField, Value: l.section}, {Name: l.label.numberField(), Value: string(l.number)},
	}
	fields = slices.DeleteFunc(fields, func(field domains.Field) bool { return field.Value == "" })
	f.add(domains.Element{Kind: counted, Key: strings.TrimSpace("ingredient " + found.name), Fields: fields})
}

// mostSentences is the number of sentences that are compared one by one.
const mostSentences = 64

// sentences adds a step or tip.
func (f *flattener) sentences(kind, key string, l *line) {
	fields := make([]domains.Field, 0, 4)
	text := pytext.Collapse(l.text)
	for n := 1; text != ""; n++ {
		sentence := text
		if n < mostSentences {
			sentence = firstSentence(text)
		}
		text = strings.TrimPrefix(text[len(sentence):], " ")
		fields = append(fields, domains.Field{Name: "sentence " + strconv.Itoa(n), Value: sentence})
	}
	if l.section != "" {
		fields = append(fields, domains.Field{Name: sectionField, Value: l.section})
	}
	fields = append(fields, domains.Field{Name: l.label.numberField(), Value: string(l.number)})
	f.add(domains.Element{Kind: kind, Key: key, Fields: fields})
}

// firstSentence is a text up to the first full stop, question or exclamation
// mark before a blank.
func firstSentence(text string) string {
	for at := 0; ; {
		next := strings.IndexByte(text[at:], ' ')
		if next < 0 {
			return text
		}
		at += next
		if at > 0 && strings.IndexByte(".!?", text[at-1]) >= 0 {
			return text[:at]
		}
		at++
	}
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// placedStep is a step on the way to its place.
type placedStep struct {
	run    int
	number ordinal
	at     int // in the elements
}

// placeSteps gives steps their places by number, run by run: a number that comes
// again begins a new run, as where each part of a recipe counts from 1.
func (f *flattener) placeSteps() {
	run, seen := 0, map[ordinal]bool{}
	for i := range f.steps {
		s := &f.steps[i]
		if seen[s.number] {
			run, seen = run+1, map[ordinal]bool{}
		}
		seen[s.number] = true
		s.run = run
	}
	slices.SortStableFunc(f.steps, func(a, b placedStep) int { return cmp.Or(a.run-b.run, a.number.compare(b.number)) })
	for place, s := range f.steps {
		f.all[s.at].Position = place + 1
	}
}

// without leaves ingredients and steps out, counted through all files, each with
// the blank line below it. The others keep their numbers.
func without(_, text string, leave func() bool) string {
	removed := false // the line before
	return write(slices.DeleteFunc(read(text), func(l line) bool {
		switch {
		case l.counts():
			removed = leave()
			return removed
		case removed && pytext.Strip(l.raw) == "":
			removed = false
			return true
		}
		removed = false
		return false
	}))
}
