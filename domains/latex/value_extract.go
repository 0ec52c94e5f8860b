package latex

import (
	"slices"
	"strings"
)

// publishedCitations are the commands that the published pattern takes for
// citations.
var publishedCitations = []string{"cite", "citep", "citet", "citeauthor", "citeyear", "autocite", "textcite", "parencite"}

// extract is the text that the published score compares. Each step works on what
// the one before it has left.
func extract(tex string) string {
	text := withoutComments(tex)
	text = replaced(text, citations(text), func(c match) string { return " [CITE:" + c.argument + "] " })
	text = replaced(text, commands(text, "ref"), func(c match) string { return "[REF:" + c.argument + "]" })
	text = replaced(text, commands(text, "label"), func(match) string { return "" })
	text = replaced(text, commands(text, "textit", "textbf", "emph", "texttt"), func(c match) string { return c.argument })
	text = replaced(text, commands(text, "section", "section*"), func(c match) string { return "## " + c.argument })
	text = replaced(text, commands(text, "subsection", "subsection*"), func(c match) string { return "### " + c.argument })
	text = replaced(text, otherCommands(text), func(match) string { return "" })
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

type matches func(yield func(match) bool)

// replaced puts a text in the place of each match.
func replaced(text string, found matches, by func(match) string) string {
	var b strings.Builder
	b.Grow(len(text))
	from := 0
	for m := range found {
		b.WriteString(text[from:m.at])
		b.WriteString(by(m))
		from = m.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// citations finds the citation commands with at most one option, and keys.
func citations(text string) matches {
	return func(yield func(match) bool) {
		p := newPattern(text)
		p.each(func(at, end int) (match, bool) {
			if !slices.Contains(publishedCitations, text[at+1:end]) {
				return match{}, false
			}
			next := afterSpace(text, end)
			if close := p.option(next); close >= 0 {
				next = afterSpace(text, close+1)
			}
			close := p.group(next)
			if close <= next+1 {
				return match{}, false
			}
			return match{at: at, end: close + 1, argument: text[next+1 : close]}, true
		}, yield)
	}
}

// commands finds commands of some names, each straight before its argument.
func commands(text string, names ...string) matches {
	return func(yield func(match) bool) {
		p := newPattern(text)
		p.each(func(at, end int) (match, bool) {
			if hasByte(text, end, '*') {
				end++
			}
			close := p.group(end)
			if close < 0 || !slices.Contains(names, text[at+1:end]) {
				return match{}, false
			}
			return match{at: at, end: close + 1, argument: text[end+1 : close]}, true
		}, yield)
	}
}

// otherCommands finds every command with its star, and with an option and an
// argument that stand straight after it.
func otherCommands(text string) matches {
	return func(yield func(match) bool) {
		p := newPattern(text)
		p.each(func(at, end int) (match, bool) {
			if end == at+1 {
				return match{}, false
			}
			if hasByte(text, end, '*') {
				end++
			}
			if close := p.option(end); close >= 0 {
				end = close + 1
			}
			if close := p.group(end); close >= 0 {
				end = close + 1
			}
			return match{at: at, end: end}, true
		}, yield)
	}
}

// pattern finds commands in a text.
type pattern struct {
	text             string
	braces, brackets finder // that close
}

func newPattern(text string) *pattern {
	return &pattern{text: text, braces: finder{text: text, byte: '}'}, brackets: finder{text: text, byte: ']'}}
}

// each offers the place of every backslash, and the end of the letters after
// it, to read, and yields what that finds.
func (p *pattern) each(read func(at, end int) (match, bool), yield func(match) bool) {
	for at := 0; ; {
		n := strings.IndexByte(p.text[at:], '\\')
		if n < 0 {
			return
		}
		at += n
		end := at + 1
		for end < len(p.text) && isLetter(p.text[end]) {
			end++
		}
		m, ok := read(at, end)
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

// group is the place of the first brace that closes after one that opens at a
// place, -1 if there is none.
func (p *pattern) group(at int) int {
	if !hasByte(p.text, at, '{') {
		return -1
	}
	return p.braces.from(at + 1)
}

func (p *pattern) option(at int) int {
	if !hasByte(p.text, at, '[') {
		return -1
	}
	return p.brackets.from(at + 1)
}
