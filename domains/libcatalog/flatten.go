package libcatalog

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// elements flattens files of any name. Records have an order within a file;
// that of several files is left open, so records of more than one have none.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	var withRecords int
	for _, name := range files.Names() {
		c := read(files[name])
		if len(c.records) > 0 {
			withRecords++
		}
		for i := range c.records {
			e := c.records[i].element()
			e.Position = i + 1
			all = append(all, e)
		}
		for _, line := range c.lines {
			all = append(all, domains.Element{
				Kind: "line", Key: "text outside records", Fields: []domains.Field{{Value: normalText(line)}},
			})
		}
	}
	if withRecords > 1 {
		for i := range all {
			all[i].Position = 0
		}
	}
	return all
}

func (r *record) element() domains.Element {
	fields := make([]domains.Field, 0, len(r.fields)+1)
	add := func(name, value string) { fields = append(fields, domains.Field{Name: name, Value: value}) }
	if r.kind != "" && r.kind != "Bibliographic" {
		add("type", r.kind)
	}
	if r.leader != "" {
		add("leader", norm.NFC.String(r.leader))
	}
	met := make(map[string]int, len(r.fields))
	before, largest := "", ""
	for i := range r.fields {
		f := &r.fields[i]
		tag := threeDigits(f.tag)
		met[tag]++
		name := tag
		if n := met[tag]; n > 1 {
			name = fmt.Sprintf("%s (%d)", tag, n)
		}
		add(name, f.written())
		if tag < largest { // with the places of these, the order of all is given
			add("place of "+name, "after "+before)
		}
		before, largest = name, max(largest, tag)
	}
	return domains.Element{Kind: counted, Key: r.title(), Fields: fields}
}

// title is the control number, otherwise the title proper.
func (r *record) title() string {
	if id := r.id(); id != "" {
		return "record " + id
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.tag == "245" && len(f.subfields) > 0 {
			return "record " + normalText(f.subfields[0].value)
		}
	}
	return "record without control number"
}

// written is the field as catalogues print it: "10 ‡aThe title /‡cby its
// author".
func (f *field) written() string {
	if f.control {
		return normalText(f.data)
	}
	var b strings.Builder
	b.WriteString(shown(f.indicator[0]) + shown(f.indicator[1]) + " ")
	b.WriteString(delimited.Replace(normalText(f.data)))
	for _, s := range f.subfields {
		b.WriteString("‡" + delimited.Replace(normalText(s.code)) + delimited.Replace(normalText(s.value)))
	}
	return b.String()
}

// delimited doubles the sign that begins a subfield.
var delimited = strings.NewReplacer("‡", "‡‡")

// shown is an indicator, # if it is blank.
func shown(indicator string) string {
	switch {
	case indicator == " ":
		return "#"
	case indicator == "#" || len(indicator) != 1:
		return fmt.Sprintf("%q", indicator)
	}
	return indicator
}

// normalText is without the white space at the ends, with lines joined as if
// they had been wrapped, and with letters and diacritics composed.
func normalText(text string) string {
	text = pytext.Strip(text)
	if strings.Contains(text, "\n") {
		text = strings.Join(lists.Map(strings.Split(text, "\n"), pytext.Strip), " ")
	}
	return norm.NFC.String(text)
}

// without leaves out records.
func without(_, text string, leave func() bool) string {
	return printed(slices.DeleteFunc(read(text).records, func(record) bool { return leave() }))
}
