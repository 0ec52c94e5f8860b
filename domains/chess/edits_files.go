package chess

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const indexFile = "index.csv"

// toGameFiles writes each game to a file of its own, the longest first.
func toGameFiles(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if len(d.below) > 0 {
		return nil, errors.New("there is text after the last game")
	}
	order := make([]int, len(d.games))
	for at := range order {
		order[at] = at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.games[b].plies(), d.games[a].plies()) })
	index := [][]string{{"file", "position", "white", "black", "result", "plies"}}
	split := vfs.Files{}
	for n, at := range order {
		g, name := d.games[at], fmt.Sprintf("game_%02d.pgn", n+1)
		split[name] = g.print()
		index = append(index, []string{
			name, strconv.Itoa(at + 1), g.value("White"), g.value("Black"), g.value("Result"), strconv.Itoa(g.plies()),
		})
	}
	split[indexFile] = plain.WriteCSV(index)
	return split, nil
}

func fromGameFiles(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, indexFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	whole := &document{}
	for _, row := range rows {
		d, err := readNamed(files, row[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row[1], err)
		}
		whole.games = append(whole.games, d.games...)
	}
	if _, err := whole.withGame(); err != nil {
		return nil, err
	}
	return whole.asDocument(), nil
}

const (
	openingFile  = "opening.pgn"
	playFile     = "play.pgn"
	openingMoves = 10
)

// splitOpenings divides each game after its tenth move. What follows begins with
// the position.
func splitOpenings(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	openings, rest := &document{}, &document{below: d.below}
	for n, g := range d.games {
		opening, after, err := g.split()
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", n+1, err)
		}
		openings.games = append(openings.games, opening)
		rest.games = append(rest.games, after)
	}
	return vfs.Files{openingFile: openings.print(), playFile: rest.print()}, nil
}

func (g *game) split() (opening, rest *game, err error) {
	if _, err := g.position(); err != nil {
		return nil, nil, err
	}
	at, cut := begin(g), len(g.items)
	for k := range g.items {
		i := &g.items[k]
		if i.kind == resultItem {
			cut = k
			break
		}
		if i.kind != moveItem {
			continue
		}
		if at.now.number > openingMoves {
			cut = k
			break
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

func joinOpenings(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, openingFile)
	if err != nil {
		return nil, err
	}
	rest, err := readNamed(files, playFile)
	if err != nil {
		return nil, err
	}
	if len(rest.games) != len(d.games) {
		return nil, fmt.Errorf("%d openings, but %d games in %s", len(d.games), len(rest.games), playFile)
	}
	for n, g := range d.games {
		g.items = slices.DeleteFunc(g.items, func(i item) bool { return i.kind == resultItem })
		g.items = append(g.items, rest.games[n].items...)
	}
	d.below = rest.below
	return d.asDocument(), nil
}

const (
	mainLineFile = "main_line.pgn"
	linesFile    = "lines.csv"
)

// takeVariations moves the variations of the main lines to a table, those in them
// along with them.
func takeVariations(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"game", "ply", "variation"}}
	for n, g := range d.games {
		at, ply := begin(g), 0
		kept := make([]item, 0, len(g.items))
		for _, i := range g.items {
			switch i.kind {
			case moveItem:
				at.step(&i)
				ply++
			case variationItem:
				line := printLine(i.line, at.aside())
				if strings.ContainsAny(line, "\n") {
					return nil, fmt.Errorf("game %d, ply %d: a variation that does not fit on one line", n+1, ply)
				}
				rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(ply), line})
				continue
			}
			kept = append(kept, i)
		}
		g.items = kept
	}
	return vfs.Files{mainLineFile: d.print(), linesFile: plain.WriteCSV(rows)}, nil
}

func giveVariations(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, mainLineFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, linesFile, "game", "ply", "variation")
	if err != nil {
		return nil, err
	}
	// From after, so that places stay and several of one ply keep their order.
	for _, row := range slices.Backward(rows) {
		number, err1 := strconv.Atoi(row[0])
		ply, err2 := strconv.Atoi(row[1])
		g, err := d.game(number)
		if err = errors.Join(err1, err2, err); err != nil {
			return nil, fmt.Errorf("reading %s: %w", linesFile, err)
		}
		at := 0
		if ply > 0 {
			if at, err = g.after(ply); err != nil {
				return nil, fmt.Errorf("game %d, ply %d: %w", number, ply, err)
			}
			for at < len(g.items) && (g.items[at].kind == commentItem || g.items[at].kind == restItem) {
				at++
			}
		}
		g.items = slices.Insert(g.items, at, item{kind: variationItem, line: lineOf(row[2])})
	}
	return d.asDocument(), nil
}

// lineOf reads a line of play.
func lineOf(text string) []item {
	d := read("1. d4 (" + text + ")\n")
	if len(d.games) == 0 || len(d.games[0].items) < 2 {
		return nil
	}
	return d.games[0].items[1].line
}
