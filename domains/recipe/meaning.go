package recipe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/recipe"
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

// elements flattens a document for Strict. Steps have their place by number, ingredients and tips have none.
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
	case published.Ingredient:
		f.ingredient(l)
		return
	case published.Step:
		f.steps = plain.Append(f.steps, placedStep{number: l.number, at: len(f.all)})
		f.sentences(counted, "step "+string(l.number), l)
		return
	case published.Tip:
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
		{Name: sectionField, Value: l.section}, {Name: labelField, Value: labelOfBare(l)}, {Name: l.label.NumberField(), Value: string(l.number)},
	}
	fields = slices.DeleteFunc(fields, func(field domains.Field) bool { return field.Value == "" })
	f.add(domains.Element{Kind: counted, Key: strings.TrimSpace("ingredient " + found.name), Fields: fields})
}

// labelField tells records without a label from those that have one.
const labelField = "label"

func labelOfBare(l *line) string {
	if l.bare {
		return "none"
	}
	return ""
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
	if l.bare {
		fields = append(fields, domains.Field{Name: labelField, Value: labelOfBare(l)})
	}
	fields = append(fields, domains.Field{Name: l.label.NumberField(), Value: string(l.number)})
	f.add(domains.Element{Kind: kind, Key: key, Fields: fields})
}

// firstSentence is a text up to the first full stop, question or exclamation mark before a blank.
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
	number published.Ordinal
	at     int // in the elements
}

// placeSteps gives steps their places by number, run by run: a number that comes
// again begins a new run, as where each part of a recipe counts from 1.
func (f *flattener) placeSteps() {
	run, seen := 0, map[published.Ordinal]bool{}
	for i := range f.steps {
		s := &f.steps[i]
		if seen[s.number] {
			run, seen = run+1, map[published.Ordinal]bool{}
		}
		seen[s.number] = true
		s.run = run
	}
	slices.SortStableFunc(f.steps, func(a, b placedStep) int { return cmp.Or(a.run-b.run, a.number.Compare(b.number)) })
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

// forgives leaves out of both sides what says nothing when they are compared: the sections, if the headings differ,
// since then they already show; and the numbers of a sort of records that both sides number without a gap from the same
// number on, so that a lost step does not touch those after it. An amount that is restated in another unit becomes that
// of the reference.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	var dropped []string
	if !slices.Equal(headings(reference), headings(candidate)) {
		dropped = append(dropped, sectionField)
	}
	refNumbers, gotNumbers := numbering(reference), numbering(candidate)
	for _, l := range []published.Label{published.Ingredient, published.Step, published.Tip} {
		field := l.NumberField()
		if len(refNumbers[field])+len(gotNumbers[field]) > 0 && agree(refNumbers[field], gotNumbers[field]) {
			dropped = append(dropped, field)
		}
	}
	candidate = restated(reference, candidate)
	return withoutFields(reference, dropped), withoutFields(candidate, dropped)
}

func headings(elements []domains.Element) []string {
	var all []string
	for i := range elements {
		if elements[i].Kind == headingKind {
			all = append(all, elements[i].Fields[0].Value)
		}
	}
	return all
}

// numbering collects the numbers of records by the field that has them, in
// ascending order. A number that is too large is -1.
func numbering(elements []domains.Element) map[string][]int {
	numbers := map[string][]int{}
	for i := range elements {
		if kind := elements[i].Kind; kind == headingKind || kind == lineKind {
			continue
		}
		last := elements[i].Fields[len(elements[i].Fields)-1]
		n, err := strconv.Atoi(last.Value)
		if err != nil {
			n = -1
		}
		numbers[last.Name] = append(numbers[last.Name], n)
	}
	for _, all := range numbers {
		slices.Sort(all)
	}
	return numbers
}

// agree reports whether both lists of numbers have no gap and begin alike, or one of them is empty.
func agree(reference, candidate []int) bool {
	if len(reference) == 0 || len(candidate) == 0 {
		return true
	}
	return reference[0] == candidate[0] && reference[0] >= 0 && !hasGap(reference) && !hasGap(candidate)
}

func hasGap(ascending []int) bool {
	for i := 1; i < len(ascending); i++ {
		if ascending[i]-ascending[i-1] > 1 {
			return true
		}
	}
	return false
}

// withoutFields returns the elements without the fields of some names.
func withoutFields(elements []domains.Element, names []string) []domains.Element {
	if len(names) == 0 {
		return elements
	}
	total := 0
	for i := range elements {
		total += len(elements[i].Fields)
	}
	room := make([]domains.Field, 0, total)
	left := slices.Clone(elements)
	for i := range left {
		start := len(room)
		for _, f := range left[i].Fields {
			if !slices.Contains(names, f.Name) {
				room = append(room, f)
			}
		}
		left[i].Fields = room[start:len(room):len(room)]
	}
	return left
}

// restated gives candidate ingredients the amount and unit of the reference's of the same name where only the unit they
// are stated in differs; of several of one name, the first that fits.
func restated(reference, candidate []domains.Element) []domains.Element {
	wanted := openAmounts(reference, candidate)
	if len(wanted) == 0 {
		return candidate
	}
	changed := candidate
	for i := range candidate {
		e := &candidate[i]
		name := e.Value(nameField)
		for k, w := range wanted[name] {
			if !restates(w.amount, w.unit, e.Value(amountField), e.Value(unitField)) {
				continue
			}
			if &changed[0] == &candidate[0] {
				changed = slices.Clone(candidate)
			}
			changed[i].Fields = withAmount(e.Fields, w)
			wanted[name] = slices.Delete(slices.Clone(wanted[name]), k, k+1)
			break
		}
	}
	return changed
}

func withAmount(fields []domains.Field, w item) []domains.Field {
	fields = slices.Clone(fields)
	for k := range fields {
		switch fields[k].Name {
		case amountField:
			fields[k].Value = w.amount
		case unitField:
			fields[k].Value = w.unit
		}
	}
	return fields
}

// mostOpen is the number of amounts of one name that are looked at.
const mostOpen = 16

// openAmounts lists by name the reference's amounts that can be stated in another
// unit and that the candidate does not have as they are.
func openAmounts(reference, candidate []domains.Element) map[string][]item {
	stated := map[item]int{}
	for i := range candidate {
		if it, ok := itemOf(&candidate[i]); ok {
			stated[it]++
		}
	}
	open := map[string][]item{}
	for i := range reference {
		it, ok := itemOf(&reference[i])
		if !ok || sizes[it.unit].dimension == 0 {
			continue
		}
		if stated[it] > 0 {
			stated[it]--
		} else if len(open[it.name]) < mostOpen {
			open[it.name] = append(open[it.name], it)
		}
	}
	return open
}

// itemOf is the amount, unit and name of an element that is an ingredient.
func itemOf(e *domains.Element) (item, bool) {
	if e.Kind != counted {
		return item{}, false
	}
	it := item{amount: e.Value(amountField), unit: e.Value(unitField), name: e.Value(nameField)}
	return it, it.amount != "" && it.unit != ""
}

// counted is the kind of the elements that are counted.
const counted = "ingredient or step"
