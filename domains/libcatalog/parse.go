package libcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// record is a bibliographic record.
type record struct {
	kind   string // the attribute type, mostly none
	leader string
	fields []field
}

// field is a control field, which has data, or a data field.
type field struct {
	tag       string
	control   bool
	data      string // of a data field, what stands outside its subfields
	indicator [2]string
	subfields []subfield
}

type subfield struct{ code, value string }

const (
	leaderLength  = 24
	defaultLeader = "          22        4500"
	idTag         = "001"
)

// id is the control number, empty if there is none.
func (r *record) id() string {
	for i := range r.fields {
		if r.fields[i].tag == idTag {
			return pytext.Strip(r.fields[i].data)
		}
	}
	return ""
}

// collection is a document as the published evaluator reads it.
type collection struct {
	records []record
	faults  []error // of files that could not be read
}

// errNested says that a record or field ends in another one. The published program then keeps nothing in its
// place, on which it fails when it comes to it, whatever other files hold.
var errNested = errors.New("it ends in another one")

// parse reads a document as the published evaluator does. A file that cannot be read
// has no records; of errors only errNested is returned.
func parse(files vfs.Files) (collection, error) {
	var all collection
	for _, name := range files.Names() {
		if path.Ext(name) != ".xml" {
			continue
		}
		records, err := parseFile(files[name])
		if errors.Is(err, errNested) {
			return collection{}, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			all.faults = append(all.faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		all.records = append(all.records, records...)
	}
	return all, nil
}

func parseFile(text string) ([]record, error) {
	text = pytext.UniversalNewlines(strings.TrimPrefix(repaired(text), "\ufeff"))
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	var h handler
	if x := xml.VisitStrictly(text, xml.Expat, &h); x.Broken != "" {
		return nil, fmt.Errorf("line %d: %s", x.Line, x.Broken)
	}
	if err := cmp.Or(h.err, h.nested); err != nil {
		return nil, err
	}
	return h.records, nil
}

// checkEncoding looks at the encoding that a text declares. The text is UTF-8,
// even if another is named, but not every encoding's parser can read that.
func checkEncoding(text string) error {
	switch encoding := xml.DeclaredEncoding(text); encoding {
	case "utf-16", "utf-16le", "utf-16be":
		return fmt.Errorf("the text is not in %s", encoding)
	case "us-ascii":
		if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
			return errors.New("the text is not in ASCII")
		}
	}
	return nil
}

// repaired is the text as the evaluator hands it to its parser.
func repaired(text string) string {
	const end = "</collection>"
	if at := strings.LastIndex(text, end); at >= 0 {
		text = text[:at+len(end)]
	}
	return comment.ReplaceAllStringFunc(text, func(whole string) string {
		body := whole[len("<!--") : len(whole)-len("-->")]
		return "<!--" + strings.ReplaceAll(body, "--", "- -") + "-->"
	})
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// handler makes records of tags as pymarc 5.3 does: whatever the nesting, by what began last. Where a part
// ends in no record or field, reading the file fails.
type handler struct {
	records []record
	record  *record
	field   *field
	code    string
	text    []string // since the last tag
	err     error    // the first
	nested  error    // of errNested, if any
}

// Text takes characters in (see [xml.Visitor]).
func (h *handler) Text(text string) { h.text = append(h.text, text) }

// Start begins a record or a part of one (see [xml.Visitor]).
func (h *handler) Start(n *xml.Node) {
	h.text = h.text[:0]
	name := xml.Local(n.Name)
	switch name {
	case "record":
		h.record = &record{leader: defaultLeader}
	case "controlfield", "datafield":
		tag, ok := n.Attribute("tag")
		if !ok {
			h.fail(errors.New("a field has no tag"))
		}
		h.field = newField(tag)
		if name == "datafield" {
			h.field.indicator = indicators(n)
		}
	case "subfield":
		var ok bool
		if h.code, ok = n.Attribute("code"); !ok {
			h.fail(errors.New("a subfield has no code"))
		}
	}
	h.checkNamespaces(n)
}

// checkNamespaces looks for namespaces with a blank, which separates them from names in pymarc's parser.
func (h *handler) checkNamespaces(n *xml.Node) {
	for _, a := range n.Attrs {
		if a.IsDeclaration() && strings.Contains(a.Value, " ") {
			h.fail(fmt.Errorf("<%s> cannot declare %s", n.Name, a.Name))
		}
	}
}

func (h *handler) fail(err error) {
	if h.err == nil {
		h.err = err
	}
}

// End ends a record or a part of one (see [xml.Visitor]).
func (h *handler) End(name string) {
	h.end(xml.Local(name), strings.Join(h.text, ""))
	h.text = h.text[:0]
}

func (h *handler) end(name, text string) {
	switch name {
	case "leader", "controlfield", "datafield":
		if h.record == nil {
			h.fail(fmt.Errorf("a %s ends in no record", name))
			return
		}
	}
	switch name {
	case "record":
		if h.record == nil {
			h.nested = fmt.Errorf("a record: %w", errNested)
			return
		}
		h.records = append(h.records, *h.record)
		h.record = nil
	case "leader":
		if utf8.RuneCountInString(text) != leaderLength {
			h.fail(fmt.Errorf("the leader %q is not one of %d characters", text, leaderLength))
		}
		h.record.leader = text
	case "controlfield", "datafield":
		if h.field == nil {
			if name == "controlfield" {
				h.fail(errors.New("a controlfield ends in no field"))
			}
			h.nested = fmt.Errorf("a field: %w", errNested)
			return
		}
		if name == "controlfield" {
			h.field.data = text
		}
		h.record.fields = append(h.record.fields, *h.field)
		h.field = nil
	case "subfield":
		if h.field == nil {
			h.fail(errors.New("a subfield ends in no field"))
			return
		}
		if !h.field.control {
			h.field.subfields = append(h.field.subfields, subfield{h.code, text})
		}
		h.code = "None" // Python's, of a subfield around this one
	}
}

// newField is a control field if its tag is one's, regardless of the element.
func newField(tag string) *field {
	tag = threeDigits(tag)
	return &field{tag: tag, control: isControl(tag), indicator: [2]string{" ", " "}}
}

func isControl(tag string) bool {
	return tag < "010" && tag != "" && strings.Trim(tag, "0123456789") == ""
}

func indicators(n *xml.Node) [2]string {
	pair := [2]string{" ", " "}
	for i, name := range []string{"ind1", "ind2"} {
		if value, _ := n.Attribute(name); value != "" {
			pair[i] = value
		}
	}
	return pair
}

// threeDigits prints a tag that is an integer with three digits. What an integer is is int()'s rule.
func threeDigits(tag string) string {
	if len(tag) == 3 && strings.Trim(tag, "0123456789") == "" {
		return tag
	}
	value, ok := pytext.Int(tag)
	if !ok {
		return tag
	}
	sign := ""
	if value[0] == '-' {
		sign, value = "-", value[1:]
	}
	width := max(3-len(sign), len(value))
	return sign + strings.Repeat("0", width-len(value)) + value
}
