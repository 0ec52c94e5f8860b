package infra

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

// parser reads the HCL native syntax. The same parser serves both readings: the published one, which fails at the first
// thing its grammar does not know, and our own, which follows the format. They differ in where line ends may stand.
type parser struct {
	text      string
	at        int
	published bool
	err       error

	depth    int // of the expression in hand
	brackets int // those around the place at hand inside which line ends mean nothing

	// trailing is, in the published reading, the line ends and comments that
	// count to a binary expression, and which: the one that was read last.
	trailing struct {
		of  *node
		raw string
	}

	// comments are those inside the expression in hand. The published reading
	// does not look for them everywhere; there it is muted.
	comments []comment
	muted    int

	endless map[string]int // from where on there is no such closing text
	wasted  int            // bytes that were read without success
}

// comment is a line of a comment, without its mark.
type comment struct {
	text string
	at   int // where it begins in the source
}

const (
	// mostNested is how deep an expression or a block may be nested.
	mostNested = 128
	// mostChained is how many operators of one level, or accesses, may follow one another.
	mostChained = 1000
)

var errNested = errors.New("nested too deep")

func (p *parser) fail(what string) {
	if p.err == nil {
		p.err = syntaxError{what, p.text, p.at}
	}
}

// syntaxError is what a text breaks the grammar with at a place. The line is counted only if someone asks.
type syntaxError struct {
	what, text string
	at         int
}

func (e syntaxError) Error() string {
	return fmt.Sprintf("line %d: %s", 1+strings.Count(e.text[:e.at], "\n"), e.what)
}

func (p *parser) enter() bool {
	p.depth++
	if p.depth > mostNested && p.err == nil {
		p.err = errNested
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// next is the byte at hand, 0 at the end.
func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) sees(text string) bool { return strings.HasPrefix(p.text[p.at:], text) }

// take passes a text if it stands at hand.
func (p *parser) take(text string) bool {
	if p.err != nil || !p.sees(text) {
		return false
	}
	p.at += len(text)
	return true
}

// need passes a text, after blanks, that must stand there.
func (p *parser) need(text string) {
	p.blank()
	if !p.take(text) {
		p.fail("no " + text)
	}
}

// blank passes what may stand between any two words. By the format these are
// line ends and comments too, inside brackets.
func (p *parser) blank() {
	if p.published {
		p.at = afterBlanks(p.text, p.at)
		return
	}
	for {
		p.at = afterBlanks(p.text, p.at)
		end := p.commentEnd(p.at)
		switch {
		case end > p.at && (p.brackets > 0 || p.text[p.at] == '/' && p.text[p.at+1] == '*'):
			p.comments = appendComments(p.comments, p.text[p.at:end], p.at)
			p.at = end
		case p.brackets > 0 && p.next() == '\n':
			p.at++
		default:
			return
		}
	}
}

// gap passes the line ends and comments that may stand at some places by the published grammar too.
func (p *parser) gap() {
	if p.published {
		p.note(p.pass(p.breaks()))
	}
	p.blank()
}

// pass goes after line ends and comments, and returns them.
func (p *parser) pass(breaks []span) string {
	if len(breaks) > 0 {
		p.at = breaks[len(breaks)-1].end
	}
	return p.joined(breaks)
}

// span is a part of the source.
type span struct{ start, end int }

// breaks are the line ends, each with the blanks after it, and the comments that follow.
func (p *parser) breaks() []span {
	var all []span
	at := afterBlanks(p.text, p.at)
	for {
		end := p.commentEnd(at)
		if end == at && at < len(p.text) && p.text[at] == '\n' {
			end = afterBlanks(p.text, at+1)
		} else if end > at && p.text[at:at+2] != "/*" {
			end++ // with the line end
		}
		if end == at || end > len(p.text) {
			return all
		}
		all = append(all, span{at, end})
		at = afterBlanks(p.text, end)
	}
}

func (p *parser) joined(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(p.text[s.start:s.end])
	}
	return b.String()
}

// note keeps the comments that were passed inside an expression.
func (p *parser) note(raw string) {
	if p.muted == 0 {
		for _, text := range publishedComments(raw) {
			p.comments = append(p.comments, comment{text: text})
		}
	}
}

func afterBlanks(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// commentEnd is where the comment ends that begins at a place, the line end of
// a line comment not included; the place itself if there is none.
func (p *parser) commentEnd(at int) int {
	rest := p.text[at:]
	switch {
	case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return at + end
		}
		return len(p.text)
	case strings.HasPrefix(rest, "/*"):
		if end := p.find("*/", at+2); end >= 0 {
			return end + 2
		}
	}
	return at
}

// find is the place of a text from a place on, -1 if there is none. That there is none it remembers, and it gives up
// searching where that was in vain too often.
func (p *parser) find(text string, from int) int {
	if since, known := p.endless[text]; known && from >= since || p.tired() {
		return -1
	}
	if at := strings.Index(p.text[from:], text); at >= 0 {
		return from + at
	}
	p.missed(text, from)
	return -1
}

func (p *parser) missed(text string, from int) {
	if p.endless == nil {
		p.endless = map[string]int{}
	}
	p.endless[text] = from
	p.wasted += len(p.text) - from
}

// tired reports whether more was read without success than a document that
// someone wrote gives reason to, so that readers need linear time.
func (p *parser) tired() bool { return p.wasted > 1<<18+len(p.text)/2 }

// name passes a name, "" if there is none at hand.
func (p *parser) name() string {
	end := p.nameEnd()
	name := p.text[p.at:end]
	p.at = end
	return name
}

// word passes a name if it is the given one.
func (p *parser) word(name string) bool {
	if p.err != nil || p.text[p.at:p.nameEnd()] != name {
		return false
	}
	p.at += len(name)
	return true
}

func (p *parser) nameEnd() int {
	at := p.at
	for at < len(p.text) {
		c := p.text[at]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_',
			at > p.at && (c >= '0' && c <= '9' || c == '-'):
			at++
			continue
		case c >= utf8.RuneSelf && !p.published:
			if r, size := utf8.DecodeRuneInString(p.text[at:]); unicode.IsLetter(r) || at > p.at && unicode.IsDigit(r) {
				at += size
				continue
			}
		}
		break
	}
	return at
}

// oneLine is a text with single blanks for all white space.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// appendComments adds the lines of a comment.
func appendComments(all []comment, raw string, at int) []comment {
	lines := []string{raw}
	if inner, ok := strings.CutPrefix(raw, "/*"); ok {
		lines = strings.Split(strings.TrimSuffix(inner, "*/"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimLeft(line, " \t*")
		}
	} else {
		lines[0] = strings.TrimLeft(strings.TrimPrefix(raw, "//"), "#")
	}
	for _, line := range lines {
		if line = oneLine(line); line != "" {
			all = plain.Append(all, comment{line, at})
		}
	}
	return all
}
