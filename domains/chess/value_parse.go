package chess

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// record is a document as the published evaluator reads it: the first game with
// its main line. Only the count is of all games and by the strict reading.
type record struct {
	tags   map[string]string // none if there is no text
	plies  []recordedPly
	counts int // plies
}

type recordedPly struct {
	move    move
	marks   []string // numeric annotation glyphs, each once, in order
	comment string
}

// errLostTrack is where the published program fails: brackets that close more
// than was opened have taken it out of the game.
var errLostTrack = errors.New("brackets close more than was opened, at which the published reader fails")

// parse reads a document as the published evaluator does.
func parse(files vfs.Files) (*record, error) {
	var text strings.Builder
	r := &record{}
	for _, name := range files.Names() {
		if path.Ext(name) != ".pgn" {
			continue
		}
		text.WriteString(files[name])
		text.WriteByte('\n')
		r.counts += countPlies(files[name])
	}
	p := parser{rest: text.String(), record: r}
	if err := p.game(); err != nil {
		return nil, err
	}
	return r, nil
}

// parser reads the first game. It keeps a board and a place in the tree of moves
// for each variation that is open; the two can come apart, as they do in the
// published program.
type parser struct {
	*record
	rest   string // the lines that were not yet read
	boards []*board
	nodes  []node
	places []int // in nodes
	// skipping is the number of brackets within which everything is passed over.
	skipping int
	// inLine says that a comment belongs to the move before it.
	inLine bool
}

// board is a position with the way it was reached.
type board struct {
	position
	past *past
}

// past is a position before a move.
type past struct {
	position
	before *past
}

// node is a move in the tree of all lines. Node 0 is the start.
type node struct {
	move               move
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

func isBlank(line string) bool { return line != "" && pytext.Strip(line) == "" }

// isEscaped reports whether a line is a comment as a whole.
func isEscaped(line string) bool { return line != "" && (line[0] == '%' || line[0] == ';') }

func (p *parser) game() error {
	line := strings.TrimLeft(p.line(), "\ufeff")
	for isBlank(line) || isEscaped(line) {
		line = p.line()
	}
	if line == "" {
		return nil
	}
	line = p.header(line)
	first, err := startOf(p.tags)
	if err != nil {
		return nil // a position that cannot be read has no moves
	}
	p.boards = []*board{{position: first}}
	p.nodes, p.places = []node{{parent: -1}}, []int{0}
	if err := p.movetext(line); err != nil {
		return err
	}
	p.plies = p.mainLine()
	return nil
}

// mainLine is the first move at each place, from the start.
func (p *parser) mainLine() []recordedPly {
	length := 0
	for at := p.nodes[0].firstChild; at != 0; at = p.nodes[at].firstChild {
		length++
	}
	plies := make([]recordedPly, 0, length)
	for at := p.nodes[0].firstChild; at != 0; at = p.nodes[at].firstChild {
		n := &p.nodes[at]
		slices.SortFunc(n.marks, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		})
		plies = append(plies, recordedPly{n.move, slices.Compact(n.marks), strings.Join(n.comments, " ")})
	}
	return plies
}

// header reads tags and returns the line after them.
func (p *parser) header(line string) string {
	p.tags = map[string]string{
		"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
	}
	blank := false
	for ; line != ""; line = p.line() {
		switch {
		case isEscaped(line):
		case isBlank(line) && !blank:
			blank = true
		case line[0] == '[':
			blank = false
			if name, value, ok := readTag(line); ok {
				p.tags[name] = value
			}
		default:
			return line
		}
	}
	return ""
}

// movetext reads up to the first blank line.
func (p *parser) movetext(line string) error {
	fresh := true
	for line != "" {
		if fresh && isEscaped(line) {
			line = p.line()
			continue
		}
		if fresh && isBlank(line) {
			return nil
		}
		rest, err := p.tokens(line)
		if err != nil {
			return err
		}
		// After a comment the same line goes on.
		line, fresh = rest, false
		if rest == "" {
			line, fresh = p.line(), true
		}
	}
	return nil
}

