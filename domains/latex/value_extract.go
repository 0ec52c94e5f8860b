package latex

import (
	"iter"
	"slices"
	"strings"
)

// publishedCitations are the commands that the published pattern takes for
// citations.
var publishedCitations = strings.Fields("cite citep citet citeauthor citeyear autocite textcite parencite")

// extract is the text that the published score compares. Each step works on what
// the one before it has left.
func extract(tex string) string {
	text := withoutComments(tex)
	text = pattern(citation).replaced(text, func(keys string) string { return " [CITE:" + keys + "] " })
	text = commands("ref").replaced(text, func(label string) string { return "[REF:" + label + "]" })
	text = commands("label").replaced(text, func(string) string { return "" })
	text = commands("textit", "textbf", "emph", "texttt").replaced(text, func(words string) string { return words })
	text = commands("section", "section*").replaced(text, func(title string) string { return "## " + title })
	text = commands("subsection", "subsection*").replaced(text, func(title string) string { return "### " + title })
	text = pattern(anyCommand).replaced(text, func(string) string { return "" })
	return normal(text)
}

// withoutComments cuts every line at its first percent sign, escaped or not.
func withoutComments(tex string) string {
	var b strings.Builder
	b.Grow(len(tex))
	for line := range strings.SplitAfterSeq(tex, "\n") {
		text, _, found := strings.Cut(line, "%")
		b.WriteString(text)
		if found && strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// match is a command that a pattern finds, from one byte to before another.
type match struct {
	at, end  int
	argument string
}

// pattern reads a command whose backslash is at a place, with the letters after it up to another
// one. It reports whether that is one of its matches.
type pattern func(t *searched, at, end int) (match, bool)

// replaced puts a text in the place of each match.
func (p pattern) replaced(text string, by func(argument string) string) string {
	var b strings.Builder
	b.Grow(len(text))
	from := 0
	for m := range p.in(text) {
		b.WriteString(text[from:m.at])
		b.WriteString(by(m.argument))
		from = m.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// in are the matches in a text.
func (p pattern) in(text string) iter.Seq[match] {
	return func(yield func(match) bool) {
		t := &searched{text: text, braces: finder{text: text, byte: '}'}, brackets: finder{text: text, byte: ']'}}
		for at := 0; ; {
			n := strings.IndexByte(text[at:], '\\')
			if n < 0 {
				return
			}
			at += n
			end := at + 1
			for end < len(text) && isLetter(text[end]) {
				end++
			}
			m, ok := p(t, at, end)
			if !ok {
				at++
				continue
			}
			if !yield(m) {
				return
			}
			at = m.end
		}
	}
}

// citation finds the citation commands with at most one option, and keys.
func citation(t *searched, at, end int) (match, bool) {
	if !slices.Contains(publishedCitations, t.text[at+1:end]) {
		return match{}, false
	}
	next := afterSpace(t.text, end)
	if close := t.option(next); close >= 0 {
		next = afterSpace(t.text, close+1)
	}
	close := t.group(next)
	if close <= next+1 {
		return match{}, false
	}
	return match{at: at, end: close + 1, argument: t.text[next+1 : close]}, true
}

// commands finds commands of some names, each straight before its argument.
func commands(names ...string) pattern {
	return func(t *searched, at, end int) (match, bool) {
		end = t.afterStar(end)
		close := t.group(end)
		if close < 0 || !slices.Contains(names, t.text[at+1:end]) {
			return match{}, false
		}
		return match{at: at, end: close + 1, argument: t.text[end+1 : close]}, true
	}
}

// anyCommand finds every command with its star, and with an option and an
// argument that stand straight after it.
func anyCommand(t *searched, at, end int) (match, bool) {
	if end == at+1 {
		return match{}, false
	}
	end = t.afterStar(end)
	if close := t.option(end); close >= 0 {
		end = close + 1
	}
	if close := t.group(end); close >= 0 {
		end = close + 1
	}
	return match{at: at, end: end}, true
}

// searched is a text in which commands are found.
type searched struct {
	text             string
	braces, brackets finder // that close
}

func (t *searched) afterStar(at int) int {
	if hasByte(t.text, at, '*') {
		at++
	}
	return at
}

// group is the place of the first brace that closes after one that opens at a
// place, -1 if there is none.
func (t *searched) group(at int) int {
	if !hasByte(t.text, at, '{') {
		return -1
	}
	return t.braces.from(at + 1)
}

func (t *searched) option(at int) int {
	if !hasByte(t.text, at, '[') {
		return -1
	}
	return t.brackets.from(at + 1)
}
