package foodmenu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/foodmenu"
	"agentd/internal/lazyregexp"
)

// entryKind says what lines are to the strict reader and to edits.
type entryKind uint8

const (
	blankEntry   entryKind = iota
	rulerEntry             // a line without letters and digits
	headingEntry           // a line of the title block
	sectionEntry
	itemEntry
	legendEntry // what codes stand for
	textEntry   // any other line
)

// entry is a line of a menu, or the lines of an item.
type entry struct {
	kind  entryKind
	lines []string // as they stand in the file
	name  string   // of a section
	dish  *dish    // of an item
}

// read divides a text into entries.
func read(text string) []entry {
	r := reader{lines: plain.Lines(text)}
	for r.at < len(r.lines) {
		r.next()
	}
	return r.entries
}

// reader reads line by line. It looks at the lines around where a name, a
// description and a price may stand on lines of their own.
type reader struct {
	lines   []string
	at      int
	entries []entry
	opened  bool // an item or a section was read
	inTitle bool // between the rulers around the title
	titled  bool // a line of the title block was read
}

func (r *reader) add(e entry) {
	r.at += len(e.lines)
	r.entries = plain.Append(r.entries, e)
}

func (r *reader) next() {
	line := r.lines[r.at]
	text := pytext.Strip(line)
	one := entry{kind: textEntry, lines: r.lines[r.at : r.at+1]}
	switch {
	case text == "":
		one.kind = blankEntry
		r.add(one)
	case isRuler(text):
		if text[0] == '=' && !r.opened {
			r.inTitle = !r.inTitle && !r.titled
		}
		one.kind = rulerEntry
		r.add(one)
	case r.inTitle:
		r.heading(one)
	case r.isHeader(text):
		r.opened = true
		one.kind, one.name = sectionEntry, headerName(text)
		r.add(one)
	case r.item():
		r.opened = true
	case r.continues():
		last := &r.entries[len(r.entries)-1]
		last.dish.addBelow(text)
		last.lines = r.lines[r.at-len(last.lines) : r.at+1]
		r.at++
	case isLegend(text):
		one.kind = legendEntry
		r.add(one)
	case !r.opened:
		r.heading(one)
	default:
		r.add(one)
	}
}

func (r *reader) heading(one entry) {
	r.titled = true
	one.kind = headingEntry
	r.add(one)
}

// isRuler reports whether a text has neither letters nor digits nor a sign that means something.
func isRuler(text string) bool {
	return strings.Trim(text, "=-_*~#|:+.·─━═ \t") == ""
}

// isHeader reports whether the line in hand opens a section. Capitals without
// marks do not if they are the title of the menu, or a dish of several lines.
func (r *reader) isHeader(text string) bool {
	switch {
	case headerName(text) == "":
		return false
	case !isPlainHeader(text):
		return !strings.HasPrefix(text, "# ") || r.opened || r.titled || r.beforeItem()
	case !r.opened && !r.titled:
		return r.beforeItem()
	}
	return !r.isNameAbove()
}

// beforeItem reports whether the next line of text has a price.
func (r *reader) beforeItem() bool {
	for _, line := range r.lines[r.at+1:] {
		if text := pytext.Strip(line); text != "" && !isRuler(text) {
			return hasPrice(line)
		}
	}
	return false
}

// headerName is the name of a section: between dashes or equals signs, after number signs, in emphasis, or in bare
// capitals. It is empty if the text is no header.
func headerName(text string) string {
	for _, mark := range []string{"-", "=", "*"} {
		if inner, ok := strings.CutPrefix(text, mark+mark); ok && strings.HasSuffix(inner, mark+mark) {
			return pytext.Collapse(strings.Trim(inner, mark+" \t"))
		}
	}
	if inner := strings.TrimLeft(text, "#"); inner != text && strings.HasPrefix(inner, " ") {
		return pytext.Collapse(strings.Trim(inner, "#* \t"))
	}
	if isPlainHeader(text) {
		return pytext.Collapse(text)
	}
	return ""
}

var capitals = lazyregexp.New(`^\p{Lu}[ &/'’-]*\p{Lu}[\p{Lu} &/'’-]*$`)

// isPlainHeader reports whether a text is in capitals and short, and neither the
// heading of a legend nor an item of the title block.
func isPlainHeader(text string) bool {
	const longest = 40
	return len(text) <= 2*longest && utf8.RuneCountInString(text) <= longest &&
		capitals.MatchString(text) && !published.NoHeader.MatchString(text)
}

// item reads the item that the line in hand begins, if it does.
func (r *reader) item() bool {
	first, n := r.lines[r.at], 1
	d, ok := readDish(first)
	if !ok {
		if !r.isNameAbove() {
			return false
		}
		d, _ = readDish(r.lines[r.at+1])
		d.addAbove(first)
		n = 2
	}
	r.add(entry{kind: itemEntry, lines: r.lines[r.at : r.at+n], dish: d})
	return true
}

// isNameAbove reports whether the line in hand names an item whose price stands
// on the next one, which is further in and not the first of several.
func (r *reader) isNameAbove() bool {
	if r.at+1 == len(r.lines) {
		return false
	}
	line, below := r.lines[r.at], r.lines[r.at+1]
	in := indent(below)
	if in <= indent(line) || !goesOn(line, below) {
		return false
	}
	return r.at+2 == len(r.lines) || indent(r.lines[r.at+2]) != in || !hasPrice(r.lines[r.at+2])
}

// goesOn reports whether a line has a price and nothing else, or a description of what the line above it names: in
// small letters from its beginning, unless the name is in capitals.
func goesOn(line, below string) bool {
	d, ok := readDish(below)
	if !ok || hasPrice(line) {
		return false
	}
	if d.words == "" {
		return true
	}
	p, _ := findAmount(below)
	first, _ := utf8.DecodeRuneInString(d.words)
	switch _, description := divide(d.words); {
	case pytext.Strip(below[:p.start]) == "":
		return false
	case strings.ContainsFunc(line, unicode.IsLower):
		return unicode.IsLower(first)
	default:
		return strings.ContainsFunc(d.words, unicode.IsLower) && description == ""
	}
}

func hasPrice(line string) bool {
	_, ok := findAmount(line)
	return ok
}

// continues reports whether the line in hand goes on with the item above, being further in than that.
func (r *reader) continues() bool {
	if len(r.entries) == 0 {
		return false
	}
	last := &r.entries[len(r.entries)-1]
	return last.kind == itemEntry && indent(r.lines[r.at]) > indent(last.lines[0])
}

// indent is the number of columns before the text of a line.
func indent(line string) int {
	const tab = 4
	columns := 0
	for _, c := range line {
		switch {
		case c == '\t':
			columns += tab
		case pytext.IsSpace(c):
			columns++
		default:
			return columns
		}
	}
	return columns
}

// printed joins the lines of entries.
func printed(entries []entry) string {
	var b strings.Builder
	for i := range entries {
		for _, line := range entries[i].lines {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
