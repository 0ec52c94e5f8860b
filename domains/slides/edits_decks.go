package slides

import (
	"cmp"
	"errors"
	"slices"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The slides with most table rows in an appendix.
const (
	appendedFile  = "aeration_review_short.md"
	appendixFile  = "appendix.csv"
	appendixTitle = "Appendix"

	mostAppended = 3
)

// numbered is a slide with its number in the deck.
type numbered struct {
	number int
	slide  slide
}

func toAppendix(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	rows := func(s numbered) int { return s.slide.count(of(rowPart)) }
	var tables []numbered
	for n, s := range t.slides {
		if moved := (numbered{n + 1, s}); rows(moved) > 0 {
			tables = append(tables, moved)
		}
	}
	slices.SortStableFunc(tables, func(a, b numbered) int { return cmp.Compare(rows(b), rows(a)) })
	tables = tables[:min(len(tables), mostAppended)]

	moved := [][]string{{"slide", "title", "rows"}}
	var after []slide
	taken := map[int]bool{}
	for _, s := range tables {
		moved = append(moved, record(s.number, s.slide.title(), rows(s)))
		after = append(after, s.slide)
		taken[s.number] = true
	}
	short := talk{head: t.head}
	for n, s := range t.slides {
		if !taken[n+1] {
			short.slides = append(short.slides, s)
		}
	}
	short.slides = append(short.slides, slide{{kind: headingPart, own: 1, lines: []string{slideMark + appendixTitle, ""}}})
	short.slides = append(short.slides, after...)
	return vfs.Files{appendedFile: short.print(), appendixFile: plain.WriteCSV(moved)}, nil
}

func fromAppendix(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, appendedFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, appendixFile, "slide")
	if err != nil {
		return nil, err
	}
	at := len(t.slides) - 1
	for at >= 0 && (len(t.slides[at]) > 1 || t.slides[at].title() != appendixTitle) {
		at--
	}
	if at < 0 {
		return asDocument(t), nil
	}
	var moved []numbered
	for k, s := range t.slides[at+1:] {
		n := 0
		if k < len(table) {
			n = number(table[k][0])
		}
		moved = append(moved, numbered{n, s})
	}
	return asDocument(talk{head: t.head, slides: putBack(moved, t.slides[:at])}), nil
}

// putBack gives slides their numbers among the others again.
func putBack(moved []numbered, rest []slide) []slide {
	return plain.PutIn(moved, rest,
		func(s numbered) (int, slide) { return s.number, s.slide }, func(slide) int { return 1 })
}

// Decks by what their slides show.
const (
	dataFile     = "deck_data.md"
	picturesFile = "deck_pictures.md"
	talkFile     = "deck_talk.md"
	mapFile      = "slide_map.csv"
)

func deckOf(s slide) string {
	switch {
	case s.count(of(rowPart, chartPart)) > 0:
		return dataFile
	case s.count(of(imagePart)) > 0:
		return picturesFile
	}
	return talkFile
}

func divide(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	decks := map[string]*talk{dataFile: {}, picturesFile: {}, talkFile: {head: t.head}}
	places := [][]string{{"slide", "file", "number"}}
	for n, s := range t.slides {
		name := deckOf(s)
		deck := decks[name]
		deck.slides = append(deck.slides, s)
		places = append(places, record(n+1, name, len(deck.slides)))
	}
	out := vfs.Files{mapFile: plain.WriteCSV(places)}
	for name, deck := range decks {
		if len(deck.head)+len(deck.slides) > 0 {
			out[name] = deck.print()
		}
	}
	return out, nil
}

// merge puts slides that the map does not have last.
func merge(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, mapFile, "slide", "file", "number")
	if err != nil {
		return nil, err
	}
	type place struct {
		file   string
		number int
	}
	numbers := map[place]int{}
	for _, row := range rows {
		numbers[place{row[1], number(row[2])}] = number(row[0])
	}
	var all talk
	var found []numbered
	for _, name := range []string{talkFile, dataFile, picturesFile} {
		deck := divided(read(files[name]))
		all.head = append(all.head, deck.head...)
		for k, s := range deck.slides {
			found = append(found, numbered{numbers[place{name, k + 1}], s})
		}
	}
	all.slides = putBack(found, nil)
	if len(all.slides) == 0 {
		return nil, errors.New("no slides found in the decks")
	}
	return asDocument(all), nil
}
