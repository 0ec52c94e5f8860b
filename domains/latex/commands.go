package latex

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// headings are the sectioning commands.
var headings = sets.Words("part chapter section subsection subsubsection paragraph subparagraph")

// Commands that stand for themselves between sentences, with arguments and without.
var (
	blocks = sets.Words(`
	documentclass usepackage newcommand renewcommand providecommand title author date affiliation address email keywords
	pacs caption caption* captionof includegraphics includegraphics* bibliographystyle vspace vspace* setlength
	graphicspath thispagestyle pagestyle input include subfile nocite`)
	bareBlocks = sets.Words(`
	maketitle tableofcontents listoffigures listoftables centering appendix newpage clearpage cleardoublepage bigskip
	medskip smallskip printbibliography frontmatter mainmatter backmatter linenumbers doublespacing`)
)

// bibliographies are the commands that name .bib files.
var bibliographies = map[string]bool{"bibliography": true, "addbibresource": true}

// command reads a command at the level of paragraphs and returns the token after it.
func (f *flow) command(s *source, i int) int {
	if other, next := f.input(s, i); other != nil && !f.read[other] {
		f.walk(other)
		return next
	}
	name := s.of(i)[1:]
	switch {
	case headings[strings.TrimSuffix(name, "*")]:
		return f.headed(s, i)
	case name == "begin":
		return f.begin(s, i)
	case name == "end":
		return f.end(s, i)
	case name == "item" || name == "bibitem":
		return f.listItem(s, i)
	case name == "label" && f.sentence == nil:
		return f.labelled(s, i)
	case bibliographies[name]:
		return f.bibliography(s, i)
	case blocks[name] || bareBlocks[name] || f.preamble:
		return f.block(s, i, blocks[name] || f.preamble)
	case name == "par":
		f.breakParagraph()
		return i + 1
	}
	return f.inline(s, i)
}

func (f *flow) headed(s *source, i int) int {
	f.breakParagraph()
	p := newPiece("")
	p.field("command", s.of(i))
	next := i + 1
	if lo, hi, after, ok := s.option(s.skip(next)); ok {
		p.field("short title", p.between(s, lo, hi, writer{}))
		next = after
	}
	title := ""
	if lo, hi, after, ok := s.group(s.skip(next)); ok {
		title = p.between(s, lo, hi, writer{})
		p.field("title", title)
		next = after
	}
	f.heading, f.numbers = strings.TrimSuffix(s.of(i)[1:], "*")+" "+brief(title), nil
	p.key = f.heading
	f.put(p)
	return next
}

// brief is a text for a key.
func brief(text string) string {
	const most = 48
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// labelled reads a label that stands after an element, such as a heading.
func (f *flow) labelled(s *source, i int) int {
	lo, hi, next, ok := s.group(s.skip(i + 1))
	n := len(f.elements)
	if !ok || n == 0 || f.elements[n-1].Kind != textElement || f.position > mostElements {
		return f.inline(s, i)
	}
	last := &f.elements[n-1]
	last.Fields = append(last.Fields, domains.Field{Name: "label", Value: strings.TrimSpace(s.between(lo, hi))})
	return next
}

// begin reads the beginning of an environment.
func (f *flow) begin(s *source, i int) int {
	name := s.environmentName(i)
	_, _, next, ok := s.group(s.skip(i + 1))
	if !ok {
		return f.inline(s, i)
	}
	end := int(s.tokens[i].partner)
	switch {
	case name == "document":
		f.breakParagraph()
		f.preamble = false
	case equations[strings.TrimSuffix(name, "*")] && end != none:
		f.display(s, name, next, end)
		return s.afterGroup(end + 1)
	}
	f.endSentence()
	f.paragraph = true
	p := newPiece("beginning of " + name)
	p.field("begin", name)
	next = p.arguments(s, next, false)
	if tables[name] && end != none {
		f.tables++
		f.put(p)
		f.table(s, next, end)
		return end
	}
	f.put(p)
	return next
}

// afterGroup is the token after a group that begins at a token.
func (s *source) afterGroup(i int) int {
	_, _, next, ok := s.group(s.skip(i))
	if !ok {
		return i
	}
	return next
}

func (f *flow) end(s *source, i int) int {
	_, _, next, ok := s.group(s.skip(i + 1))
	if !ok {
		return f.inline(s, i)
	}
	f.endSentence()
	name := s.environmentName(i)
	p := newPiece("end of " + name)
	p.field("end", name)
	if s.tokens[i].partner == none {
		p.field("closes", "nothing")
	}
	f.put(p)
	f.ended = name == "document"
	return next
}

func (f *flow) listItem(s *source, i int) int {
	f.endSentence()
	p := newPiece("")
	item := s.of(i)
	next := i + 1
	if lo, hi, after, ok := s.option(s.skip(next)); ok {
		item += "[" + p.between(s, lo, hi, writer{}) + "]"
		next = after
	}
	if lo, hi, after, ok := s.group(s.skip(next)); ok && s.is(i, "bibitem") {
		item += "{" + p.between(s, lo, hi, writer{}) + "}"
		next = after
	}
	p.field("item", item)
	f.item = p
	return next
}

// block reads a command that stands for itself.
func (f *flow) block(s *source, i int, withArguments bool) int {
	f.endSentence()
	p := newPiece(f.key(s.of(i)))
	p.field("command", s.of(i))
	next := i + 1
	if withArguments {
		next = p.arguments(s, next, true)
	} else if !s.is(i, "centering") {
		f.paragraph = true
	}
	f.put(p)
	return next
}

// arguments adds the options and groups that begin at a token, and returns the
// token after them. apart says whether blanks may stand before them.
func (p *piece) arguments(s *source, next int, apart bool) int {
	for {
		at := next
		if apart {
			at = s.skip(next)
		}
		if lo, hi, after, ok := s.option(at); ok {
			p.numbered("option", p.between(s, lo, hi, writer{}))
			next = after
		} else if lo, hi, after, ok := s.group(at); ok {
			p.parts(s, lo, hi)
			next = after
		} else {
			return next
		}
	}
}

// Fields of a command that names .bib files: as it names them, and those that are not there.
const (
	namesField   = "files"
	missingField = "missing files"
)

// bibliography reads a command that names .bib files. Those that are there may
// have any name, and are compared by their entries.
func (f *flow) bibliography(s *source, i int) int {
	f.endSentence()
	p := newPiece(s.of(i))
	p.field("command", s.of(i))
	next := i + 1
	if _, _, after, ok := s.option(s.skip(next)); ok {
		next = after
	}
	lo, hi, after, ok := s.group(s.skip(next))
	if ok {
		next = after
		p.field(namesField, s.between(lo, hi))
		var missing []string
		for name := range strings.SplitSeq(s.between(lo, hi), ",") {
			name = strings.TrimSuffix(strings.TrimSpace(name), ".bib")
			if !f.bibliographies[name[strings.LastIndexByte(name, '/')+1:]] {
				missing = append(missing, name)
			}
		}
		slices.Sort(missing)
		p.field(missingField, strings.Join(missing, ", "))
	}
	f.put(p)
	return next
}

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
		p.field(element.End, element.Missing)
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

// lastFirst writes "First von Last" as "von Last, First". Names in braces and those that have a comma stay.
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
