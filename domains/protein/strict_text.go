package protein

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
)

var continuedRecords = []string{
	"TITLE", "COMPND", "SOURCE", "KEYWDS", "EXPDTA", "AUTHOR", "JRNL", "CAVEAT", "MDLTYP", "OBSLTE", "SPRSDE", "SPLIT",
}

func isContinued(record string) bool { return slices.Contains(continuedRecords, record) }

// continued is a text that goes on over several lines.
type continued struct {
	record  string
	part    string // of a citation, such as AUTH
	texts   []string
	shifted bool // out of its columns
}

// addText begins a text, or goes on with the one in hand.
func (f *flattener) addText(record, line string) {
	t := &continued{record: record}
	number, text := part(line, 6, 10), part(line, 10, toEnd)
	if record == "JRNL" {
		t.part, number, text = pytext.Strip(part(line, 12, 16)), part(line, 16, 18), part(line, 18, toEnd)
	}
	number = pytext.Strip(number)
	if _, isNumber := integer(number); number != "" && !isNumber {
		t.shifted, number, text = true, "", part(line, 6, toEnd)
	}
	if f.text != nil && f.text.record == t.record && f.text.part == t.part && number != "" {
		f.text.texts = append(f.text.texts, text)
		return
	}
	f.closeText()
	t.texts = append(t.texts, text)
	f.text = t
}

func (f *flattener) closeText() {
	if f.text == nil {
		return
	}
	t, text := f.text, joined(f.text.texts)
	f.text = nil
	e := domains.Element{Kind: t.record, Key: t.record}
	if t.part != "" {
		e.Key += " " + t.part
		e.Fields = append(e.Fields, domains.Field{Name: "part", Value: t.part})
	}
	if t.shifted {
		e.Fields = append(e.Fields, domains.Field{Name: "columns", Value: "out of place"})
	}
	switch {
	case t.record == "COMPND" || t.record == "SOURCE":
		f.addMolecules(e, text)
		return
	case t.record == "KEYWDS":
		e.Fields = append(e.Fields, listed("keyword", strings.ToUpper(text))...)
	case t.record == "AUTHOR" || t.part == "AUTH" || t.part == "EDIT":
		e.Fields = append(e.Fields, numbered(listed("author", strings.ToUpper(text)))...)
	default:
		e.Fields = append(e.Fields, domains.Field{Value: strings.ToUpper(text)})
	}
	f.add(e)
}

// listed makes a field of each item between commas.
func listed(name, text string) []domains.Field {
	return lists.Map(pytext.Parts(text, ","), func(item string) domains.Field { return domains.Field{Name: name, Value: item} })
}

// numbered says the place of each field in its name.
func numbered(fields []domains.Field) []domains.Field {
	for n := range fields {
		fields[n].Name += fmt.Sprintf(" %d", n+1)
	}
	return fields
}

// addMolecules adds an element for each molecule of a COMPND or SOURCE text,
// which is a list such as "MOL_ID: 1; CHAIN: A, B". Letter case tells chains
// apart, nothing else.
func (f *flattener) addMolecules(e domains.Element, text string) {
	begun := false
	for item := range strings.SplitSeq(text, ";") {
		if item = pytext.Strip(item); item == "" {
			continue
		}
		fields, number := moleculeFields(item)
		if number != "" {
			if begun {
				f.add(e)
			}
			e = domains.Element{Kind: e.Kind, Key: e.Kind + " of molecule " + number}
		}
		begun = true
		e.Fields = append(e.Fields, fields...)
	}
	f.add(e)
}

// moleculeFields reads an item, and the number of the molecule if it opens one.
func moleculeFields(item string) (fields []domains.Field, number string) {
	key, value, found := strings.Cut(item, ":")
	if !found {
		key, value = "", key
	}
	key, value = strings.ToUpper(pytext.Strip(key)), pytext.Strip(value)
	switch key {
	case "CHAIN":
		return listed(key, value), ""
	case "SYNONYM":
		return listed(key, strings.ToUpper(value)), ""
	case "MOL_ID":
		number = value
	}
	return []domains.Field{{Name: key, Value: strings.ToUpper(value)}}, number
}
