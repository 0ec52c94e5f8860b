package chess

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// document is a file read so that nothing is lost, in any state.
type document struct {
	games []*game
	below []string // lines after the last game
	text  string   // that was read, with universal newlines and without fences
}

// game is one game with what stands above it.
type game struct {
	above      []string // lines that are no part of a game
	tags       []tag
	gaps       int // blank lines too many between tags or after them
	items      []item
	start, end int // in the document's text
}

type tag struct{ name, value string }

type itemKind uint8

const (
	moveItem itemKind = iota
	markItem
	commentItem
	restItem // a comment up to the end of its line
	variationItem
	resultItem
	foreignItem // text that means nothing in a game
	blankItem   // an empty line before the result, at which readers stop
	escapeItem  // a line that is kept from readers with a percent sign
)

// item is a part of a line of play.
type item struct {
	kind itemKind
	text string // a mark is a number; a comment is without its braces
	line []item // of a variation
	at   int    // where it begins in the document's text, with its number
	turn byte   // 'w' or 'b' if a number in front of the move says whose it is
}

// deepest is how deep variations are read. What is nested deeper counts as one line with what surrounds it.
const deepest = 16

// read reads a file.
func read(text string) document {
	r := reader{document: document{text: plain.Text(plain.Lines(text))}}
	r.lastBrace = strings.LastIndexByte(r.text, '}')
	for r.at < len(r.text) {
		r.line()
	}
	r.finish()
	return r.document
}

type reader struct {
	document
	at        int
	lastBrace int // where the last comment is closed
	inGame
}

// inGame is how far the game in hand is read.
type inGame struct {
	game    *game
	open    []*[]item // the lines of play that are open, the game's first
	tooDeep int       // brackets that were passed over
	ended   bool      // by a result
	moved   bool      // a move was read in the main line
	blanks  int       // empty lines just before
	number  int       // where the number of the next move stands, from 1; 0 for none
	turn    byte
	foreign bool // the last item is foreign text of this line
}

// finish ends the game in hand. A game without a tag and without a move is text above the next one, or after the last.
func (r *reader) finish() {
	g, moved := r.game, r.moved
	if g == nil {
		return
	}
	r.inGame = inGame{}
	r.below = append(r.below, g.above...)
	if len(g.tags) == 0 && !moved {
		for line := range strings.SplitSeq(r.text[g.start:g.end], "\n") {
			if line = pytext.Strip(line); line != "" {
				r.below = append(r.below, line)
			}
		}
		return
	}
	g.above, r.below = r.below, nil
	r.games = append(r.games, g)
}

// begin begins a game if none is in hand, and counts the blank lines that are too many before its moves.
func (r *reader) begin() {
	if r.game == nil {
		r.game = &game{start: r.at, end: r.at}
		r.open = []*[]item{&r.game.items}
	}
	if r.blanks > 1 && !r.begun() {
		r.game.gaps += r.blanks - 1
	}
}

// begun reports whether the game in hand has an item.
func (r *reader) begun() bool { return r.game != nil && len(r.game.items) > 0 }

// line reads a line, or more where a comment takes up several.
func (r *reader) line() {
	end := strings.IndexByte(r.text[r.at:], '\n') + 1
	line := r.text[r.at : r.at+end]
	switch {
	case isBlank(line):
		r.at += end
		r.blank()
		return
	case line[0] == '[' && r.tag(line):
		r.at += end
		r.game.end = r.at
		return
	case isEscaped(line) && !r.begun():
		above := &r.below
		if r.game != nil {
			above = &r.game.above
		}
		*above = plain.Append(*above, pytext.Strip(line))
		r.at += end
		return
	}
	r.begin()
	if r.blanks > 0 && r.begun() {
		r.add(item{kind: blankItem})
	}
	r.blanks = 0
	r.foreign = false
	if line[0] == '%' {
		r.add(item{kind: escapeItem, text: pytext.Strip(line[1:])})
		r.at += end
	} else {
		r.movetext(r.at + end)
	}
	r.game.end = r.at
}

// blank passes over an empty line. It ends a game that has its result, and text that is no game.
func (r *reader) blank() {
	if r.game == nil {
		return
	}
	if r.ended || len(r.game.tags) == 0 && !r.moved {
		r.finish()
		return
	}
	r.blanks++
}

// tag reads a line as a tag. After moves it begins another game.
func (r *reader) tag(line string) bool {
	name, value, ok := readTag(line)
	if !ok {
		return false
	}
	if r.begun() {
		r.finish()
	}
	r.begin()
	r.blanks = 0
	r.game.tags = append(r.game.tags, tag{name, unescaped.Replace(value)})
	return true
}

var unescaped = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// last is the innermost line of play that is open.
func (r *reader) last() *[]item { return r.open[len(r.open)-1] }

func (r *reader) add(i item) {
	r.foreign = i.kind == foreignItem
	*r.last() = plain.Append(*r.last(), i)
}

// movetext reads on to the end of a line, or of the line on which the last comment that begins before it ends.
func (r *reader) movetext(end int) {
	for r.at < end {
		switch c := r.text[r.at]; c {
		case '{':
			r.comment()
			if r.at >= end {
				end = r.at + strings.IndexByte(r.text[r.at:], '\n') + 1
			}
		case ';':
			r.add(item{kind: restItem, text: pytext.Strip(r.text[r.at+1 : end]), at: r.at})
			r.at = end
		case '(':
			r.openVariation()
		case ')':
			r.closeVariation()
		case ' ', '\t', '\n', '\r', '\f', '\v':
			r.at++
		default:
			r.word(end)
		}
	}
}

