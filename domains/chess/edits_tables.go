package chess

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	plainFile       = "no_evals.pgn"
	evaluationsFile = "evals.csv"
)

var evaluationCommand = regexp.MustCompile(`\s*\[%eval\s+([^\]]*?)\s*\]`)

// takeEvaluations moves the evaluations of the main lines to a table, with what
// each changed and how bad that was for the side that moved.
func takeEvaluations(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"game", "ply", "side", "value", "change", "class"}}
	for n, g := range d.games {
		sides := g.sides()
		before := new(big.Rat)
		g.eachComment(func(ply int, text string) string {
			if ply == 0 {
				return text
			}
			return evaluationCommand.ReplaceAllStringFunc(text, func(command string) string {
				value := evaluationCommand.FindStringSubmatch(command)[1]
				now := number(value)
				change, class := judged(before, now, sides[ply-1])
				before = now
				rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(ply), sides[ply-1], value, change, class})
				return ""
			})
		})
	}
	return vfs.Files{plainFile: d.print(), evaluationsFile: plain.WriteCSV(rows)}, nil
}

// sides says of each ply of the main line whose it is.
func (g *game) sides() []string {
	var sides []string
	at := begin(g)
	for k := range g.items {
		if i := &g.items[k]; i.kind == moveItem {
			side := "white"
			if s := at.step(i); s.black {
				side = "black"
			}
			sides = append(sides, side)
		}
	}
	return sides
}

// number is the value of an evaluation in pawns, nil if it is a mate.
func number(value string) *big.Rat {
	pawns, _, _ := strings.Cut(value, ",")
	pawns = plain.Number(pawns)
	if pawns == "" || strings.Trim(pawns, "-0123456789.") != "" {
		return nil
	}
	n, ok := new(big.Rat).SetString(pawns)
	if !ok {
		return nil
	}
	return n
}

// classes are the names of what loses that many hundredths of a pawn or more.
var classes = []struct {
	loss int64
	name string
}{{300, "blunder"}, {100, "mistake"}, {50, "inaccuracy"}}

func judged(before, now *big.Rat, side string) (change, class string) {
	if before == nil || now == nil {
		return "", ""
	}
	gain := new(big.Rat).Sub(now, before)
	loss := new(big.Rat).Neg(gain)
	if side == "black" {
		loss = gain
	}
	for _, c := range classes {
		if loss.Cmp(big.NewRat(c.loss, 100)) >= 0 {
			class = c.name
			break
		}
	}
	const places = 10
	return plain.Number(gain.FloatString(places)), class
}

func giveEvaluations(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, plainFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, evaluationsFile, "game", "ply", "value")
	if err != nil {
		return nil, err
	}
	// From after, so that several of one ply keep their order.
	for _, row := range slices.Backward(rows) {
		game, err1 := strconv.Atoi(row[0])
		ply, err2 := strconv.Atoi(row[1])
		g, err := d.game(game)
		if err = errors.Join(err1, err2, err); err != nil {
			return nil, fmt.Errorf("reading %s: %w", evaluationsFile, err)
		}
		if err := g.comment(ply, "[%eval "+row[2]+"]"); err != nil {
			return nil, fmt.Errorf("game %d, ply %d: %w", game, ply, err)
		}
	}
	return d.asDocument(), nil
}

// comment puts a command into the first comment after a ply, or into one of its
// own.
func (g *game) comment(ply int, command string) error {
	at, err := g.after(ply)
	if err != nil {
		return err
	}
	if at < len(g.items) && g.items[at].kind == commentItem {
		g.items[at].text = command + " " + g.items[at].text
		return nil
	}
	g.items = slices.Insert(g.items, at, item{kind: commentItem, text: command})
	return nil
}

const (
	taggedFile   = "tagged.pgn"
	capturesFile = "captures.csv"
)

var captureTag = regexp.MustCompile(`\s*\[#\d+\]`)

// logCaptures lists the captures of the main lines and marks each with its
// number.
func logCaptures(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"number", "game", "move", "piece", "taken", "square", "balance"}}
	for n, g := range d.games {
		at := begin(g)
		marked := make([]item, 0, len(g.items))
		tag := ""
		for _, i := range g.items {
			if tag != "" && i.kind != markItem {
				marked = append(marked, item{kind: commentItem, text: tag})
				tag = ""
			}
			if (i.kind == commentItem || i.kind == restItem) && captureTag.MatchString(i.text) {
				return nil, fmt.Errorf("game %d has captures marked", n+1)
			}
			if i.kind == moveItem {
				s, err := at.legal(&i)
				if err != nil {
					return nil, fmt.Errorf("game %d: %w", n+1, err)
				}
				if taken := at.taken(s.move); taken != 0 {
					number := strconv.Itoa(len(rows))
					tag = "[#" + number + "]"
					rows = append(rows, []string{
						number, strconv.Itoa(n + 1), s.turn(), pieceNames[kind(at.before.squares[s.move.from])],
						pieceNames[kind(taken)], squareName(int(s.move.to)), fmt.Sprintf("%+d", at.now.balance()),
					})
				}
			}
			marked = append(marked, i)
		}
		if tag != "" {
			marked = append(marked, item{kind: commentItem, text: tag})
		}
		g.items = marked
	}
	return vfs.Files{taggedFile: d.print(), capturesFile: plain.WriteCSV(rows)}, nil
}

var pieceNames = map[byte]string{'P': "pawn", 'N': "knight", 'B': "bishop", 'R': "rook", 'Q': "queen", 'K': "king"}

// taken is the piece that the last move took, 0 for none.
func (p *play) taken(m move) byte {
	if m == (move{}) {
		return 0
	}
	if _, castles := p.before.castles(m); castles {
		return 0
	}
	if kind(p.before.squares[m.from]) == 'P' && fileOf(int(m.from)) != fileOf(int(m.to)) && p.before.squares[m.to] == 0 {
		return 'P' // en passant
	}
	return p.before.squares[m.to]
}

// balance is White's material less Black's, in pawns.
func (p *position) balance() int {
	worth := map[byte]int{'P': 1, 'N': 3, 'B': 3, 'R': 5, 'Q': 9}
	sum := 0
	for _, piece := range p.squares {
		if isBlack(piece) {
			sum -= worth[kind(piece)]
		} else {
			sum += worth[piece]
		}
	}
	return sum
}

func dropCaptures(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, taggedFile)
	if err != nil {
		return nil, err
	}
	for _, g := range d.games {
		g.eachComment(func(_ int, text string) string { return captureTag.ReplaceAllString(text, "") })
	}
	return d.asDocument(), nil
}
