package latex

import (
	"fmt"
	"path"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// entryKind is the counted kind of element.
const entryKind = "entry"

// works are the items of all .bib files.
type works struct {
	items         []item
	abbreviations map[string]string // written out, by name in lower case
}

func readBibliographies(files vfs.Files) works {
	w := works{abbreviations: map[string]string{}}
	for _, name := range files.Names() {
		if path.Ext(name) == ".bib" {
			w.items = append(w.items, readBib(pytext.UniversalNewlines(files[name]))...)
		}
	}
	for i := range w.items {
		if it := &w.items[i]; it.kind == abbreviationItem {
			for _, f := range it.fields {
				w.abbreviations[strings.ToLower(f.name)] = w.plain(f.value)
			}
		}
	}
	return w
}

func (w *works) elements() []domains.Element {
	var all []domains.Element
	lines := 0
	for i := range w.items {
		switch it := &w.items[i]; it.kind {
		case entryItem:
			all = append(all, w.entry(it))
		case abbreviationItem:
			all = append(all, w.abbreviation(it))
		case preambleItem:
			all = append(all, textOf(preambleElement, preambleElement, pytext.Collapse(it.text)))
		case commentItem:
			if text := commentText(it.text); text != "" {
				all = append(all, commentOf(text))
			}
		default:
			lines++
			key := fmt.Sprintf("line %d of the bibliography outside entries", lines)
			all = append(all, lineOf(key, pytext.Collapse(it.text)))
		}
	}
	return all
}

func (w *works) entry(it *item) domains.Element {
	p := newPiece("entry " + brief(it.key))
	p.field("key", it.key)
	p.field("type", strings.ToLower(it.name))
	for _, f := range it.fields {
		name := strings.ToLower(f.name)
		value := w.plain(f.value)
		if name != "author" && name != "editor" {
			p.field(name, value)
			continue
		}
		for person := range strings.SplitSeq(value, " and ") {
			p.numbered(name, lastFirst(person))
		}
	}
	if it.open {
		p.field("end", "missing")
	}
	return domains.Element{Kind: entryKind, Key: p.key, Fields: p.fields}
}

func (w *works) abbreviation(it *item) domains.Element {
	e := domains.Element{Kind: abbreviationElement, Key: abbreviationElement}
	for _, f := range it.fields {
		e.Key += " " + brief(f.name)
		name, value := strings.ToLower(f.name), w.plain(f.value)
		e.Fields = append(e.Fields, domains.Field{Name: "name", Value: name}, domains.Field{Name: "value", Value: value})
	}
	return e
}

// plain is a value as BibTeX takes it: without its braces or quotes, blanks as
// one, abbreviations written out and parts joined.
func (w *works) plain(value string) string {
	b := bibBody{text: value}
	var joined strings.Builder
	for b.at < len(b.text) {
		start := b.at
		b.balanced('#', '"')
		if b.at < len(b.text) && b.text[b.at] == '"' && pytext.Strip(b.text[start:b.at]) == "" {
			b.at++
			b.balanced('"')
			b.balanced('#')
		}
		joined.WriteString(w.part(pytext.Strip(b.text[start:b.at])))
		b.at++
	}
	return pytext.Collapse(joined.String())
}

// part is one of the parts that # joins, in braces, in quotes or bare.
func (w *works) part(part string) string {
	if n := len(part); n >= 2 && (part[0] == '{' && part[n-1] == '}' || part[0] == '"' && part[n-1] == '"') {
		return part[1 : n-1]
	}
	if text, known := w.abbreviations[strings.ToLower(part)]; known {
		return text
	}
	if strings.Trim(part, "0123456789") == "" {
		return part
	}
	return "(abbreviation) " + part
}

// lastFirst writes "First von Last" as "von Last, First". Names in braces and
// those that have a comma stay.
func lastFirst(name string) string {
	name = pytext.Collapse(name)
	if strings.ContainsAny(name, ",{}\\") || !strings.Contains(name, " ") {
		return name
	}
	parts := strings.Fields(name)
	last := len(parts) - 1
	for last > 1 && parts[last-1][0] >= 'a' && parts[last-1][0] <= 'z' {
		last--
	}
	return strings.Join(parts[last:], " ") + ", " + strings.Join(parts[:last], " ")
}
