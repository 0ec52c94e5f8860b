package chess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// matches says how PGN files, which are lists of games, are taken apart and put together.
var matches = exact.Format[document, *game]{
	Patterns: []string{"*.pgn"},
	Read:     read,
	Print:    func(d document) string { return d.print() },
	Parts:    func(d *document) *[]*game { return &d.games },
	Join: func(all []document) (joined document) {
		for _, d := range all {
			if len(d.games) > 0 {
				d.games[0].above = append(joined.below, d.games[0].above...)
				joined.below = nil
			}
			joined.games = append(joined.games, d.games...)
			joined.below = append(joined.below, d.below...)
		}
		return joined
	},
	Empty: errors.New("no .pgn file with a game"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_game", splitByGame),
		domains.Taking("evaluations_apart", evaluationsApart),
		domains.Taking("coordinates", coordinates),
		domains.Taking("json", inJSON),
		domains.Taking("number_captures", numberCaptures),
		domains.Taking("cut_openings", cutOpenings),
		domains.Taking("time_spent", timeSpent),
		domains.Taking("variations_apart", variationsApart),
	}
}

// eachGame calls do with every game and its number from 1.
func (d *document) eachGame(do func(number int, g *game) error) error {
	for n, g := range d.games {
		if err := do(n+1, g); err != nil {
			return fmt.Errorf("game %d: %w", n+1, err)
		}
	}
	return nil
}

// eachListed calls do for the rows of a table with the numbers of a game and a ply, and a text.
// The last row comes first, so that several of one ply keep their order.
func (d *document) eachListed(files vfs.Files, table, column string, do func(g *game, ply int, text string) error) error {
	rows, err := plain.Table(files, table, "game", "ply", column)
	if err != nil {
		return err
	}
	for _, row := range slices.Backward(rows) {
		number, err1 := strconv.Atoi(row[0])
		ply, err2 := strconv.Atoi(row[1])
		g, err := d.numbered(number)
		if err = errors.Join(err1, err2, err); err != nil {
			return fmt.Errorf("reading %s: %w", table, err)
		}
		if err := do(g, ply, row[2]); err != nil {
			return fmt.Errorf("game %d, ply %d: %w", number, ply, err)
		}
	}
	return nil
}

// numbered returns a game by its number, from 1.
func (d *document) numbered(number int) (*game, error) {
	if number < 1 || number > len(d.games) {
		return nil, fmt.Errorf("there is no game %d among %d", number, len(d.games))
	}
	return d.games[number-1], nil
}

// legal returns the step of a move, which must be legal.
func (p *play) legal(i *item) (step, error) {
	s := p.step(i)
	if s.err != nil {
		return s, fmt.Errorf("%s %s: %w", s.turn(), i.text, s.err)
	}
	return s, nil
}

// after returns the place after the ply of that number, from 1, and its marks.
func (g *game) after(ply int) (int, error) {
	for at := range g.items {
		if g.items[at].kind != moveItem {
			continue
		}
		if ply--; ply > 0 {
			continue
		}
		for at++; at < len(g.items) && g.items[at].kind == markItem; at++ {
		}
		return at, nil
	}
	return 0, errors.New("there is no such ply")
}

// eachComment calls change with every comment in braces of the main line and the number of
// the ply it stands after. A comment of which nothing is left is taken out.
func (g *game) eachComment(change func(ply int, text string) string) {
	ply := 0
	kept := g.items[:0]
	for _, i := range g.items {
		switch i.kind {
		case moveItem:
			ply++
		case commentItem:
			changed := strings.TrimSpace(change(ply, i.text))
			if changed == "" && i.text != "" {
				continue
			}
			i.text = changed
		}
		kept = append(kept, i)
	}
	g.items = kept
}
