package chess

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// coordinates writes moves from square to square, as in UCI.
func coordinates(p struct{ Document, To string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		return nil, d.respell(func(_ *position, m move) string { return m.uci() })
	}
	return matches.Rewrite(p.Document, p.To, change, func(d *document, _ vfs.Files) error {
		return d.respell((*position).san)
	})
}

// respell spells every move again, those of variations too.
func (d *document) respell(spelling func(*position, move) string) error {
	return d.eachGame(func(_ int, g *game) error {
		if _, err := g.position(); err != nil {
			return err
		}
		return respellLine(g.items, begin(g), spelling)
	})
}

func respellLine(items []item, at play, spelling func(*position, move) string) error {
	for k := range items {
		switch i := &items[k]; i.kind {
		case moveItem:
			s, err := at.legal(i)
			if err != nil {
				return err
			}
			i.text = spelling(&at.before, s.move)
		case variationItem:
			if err := respellLine(i.line, at.aside(), spelling); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonGame is a game as an object.
type jsonGame struct {
	Above []string          `json:"above,omitempty"`
	Tags  map[string]string `json:"tags"`
	jsonLine
	Result string `json:"result,omitempty"`
}

// jsonLine is a line of play: comments before the first move, and the moves.
type jsonLine struct {
	Comments []string   `json:"comments,omitempty"`
	Moves    []jsonMove `json:"moves"`
}

type jsonMove struct {
	Move       string        `json:"move"` // with its number
	NAGs       []json.Number `json:"nags,omitempty"`
	Comments   []string      `json:"comments,omitempty"`
	Variations []jsonLine    `json:"variations,omitempty"`
}

// inJSON makes an array with an object for each game.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(d document) (vfs.Files, error) {
		if len(d.below) > 0 {
			return nil, fmt.Errorf("text after the last game: %s", d.below[0])
		}
		games := make([]jsonGame, len(d.games))
		err := d.eachGame(func(number int, g *game) (err error) {
			games[number-1], err = g.asJSON()
			return err
		})
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		err = encoder.Encode(games)
		return vfs.Files{p.To: b.String()}, err
	}
	return matches.Whole(p.Document, forward, func(files vfs.Files) (d document, err error) {
		var games []jsonGame
		err = plain.JSON(files, p.To, &games)
		for _, object := range games {
			g := &game{above: object.Above, items: object.items()}
			for _, name := range slices.SortedFunc(maps.Keys(object.Tags), rosterFirst) {
				g.tags = append(g.tags, tag{name, object.Tags[name]})
			}
			if object.Result != "" {
				g.items = append(g.items, item{kind: resultItem, text: object.Result})
			}
			d.games = append(d.games, g)
		}
		return d, err
	})
}

func (g *game) asJSON() (jsonGame, error) {
	object := jsonGame{Above: g.above, Tags: map[string]string{}}
	for _, t := range g.tags {
		if _, known := object.Tags[t.name]; known {
			return object, fmt.Errorf("two tags %s", t.name)
		}
		object.Tags[t.name] = t.value
	}
	items := g.items
	if n := len(items); n > 0 && items[n-1].kind == resultItem {
		object.Result = items[n-1].text
		items = items[:n-1]
	}
	if g.gaps > 0 {
		return object, fmt.Errorf("empty lines among the tags")
	}
	line, err := lineAsJSON(items, begin(g))
	object.jsonLine = line
	return object, err
}

func lineAsJSON(items []item, at play) (jsonLine, error) {
	line := jsonLine{Moves: []jsonMove{}}
	comments := &line.Comments
	for k := range items {
		i := &items[k]
		switch {
		case i.kind == moveItem:
			s := at.step(i)
			line.Moves = append(line.Moves, jsonMove{Move: s.turn() + " " + i.text})
			comments = &line.Moves[len(line.Moves)-1].Comments
		case i.kind == commentItem || i.kind == restItem:
			*comments = append(*comments, i.text)
		case i.kind == markItem && len(line.Moves) > 0:
			last := &line.Moves[len(line.Moves)-1]
			last.NAGs = append(last.NAGs, json.Number(i.text))
		case i.kind == variationItem && len(line.Moves) > 0:
			inner, err := lineAsJSON(i.line, at.aside())
			if err != nil {
				return line, err
			}
			last := &line.Moves[len(line.Moves)-1]
			last.Variations = append(last.Variations, inner)
		default:
			return line, fmt.Errorf("%q has no place in the object", i.text)
		}
	}
	return line, nil
}

func (l *jsonLine) items() []item {
	var items []item
	add := func(comments []string) {
		for _, text := range comments {
			items = append(items, item{kind: commentItem, text: text})
		}
	}
	add(l.Comments)
	for _, m := range l.Moves {
		for _, i := range lineOf(m.Move) {
			if i.kind == moveItem {
				items = append(items, i)
			}
		}
		for _, nag := range m.NAGs {
			items = append(items, item{kind: markItem, text: nag.String()})
		}
		add(m.Comments)
		for k := range m.Variations {
			items = append(items, item{kind: variationItem, line: m.Variations[k].items()})
		}
	}
	return items
}

// rosterFirst puts the seven tags of every game first.
func rosterFirst(a, b string) int {
	order := []string{"Event", "Site", "Date", "Round", "White", "Black", "Result"}
	place := func(name string) int {
		if at := slices.Index(order, name); at >= 0 {
			return at
		}
		return len(order)
	}
	return cmp.Or(place(a)-place(b), cmp.Compare(a, b))
}
