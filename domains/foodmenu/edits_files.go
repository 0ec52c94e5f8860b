package foodmenu

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitBySection makes a file of the items of each section, the dearest first. All other lines
// stay in the frame.
func splitBySection(p struct {
	Document string
	Begins   string // names of files: the words of a section and .txt follow
	Others   string // the word of a section without letters and digits
	Frame    string
	Table    string
}) exact.Steps {
	type course struct { // an item on its way to the file of its section
		placed
		file  string
		price *big.Rat
	}
	fileOf := func(section string) string { return p.Begins + exact.FileName(section, ".txt", p.Others+".txt") }
	columns := []string{"line", "file", "place"}
	forward := func(all []entry) (vfs.Files, error) {
		var courses []course
		headers := map[string]string{}
		for at, e := range items(all) {
			c := course{placed: placed{at.line, e.lines}, file: fileOf(at.section), price: new(big.Rat)}
			c.price.SetString(strings.Trim(e.dish.price, "€£¥"))
			courses = append(courses, c)
			if at.section != "" {
				headers[c.file] = "--- " + at.section + " ---\n\n"
			}
		}
		slices.SortStableFunc(courses, func(a, b course) int { return b.price.Cmp(a.price) })
		made := vfs.Files{p.Frame: printed(slices.DeleteFunc(all, isItem))}
		rows, counts := [][]string{columns}, map[string]int{}
		for _, c := range courses {
			if counts[c.file]++; counts[c.file] == 1 {
				made[c.file] = headers[c.file]
			}
			made[c.file] += plain.Text(c.lines)
			rows = append(rows, []string{strconv.Itoa(c.line), c.file, strconv.Itoa(counts[c.file])})
		}
		slices.SortFunc(rows[1:], plain.ByNumber)
		made[p.Table] = plain.WriteCSV(rows)
		return made, nil
	}
	return menus.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		frame, err := plain.File(files, p.Frame)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, columns...)
		lines := map[exact.Place]int{}
		for _, row := range rows {
			lines[exact.Place{File: strings.TrimSpace(row[1]), Number: plain.LineNumber(row[2])}] = plain.LineNumber(row[0])
		}
		var taken []placed
		for _, name := range files.Match([]string{p.Begins + "*.txt"}).Names() {
			for at, e := range items(read(files[name])) {
				taken = append(taken, placed{lines[exact.Place{File: name, Number: at.item}], e.lines})
			}
		}
		return putIn(taken, frame), err
	})
}

// fillCards puts each section, and what stands above the first, on the first card with room for
// it. Empty lines and rulers take no room.
func fillCards(p struct {
	Document string
	Begins   string // names of files: a number and .txt follow
	Lines    int    // on a card
	Table    string
}) exact.Steps {
	fileOf := func(n int) string { return p.Begins + strconv.Itoa(n) + ".txt" }
	forward := func(all []entry) (vfs.Files, error) {
		cards, rows := lay(blocks(all), p.Lines)
		made := vfs.Files{p.Table: plain.WriteCSV(rows)}
		for n, c := range cards {
			made[fileOf(n+1)] = c.text.String()
		}
		return made, nil
	}
	return menus.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		rows, err := plain.Table(files, p.Table, "block", "card", "place")
		if err != nil {
			return nil, err
		}
		numbers := map[exact.Place]int{}
		for _, row := range rows {
			numbers[exact.Place{File: fileOf(plain.LineNumber(row[1])), Number: plain.LineNumber(row[2])}] = plain.LineNumber(row[0])
		}
		type numbered struct {
			number int
			block  []entry
		}
		var all []numbered
		for n := 1; ; n++ {
			text, there := files[fileOf(n)]
			if !there {
				break
			}
			for place, block := range blocks(read(text)) {
				all = append(all, numbered{numbers[exact.Place{File: fileOf(n), Number: place + 1}], block})
			}
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s is missing", fileOf(1))
		}
		itself := func(n numbered) (int, []entry) { return n.number, n.block }
		return slices.Concat(plain.PutIn(all, nil, itself, nil)...), nil
	})
}

// card is a sheet with room for lines of text.
type card struct {
	text         strings.Builder
	lines, parts int
}

// lay puts blocks on cards with room for so many lines. The rows say where each is.
func lay(blocks [][]entry, room int) (cards []*card, rows [][]string) {
	rows = [][]string{{"block", "section", "card", "place"}}
	for n, block := range blocks {
		size := 0
		for i := range block {
			if block[i].isText() {
				size += len(block[i].lines)
			}
		}
		at := slices.IndexFunc(cards, func(c *card) bool { return c.lines+size <= room })
		if at < 0 {
			at = len(cards)
			cards = append(cards, &card{})
		}
		c := cards[at]
		c.text.WriteString(printed(block))
		c.lines += size
		c.parts++
		rows = append(rows, []string{strconv.Itoa(n + 1), block[0].name, strconv.Itoa(at + 1), strconv.Itoa(c.parts)})
	}
	return cards, rows
}

// blocks divide a menu in front of the header of each section.
func blocks(all []entry) [][]entry {
	var parts [][]entry
	start := 0
	for i := range all {
		if all[i].kind == sectionEntry && i > start {
			parts = append(parts, all[start:i])
			start = i
		}
	}
	return append(parts, all[start:])
}
