package chess

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/chess"
	"agentd/vfs"
)

const environment = "chess1"

// halfLeft is by how much RS stays above the share that is left of a game cut
// short: for half of the moves the ratio of the sequences is two thirds, and tags
// and result stay.
const halfLeft = 0.25

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     New(),
		Seed:       domaintest.Seed(t, environment),
		Generate:   rapid.Custom(drawDocument),
		RSForgives: halfLeft,
	}.Run(t)
}

// cup is the file of the built-in environment.
const cup = "thirlmere_cup_final.pgn"

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// drawDocument draws a file of legal games, some from a position of their own,
// with clocks that run down.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	for n := range 1 + d.upTo(2, "games") {
		if n > 0 {
			d.text.WriteString("\n")
		}
		d.game()
	}
	return vfs.Files{cup: d.text.String()}
}

type drawer struct {
	*rapid.T
	text   strings.Builder
	clocks [2]int // -1 if none are written
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) game() {
	if d.sometimes("escaped line") {
		d.text.WriteString("% exported from the club's database\n")
	}
	d.clocks = [2]int{-1, -1}
	result := d.one("result", "1-0", "0-1", "1/2-1/2", "*")
	tags := []string{
		`[Event "` + d.one("event", "Ladder", `The \"Bell\" Cup`, "?") + `"]`, `[White "` + d.one("white", "Müller, J", "Ann") + `"]`,
		`[Black "Firth"]`, `[Result "` + result + `"]`,
	}
	first := published.Start
	if d.sometimes("own position") {
		first = d.one("position", "r3k2r/pPpq1ppp/8/3pP3/8/2N5/PPP2PPP/R3K2R w KQkq d6 0 9", "8/5k2/8/3q4/8/2Q2K2/6p1/8 b - - 3 61")
		tags = append(tags, `[SetUp "1"]`, `[FEN "`+first+`"]`)
	}
	if d.sometimes("clocks") {
		d.clocks = [2]int{600, 600}
		tags = append(tags, `[TimeControl "600+5"]`)
	}
	if d.sometimes("two tags") {
		tags = tags[1:3]
		first, d.clocks = published.Start, [2]int{-1, -1}
	}
	for _, tag := range tags {
		d.text.WriteString(tag + "\n")
	}
	d.text.WriteString("\n")
	if d.sometimes("comment above") {
		d.text.WriteString("{Played on a\nSunday [%csl Ge4]} ")
	}
	at, err := published.ReadFEN(first, false)
	if err != nil {
		d.Fatal(err)
	}
	d.line(at, 1+d.upTo(24, "plies"), true)
	d.text.WriteString(result + "\n")
}

// line draws legal moves with what may stand after them.
func (d *drawer) line(at published.Position, plies int, main bool) {
	for n := range plies {
		moves := legalMoves(&at)
		if len(moves) == 0 {
			return
		}
		m := rapid.SampledFrom(moves).Draw(d.T, "move")
		if !at.Black || n == 0 || d.sometimes("number") {
			d.text.WriteString(fmt.Sprint(at.Number) + ".")
			if at.Black {
				d.text.WriteString("..")
			}
			d.text.WriteString(d.one("blank", "", " "))
		}
		d.text.WriteString(d.spelling(&at, m) + d.one("mark", "", "", "", "!", "?!", " $14", "? $19") + " ")
		before := at
		at.Play(m)
		d.after(published.BackRank(before.Black)/7, main)
		if main && d.sometimes("variation") {
			d.text.WriteString("(")
			d.line(before, 1+d.upTo(2, "variation"), false)
			d.text.WriteString(") " + d.one("comment after a variation", "", "", "{as in the second round}\n"))
		}
	}
}

func (d *drawer) spelling(at *published.Position, m published.Move) string {
	switch d.upTo(5, "spelling") {
	case 0:
		return uci(m)
	case 1:
		return strings.Replace(strings.TrimRight(san(at, m), "+#"), "O", "0", -1)
	}
	return san(at, m)
}

func (d *drawer) after(side int, main bool) {
	if d.clocks[side] >= 0 && main && !d.sometimes("clock missed") {
		d.clocks[side] -= d.upTo(20, "spent")
		d.text.WriteString(fmt.Sprintf("{[%%clk 0:%02d:%02d]} ", d.clocks[side]/60, d.clocks[side]%60))
		d.clocks[side] = max(d.clocks[side], 20)
	}
	d.text.WriteString(d.one("comment", "", "", "", "{[%eval 0.3]}", "{ [%eval -1.25] }\n", "{[%eval #-3] and mate}",
		"{a trap, [%cal Gd1h5,Rf7f8] see\n\n the notes: 4. Qh5}", "{}", "{[%eval 2.00,18]} {twice}") + " ")
	if main && d.sometimes("comment to the end of a line") {
		d.text.WriteString("; {sic} (he said)\n")
	}
}

// legalMoves are all legal moves, pawns becoming knights or queens.
func legalMoves(p *published.Position) []published.Move {
	var moves []published.Move
	for from := range p.Squares {
		if !p.Own(p.Squares[from]) {
			continue
		}
		for to := range p.Squares {
			for _, promotion := range []byte{0, 'N', 'Q'} {
				m := published.Move{From: int8(from), To: int8(to), Promotion: promotion}
				if p.Reaches(from, to) && p.Promotes(m) && p.Safe(m) {
					moves = append(moves, m)
				}
			}
		}
	}
	for _, side := range []byte{'K', 'Q'} {
		if m, err := p.FindCastling(side); err == nil {
			moves = append(moves, m)
		}
	}
	return moves
}

