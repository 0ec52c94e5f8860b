package fonteng

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
	published "agentd/domains/published/fonteng"
)

// document is a feature file with every blank and comment in its place. It takes
// any text: what is no statement becomes an entry too.
type document struct{ body }

// body are the entries of a file or block.
type body struct {
	opening string // blanks and a comment after the opening brace on its line
	entries []*entry
	// closing is the brace with what belongs to it; nothing in a file, or where the text ends first.
	closing []word
	// below is what stands after the last entry: in a block before the brace.
	below string
}

// entry is a statement, or a block with its head.
type entry struct {
	above string // blanks and comments before it
	words []word // with the semicolon or the opening brace
	body  *body  // of a block
	after string // blanks and a comment after it on its last line
}

// word is a word, sign or string with the blanks and comments before it.
type word struct{ lead, text string }

// mostNested is how deep braces are followed.
const mostNested = 40

// read takes a text apart, without code fences.
func read(text string) *document {
	words, rest := split(plain.Text(plain.Lines(text)))
	r := reader{words: words}
	d := &document{}
	for r.at < len(r.words) {
		r.body(&d.body, 0)
		if end := r.braces(); end > r.at { // they close nothing
			d.entries = plain.Append(d.entries, r.entry(nil, end))
		}
	}
	if n := len(d.entries); n > 0 {
		last := d.entries[n-1]
		last.after, rest = cutLine(rest)
	}
	d.below = rest
	return d
}

const endsWord = " \t\r\n,;'{}[]<>()=\"#"

var isWordEnd = published.ByteSet(endsWord)

// split cuts a text into words, and what is after the last. Semicolons that end nothing count as blanks.
func split(text string) (words []word, rest string) {
	const shortWord = 5 // bytes with the blank before it, as a guess
	words = make([]word, 0, len(text)/shortWord)
	start := 0
	for pos := 0; pos < len(text); {
		if text[pos] == ';' && len(words) > 0 && words[len(words)-1].text == ";" {
			pos++ // a statement of nothing
			continue
		}
		if end := skipped(text, pos); end > pos {
			pos = end
			continue
		}
		end := wordEnd(text, pos)
		words = plain.Append(words, word{text[start:pos], text[pos:end]})
		start, pos = end, end
	}
	return words, text[start:]
}

// skipped returns where the blank or comment at a place ends.
func skipped(text string, pos int) int {
	rest := text[pos:]
	switch {
	case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
		return pos + 1
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			return pos + i
		}
		return len(text)
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			return pos + i + 4
		}
		return len(text)
	}
	return pos
}

func wordEnd(text string, pos int) int {
	if text[pos] == '"' {
		if i := strings.IndexByte(text[pos+1:], '"'); i >= 0 {
			return pos + i + 2
		}
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			return pos + i
		}
		return len(text)
	}
	if isWordEnd[text[pos]] {
		return pos + 1
	}
	end := pos + 1
	for end < len(text) && !isWordEnd[text[end]] {
		end++
	}
	return end
}

// reader puts words together to entries.
type reader struct {
	words []word
	at    int
}

func (r *reader) text(i int) string {
	if i < len(r.words) {
		return r.words[i].text
	}
	return ""
}

// body reads entries up to a closing brace or the end.
func (r *reader) body(b *body, depth int) {
	for r.at < len(r.words) && r.text(r.at) != "}" {
		b.entries = plain.Append(b.entries, r.statement(depth))
	}
}

// braces returns where the closing braces in hand end that touch each other.
func (r *reader) braces() int {
	end := r.at
	for r.text(end) == "}" && (end == r.at || r.words[end].lead == "") {
		end++
	}
	return end
}

// statement reads an entry.
func (r *reader) statement(depth int) *entry {
	end := r.statementEnd(depth)
	if r.text(end-1) != "{" || depth == mostNested {
		return r.entry(nil, end)
	}
	inside := &body{}
	e := r.entry(inside, end)
	if first := e.words[0].text; first == "anon" || first == "anonymous" {
		r.anonymous(e)
	} else {
		r.body(inside, depth+1)
	}
	if r.at == len(r.words) {
		return e
	}
	inside.below = r.words[r.at].lead
	r.words[r.at].lead = ""
	end = r.at + 1
	if next := r.text(end); next != ";" && next != "" && !isWordEnd[next[0]] &&
		(r.text(end+1) == ";" || !strings.Contains(r.words[end].lead, "\n")) {
		end++
	}
	if r.text(end) == ";" {
		end++
	}
	inside.closing = r.words[r.at:end:end]
	r.at = end
	e.after = r.lineEnd()
	return e
}