// comment reads a comment in braces. One that is not closed ends before the next tag.
func (r *reader) comment() {
	inside := r.text[r.at+1:]
	length, next := 0, 0
	if r.at < r.lastBrace {
		length = strings.IndexByte(inside, '}')
		next = length + 1
	} else {
		length = strings.Index(inside, "\n[")
		if length < 0 {
			length = len(inside) - 1 // the text ends with a line feed
		}
		next = length
	}
	r.add(item{kind: commentItem, text: pytext.Strip(inside[:length]), at: r.at})
	r.at += 1 + next
}

func (r *reader) openVariation() {
	r.forgetNumber()
	r.at++
	if len(r.open) > deepest {
		r.tooDeep++
		return
	}
	r.add(item{kind: variationItem, at: r.at - 1})
	line := *r.last()
	r.open = append(r.open, &line[len(line)-1].line)
}

func (r *reader) closeVariation() {
	r.forgetNumber()
	r.at++
	switch {
	case r.tooDeep > 0:
		r.tooDeep--
	case len(r.open) > 1:
		r.open = r.open[:len(r.open)-1]
		r.foreign = false
	default:
		r.addForeign(")", r.at-1)
	}
}

func (r *reader) addForeign(word string, at int) {
	if r.foreign {
		line := *r.last()
		before := &line[len(line)-1]
		before.text = r.text[before.at : at+len(word)]
		return
	}
	r.add(item{kind: foreignItem, text: word, at: at})
}

func (r *reader) forgetNumber() { r.number, r.turn = 0, 0 }

// plies counts the moves of the main line.
func (g *game) plies() int {
	return lists.Count(g.items, func(i *item) bool { return i.kind == moveItem })
}

// value returns a tag's value, "" if there is none.
func (g *game) value(name string) string {
	for _, t := range g.tags {
		if t.name == name {
			return t.value
		}
	}
	return ""
}

// word reads up to the next blank or sign that ends a word.
func (r *reader) word(end int) {
	start := r.at
	r.at++ // the first may be a brace that closes nothing
	for r.at < end && strings.IndexByte(" \t\n\r\f\v{};()", r.text[r.at]) < 0 {
		r.at++
	}
	word := r.text[start:r.at]
	if slices.Contains(results[:], word) && len(r.open) == 1 {
		r.ended = true
		r.add(item{kind: resultItem, text: word, at: start})
		return
	}
	if rest := r.moveNumber(word, start); !r.move(rest, r.at-len(rest)) {
		r.forgetNumber()
		r.addForeign(word, start)
	}
}

// moveNumber takes a move's number off a word.
func (r *reader) moveNumber(word string, at int) (rest string) {
	digits := strings.TrimLeft(word, "0123456789")
	rest = strings.TrimPrefix(strings.TrimLeft(digits, "."), "…")
	switch dots := len(digits) - len(rest); {
	case len(digits) == len(word) && dots == 0, dots == 0 && digits != "":
		return word
	case dots == 1:
		r.turn = 'w'
	case dots > 1:
		r.turn = 'b'
	case word == "0000":
		return word
	}
	if r.number == 0 {
		r.number = at + 1
	}
	return rest
}

// move reads a move with the marks after it, or marks alone. It reports whether the whole word is read.
func (r *reader) move(word string, at int) bool {
	_, length := readNotation(plainPieces(word))
	rest := word
	if length > 0 {
		length += len(word) - len(plainPieces(word))
		length = len(word) - len(strings.TrimLeft(word[length:], "+#"))
		rest = strings.TrimPrefix(word[length:], "e.p.")
	}
	found, ok := readMarks(rest)
	if !ok {
		return false
	}
	if length > 0 {
		start := at
		if r.number > 0 {
			start = r.number - 1
		}
		r.add(item{kind: moveItem, text: word[:length], at: start, turn: r.turn})
		if len(r.open) == 1 {
			r.moved = true
		}
		r.forgetNumber()
	}
	for _, mark := range found {
		r.add(item{kind: markItem, text: mark, at: at})
	}
	return true
}

// readMarks reads what stands after a move: marks of its quality, as signs or numbers, and signs of check.
func readMarks(text string) (found []string, ok bool) {
	for text != "" {
		length := 1
		switch c := text[0]; c {
		case '+', '#':
		case '!', '?':
			if len(text) > 1 && (text[1] == '!' || text[1] == '?') {
				length = 2
			}
			found = append(found, marks[text[:length]])
		case '$':
			length = len(text) - len(strings.TrimLeft(text[1:], "0123456789"))
			if length == 1 {
				return nil, false
			}
			found = append(found, plain.Number(text[1:length]))
		default:
			return nil, false
		}
		text = text[length:]
	}
	return found, true
}

// figurines are the letters of the pieces that some print as pictures.
var figurines = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N")

func plainPieces(word string) string {
	if word == "" || word[0] < 0x80 {
		return word
	}
	return figurines.Replace(word)
}

// readTag reads a line that begins with a bracket. What stands between the first quote and the last is the value.
func readTag(line string) (name, value string, ok bool) {
	end := 1
	for end < len(line) && isTagLetter(line[end], end == 1) {
		end++
	}
	name = line[1:end]
	quoted := pytext.StripLeft(line[end:])
	inside, closed := strings.CutSuffix(pytext.StripRight(quoted), `"]`)
	if name == "" || len(quoted) == len(line)-end || !closed || !strings.HasPrefix(inside, `"`) || strings.Contains(inside, "\r") {
		return "", "", false
	}
	return name, inside[1:], true
}

func isTagLetter(c byte, first bool) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return letter || !first && strings.IndexByte("_+#=:-", c) >= 0
}