// recorded is what the published reader finds: the moves with marks and comments
// and the result.
func recorded(text string) (string, error) {
	r, err := published.Parse(vfs.Files{"game.pgn": text})
	if err != nil {
		return "", err
	}
	var words []string
	for i := range r.Plies {
		ply := &r.Plies[i]
		word := uci(ply.Move)
		for _, mark := range ply.Marks {
			word += "$" + mark
		}
		if ply.Comment != "" {
			word += "{" + ply.Comment + "}"
		}
		words = append(words, word)
	}
	return strings.Join(append(words, r.Tags["Result"]), " "), nil
}

func TestThePublishedReader(t *testing.T) {
	t.Parallel()
	const head = "[Event \"x\"]\n"
	for name, c := range map[string]struct{ text, want string }{
		"a game":                            {head + "\n1. e4 e5 2. Nf3 *\n", "e2e4 e7e5 g1f3 *"},
		"no text":                           {" \n\n", ""},
		"any text":                          {"Dear all\n", "*"},
		"moves within words":                {head + "\nGb4 a49\n", "b2b4 *"},
		"the result of the moves":           {head + "\n1. e4 1-0\n", "e2e4 1-0"},
		"the header's result stays":         {head + "[Result \"0-1\"]\n\n1. e4 1-0\n", "e2e4 0-1"},
		"moves after the result":            {head + "\n1. e4 1-0 e5\n", "e2e4 e7e5 1-0"},
		"a repeated tag":                    {"[Result \"0-1\"]\n[Result \"1-0\"]\n\ne4\n", "e2e4 1-0"},
		"an empty line among tags":          {head + "\n[Result \"1-0\"]\n\n1. e4\n", "e2e4 1-0"},
		"two empty lines end the game":      {head + "\n\n1. e4\n", "*"},
		"an empty line ends the moves":      {head + "\n1. e4\n\n1... e5\n", "e2e4 *"},
		"one in a comment does not":         {head + "\n1. e4 {a\n\nb} e5\n", "e2e4{a\n\nb} e7e5 *"},
		"lines that are kept back":          {"% a\n; b\n" + head + "%c\n\n1. e4\n;e5\n%e6\nc5\n", "e2e4 c7c5 *"},
		"comments are joined":               {head + "\n1. e4 {a} { b } {} e5\n", "e2e4{a b} e7e5 *"},
		"a comment before the moves":        {head + "\n{a} 1. e4\n", "e2e4 *"},
		"one after a variation":             {head + "\n1. e4 (1. d4) {a} e5\n", "e2e4{a} e7e5 *"},
		"one after an empty variation":      {head + "\n1. e4 () {a} e5\n", "e2e4 e7e5 *"},
		"a comment to the end of the line":  {head + "\n1. e4 ; c5\ne5\n", "e2e4 e7e5 *"},
		"marks":                             {head + "\n1. e4! $14 $1 e5?!\n", "e2e4$1$14 e7e5$6 *"},
		"marks without a move":              {head + "\n! $3 1. e4\n", "e2e4 *"},
		"an illegal move":                   {head + "\n1. e4 e4 2. d4 1-0\n", "e2e4 *"},
		"an illegal move in a variation":    {head + "\n1. e4 (1. e5 e6 (1. d3) d4) e5 2. Nf3\n", "e2e4 *"},
		"and another board after it":        {head + "\n1. e4 (1. d4 d4) c5\n", "e2e4 c7c5 *"},
		"a variation before any move":       {head + "\n(1. d4) 1. e4\n", "d2d4 *"},
		"a variation of a variation's move": {head + "\n1. e4 e5 (1... c5 (1... e6 2. d4) 2. c3) 2. d4\n", "e2e4 e7e5 d2d4 *"},
		"brackets at once":                  {head + "\n1. e4 e5 ((1. c4 c5) 1... d5) 2. d4\n", "e2e4 e7e5 d2d4 *"},
		"a null move":                       {head + "\n1. e4 -- 2. d4 Z0 3. c4\n", "e2e4 0000 d2d4 0000 c2c4 *"},
		"a position":                        {"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8N a8\n", "a7a8n *"},
		"no position":                       {"[FEN \"8/8 w\"]\n\n1. a8=N 1-0\n", "*"},
	} {
		got, err := recorded(c.text)
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestTheReaderLosesTrack(t *testing.T) {
	t.Parallel()
	for _, moves := range []string{
		"1. e4 (1. e5) e5 2. e5) {a}",
		"1. e4 e4 ) 2. d4) {a}",
		"1. e4 e4 ) $1",
		"1. e4 e4 ) (",
		"1. e4 e4 ) e5",
	} {
		if got, err := recorded("[Event \"x\"]\n\n" + moves + "\n"); !errors.Is(err, published.ErrLostTrack) {
			t.Errorf("%s: %q, %v, want an error", moves, got, err)
		}
	}
}
