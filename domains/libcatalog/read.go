package libcatalog

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/libcatalog"
	"agentd/vfs"
)

// catalog is a file as it is, whether or not it is well-formed.
type catalog struct {
	records []published.Record
	lines   []string // text in the collection that belongs to no record's field
	remarks []domains.Element
}

// read takes in any text. What stands before and after the collection is left
// out; a file without any record is all lines.
func read(text string) catalog {
	lines := plain.Lines(text)
	var r reader
	xml.Visit(strings.Join(lines, "\n"), &r)
	r.endRecord()
	if !r.marc {
		r.lines = nil
		r.keep(strings.Join(lines, "\n"))
	}
	return r.catalog
}

// reader makes records of tags. What is not closed ends where the next of its kind begins.
type reader struct {
	catalog
	marc       bool // there was an element of MARCXML
	depth      int
	record     *published.Record
	field      *published.Field
	code       string
	inSubfield bool
	inLeader   bool
	text       []string // of what is open
}

// Text keeps characters inside of an element (see [xml.Visitor]).
func (r *reader) Text(text string) {
	if r.depth > 0 {
		r.text = append(r.text, text)
	}
}

// Comment keeps the lines of a comment (see [xml.CommentVisitor]).
func (r *reader) Comment(text string) {
	r.remarks = append(r.remarks, element.Remarks(text, "")...)
}

// Start begins a record or a part of one (see [xml.Visitor]).
func (r *reader) Start(n *xml.Node) {
	r.depth++
	switch name := xml.Local(n.Name); name {
	case "collection":
		r.marc = true
	case "record":
		r.endRecord()
		r.open()
		r.record.Kind, _ = n.Attribute("type")
	case "leader":
		r.endField()
		r.open()
		r.inLeader = true
	case "controlfield", "datafield":
		r.endField()
		r.open()
		tag, _ := n.Attribute("tag")
		r.field = &published.Field{Tag: tag, Control: name == "controlfield", Indicator: published.Indicators(n)}
	case "subfield":
		r.endText()
		r.code, _ = n.Attribute("code")
		r.inSubfield = r.field != nil
	}
}

// open begins a record if there is none.
func (r *reader) open() {
	r.endText()
	r.marc = true
	if r.record == nil {
		r.record = &published.Record{}
	}
}

// End ends a record or a part of one (see [xml.Visitor]).
func (r *reader) End(name string) {
	r.depth = max(r.depth-1, 0)
	switch xml.Local(name) {
	case "collection":
		r.endRecord()
		r.depth = 0
	case "record":
		r.endRecord()
	case "controlfield", "datafield":
		r.endField()
	case "leader", "subfield":
		r.endText()
	}
}

func (r *reader) endRecord() {
	r.endField()
	if r.record != nil {
		r.records = append(r.records, *r.record)
	}
	r.record = nil
}

func (r *reader) endField() {
	r.endText()
	if r.field != nil {
		r.record.Fields = append(r.record.Fields, *r.field)
	}
	r.field = nil
}

// endText hands the text to what it stands in.
func (r *reader) endText() {
	text := strings.Join(r.text, "")
	r.text = r.text[:0]
	switch {
	case r.inSubfield:
		r.field.Subfields = append(r.field.Subfields, published.Subfield{Code: r.code, Value: text})
	case r.inLeader:
		r.record.Leader = trimmedLeader(text)
	case r.field != nil && r.field.Control:
		r.field.Data += text
	case r.field != nil:
		r.field.Data += pytext.Strip(text)
	default:
		r.keep(text)
	}
	r.inSubfield, r.inLeader = false, false
}

// keep takes the lines of a text, in one from where they get very many.
func (r *reader) keep(text string) {
	const most = 10_000
	for text != "" {
		line := text
		if len(r.lines) < most {
			line, text, _ = strings.Cut(text, "\n")
		} else {
			text = ""
		}
		if line = pytext.Strip(line); line != "" {
			r.lines = append(r.lines, line)
		}
	}
}

