package jobboard

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/jobboard"
	"agentd/internal/lazyregexp"
)

const (
	idField   = "id"
	textField = "text"
)

// postedFields are the fields of a posting in the making.
type postedFields struct{ list []domains.Field }

func (f *postedFields) add(name, value string) {
	if value = singleBlanks(value); value != "" {
		f.list = plain.Append(f.list, domains.Field{Name: name, Value: value})
	}
}

// fieldsOf are the fields of the lines of a posting, the id first.
func fieldsOf(lines []string) []domains.Field {
	id, head, _ := cutHead(lines[0])
	fields := postedFields{list: make([]domains.Field, 0, 2*len(lines))}
	fields.add(idField, id)
	fields.addHead(head, published.IsOneLine(head) && !slices.ContainsFunc(lines[1:], isMain))
	for _, line := range lines[1:] {
		if label, value, ok := cutLabel(line); ok {
			fields.addField(label, value)
		} else {
			fields.add(textField, line)
		}
	}
	return fields.list
}

// isMain reports whether a line says what a head of one line says too, so that the head is none.
func isMain(line string) bool {
	label, _, ok := cutLabel(line)
	return ok && (label == companyField || label == salaryField || label == adjustedField || label == skillsField)
}

func (f *postedFields) addHead(head string, oneLine bool) {
	if !oneLine {
		f.add(titleField, strings.TrimLeft(head, ":-–— "))
		return
	}
	parts := published.LineParts(head)
	f.add(titleField, parts[0])
	company := false
	for _, part := range parts[1:] {
		if label, value, ok := cutLabel(part); ok {
			f.addField(label, value)
			company = company || label == companyField
			continue
		}
		switch label, value := published.Classify(part); label {
		case published.SalaryLabel:
			f.addField(salaryField, value)
		case published.PostedLabel:
			f.add(postedField, value)
		case published.PlacedPart:
			name, place := published.CutPlace(value)
			f.add(companyField, name)
			f.add(locationField, place)
			company = true
		default:
			if company {
				f.add(locationField, value)
			} else {
				f.add(companyField, value)
			}
			company = true
		}
	}
}

func (f *postedFields) addField(label, value string) {
	switch label {
	case salaryField:
		f.addSalary("", value)
	case adjustedField:
		f.addSalary("adjusted ", value)
	case skillsField:
		for skill := range strings.SplitSeq(value, ",") {
			f.add("skill", skill)
		}
	default:
		f.add(label, value)
	}
}

// addSalary adds the amount, currency and period of a salary such as "CHF 6,200 / month", or the whole text of another.
func (f *postedFields) addSalary(kind, text string) {
	const digits = "0123456789"
	start := strings.IndexAny(text, digits)
	amount, rest, found := strings.Cut(text, "/")
	if start < 0 || !found || start > len(amount) || !isAmount(pytext.Strip(amount[start:])) {
		f.add(kind+salaryField, amounts.ReplaceAllStringFunc(text, plainNumber))
		return
	}
	f.add(kind+"currency", amount[:start])
	f.add(kind+salaryField, plainNumber(pytext.Strip(amount[start:])))
	period, terms, _ := strings.Cut(pytext.Strip(rest), " ")
	f.add(kind+"period", strings.ToLower(period))
	f.add(kind+"salary terms", terms)
}

func isAmount(text string) bool { return text != "" && strings.Trim(text, "0123456789,.") == "" }

// plainNumber writes an amount without separators of thousands.
func plainNumber(amount string) string {
	groups := strings.Split(strings.SplitN(amount, ".", 2)[0], ",")
	for _, group := range groups[1:] {
		if len(group) != len("000") {
			return amount
		}
	}
	return plain.Number(strings.ReplaceAll(amount, ",", ""))
}

// amounts are what may be an amount in a text.
var amounts = lazyregexp.New(`^[0-9.,]+|[0-9][0-9.,]*`)

// singleBlanks is a text without outer blanks, each run of blanks one.
func singleBlanks(text string) string {
	if !strings.Contains(text, "  ") && !strings.ContainsAny(text, "\t\u00a0") {
		return pytext.Strip(text)
	}
	return pytext.Collapse(text)
}

// forgives says of each line above which posting it stands, of those that both
// sides have, so that a lost or added posting moves no line.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	inRef, inGot := postingIDs(reference), postingIDs(candidate)
	inBoth := func(id string) bool { return inRef[id] && inGot[id] }
	return placeLines(reference, inBoth), placeLines(candidate, inBoth)
}

func postingIDs(elements []domains.Element) map[string]bool {
	ids := map[string]bool{}
	for i := range elements {
		if elements[i].Kind == counted {
			ids[elements[i].Value(idField)] = true
		}
	}
	return ids
}

func placeLines(elements []domains.Element, inBoth func(id string) bool) []domains.Element {
	isCommon := func(e domains.Element) bool { return e.Kind == counted && inBoth(e.Value(idField)) }
	first := slices.IndexFunc(elements, isCommon)
	placed := slices.Clone(elements)
	below := "the end"
	for i := range slices.Backward(placed) {
		e := &placed[i]
		if isCommon(*e) {
			below = e.Value(idField)
		}
		if e.Kind != outsideKind {
			continue
		}
		above := below
		if i < first {
			above = "the first posting" // whichever that is now
		}
		e.Key = "line " + strconv.Itoa(e.Position) + " above " + above
		e.Fields = []domains.Field{e.Fields[0], {Name: "stands above", Value: above}}
	}
	return placed
}
