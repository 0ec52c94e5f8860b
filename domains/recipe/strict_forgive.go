package recipe

import (
	"slices"
	"strconv"

	"agentd/domains"
)

// forgives leaves out of both sides what says nothing when they are compared:
// the sections, if the headings differ, since then they already show; and the
// numbers of a sort of records that both sides number without a gap from the same
// number on, so that a lost step does not touch those after it. An amount that
// is restated in another unit becomes that of the reference.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	var dropped []string
	if !slices.Equal(headings(reference), headings(candidate)) {
		dropped = append(dropped, sectionField)
	}
	refNumbers, gotNumbers := numbering(reference), numbering(candidate)
	for _, l := range []label{ingredient, step, tip} {
		field := l.numberField()
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

// agree reports whether both lists of numbers have no gap and begin alike, or one
// of them is empty.
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

// restated gives candidate ingredients the amount and unit of the reference's of
// the same name where only the unit they are stated in differs; of several of one
// name, the first that fits.
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