// tokens reads a line up to a comment or its end. It returns what is after the
// comment, "" at the end of the line.
func (p *parser) tokens(line string) (string, error) {
	for at := 0; at < len(line); {
		var err error
		switch c := line[at]; c {
		case '{':
			return p.comment(line[at+1:])
		case ';':
			return "", nil
		case '(':
			err = p.open()
			at++
		case ')':
			err = p.close()
			at++
		case '$':
			end := at + 1
			for end < len(line) && '0' <= line[end] && line[end] <= '9' {
				end++
			}
			if end > at+1 {
				err = p.mark(strings.TrimLeft(line[at+1:end], "0"))
			}
			at = end
		case '!', '?':
			end := at + 1
			if end < len(line) && (line[end] == '!' || line[end] == '?') {
				end++
			}
			err = p.mark(marks[line[at:end]])
			at = end
		default:
			n, length := readNotation(line[at:])
			switch {
			case length > 0:
				err = p.move(n)
				at += length
			case dropLength(line[at:]) > 0:
				p.fail()
				at += dropLength(line[at:])
			default:
				at += p.result(line[at:])
			}
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

// marks are the glyphs that have a spelling of their own.
var marks = map[string]string{"!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6"}

// dropLength is the length of a piece that is dropped on a square, which the
// usual rules do not know.
func dropLength(text string) int {
	length := 0
	if text != "" && strings.IndexByte("PNBRQK", text[0]) >= 0 {
		length++
	}
	if len(text) >= length+3 && text[length] == '@' && isFile(text[length+1]) && isRank(text[length+2]) {
		return length + 3
	}
	return 0
}

var results = [...]string{"1-0", "0-1", "1/2-1/2", "*"}

// result reads a result or passes over a character.
func (p *parser) result(text string) int {
	for _, result := range results {
		if !strings.HasPrefix(text, result) {
			continue
		}
		if p.skipping == 0 && len(p.boards) == 1 && p.tags["Result"] == "*" {
			p.tags["Result"] = result
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

func (p *parser) comment(line string) (string, error) {
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
	if p.skipping > 0 {
		return line, nil
	}
	if len(p.places) == 0 {
		return "", errLostTrack
	}
	if at := &p.nodes[p.place()]; text.Len() > 0 && (p.inLine || at.parent < 0 && at.firstChild == 0) {
		at.comments = append(at.comments, text.String())
	}
	return line, nil
}

func (p *parser) place() int { return p.places[len(p.places)-1] }

func (p *parser) mark(glyph string) error {
	if p.skipping > 0 {
		return nil
	}
	if len(p.places) == 0 {
		return errLostTrack
	}
	at := &p.nodes[p.place()]
	at.marks = append(at.marks, glyph)
	return nil
}

func (p *parser) open() error {
	if p.skipping > 0 {
		p.skipping++
		return nil
	}
	now := p.boards[len(p.boards)-1]
	if now.past == nil {
		return nil
	}
	if len(p.places) == 0 || p.nodes[p.place()].parent < 0 {
		return errLostTrack
	}
	p.boards = append(p.boards, &board{position: now.past.position, past: now.past.before})
	p.places = append(p.places, p.nodes[p.place()].parent)
	p.inLine = false
	return nil
}

// close ends a variation. Where its moves were passed over, its board stays.
func (p *parser) close() error {
	switch {
	case p.skipping > 1:
		p.skipping--
		return nil
	case p.skipping == 1:
		p.skipping = 0
	case len(p.boards) > 1:
		p.boards = p.boards[:len(p.boards)-1]
	default:
		return nil
	}
	if len(p.places) == 0 {
		return errLostTrack
	}
	p.places = p.places[:len(p.places)-1]
	return nil
}

func (p *parser) move(n notation) error {
	if p.skipping > 0 {
		return nil
	}
	now := p.boards[len(p.boards)-1]
	m, err := now.find(n)
	if err != nil {
		p.fail()
		return nil
	}
	if len(p.places) == 0 {
		return errLostTrack
	}
	now.past = &past{now.position, now.past}
	now.play(m)
	parent := p.place()
	p.nodes = plain.Append(p.nodes, node{move: m, parent: parent})
	added := len(p.nodes) - 1
	if p.nodes[parent].firstChild == 0 {
		p.nodes[parent].firstChild = added
	}
	p.places[len(p.places)-1] = added
	p.inLine = true
	return nil
}
