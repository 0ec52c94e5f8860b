package latex

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Kinds of elements other than entryKind, the counted one.
const (
	textElement         = "text" // in the order of the sources
	commentElement      = "comment"
	abbreviationElement = "abbreviation"
	preambleElement     = "bibliography preamble"
	lineElement         = "line"
)

// elements flattens a paper as LaTeX and BibTeX read it.
func elements(files vfs.Files) []domains.Element {
	works := readBibliographies(files)
	f := flow{bibliographies: map[string]bool{}}
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".tex":
			f.sources = append(f.sources, scan(name, f.withoutFences(files[name])))
		case ".bib":
			f.bibliographies[strings.TrimSuffix(path.Base(name), ".bib")] = true
		}
	}
	f.walkAll()
	return append(f.all(), works.elements()...)
}

// mostFences is the number of code fences of a source that count.
const mostFences = 64

// withoutFences leaves out the code fences around a source, which LaTeX would print.
func (f *flow) withoutFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	lines := plain.Lines(text)
	fences := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 - len(lines)
	for n := range min(fences, mostFences) {
		f.note(lineOf(fmt.Sprintf("code fence %d", n+1), "```"))
	}
	return plain.Text(lines)
}

// walkAll reads the sources that no other one takes in, in the order of their
// names, then those that only take in each other.
func (f *flow) walkAll() {
	f.read = make(map[*source]bool, len(f.sources))
	f.byName = make(map[string]*source, 2*len(f.sources))
	for _, s := range f.sources {
		for _, name := range []string{s.name, strings.TrimSuffix(s.name, ".tex")} {
			f.byName[name] = s
		}
	}
	taken := map[*source]bool{}
	for _, s := range f.sources {
		for i := range s.tokens {
			if other, _ := f.input(s, i); other != nil && other != s {
				taken[other] = true
			}
		}
	}
	for _, alsoTaken := range []bool{false, true} {
		for _, s := range f.sources {
			if taken[s] == alsoTaken {
				f.preamble, f.ended = false, false
				f.walk(s)
			}
		}
	}
}

// inputs are the commands that take in another source.
var inputs = map[string]bool{"input": true, "include": true, "subfile": true}

// input is the source that a command takes in, and the token after it; nil if it takes in none of the document's.
func (f *flow) input(s *source, i int) (*source, int) {
	if s.tokens[i].kind != commandToken || !inputs[s.of(i)[1:]] {
		return nil, i
	}
	lo, hi, next, ok := s.group(s.skip(i + 1))
	if !ok {
		return nil, i
	}
	return f.byName[strings.TrimPrefix(strings.TrimSpace(s.between(lo, hi)), "./")], next
}

// mostElements is the number of elements of the text that are told apart; what follows counts as one.
const mostElements = 1 << 15

// flow makes elements of the sources, in the order in which LaTeX reads them.
type flow struct {
	elements       []domains.Element
	notes          []domains.Element // which have no order
	sources        []*source
	byName         map[string]*source
	read           map[*source]bool
	bibliographies map[string]bool // the .bib files, without their ending

	heading  string         // the last one, as a person would name it
	numbers  map[string]int // of what stands below it
	tables   int
	position int
	rest     strings.Builder // the text of what is beyond mostElements

	sentence  *piece
	paragraph bool   // whether the next sentence begins one
	item      *piece // the list item that the next sentence begins
	preamble  bool
	ended     bool // the document
}

// walk reads a source from its beginning to its end.
func (f *flow) walk(s *source) {
	if f.read[s] {
		return
	}
	f.read[s] = true
	f.breakParagraph()
	f.comments(s)
	f.preamble = f.preamble || s.hasPreamble()
	f.run(s)
	f.breakParagraph()
}

// hasPreamble reports whether a document begins somewhere in a source.
func (s *source) hasPreamble() bool {
	for i := range s.tokens {
		if s.is(i, "begin") && s.environmentName(i) == "document" {
			return true
		}
	}
	return false
}

// run reads tokens at the level of paragraphs.
func (f *flow) run(s *source) {
	for i := 0; i < len(s.tokens); {
		switch t := s.tokens[i]; {
		case f.ended:
			f.afterTheEnd(s, i)
			return
		case t.kind == restToken || f.position >= mostElements:
			f.endSentence()
			f.rest.WriteString(pytext.Collapse(s.text[t.at:]))
			f.rest.WriteByte('\n')
			return
		case t.kind == paragraphToken:
			f.breakParagraph()
			i++
		case t.kind == rawToken && strings.Contains(s.of(i), "\n"):
			f.verbatim(s.of(i))
			i++
		case t.kind == mathToken && t.partner > int32(i) && displays[s.of(i)]:
			f.display(s, s.of(i), i+1, int(t.partner))
			i = int(t.partner) + 1
		case t.kind == commandToken && !f.inMath():
			i = f.command(s, i)
		default:
			i = f.inline(s, i)
		}
	}
}

var displays = map[string]bool{"$$": true, `\[`: true}

// inline adds a token, or a command with its arguments, to the sentence in hand.
func (f *flow) inline(s *source, i int) int {
	if f.sentence == nil {
		if kind := s.tokens[i].kind; kind == blankToken || kind == commentToken {
			return i + 1
		}
		f.beginSentence()
	}
	next := f.sentence.add(s, i)
	if f.sentence.ends(s, next) {
		f.endSentence()
	}
	return next
}