// trimmedLeader is without the white space around it, where that is layout. A leader may begin with blanks of its own.
func trimmedLeader(text string) string {
	if stripped := pytext.Strip(text); utf8.RuneCountInString(text) != published.LeaderLength &&
		(utf8.RuneCountInString(stripped) == published.LeaderLength || strings.Contains(text, "\n")) {
		return stripped
	}
	return text
}

// printed is the reverse of read, with a line for each field.
func printed(records []published.Record) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n")
	for i := range records {
		recordPrint(&records[i], &b)
	}
	b.WriteString("</collection>\n")
	return b.String()
}

func recordPrint(r *published.Record, b *strings.Builder) {
	b.WriteString("<record")
	if r.Kind != "" {
		b.WriteString(attribute("type", r.Kind))
	}
	b.WriteString(">\n")
	if r.Leader != "" {
		b.WriteString("<leader>" + escaped(r.Leader) + "</leader>\n")
	}
	for i := range r.Fields {
		fieldPrint(&r.Fields[i], b)
	}
	b.WriteString("</record>\n")
}

func fieldPrint(f *published.Field, b *strings.Builder) {
	name, attributes := "datafield", attribute("ind1", f.Indicator[0])+attribute("ind2", f.Indicator[1])
	if f.Control {
		name, attributes = "controlfield", ""
	}
	b.WriteString("<" + name + attribute("tag", f.Tag) + attributes + ">" + escaped(f.Data))
	for _, s := range f.Subfields {
		b.WriteString("<subfield" + attribute("code", s.Code) + ">" + escaped(s.Value) + "</subfield>")
	}
	b.WriteString("</" + name + ">\n")
}

func attribute(name, value string) string {
	return " " + name + `="` + xml.EscapeValue(allowed(value)) + `"`
}

func escaped(text string) string { return xml.EscapeText(allowed(text)) }

// allowed is a text without the characters that XML cannot have.
func allowed(text string) string {
	return strings.Map(func(r rune) rune {
		if xml.IsCharacter(r) {
			return r
		}
		return utf8.RuneError
	}, text)
}

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
			e := recordElement(&c.records[i])
			e.Position = i + 1
			all = append(all, e)
		}
		all = append(all, c.remarks...)
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

func recordElement(r *published.Record) domains.Element {
	fields := make([]domains.Field, 0, len(r.Fields)+1)
	add := func(name, value string) { fields = append(fields, domains.Field{Name: name, Value: value}) }
	if r.Kind != "" && r.Kind != "Bibliographic" {
		add("type", r.Kind)
	}
	if r.Leader != "" {
		add("leader", norm.NFC.String(r.Leader))
	}
	met := make(map[string]int, len(r.Fields))
	before, largest := "", ""
	for i := range r.Fields {
		f := &r.Fields[i]
		tag := published.ThreeDigits(f.Tag)
		met[tag]++
		name := tag
		if n := met[tag]; n > 1 {
			name = fmt.Sprintf("%s (%d)", tag, n)
		}
		add(name, written(f))
		if tag < largest { // with the places of these, the order of all is given
			add("place of "+name, "after "+before)
		}
		before, largest = name, max(largest, tag)
	}
	return domains.Element{Kind: counted, Key: recordTitle(r), Fields: fields}
}

// title is the control number, otherwise the title proper.
func recordTitle(r *published.Record) string {
	if id := r.ID(); id != "" {
		return "record " + id
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Tag == "245" && len(f.Subfields) > 0 {
			return "record " + normalText(f.Subfields[0].Value)
		}
	}
	return "record without control number"
}

// written is the field as catalogues print it: "10 ‡aThe title /‡cby its author".
func written(f *published.Field) string {
	if f.Control {
		return normalText(f.Data)
	}
	var b strings.Builder
	b.WriteString(shown(f.Indicator[0]) + shown(f.Indicator[1]) + " ")
	b.WriteString(delimited.Replace(normalText(f.Data)))
	for _, s := range f.Subfields {
		b.WriteString("‡" + delimited.Replace(normalText(s.Code)) + delimited.Replace(normalText(s.Value)))
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
	return printed(slices.DeleteFunc(read(text).records, func(published.Record) bool { return leave() }))
}
