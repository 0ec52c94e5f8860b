// Package chess is the published reading and score of the domain chess.
//
//   - moves = R over lists of UCI moves; both empty 1; one empty 0
//   - annotation: both ply lists empty 1; one empty 0; else 0.6*E + 0.4*N; E over the evaluations in order with gaps
//     removed: both none 1; one none 0; else count of positions i < min(n,m) with |difference| < 0.01, divided by
//     max(n,m). One lost evaluation shifts all later ones; N = R over the list, one item per ply, of NAG tuples. Tuple
//     order is set iteration order; ascending order is right for NAGs below 8 and for single marks.
//   - header = equal / considered over Event, Site, White, Black, WhiteElo, BlackElo, ECO, Opening, UTCDate; a tag
//     counts when either side has non-empty text; equality after trim and lower-casing; none considered 1
//   - result = 1 if equal (spaces removed, lower-cased; absent counts as empty), else 0
//
// score = 0.70 moves + 0.10 annotation + 0.10 header + 0.10 result, not rounded.
//
// R, or ratio, is that of package ratio, with the reference first.
package chess

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Record is a document as the published evaluator reads it: the first game with
// its main line.
type Record struct {
	Tags   map[string]string // none if there is no text
	Plies  []RecordedPly
	Counts int // plies of all games, by the strict reading
}

// RecordedPly is a move with what is noted at it.
type RecordedPly struct {
	Move    Move
	Marks   []string // numeric annotation glyphs, each once, in order
	Comment string
}

// ErrLostTrack is where the published program fails: brackets that close more
// than was opened have taken it out of the game.
var ErrLostTrack = errors.New("brackets close more than was opened, at which the published reader fails")

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (*Record, error) {
	var text strings.Builder
	r := &Record{}
	for _, name := range files.Names() {
		if path.Ext(name) != ".pgn" {
			continue
		}
		text.WriteString(files[name])
		text.WriteByte('\n')
	}
	p := parser{rest: text.String(), Record: r}
	p.game()
	return r, p.err
}

// parser reads the first game. It keeps a board and a place in the tree of moves for each variation that is open; the
// two can come apart, as they do in the published program.
type parser struct {
	*Record
	rest   string // the lines that were not yet read
	boards []*board
	nodes  []node
	places []int // in nodes
	// skipping is the number of brackets within which everything is passed over.
	skipping int
	// inLine says that a comment belongs to the move before it.
	inLine bool
	// err is ErrLostTrack once that has happened.
	err error
}

// board is a position with the one before its last move, nil at the start.
type board struct {
	Position
	before *board
}

// node is a move in the tree of all lines. Node 0 is the start.
type node struct {
	move               Move
	marks, comments    []string
	parent, firstChild int
}

// line returns the next line with its end, "" at the end of the text.
func (p *parser) line() string {
	end := strings.IndexByte(p.rest, '\n') + 1
	if end == 0 {
		end = len(p.rest)
	}
	line := p.rest[:end]
	p.rest = p.rest[end:]
	return line
}

// IsBlank reports whether a line has nothing but white space.
func IsBlank(line string) bool { return line != "" && pytext.Strip(line) == "" }

// IsEscaped reports whether a line is a comment as a whole.
func IsEscaped(line string) bool { return line != "" && (line[0] == '%' || line[0] == ';') }

func (p *parser) game() {
	line := strings.TrimLeft(p.line(), "\ufeff")
	for IsBlank(line) || IsEscaped(line) {
		line = p.line()
	}
	if line == "" {
		return
	}
	line = p.header(line)
	fen, ok := p.Tags["FEN"]
	if !ok {
		fen = Start
	}
	first, err := StartOf(fen, p.Tags["Variant"])
	if err != nil {
		return // a position that cannot be read has no moves
	}
	p.boards = []*board{{Position: first}}
	p.nodes, p.places = []node{{parent: -1}}, []int{0}
	p.movetext(line)
	p.Plies = p.mainLine()
}

// mainLine is the first move at each place, from the start.
func (p *parser) mainLine() []RecordedPly {
	plies := make([]RecordedPly, 0, len(p.nodes))
	for at := p.nodes[0].firstChild; at != 0; at = p.nodes[at].firstChild {
		n := &p.nodes[at]
		slices.SortFunc(n.marks, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		})
		plies = append(plies, RecordedPly{n.move, slices.Compact(n.marks), strings.Join(n.comments, " ")})
	}
	return plies
}

// header reads tags and returns the line after them.
func (p *parser) header(line string) string {
	p.Tags = maps.Clone(Roster)
	blank := false
	for ; line != ""; line = p.line() {
		switch {
		case IsEscaped(line):
		case IsBlank(line) && !blank:
			blank = true
		case line[0] == '[':
			blank = false
			if name, value, ok := ReadTag(line); ok {
				p.Tags[name] = value
			}
		default:
			return line
		}
	}
	return ""
}

