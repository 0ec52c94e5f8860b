package chess

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var evaluationCommand = regexp.MustCompile(`\s*\[%eval\s+([^\]]*?)\s*\]`)

// losses are classes of moves by the pawns that they lose at least, the worst first.
type losses []struct {
	Name  string
	Least decimal.Decimal
}

// evaluationsApart moves the evaluations of the main lines to a table, with what each changed
// and how bad that was for the side that moved.
func evaluationsApart(p struct {
	Document, To string
	Classes      losses
	Table        string
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		rows := [][]string{{"game", "ply", "side", "value", "change", "class"}}
		_ = d.eachGame(func(number int, g *game) error {
			sides := g.sides()
			before := &decimal.Zero
			g.eachComment(func(ply int, text string) string {
				if ply == 0 {
					return text
				}
				return evaluationCommand.ReplaceAllStringFunc(text, func(command string) string {
					value := evaluationCommand.FindStringSubmatch(command)[1]
					now := pawns(value)
					change, class := p.Classes.judge(before, now, sides[ply-1])
					before = now
					rows = append(rows, []string{strconv.Itoa(number), strconv.Itoa(ply), sides[ply-1], value, change, class})
					return ""
				})
			})
			return nil
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return matches.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		return d.eachListed(files, p.Table, "value", func(g *game, ply int, value string) error {
			return g.comment(ply, "[%eval "+value+"]")
		})
	})
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

// pawns is the value of an evaluation, nil if it is a mate.
func pawns(value string) *decimal.Decimal {
	written, _, _ := strings.Cut(value, ",")
	written = plain.Number(written)
	n, err := decimal.NewFromString(written)
	if err != nil || strings.Trim(written, "-0123456789.") != "" {
		return nil
	}
	return &n
}

// judge returns what a move changed and the class of what that loses its side.
func (l losses) judge(before, now *decimal.Decimal, side string) (change, class string) {
	if before == nil || now == nil {
		return "", ""
	}
	gain := now.Sub(*before)
	loss := gain.Neg()
	if side == "black" {
		loss = gain
	}
	for _, c := range l {
		if loss.GreaterThanOrEqual(c.Least) {
			return gain.String(), c.Name
		}
	}
	return gain.String(), ""
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

var captureTag = regexp.MustCompile(`\s*\[#\d+\]`)

// numberCaptures lists the captures of the main lines and marks each with its number.
func numberCaptures(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		rows := [][]string{{"number", "game", "move", "piece", "taken", "square", "balance"}}
		err := d.eachGame(func(n int, g *game) error {
			at := begin(g)
			marked := make([]item, 0, len(g.items))
			tag := "" // for the move at hand, after its marks
			for k, i := range g.items {
				marked = append(marked, i)
				if (i.kind == commentItem || i.kind == restItem) && captureTag.MatchString(i.text) {
					return errors.New("captures are marked already")
				}
				if i.kind == moveItem {
					s, err := at.legal(&i)
					if err != nil {
						return err
					}
					if taken := at.taken(s.move); taken != 0 {
						number := strconv.Itoa(len(rows))
						tag = "[#" + number + "]"
						rows = append(rows, []string{
							number, strconv.Itoa(n), s.turn(), pieceNames[kind(at.before.squares[s.move.from])],
							pieceNames[kind(taken)], squareName(int(s.move.to)), fmt.Sprintf("%+d", at.now.balance()),
						})
					}
				}
				if tag != "" && (k+1 == len(g.items) || g.items[k+1].kind != markItem) {
					marked = append(marked, item{kind: commentItem, text: tag})
					tag = ""
				}
			}
			g.items = marked
			return nil
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, err
	}
	return matches.Rewrite(p.Document, p.To, change, func(d *document, _ vfs.Files) error {
		for _, g := range d.games {
			g.eachComment(func(_ int, text string) string { return captureTag.ReplaceAllString(text, "") })
		}
		return nil
	})
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
