package chess

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "thirlmere_cup_final.pgn"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "game_files", Forward: toGameFiles, Backward: fromGameFiles},
		{Name: "evaluation_table", Forward: takeEvaluations, Backward: giveEvaluations},
		{Name: "coordinates", Forward: toCoordinates, Backward: fromCoordinates},
		{Name: "json", Forward: toJSON, Backward: fromJSON},
		{Name: "capture_log", Forward: logCaptures, Backward: dropCaptures},
		{Name: "opening_split", Forward: splitOpenings, Backward: joinOpenings},
		{Name: "time_spent", Forward: toTimeSpent, Backward: toClocks},
		{Name: "side_lines", Forward: takeVariations, Backward: giveVariations},
	}
}

var errNoGame = errors.New("no .pgn file with a game")

// readDocument reads the files that a forward step is given, as one document.
func readDocument(files vfs.Files) (*document, error) {
	files = files.Match([]string{"*.pgn"})
	all := &document{}
	for _, name := range files.Names() {
		d := read(files[name])
		if len(d.games) > 0 {
			d.games[0].above = append(all.below, d.games[0].above...)
			all.below = nil
		}
		all.games = append(all.games, d.games...)
		all.below = append(all.below, d.below...)
	}
	return all.withGame()
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) (*document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	d := read(text)
	return d.withGame()
}

func (d *document) withGame() (*document, error) {
	if len(d.games) == 0 {
		return nil, errNoGame
	}
	return d, nil
}

func (d *document) asDocument() vfs.Files { return vfs.Files{documentFile: d.print()} }

// game returns a game by its number, from 1.
func (d *document) game(number int) (*game, error) {
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