// entry makes an entry of the words up to end.
func (r *reader) entry(inside *body, end int) *entry {
	e := &entry{above: r.words[r.at].lead, words: r.words[r.at:end:end], body: inside}
	e.words[0].lead = ""
	r.at = end
	if rest := r.lineEnd(); inside != nil {
		inside.opening = rest
	} else {
		e.after = rest
	}
	return e
}

// lineEnd takes the rest of the line from the next word.
func (r *reader) lineEnd() string {
	if r.at == len(r.words) {
		return ""
	}
	var after string
	after, r.words[r.at].lead = cutLine(r.words[r.at].lead)
	return after
}

// cutLine divides blanks and comments after the first line. What stands before
// a word on the same line belongs to that word.
func cutLine(text string) (line, rest string) {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i], text[i:]
	}
	return "", text
}

// anonymous takes the words of a block of another format, up to the brace before its tag, as one.
func (r *reader) anonymous(e *entry) {
	tag := ""
	if len(e.words) > 2 {
		tag = e.words[1].text
	}
	var raw strings.Builder
	start := r.at
	for r.at < len(r.words) && (r.text(r.at) != "}" || r.text(r.at+1) != tag) {
		raw.WriteString(r.words[r.at].lead + r.words[r.at].text)
		r.at++
	}
	if r.at > start {
		e.body.entries = []*entry{{words: []word{{text: raw.String()}}}}
	}
}

// statementEnd returns where the words of a statement or head end: after a
// semicolon or opening brace, otherwise before what begins a new statement.
func (r *reader) statementEnd(depth int) int {
	inList := false
	for i := r.at; i < len(r.words); i++ {
		switch r.text(i) {
		case ";":
			return i + 1
		case "{":
			if depth < mostNested {
				return i + 1
			}
		case "}":
			if i > r.at {
				return i
			}
		case "[":
			inList = true
		case "]":
			inList = false
		}
		if i > r.at && strings.Contains(r.words[i].lead, "\n") && r.begins(i, inList) {
			return i
		}
	}
	return len(r.words)
}

var beginners = sets.Words(`
	sub substitute rsub reversesub pos position enum enumerate ignore script language lookupflag subtable
	languagesystem markClass anchorDef valueRecordDef nameid`)

// begins reports whether a statement must begin at a word that is first on its line, though the one before has no end.
func (r *reader) begins(i int, inList bool) bool {
	switch text := r.text(i); {
	case text[0] == '@':
		return r.text(i+1) == "="
	case text == "feature" || text == "table" || text == "lookup":
		return r.text(i+2) == "{" || !inList && text == "feature" && r.text(i+2) == ";"
	default:
		return !inList && beginners[text] && r.text(i+1) != "'"
	}
}

// print returns the text that was read.
func (d *document) print() string {
	var b strings.Builder
	d.body.printInto(&b)
	return b.String()
}

func (b *body) printInto(t *strings.Builder) {
	t.WriteString(b.opening)
	for _, e := range b.entries {
		e.printInto(t)
	}
	t.WriteString(b.below)
	printWords(t, b.closing)
}

func (e *entry) printInto(t *strings.Builder) {
	t.WriteString(e.above)
	printWords(t, e.words)
	if e.body != nil {
		e.body.printInto(t)
	}
	t.WriteString(e.after)
}

func printWords(t *strings.Builder, words []word) {
	for _, w := range words {
		t.WriteString(w.lead)
		t.WriteString(w.text)
	}
}

// source is the text of an entry without what is above and after it.
func (e *entry) source() string {
	var t strings.Builder
	printWords(&t, e.words)
	if e.body != nil {
		e.body.printInto(&t)
	}
	return t.String()
}

// text returns the n-th word, "" if there are fewer.
func (e *entry) text(n int) string {
	if n < len(e.words) {
		return e.words[n].text
	}
	return ""
}

// ended holds for a statement with its semicolon, or a block.
func (e *entry) ended() bool { return e.body != nil || e.text(len(e.words)-1) == ";" }

// blockName is the name of a feature, lookup or table, the only word between its
// keyword and brace but for the extension.
func (e *entry) blockName() (name string, ok bool) {
	if e.body == nil || len(e.words) < 3 {
		return "", false
	}
	extended := len(e.words) == 4 && e.text(2) == "useExtension"
	return e.text(1), len(e.words) == 3 || extended
}

// className is the name of the class that an entry defines, with its @.
func (e *entry) className() (name string, ok bool) {
	return e.text(0), e.body == nil && len(e.words) > 2 && strings.HasPrefix(e.text(0), "@") && e.text(1) == "="
}
