package translation

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 200

// elements flattens files of any name by the rules of gettext. Several files may repeat the header or parts of it.
func elements(files vfs.Files) []domains.Element {
	f := flattener{shared: map[string]bool{}, several: len(files) > 1}
	for _, name := range files.Names() {
		if !isCatalogue(name) {
			f.add("file", name, domains.Field{Name: "name", Value: name})
		}
		c := read(files[name])
		for i := range c.entries {
			f.entry(&c.entries[i])
		}
		for i := range c.closing {
			if l := &c.closing[i]; l.kind != blankLine {
				f.line(l.raw)
			}
		}
		for _, label := range f.own {
			f.shared[label] = true
		}
		f.own = nil
	}
	return f.all
}

type flattener struct {
	all     []domains.Element
	entries int // so far
	lines   int // credits and foreign lines so far
	// shared are the parts of the headers of the files before this one, own those of this one.
	shared  map[string]bool
	own     []string
	several bool // files
}

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) addInOrder(kind, key string, place *int, fields []domains.Field) {
	*place++
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: *place})
}

func (f *flattener) line(text string) {
	f.addInOrder("line", "line", &f.lines, []domains.Field{{Value: blanksAsOne(text)}})
}

func (f *flattener) entry(e *entry) {
	for i := range e.lines {
		if e.lines[i].kind == foreignLine {
			f.line(e.lines[i].raw)
		}
	}
	switch m := e.message(); {
	case m.isHeader():
		f.header(e, &m)
	case m.obsolete:
		f.addInOrder("obsolete entry", "obsolete "+m.label(), &f.entries, m.fields())
	default:
		f.addInOrder(counted, m.label(), &f.entries, m.fields())
	}
}

// header makes an element of each field of a header, and of each comment above it.
func (f *flattener) header(e *entry, m *message) {
	for line := range strings.SplitSeq(m.text(translationField), "\n") {
		if line == "" {
			continue
		}
		name, value, named := strings.Cut(line, ":")
		if !named {
			name, value = "", line
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if f.isNew(name + ": " + value) {
			f.add("header field", "header field "+name, domains.Field{Name: "name", Value: name},
				domains.Field{Name: "value", Value: normalField(name, value)})
		}
	}
	for _, flag := range m.flagSet() {
		if f.isNew("#, " + flag) {
			f.add("header flag", "header", domains.Field{Name: "flag", Value: flag})
		}
	}
	for _, l := range e.lines {
		if l.kind == flagLine || l.kind >= textLine || l.text == "" {
			continue
		}
		if text := blanksAsOne(strings.TrimLeft(l.raw, "#")); f.isNew(text) {
			f.addInOrder("credit", "credit", &f.lines, []domains.Field{{Value: text}})
		}
	}
}

// isNew notes a part of a header and reports whether no file before this one had it.
func (f *flattener) isNew(label string) bool {
	if f.several {
		f.own = append(f.own, label)
	}
	return !f.shared[label]
}

// normalField is the value of a header field without what means nothing.
func normalField(name, value string) string {
	switch name {
	case "Plural-Forms":
		if rule, err := readPluralForms(value); err == nil {
			return rule
		}
	case "Content-Type", "Content-Transfer-Encoding":
		return strings.ToLower(value)
	}
	return value
}

func blanksAsOne(text string) string { return strings.Join(strings.Fields(text), " ") }

// label is how a person would call the message.
func (m *message) label() string {
	const most = 60
	label := blanksAsOne(m.text(sourceField))
	if runes := []rune(label[:min(len(label), 4*most)]); len(runes) > most {
		label = string(runes[:most]) + "…"
	}
	label = `"` + label + `"`
	if m.has(contextField) {
		label = m.text(contextField) + " " + label
	}
	return label
}

var textNames = [fieldCount]string{
	contextField: "context", sourceField: "source", pluralField: "plural source", translationField: "translation",
	previousContext: "previous context", previousSource: "previous source", previousPlural: "previous plural source",
}

func (m *message) fields() []domains.Field {
	var all []domains.Field
	add := func(name, value string) { all = append(all, domains.Field{Name: name, Value: value}) }
	for f, name := range textNames {
		if m.has(field(f)) {
			add(name, m.text(field(f)))
		}
	}
	for i := range m.forms {
		add(fmt.Sprintf("translation %d", m.forms[i].index), m.forms[i].text())
	}
	for _, flag := range m.flagSet() {
		add("flag", flag)
	}
	for _, reference := range slices.Sorted(slices.Values(m.references)) {
		add("reference", reference)
	}
	if text := blanksAsOne(strings.Join(m.extracted, " ")); text != "" {
		add("extracted comment", text)
	}
	if text := blanksAsOne(strings.Join(m.notes, " ")); text != "" {
		add("translator comment", text)
	}
	return domains.Bounded(all, mostFields)
}

// flagSet are the flags in order, each once.
func (m *message) flagSet() []string {
	flags := slices.DeleteFunc(slices.Clone(m.flags), func(flag string) bool { return flag == "" })
	slices.Sort(flags)
	return slices.Compact(flags)
}

// without leaves counted entries out of the files that the published reading takes.
func without(name, text string, leave func() bool) string {
	if !isCatalogue(name) {
		return text
	}
	c := read(text)
	c.entries = slices.DeleteFunc(c.entries, func(e entry) bool {
		m := e.message()
		return m.isCounted() && leave()
	})
	return c.print()
}