func (f *flow) inMath() bool { return f.sentence != nil && f.sentence.written.inMath() }

func (f *flow) beginSentence() {
	key := f.key("sentence")
	if f.item != nil {
		f.sentence, f.item = f.item, nil
		f.sentence.key = key
	} else {
		f.sentence = newPiece(key)
		if f.paragraph {
			f.sentence.field("begins", "paragraph")
		}
	}
	f.paragraph = false
}

func (f *flow) endSentence() {
	if f.item != nil {
		f.beginSentence()
	}
	if f.sentence == nil {
		return
	}
	f.sentence.endPart()
	f.put(f.sentence)
	f.sentence = nil
}

func (f *flow) breakParagraph() {
	f.endSentence()
	f.paragraph = true
}

// key names what stands below the last heading by its number there.
func (f *flow) key(what string) string {
	if f.numbers == nil {
		f.numbers = map[string]int{}
	}
	f.numbers[what]++
	if n := f.numbers[what]; n > 1 || what[0] != '\\' {
		what = fmt.Sprintf("%s %d", what, n)
	}
	if f.heading == "" {
		return what
	}
	return what + " of " + f.heading
}

// put adds a piece of the text.
func (f *flow) put(p *piece) {
	fields := p.fields
	if f.position >= mostElements {
		f.beyond(fields)
		return
	}
	f.position++
	f.elements = append(f.elements, domains.Element{Kind: textElement, Key: p.key, Fields: fields, Position: f.position})
}

// equations are the environments of displayed mathematics.
var equations = sets.Words("equation align gather multline eqnarray displaymath flalign alignat")

// tables are the environments of rows and cells.
var tables = sets.Words("tabular tabular* tabularx tabulary longtable supertabular array")

// display reads a displayed formula, line by line.
func (f *flow) display(s *source, environment string, lo, hi int) {
	f.endSentence()
	p := newPiece(f.key("formula"))
	p.field("environment", environment)
	for _, row := range s.rows(lo, hi) {
		if text := p.between(s, row[0], row[1], writer{math: 1}); text != "" {
			p.numbered("line", text)
		}
	}
	for i := range p.fields {
		if p.fields[i].Name == "label" {
			p.key = "formula " + p.fields[i].Value
		}
	}
	f.put(p)
}

// rows are the ranges between the \\ of a table or formula, with the token that
// ends them: those of groups and environments inside are part of their row.
func (s *source) rows(lo, hi int) (rows [][2]int) {
	start := lo
	for i := lo; i < hi; i++ {
		switch t := s.tokens[i]; {
		case int(t.partner) > i && int(t.partner) < hi && t.kind != mathToken:
			i = int(t.partner)
		case t.kind == symbolToken && s.of(i) == `\\`:
			rows = append(rows, [2]int{start, i})
			start = i + 1
		}
	}
	return append(rows, [2]int{start, hi})
}

// rules are the commands that draw lines between rows.
var rules = sets.Words("hline toprule midrule bottomrule cmidrule cline addlinespace specialrule")

// table reads the rows of a table, cell by cell.
func (f *flow) table(s *source, lo, hi int) {
	for n, row := range s.rows(lo, hi) {
		if f.position >= mostElements {
			f.rest.WriteString(pytext.Collapse(s.between(row[0], hi)))
			f.rest.WriteByte('\n')
			return
		}
		p := newPiece(fmt.Sprintf("row %d of table %d", n+1, f.tables))
		at := p.rules(s, row[0], row[1])
		if s.skip(at) >= row[1] && row[1] == hi && len(p.fields) == 0 {
			return
		}
		start := at
		for i := at; i <= row[1]; i++ {
			switch {
			case i == row[1] || s.tokens[i].kind == cellToken:
				p.numbered("cell", p.between(s, start, i, writer{}))
				start = i + 1
			case int(s.tokens[i].partner) > i && int(s.tokens[i].partner) < row[1]:
				i = int(s.tokens[i].partner)
			}
		}
		f.put(p)
	}
}

// rules reads the lines drawn above a row and returns the token after them.
func (p *piece) rules(s *source, lo, hi int) int {
	at := lo
	for {
		i := at
		for i < hi && slices.Contains([]tokenKind{blankToken, commentToken, paragraphToken}, s.tokens[i].kind) {
			i++
		}
		if i >= hi || s.tokens[i].kind != commandToken || !rules[s.of(i)[1:]] {
			return at
		}
		end := i + 1
		for ; end < hi; end++ {
			t := &s.tokens[end]
			if t.kind != openToken && t.kind != optionToken && (t.kind != wordToken || s.text[t.at] != '(') {
				break
			}
			if partner := int(t.partner); partner > end {
				end = partner
			}
		}
		p.field("rule", p.between(s, i, end, writer{}))
		at = end
	}
}

// verbatim reads text that TeX does not read, line by line.
func (f *flow) verbatim(text string) {
	text = strings.Trim(text, "\n")
	for more := true; more && f.position < mostElements; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		p := newPiece(f.key("verbatim line"))
		p.field("text", strings.TrimRight(line, " \t"))
		f.put(p)
	}
	if f.position >= mostElements {
		f.rest.WriteString(text)
	}
}