// movetext reads up to the first blank line.
func (p *parser) movetext(line string) {
	for line != "" {
		if IsEscaped(line) {
			line = p.line()
			continue
		}
		if IsBlank(line) {
			return
		}
		for line != "" {
			line = p.tokens(line) // after a comment the same line goes on
		}
		line = p.line()
	}
}

// tokens reads a line up to a comment or its end. It returns what is after the comment, "" at the end of the line.
func (p *parser) tokens(line string) string {
	for at := 0; at < len(line) && p.err == nil; {
		switch c := line[at]; c {
		case '{':
			return p.comment(line[at+1:])
		case ';':
			return ""
		case '(':
			p.open()
			at++
		case ')':
			p.close()
			at++
		case '$':
			rest := strings.TrimLeft(line[at+1:], "0123456789")
			if digits := line[at+1 : len(line)-len(rest)]; digits != "" {
				p.mark(strings.TrimLeft(digits, "0"))
			}
			at = len(line) - len(rest)
		case '!', '?':
			end := at + 1
			if end < len(line) && (line[end] == '!' || line[end] == '?') {
				end++
			}
			p.mark(Marks[line[at:end]])
			at = end
		default:
			if n, length := ReadNotation(line[at:]); length > 0 {
				p.move(n)
				at += length
			} else {
				at += p.result(line[at:])
			}
		}
	}
	return ""
}

// Marks are the glyphs that have a spelling of their own.
var Marks = map[string]string{"!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6"}

// Results are the results of games.
var Results = [...]string{"1-0", "0-1", "1/2-1/2", "*"}

// result reads a result or passes over a character.
func (p *parser) result(text string) int {
	for _, result := range Results {
		if !strings.HasPrefix(text, result) {
			continue
		}
		if p.skipping == 0 && len(p.boards) == 1 && p.Tags["Result"] == "*" {
			p.Tags["Result"] = result
		}
		if p.skipping == 0 && len(p.boards) > 1 {
			p.fail()
		}
		return len(result)
	}
	return 1
}

// fail passes over the rest of a line of play.
func (p *parser) fail() {
	if p.skipping == 0 {
		p.skipping = 1
	}
}

func (p *parser) comment(line string) string {
	line = strings.TrimPrefix(line, " ")
	var text strings.Builder
	for line != "" {
		if end := strings.IndexByte(line, '}'); end >= 0 {
			text.WriteString(strings.TrimSuffix(line[:end], " "))
			line = line[end+1:]
			break
		}
		text.WriteString(line)
		line = p.line()
	}
	if at := p.place(); at != nil && text.Len() > 0 && (p.inLine || at.parent < 0 && at.firstChild == 0) {
		at.comments = append(at.comments, text.String())
	}
	return line
}

// place is the move at hand, nil where everything is passed over, and where track of it is lost.
func (p *parser) place() *node {
	if p.skipping > 0 {
		return nil
	}
	if len(p.places) == 0 {
		p.err = ErrLostTrack
		return nil
	}
	return &p.nodes[p.places[len(p.places)-1]]
}

func (p *parser) mark(glyph string) {
	if at := p.place(); at != nil {
		at.marks = append(at.marks, glyph)
	}
}

func (p *parser) open() {
	if p.skipping > 0 {
		p.skipping++
		return
	}
	before := p.boards[len(p.boards)-1].before
	if before == nil {
		return
	}
	at := p.place()
	if at == nil || at.parent < 0 {
		p.err = ErrLostTrack
		return
	}
	p.boards = append(p.boards, before)
	p.places = append(p.places, at.parent)
	p.inLine = false
}

// close ends a variation. Where its moves were passed over, its board stays.
func (p *parser) close() {
	switch {
	case p.skipping > 1:
		p.skipping--
		return
	case p.skipping == 1:
		p.skipping = 0
	case len(p.boards) > 1:
		p.boards = p.boards[:len(p.boards)-1]
	default:
		return
	}
	if p.place() != nil {
		p.places = p.places[:len(p.places)-1]
	}
}

func (p *parser) move(n Notation) {
	if p.skipping > 0 {
		return
	}
	now := p.boards[len(p.boards)-1]
	m, err := now.Find(n)
	if err != nil {
		p.fail()
		return
	}
	at := p.place()
	if at == nil {
		return
	}
	after := &board{now.Position, now}
	after.Play(m)
	p.boards[len(p.boards)-1] = after
	parent, added := p.places[len(p.places)-1], len(p.nodes)
	if at.firstChild == 0 {
		at.firstChild = added
	}
	p.nodes = plain.Append(p.nodes, node{move: m, parent: parent})
	p.places[len(p.places)-1] = added
	p.inLine = true
}

// ReadTag reads a line that begins with a bracket. What stands between the first quote and the last is the value.
func ReadTag(line string) (name, value string, ok bool) {
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

// Roster has the tags that every game has, with the value for one that is not known.
var Roster = map[string]string{
	"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
}
