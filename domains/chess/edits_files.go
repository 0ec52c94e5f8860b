package chess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByGame writes each game to a file of its own, the longest first.
func splitByGame(p struct{ Document, Begins, Table string }) exact.Steps {
	forward := func(d document) (vfs.Files, error) {
		if len(d.below) > 0 {
			return nil, errors.New("there is text after the last game")
		}
		positions := matches.Sort(&d, func(a, b **game) int { return (*b).plies() - (*a).plies() })
		index := [][]string{{"file", "position", "white", "black", "result", "plies"}}
		split := vfs.Files{}
		for n, g := range d.games {
			name := fmt.Sprintf("%s%02d.pgn", p.Begins, n+1)
			split[name] = g.print()
			index = append(index, []string{
				name, strconv.Itoa(positions[n]), g.value("White"), g.value("Black"), g.value("Result"), strconv.Itoa(g.plies()),
			})
		}
		split[p.Table] = plain.WriteCSV(index)
		return split, nil
	}
	return matches.Whole(p.Document, forward, func(files vfs.Files) (document, error) {
		return matches.MergeByTable(files, "", p.Table)
	})
}

// cutOpenings divides each game after a number of moves. What follows begins with the position.
func cutOpenings(p struct {
	Document, Opening, Rest string
	Moves                   int
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		rest := document{below: d.below}
		d.below = nil
		err := d.eachGame(func(number int, g *game) error {
			opening, after, err := g.split(p.Moves)
			d.games[number-1] = opening
			rest.games = append(rest.games, after)
			return err
		})
		if err != nil {
			return nil, err
		}
		return vfs.Files{p.Rest: rest.print()}, nil
	}
	return matches.Rewrite(p.Document, p.Opening, change, func(d *document, files vfs.Files) error {
		rest, err := matches.Named(files, p.Rest)
		if err != nil {
			return err
		}
		if len(rest.games) != len(d.games) {
			return fmt.Errorf("%d openings, but %d games in %s", len(d.games), len(rest.games), p.Rest)
		}
		for n, g := range d.games {
			g.items = slices.DeleteFunc(g.items, func(i item) bool { return i.kind == resultItem })
			g.items = append(g.items, rest.games[n].items...)
		}
		d.below = rest.below
		return nil
	})
}

// split cuts a game after a number of moves of both sides.
func (g *game) split(moves int) (opening, rest *game, err error) {
	if _, err := g.position(); err != nil {
		return nil, nil, err
	}
	at, cut := begin(g), len(g.items)
	for k := range g.items {
		i := &g.items[k]
		if i.kind == resultItem || i.kind == moveItem && at.now.number > moves {
			cut = k
			break
		}
		if i.kind != moveItem {
			continue
		}
		if _, err := at.legal(i); err != nil {
			return nil, nil, err
		}
	}
	unfinished := item{kind: resultItem, text: "*"}
	opening = &game{above: g.above, tags: g.tags, gaps: g.gaps, items: append(slices.Clone(g.items[:cut]), unfinished)}
	tags := slices.DeleteFunc(slices.Clone(g.tags), func(t tag) bool { return t.name == "SetUp" || t.name == "FEN" })
	tags = append(tags, tag{"SetUp", "1"}, tag{"FEN", at.now.fen()})
	return opening, &game{tags: tags, items: g.items[cut:]}, nil
}

// variationsApart moves the variations of the main lines to a table, those in them along with
// them.
func variationsApart(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		rows := [][]string{{"game", "ply", "variation"}}
		err := d.eachGame(func(number int, g *game) error {
			at, ply := begin(g), 0
			kept := make([]item, 0, len(g.items))
			for _, i := range g.items {
				switch i.kind {
				case moveItem:
					at.step(&i)
					ply++
				case variationItem:
					p := printer{fresh: true, long: true} // on one line
					p.line(i.line, at.aside())
					line := p.text.String()
					if strings.Contains(line, "\n") {
						return fmt.Errorf("ply %d: a variation that does not fit on one line", ply)
					}
					rows = append(rows, []string{strconv.Itoa(number), strconv.Itoa(ply), line})
					continue
				}
				kept = append(kept, i)
			}
			g.items = kept
			return nil
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, err
	}
	return matches.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		return d.eachListed(files, p.Table, "variation", func(g *game, ply int, variation string) error {
			at, err := 0, error(nil)
			if ply > 0 {
				if at, err = g.after(ply); err != nil {
					return err
				}
				for at < len(g.items) && (g.items[at].kind == commentItem || g.items[at].kind == restItem) {
					at++
				}
			}
			g.items = slices.Insert(g.items, at, item{kind: variationItem, line: lineOf(variation)})
			return nil
		})
	})
}

// lineOf reads a line of play.
func lineOf(text string) []item {
	d := read("1. d4 (" + text + ")\n")
	if len(d.games) == 0 || len(d.games[0].items) < 2 {
		return nil
	}
	return d.games[0].items[1].line
}
