package chess

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
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
	first := start
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
		first, d.clocks = start, [2]int{-1, -1}
	}
	for _, tag := range tags {
		d.text.WriteString(tag + "\n")
	}
	d.text.WriteString("\n")
	if d.sometimes("comment above") {
		d.text.WriteString("{Played on a\nSunday [%csl Ge4]} ")
	}
	at, err := readFEN(first, false)
	if err != nil {
		d.Fatal(err)
	}
	d.line(at, 1+d.upTo(24, "plies"), true)
	d.text.WriteString(result + "\n")
}

// line draws legal moves with what may stand after them.
func (d *drawer) line(at position, plies int, main bool) {
	for n := range plies {
		moves := legalMoves(&at)
		if len(moves) == 0 {
			return
		}
		m := rapid.SampledFrom(moves).Draw(d.T, "move")
		if !at.black || n == 0 || d.sometimes("number") {
			d.text.WriteString(fmt.Sprint(at.number) + ".")
			if at.black {
				d.text.WriteString("..")
			}
			d.text.WriteString(d.one("blank", "", " "))
		}
		d.text.WriteString(d.spelling(&at, m) + d.one("mark", "", "", "", "!", "?!", " $14", "? $19") + " ")
		before := at
		at.play(m)
		d.after(backRank(before.black)/7, main)
		if main && d.sometimes("variation") {
			d.text.WriteString("(")
			d.line(before, 1+d.upTo(2, "variation"), false)
			d.text.WriteString(") " + d.one("comment after a variation", "", "", "{as in the second round}\n"))
		}
	}
}

func (d *drawer) spelling(at *position, m move) string {
	switch d.upTo(5, "spelling") {
	case 0:
		return m.uci()
	case 1:
		return strings.Replace(strings.TrimRight(at.san(m), "+#"), "O", "0", -1)
	}
	return at.san(m)
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
func legalMoves(p *position) []move {
	var moves []move
	for from := range p.squares {
		if !p.own(p.squares[from]) {
			continue
		}
		for to := range p.squares {
			for _, promotion := range []byte{0, 'N', 'Q'} {
				m := move{int8(from), int8(to), promotion}
				if p.reaches(from, to) && p.promotes(m) && p.safe(m) {
					moves = append(moves, m)
				}
			}
		}
	}
	for _, side := range []byte{'K', 'Q'} {
		if m, err := p.findCastling(side); err == nil {
			moves = append(moves, m)
		}
	}
	return moves
}
