package slides

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/slides"
	"agentd/vfs"
)

// Kinds of elements other than the counted one.
const (
	slideKind = "slide"
	frontKind = "front matter"
	lineKind  = "line"
)

// textField is what a part of a slide says.
const textField = "text"

// elements flattens a document for Strict. Parts of slides, titles among them,
// have their place in the deck, so that one on another slide has another.
func elements(files vfs.Files) []domains.Element {
	parts := map[string][]part{}
	for name, text := range files {
		parts[name] = read(text)
	}
	f := flattener{known: map[domains.Field]bool{}, indent: indentOf(parts)}
	for _, name := range files.Names() {
		f.front = len(f.known) > 0
		f.on, f.numbers = "", [published.TablePart + 1]int{}
		f.all = slices.Grow(f.all, len(parts[name]))
		for i := range parts[name] {
			f.add(parts[name], i)
		}
	}
	return f.all
}

type flattener struct {
	all    []domains.Element
	known  map[domains.Field]bool // entries of front matter, which files may repeat
	front  bool                   // an earlier file has front matter
	indent int                    // blanks of a level

	on      string                       // the title of the slide
	numbers [published.TablePart + 1]int // of its parts of a kind
	places  int                          // of counted elements
	lines   int
}

func (f *flattener) add(parts []part, i int) {
	p := &parts[i]
	switch {
	case p.kind == published.FrontPart:
		f.addFront(p)
	case p.kind == published.HeadingPart:
		f.addHeading(p)
	case p.isCounted():
		f.numbers[p.kind]++
		key := published.KindNames[p.kind] + " " + strconv.Itoa(f.numbers[p.kind]) + f.on
		f.addCounted(key, f.fields(parts, i))
	case p.kind == published.RulerPart && i > 0 && parts[i-1].kind == published.RowPart:
		// It is part of the header above.
	default:
		f.addLine(p)
	}
}

func (f *flattener) addElement(kind, key string, position int, fields ...domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
}

func (f *flattener) addCounted(key string, fields []domains.Field) {
	f.places++
	f.addElement(counted, key, f.places, fields...)
}

func (f *flattener) addHeading(p *part) {
	m := readMarks(strings.TrimPrefix(pytext.Strip(p.lines[0]), headingMark))
	quoted := strconv.Quote(brief(m.text))
	f.on, f.numbers = " of "+quoted, [published.TablePart + 1]int{}
	f.addElement(slideKind, "slide "+quoted, 0, domains.Field{Name: "title", Value: m.text})
	f.addCounted("title "+quoted, m.fields(published.KindNames[published.HeadingPart], textField))
}

// brief is the beginning of a text, by which people know it again.
func brief(text string) string {
	const most = 60 // bytes
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// addLine adds what is no part of the format. Its place is said by what it stands above (see placed).
func (f *flattener) addLine(p *part) {
	f.lines++
	key := "line " + strconv.Itoa(f.lines) + " outside of the format"
	f.addElement(lineKind, key, f.lines, domains.Field{Name: textField, Value: pytext.StripRight(p.lines[0])})
}

// addFront adds the entries of front matter; those that an earlier file has count
// once. Top-level entries have no order.
func (f *flattener) addFront(p *part) {
	lines := p.lines[1:p.own]
	if last := len(lines) - 1; last >= 0 && isFrontEnd(pytext.Strip(lines[last])) {
		lines = lines[:last]
	} else {
		lines = append(slices.Clone(lines), "(not closed)")
	}
	for n, line := range lines {
		if isBlank(line) {
			continue
		}
		field, position := frontEntry(line)
		if position > 0 {
			position += n
		}
		if f.front && f.known[field] {
			continue
		}
		f.known[field] = true
		key, fields := "front matter", []domains.Field{{Name: textField, Value: field.Value}}
		if field.Name != "" {
			key += ", " + field.Name
			fields = []domains.Field{{Name: "entry", Value: field.Name}, {Name: "value", Value: field.Value}}
		}
		f.addElement(frontKind, key, position, fields...)
	}
}

// frontEntry reads a line of front matter: a top-level entry, which has no position, or part of one.
func frontEntry(line string) (f domains.Field, position int) {
	name, value, found := strings.Cut(line, ":")
	if !found || strings.TrimLeft(name, " \t-#") != name {
		return domains.Field{Value: pytext.StripRight(line)}, 1
	}
	return domains.Field{Name: pytext.Strip(name), Value: unquoted(pytext.Strip(value))}, 0
}

// unquoted is a scalar of YAML without its quotes.
func unquoted(value string) string {
	if last := len(value) - 1; last > 0 && value[0] == value[last] {
		switch value[0] {
		case '"':
			if text, err := strconv.Unquote(value); err == nil {
				return text
			}
		case '\'':
			return strings.ReplaceAll(value[1:last], "''", "'")
		}
	}
	return value
}

// fields are those of a part that is counted, without a title's.
func (f *flattener) fields(parts []part, i int) []domains.Field {
	p := &parts[i]
	line := pytext.Strip(p.lines[0])
	name := published.KindNames[p.kind]
	switch p.kind {
	case published.BulletPart:
		m := readMarks(line[1:])
		fields := m.fields(name, textField)
		if level := columns(p.lines[0], f.indent) / f.indent; level > 0 {
			fields = append(fields, domains.Field{Name: "level", Value: strconv.Itoa(level)})
		}
		return fields
	case published.RowPart:
		ruler := ""
		if i+1 < len(parts) && parts[i+1].kind == published.RulerPart {
			ruler = parts[i+1].lines[0]
		}
		return rowFields(line, ruler)
	case published.NotesPart:
		return notesFields(p)
	case published.SubtitlePart:
		m := readMarks(underlined.ReplaceAllString(line, "*$1*$2"))
		return m.fields(name, textField)
	}
	m := readPlaceholder(line)
	return m.fields(name, "name")
}

// indentOf is the number of blanks by which the deck indents a level: the least
// that a bullet has, if that is two or more.
func indentOf(parts map[string][]part) int {
	const usual = 2
	least := 0
	for _, all := range parts {
		for i := range all {
			if all[i].kind != published.BulletPart || all[i].lines[0][0] != ' ' {
				continue
			}
			if n := columns(all[i].lines[0], 0); n >= usual && (least == 0 || n < least) {
				least = n
			}
		}
	}
	if least == 0 {
		return usual
	}
	return least
}

// columns is how far a line is indented, a tab taken for so many blanks.
func columns(line string, tab int) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += tab
		default:
			return n
		}
	}
	return n
}

