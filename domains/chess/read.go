package chess

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/chess"
)

// Document is a file read so that nothing is lost, in any state.
type Document struct {
	Games []*Game
	Below []string // lines after the last game
	Text  string   // that was read, with universal newlines and without fences
}

// Game is one game with what stands above it.
type Game struct {
	Above      []string // lines that are no part of a game
	Tags       []Tag
	Gaps       int // blank lines too many between tags or after them
	Items      []Item
	Start, End int // in the document's text
}

// Tag is a pair of the header.
type Tag struct{ Name, Value string }

// ItemKind is what an item of the movetext is.
type ItemKind uint8

// The kinds of items.
const (
	MoveItem ItemKind = iota
	MarkItem
	CommentItem
	RestItem // a comment up to the end of its line
	VariationItem
	ResultItem
	ForeignItem // text that means nothing in a game
	BlankItem   // an empty line before the result, at which readers stop
	EscapeItem  // a line that is kept from readers with a percent sign
)

// Item is a part of a line of play.
type Item struct {
	Kind ItemKind
	Text string // a mark is a number; a comment is without its braces
	Line []Item // of a variation
	At   int    // where it begins in the document's text, with its number
	Turn byte   // 'w' or 'b' if a number in front of the move says whose it is
}

// deepest is how deep variations are read. What is nested deeper counts as one line with what surrounds it.
const deepest = 16

// Read reads a file.
func Read(text string) Document {
	r := reader{Document: Document{Text: plain.Text(plain.Lines(text))}}
	r.lastBrace = strings.LastIndexByte(r.Text, '}')
	for r.at < len(r.Text) {
		r.line()
	}
	r.finish()
	return r.Document
}

type reader struct {
	Document
	at        int
	lastBrace int // where the last comment is closed
	inGame
}

// inGame is how far the game in hand is read.
type inGame struct {
	game    *Game
	open    []*[]Item // the lines of play that are open, the game's first
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
	r.Below = append(r.Below, g.Above...)
	if len(g.Tags) == 0 && !moved {
		for line := range strings.SplitSeq(r.Text[g.Start:g.End], "\n") {
			if line = pytext.Strip(line); line != "" {
				r.Below = append(r.Below, line)
			}
		}
		return
	}
	g.Above, r.Below = r.Below, nil
	r.Games = append(r.Games, g)
}

// begin begins a game if none is in hand, and counts the blank lines that are too many before its moves.
func (r *reader) begin() {
	if r.game == nil {
		r.game = &Game{Start: r.at, End: r.at}
		r.open = []*[]Item{&r.game.Items}
	}
	if r.blanks > 1 && !r.begun() {
		r.game.Gaps += r.blanks - 1
	}
}

// begun reports whether the game in hand has an item.
func (r *reader) begun() bool { return r.game != nil && len(r.game.Items) > 0 }

// line reads a line, or more where a comment takes up several.
func (r *reader) line() {
	end := strings.IndexByte(r.Text[r.at:], '\n') + 1
	line := r.Text[r.at : r.at+end]
	switch {
	case published.IsBlank(line):
		r.at += end
		r.blank()
		return
	case line[0] == '[' && r.tag(line):
		r.at += end
		r.game.End = r.at
		return
	case published.IsEscaped(line) && !r.begun():
		above := &r.Below
		if r.game != nil {
			above = &r.game.Above
		}
		*above = plain.Append(*above, pytext.Strip(line))
		r.at += end
		return
	}
	r.begin()
	if r.blanks > 0 && r.begun() {
		r.add(Item{Kind: BlankItem})
	}
	r.blanks = 0
	r.foreign = false
	if line[0] == '%' {
		r.add(Item{Kind: EscapeItem, Text: pytext.Strip(line[1:])})
		r.at += end
	} else {
		r.movetext(r.at + end)
	}
	r.game.End = r.at
}

// blank passes over an empty line. It ends a game that has its result, and text that is no game.
func (r *reader) blank() {
	if r.game == nil {
		return
	}
	if r.ended || len(r.game.Tags) == 0 && !r.moved {
		r.finish()
		return
	}
	r.blanks++
}

// tag reads a line as a tag. After moves it begins another game.
func (r *reader) tag(line string) bool {
	name, value, ok := published.ReadTag(line)
	if !ok {
		return false
	}
	if r.begun() {
		r.finish()
	}
	r.begin()
	r.blanks = 0
	r.game.Tags = append(r.game.Tags, Tag{name, unescaped.Replace(value)})
	return true
}

var unescaped = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// last is the innermost line of play that is open.
func (r *reader) last() *[]Item { return r.open[len(r.open)-1] }

func (r *reader) add(i Item) {
	r.foreign = i.Kind == ForeignItem
	*r.last() = plain.Append(*r.last(), i)
}

// movetext reads on to the end of a line, or of the line on which the last comment that begins before it ends.
func (r *reader) movetext(end int) {
	for r.at < end {
		switch c := r.Text[r.at]; c {
		case '{':
			r.comment()
			if r.at >= end {
				end = r.at + strings.IndexByte(r.Text[r.at:], '\n') + 1
			}
		case ';':
			r.add(Item{Kind: RestItem, Text: pytext.Strip(r.Text[r.at+1 : end]), At: r.at})
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
	inside := r.Text[r.at+1:]
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
	r.add(Item{Kind: CommentItem, Text: pytext.Strip(inside[:length]), At: r.at})
	r.at += 1 + next
}

func (r *reader) openVariation() {
	r.forgetNumber()
	r.at++
	if len(r.open) > deepest {
		r.tooDeep++
		return
	}
	r.add(Item{Kind: VariationItem, At: r.at - 1})
	line := *r.last()
	r.open = append(r.open, &line[len(line)-1].Line)
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
		before.Text = r.Text[before.At : at+len(word)]
		return
	}
	r.add(Item{Kind: ForeignItem, Text: word, At: at})
}

func (r *reader) forgetNumber() { r.number, r.turn = 0, 0 }

// Plies counts the moves of the main line.
func (g *Game) Plies() int {
	return lists.Count(g.Items, func(i *Item) bool { return i.Kind == MoveItem })
}

// word reads up to the next blank or sign that ends a word.
func (r *reader) word(end int) {
	start := r.at
	r.at++ // the first may be a brace that closes nothing
	for r.at < end && strings.IndexByte(" \t\n\r\f\v{};()", r.Text[r.at]) < 0 {
		r.at++
	}
	word := r.Text[start:r.at]
	if slices.Contains(published.Results[:], word) && len(r.open) == 1 {
		r.ended = true
		r.add(Item{Kind: ResultItem, Text: word, At: start})
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
	_, length := published.ReadNotation(PlainPieces(word))
	rest := word
	if length > 0 {
		length += len(word) - len(PlainPieces(word))
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
		r.add(Item{Kind: MoveItem, Text: word[:length], At: start, Turn: r.turn})
		if len(r.open) == 1 {
			r.moved = true
		}
		r.forgetNumber()
	}
	for _, mark := range found {
		r.add(Item{Kind: MarkItem, Text: mark, At: at})
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
			found = append(found, published.Marks[text[:length]])
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

// PlainPieces writes figurines as letters.
func PlainPieces(word string) string {
	if word == "" || word[0] < 0x80 {
		return word
	}
	return figurines.Replace(word)
}

// gameValue returns a tag's value, "" if there is none.
func gameValue(g *Game, name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}
