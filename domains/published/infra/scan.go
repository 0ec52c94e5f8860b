package infra

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

// Parser reads the HCL native syntax. The same parser serves both readings: the published one, which fails at the first
// thing its grammar does not know, and our own, which follows the format. They differ in where line ends may stand.
type Parser struct {
	Text      string
	At        int
	published bool
	Err       error

	Depth    int // of the expression in hand
	Brackets int // those around the place at hand inside which line ends mean nothing

	// trailing is, in the published reading, the line ends and comments that
	// count to a binary expression, and which: the one that was read last.
	trailing struct {
		of  *Node
		raw string
	}

	// comments are those inside the expression in hand. The published reading
	// does not look for them everywhere; there it is muted.
	Comments []Comment
	Muted    int

	endless map[string]int // from where on there is no such closing text
	Wasted  int            // bytes that were read without success
}

// Comment is a line of a comment, without its mark.
type Comment struct {
	Text string
	at   int // where it begins in the source
}

const (
	// mostNested is how deep an expression or a block may be nested.
	mostNested = 128
	// mostChained is how many operators of one level, or accesses, may follow one another.
	mostChained = 1000
)

var errNested = errors.New("nested too deep")

func (p *Parser) fail(what string) {
	if p.Err == nil {
		p.Err = syntaxError{what, p.Text, p.At}
	}
}

// syntaxError is what a text breaks the grammar with at a place. The line is counted only if someone asks.
type syntaxError struct {
	what, text string
	at         int
}

func (p *Parser) enter() bool {
	p.Depth++
	if p.Depth > mostNested && p.Err == nil {
		p.Err = errNested
	}
	return p.Err == nil
}

func (p *Parser) leave() { p.Depth-- }

// Next is the byte at hand, 0 at the end.
func (p *Parser) Next() byte {
	if p.At < len(p.Text) {
		return p.Text[p.At]
	}
	return 0
}

// Sees reports whether a text comes next.
func (p *Parser) Sees(text string) bool { return strings.HasPrefix(p.Text[p.At:], text) }

// take passes a text if it stands at hand.
func (p *Parser) take(text string) bool {
	if p.Err != nil || !p.Sees(text) {
		return false
	}
	p.At += len(text)
	return true
}

// need passes a text, after blanks, that must stand there.
func (p *Parser) need(text string) {
	p.blank()
	if !p.take(text) {
		p.fail("no " + text)
	}
}

// blank passes what may stand between any two words. By the format these are
// line ends and comments too, inside brackets.
func (p *Parser) blank() {
	if p.published {
		p.At = AfterBlanks(p.Text, p.At)
		return
	}
	for {
		p.At = AfterBlanks(p.Text, p.At)
		end := p.CommentEnd(p.At)
		switch {
		case end > p.At && (p.Brackets > 0 || p.Text[p.At] == '/' && p.Text[p.At+1] == '*'):
			p.Comments = AppendComments(p.Comments, p.Text[p.At:end], p.At)
			p.At = end
		case p.Brackets > 0 && p.Next() == '\n':
			p.At++
		default:
			return
		}
	}
}

// gap passes the line ends and comments that may stand at some places by the published grammar too.
func (p *Parser) gap() {
	if p.published {
		p.note(p.pass(p.breaks()))
	}
	p.blank()
}

// pass goes after line ends and comments, and returns them.
func (p *Parser) pass(breaks []span) string {
	if len(breaks) > 0 {
		p.At = breaks[len(breaks)-1].end
	}
	return p.joined(breaks)
}

// span is a part of the source.
type span struct{ start, end int }

// breaks are the line ends, each with the blanks after it, and the comments that follow.
func (p *Parser) breaks() []span {
	var all []span
	at := AfterBlanks(p.Text, p.At)
	for {
		end := p.CommentEnd(at)
		if end == at && at < len(p.Text) && p.Text[at] == '\n' {
			end = AfterBlanks(p.Text, at+1)
		} else if end > at && p.Text[at:at+2] != "/*" {
			end++ // with the line end
		}
		if end == at || end > len(p.Text) {
			return all
		}
		all = append(all, span{at, end})
		at = AfterBlanks(p.Text, end)
	}
}

func (p *Parser) joined(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(p.Text[s.start:s.end])
	}
	return b.String()
}

// note keeps the comments that were passed inside an expression.
func (p *Parser) note(raw string) {
	if p.Muted == 0 {
		for _, text := range publishedComments(raw) {
			p.Comments = append(p.Comments, Comment{Text: text})
		}
	}
}

// AfterBlanks is the place of the first character that is no blank, from a place on.
func AfterBlanks(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// CommentEnd is where the comment ends that begins at a place, the line end of
// a line comment not included; the place itself if there is none.
func (p *Parser) CommentEnd(at int) int {
	rest := p.Text[at:]
	switch {
	case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return at + end
		}
		return len(p.Text)
	case strings.HasPrefix(rest, "/*"):
		if end := p.find("*/", at+2); end >= 0 {
			return end + 2
		}
	}
	return at
}

// find is the place of a text from a place on, -1 if there is none. That there is none it remembers, and it gives up
// searching where that was in vain too often.
func (p *Parser) find(text string, from int) int {
	if since, known := p.endless[text]; known && from >= since || p.Tired() {
		return -1
	}
	if at := strings.Index(p.Text[from:], text); at >= 0 {
		return from + at
	}
	p.missed(text, from)
	return -1
}

func (p *Parser) missed(text string, from int) {
	if p.endless == nil {
		p.endless = map[string]int{}
	}
	p.endless[text] = from
	p.Wasted += len(p.Text) - from
}

// Tired reports whether more was read without success than a document that
// someone wrote gives reason to, so that readers need linear time.
func (p *Parser) Tired() bool { return p.Wasted > 1<<18+len(p.Text)/2 }

// Name passes a name, "" if there is none at hand.
func (p *Parser) Name() string {
	end := p.NameEnd()
	name := p.Text[p.At:end]
	p.At = end
	return name
}

// word passes a name if it is the given one.
func (p *Parser) word(name string) bool {
	if p.Err != nil || p.Text[p.At:p.NameEnd()] != name {
		return false
	}
	p.At += len(name)
	return true
}

// NameEnd is the end of the name that comes next, the present place if there is none.
func (p *Parser) NameEnd() int {
	at := p.At
	for at < len(p.Text) {
		c := p.Text[at]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_',
			at > p.At && (c >= '0' && c <= '9' || c == '-'):
			at++
			continue
		case c >= utf8.RuneSelf && !p.published:
			if r, size := utf8.DecodeRuneInString(p.Text[at:]); unicode.IsLetter(r) || at > p.At && unicode.IsDigit(r) {
				at += size
				continue
			}
		}
		break
	}
	return at
}

// OneLine is a text with single blanks for all white space.
func OneLine(text string) string {
	return plain.SingleBlanks(text)
}

// AppendComments adds the lines of a comment.
func AppendComments(all []Comment, raw string, at int) []Comment {
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
		if line = OneLine(line); line != "" {
			all = plain.Append(all, Comment{line, at})
		}
	}
	return all
}
