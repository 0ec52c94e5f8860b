package libcatalog

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
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

// parse reads a document as the published evaluator does. A file that is not
// well-formed has no records; there is no error.
func parse(files vfs.Files) (collection, error) {
	var all collection
	for _, name := range files.Names() {
		if path.Ext(name) != ".xml" {
			continue
		}
		records, err := parseFile(files[name])
		if err != nil {
			all.faults = append(all.faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		all.records = append(all.records, records...)
	}
	return all, nil
}

func parseFile(text string) ([]record, error) {
	s := newScanner(repaired(text))
	n := nesting{prefixes: map[string]int{"xml": 1}}
	var h handler
	for {
		t, ok := s.next()
		switch {
		case s.fault != nil:
			return nil, s.fault
		case !ok && len(n.open) > 0:
			return nil, fmt.Errorf("the text ends inside of %s", n.open[len(n.open)-1].name)
		case !ok && !n.rooted:
			return nil, errors.New("there is no element")
		case !ok:
			return h.records, nil
		}
		if err := n.take(&t); err != nil {
			return nil, err
		}
		if err := h.take(&t); err != nil {
			return nil, err
		}
	}
}

// repaired is the text as the evaluator hands it to its parser.
func repaired(text string) string {
	const end = "</collection>"
	if at := strings.LastIndex(text, end); at >= 0 {
		text = text[:at+len(end)]
	}
	if !strings.Contains(text, "<!--") {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "<!--")
		b.WriteString(before)
		body, rest, closed := strings.Cut(after, "-->")
		if !closed {
			b.WriteString(text[len(before):])
			return b.String()
		}
		if found {
			b.WriteString("<!--" + strings.ReplaceAll(body, "--", "- -") + "-->")
		}
		text = rest
	}
}

// nesting checks that tags match, that there is one root, and that prefixes
// are declared.
type nesting struct {
	open     []element
	rooted   bool
	typed    bool           // there was a document type declaration
	prefixes map[string]int // how many open elements declare each
}

type element struct {
	name     string
	declares []string
}

func (n *nesting) take(t *token) error {
	switch outside := len(n.open) == 0; t.kind {
	case startTag:
		if outside && n.rooted {
			return fmt.Errorf("<%s> stands after the root", t.name)
		}
		n.rooted = true
		return n.enter(t)
	case endTag:
		return n.leave(t.name)
	case declaration:
		if n.rooted || n.typed {
			return errors.New("a document type declaration that is not before the root")
		}
		n.typed = true
	case section:
		if outside {
			return errors.New("text outside of the root")
		}
	case characters:
		if outside && strings.Trim(t.raw, " \t\n") != "" {
			return errors.New("text outside of the root")
		}
	}
	return nil
}

func (n *nesting) enter(t *token) error {
	e := element{name: t.name}
	met := make(map[string]bool, len(t.attributes))
	for _, a := range t.attributes {
		if met[a.name] {
			return fmt.Errorf("<%s> has the attribute %s twice", t.name, a.name)
		}
		met[a.name] = true
		prefix, ok := strings.CutPrefix(a.name, "xmlns:")
		if ok && (a.value == "" || !isNamespace(prefix, a.value)) || a.name == "xmlns" && !isNamespace("", a.value) {
			return fmt.Errorf("<%s> cannot declare %s", t.name, a.name)
		}
		if ok {
			e.declares = append(e.declares, prefix)
			n.prefixes[prefix]++
		}
	}
	n.open = append(n.open, e)
	if !n.declared(t.name) {
		return fmt.Errorf("the prefix of <%s> is not declared", t.name)
	}
	for _, a := range t.attributes {
		if !strings.HasPrefix(a.name, "xmlns:") && !n.declared(a.name) {
			return fmt.Errorf("the prefix of %s in <%s> is not declared", a.name, t.name)
		}
	}
	if t.empty {
		return n.leave(t.name)
	}
	return nil
}

// isNamespace reports whether expat binds a prefix to a namespace: not to one
// with a blank, and the two names that XML keeps for itself only to their own.
func isNamespace(prefix, uri string) bool {
	const own, ofDeclarations = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"
	return !strings.Contains(uri, " ") && prefix != "xmlns" && uri != ofDeclarations && (prefix == "xml") == (uri == own)
}

func (n *nesting) declared(name string) bool {
	prefix, _, prefixed := strings.Cut(name, ":")
	return !prefixed || n.prefixes[prefix] > 0
}

func (n *nesting) leave(name string) error {
	if len(n.open) == 0 || n.open[len(n.open)-1].name != name {
		return fmt.Errorf("</%s> closes no element", name)
	}
	for _, prefix := range n.open[len(n.open)-1].declares {
		n.prefixes[prefix]--
	}
	n.open = n.open[:len(n.open)-1]
	return nil
}

// handler makes records of tags as pymarc does since 5.4: whatever the nesting, by
// what began last; what ends in no record or field is passed over.
type handler struct {
	records []record
	record  *record
	field   *field
	code    string
	text    []string // since the last tag
}

func (h *handler) take(t *token) error {
	switch t.kind {
	case characters, section:
		h.text = append(h.text, t.text)
	case startTag:
		h.text = h.text[:0]
		if err := h.start(t); err != nil || !t.empty {
			return err
		}
		return h.end(t.local())
	case endTag:
		err := h.end(t.local())
		h.text = h.text[:0]
		return err
	}
	return nil
}

func (h *handler) start(t *token) error {
	switch t.local() {
	case "record":
		h.record = &record{leader: defaultLeader}
	case "controlfield", "datafield":
		tag, ok := t.attribute("tag")
		if !ok {
			return errors.New("a field has no tag")
		}
		h.field = newField(tag)
		if t.local() == "datafield" {
			h.field.indicator = indicators(t)
		}
	case "subfield":
		var ok bool
		if h.code, ok = t.attribute("code"); !ok {
			return errors.New("a subfield has no code")
		}
	}
	return nil
}

func (h *handler) end(name string) error {
	text := strings.Join(h.text, "")
	switch {
	case name == "record" && h.record != nil:
		h.records = append(h.records, *h.record)
		h.record = nil
	case name == "leader" && h.record != nil:
		if utf8.RuneCountInString(text) != leaderLength {
			return fmt.Errorf("the leader %q is not one of %d characters", text, leaderLength)
		}
		h.record.leader = text
	case name == "controlfield" && h.record != nil && h.field != nil:
		h.field.data = text
		h.endField()
	case name == "datafield" && h.record != nil && h.field != nil:
		h.endField()
	case name == "subfield" && h.field != nil && h.code != "":
		if !h.field.control {
			h.field.subfields = append(h.field.subfields, subfield{h.code, text})
		}
		h.code = "" // a subfield around this one has none
	}
	return nil
}

func (h *handler) endField() {
	h.record.fields = append(h.record.fields, *h.field)
	h.field = nil
}

// newField is a control field if its tag is one's, regardless of the element.
func newField(tag string) *field {
	tag = threeDigits(tag)
	return &field{tag: tag, control: isControl(tag), indicator: [2]string{" ", " "}}
}

func isControl(tag string) bool {
	return tag < "010" && tag != "" && strings.Trim(tag, "0123456789") == ""
}

func indicators(t *token) [2]string {
	pair := [2]string{" ", " "}
	for n, name := range []string{"ind1", "ind2"} {
		if value, _ := t.attribute(name); value != "" {
			pair[n] = value
		}
	}
	return pair
}

// threeDigits prints a tag that is an integer with three digits. What an
// integer is is int()'s rule.
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