// talk is a deck by its slides.
type talk struct {
	head   []part // what stands above the first slide
	slides []slide
}

// slide is a slide with its heading.
type slide []part

func divided(text string) (t talk) {
	parts := read(text)
	for i := range parts {
		switch {
		case parts[i].kind == published.HeadingPart:
			t.slides = append(t.slides, slide{parts[i]})
		case len(t.slides) == 0:
			t.head = append(t.head, parts[i])
		default:
			last := &t.slides[len(t.slides)-1]
			*last = append(*last, parts[i])
		}
	}
	return t
}

// without leaves parts of slides out, counted through all files. What is left of a slide without its title joins the
// slide before, or the first that is left. A slide of which nothing is left goes with its lines.
func without(_, text string, leave func() bool) string {
	t := divided(text)
	kept := remaining(t.head, leave)
	var early []part // of slides before the first that is left
	titled := false
	for _, s := range t.slides {
		gone, rest := leave(), remaining(s[1:], leave)
		switch {
		case !gone:
			kept = append(append(append(kept, s[0]), early...), rest...)
			early, titled = nil, true
		case !slices.ContainsFunc(rest, func(p part) bool { return p.isCounted() }):
		case titled:
			kept = append(kept, rest...)
		default:
			early = append(early, rest...)
		}
	}
	return printed(append(kept, early...))
}

// remaining are the parts that are not left out. A table's header goes with its ruler.
func remaining(parts []part, leave func() bool) []part {
	var kept []part
	gone := false // the part in hand
	for i := range parts {
		p := &parts[i]
		below := p.kind == published.RulerPart && i > 0 && parts[i-1].kind == published.RowPart
		if gone = p.isCounted() && leave() || below && gone; !gone {
			kept = append(kept, *p)
		}
	}
	return kept
}

// printed writes parts with a blank line before each slide.
func printed(parts []part) string {
	var b strings.Builder
	for i := range parts {
		p := &parts[i]
		if i > 0 && p.kind == published.HeadingPart && parts[i-1].own == len(parts[i-1].lines) {
			b.WriteByte('\n')
		}
		for k, line := range p.lines {
			if i == len(parts)-1 && k == p.own {
				break
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// counted is the kind of element that is counted.
const counted = "element"

// wellFormed checks that front matter, where a deck begins with it, is ended.
func wellFormed(_, text string) []domains.Slip {
	head, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(head) != "---" {
		return nil
	}
	for n, line := range strings.Split(rest, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "---" || line == "...":
			return nil
		case strings.HasPrefix(line, "#") && n > 0 && strings.HasPrefix(line, "# "):
			return []domains.Slip{{Line: 1, What: "the front matter is not ended"}}
		}
	}
	return []domains.Slip{{Line: 1, What: "the front matter is not ended"}}
}
