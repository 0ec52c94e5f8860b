package foodmenu

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	frameFile    = "frame.txt"
	sequenceFile = "sequence.csv"
)

var sequenceColumns = []string{"line", "file", "place"}

// courseName is the file of a section.
func courseName(section string) string {
	words := strings.FieldsFunc(strings.ToLower(section), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		words = []string{"other"}
	}
	return "course_" + strings.Join(words, "_") + ".txt"
}

// course is an item on its way to the file of its section.
type course struct {
	placed
	file  string
	price *big.Rat
}

// splitCourses makes a file of each section, the dearest item first. All other
// lines stay in the frame.
func splitCourses(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := takeOut(all, func(e *entry) bool { return e.kind == itemEntry })
	courses := make([]course, 0, len(taken))
	headers := map[string]string{}
	inSections(all, func(e *entry, _ int, section string) {
		if e.kind != itemEntry {
			return
		}
		c := course{placed: taken[len(courses)], file: courseName(section), price: new(big.Rat)}
		c.price.SetString(strings.Trim(e.dish.price, "€£¥"))
		courses = append(courses, c)
		if section != "" {
			headers[c.file] = "--- " + section + " ---\n\n"
		}
	})
	sorted := slices.Clone(courses)
	slices.SortStableFunc(sorted, func(a, b course) int { return b.price.Cmp(a.price) })
	out := vfs.Files{frameFile: plain.Text(rest)}
	places, rows := map[int]int{}, [][]string{sequenceColumns}
	counts := map[string]int{}
	for _, c := range sorted {
		if counts[c.file]++; counts[c.file] == 1 {
			out[c.file] = headers[c.file]
		}
		places[c.line] = counts[c.file]
		out[c.file] += plain.Text(c.lines)
	}
	for _, c := range courses {
		rows = append(rows, []string{strconv.Itoa(c.line), c.file, strconv.Itoa(places[c.line])})
	}
	out[sequenceFile] = plain.WriteCSV(rows)
	return out, nil
}

// mergeCourses puts the items where the sequence says.
func mergeCourses(files vfs.Files) (vfs.Files, error) {
	frame, err := plain.File(files, frameFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, sequenceFile, sequenceColumns...)
	if err != nil {
		return nil, err
	}
	type placeInFile struct {
		file  string
		place int
	}
	lines := map[placeInFile]int{}
	for _, row := range rows {
		lines[placeInFile{strings.TrimSpace(row[1]), lineNumber(row[2])}] = lineNumber(row[0])
	}
	var taken []placed
	for _, name := range files.Match([]string{"course_*.txt"}).Names() {
		n := 0
		for _, e := range read(files[name]) {
			if e.kind == itemEntry {
				n++
				taken = append(taken, placed{lines[placeInFile{name, n}], e.lines})
			}
		}
	}
	return putIn(taken, plain.Lines(frame)), nil
}

const (
	cardsFile = "cards.csv"
	cardLines = 28
)

var cardColumns = []string{"block", "section", "card", "place"}

func cardName(n int) string { return fmt.Sprintf("card_%d.txt", n) }

// card is a sheet with room for lines of text.
type card struct {
	text         strings.Builder
	lines, parts int
}

// layCards puts each section, and what stands above the first, on the first card
// with room for it.
func layCards(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var cards []*card
	rows := [][]string{cardColumns}
	for n, block := range blocks(all) {
		size := 0
		for i := range block {
			if block[i].isText() {
				size += len(block[i].lines)
			}
		}
		at := slices.IndexFunc(cards, func(c *card) bool { return c.lines+size <= cardLines })
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
	out := vfs.Files{cardsFile: plain.WriteCSV(rows)}
	for n, c := range cards {
		out[cardName(n+1)] = c.text.String()
	}
	return out, nil
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

// joinCards puts the blocks of the cards in order.
func joinCards(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, cardsFile, "block", "card", "place")
	if err != nil {
		return nil, err
	}
	type placeOnCard struct{ card, place int }
	at := map[placeOnCard]int{}
	for _, row := range rows {
		at[placeOnCard{lineNumber(row[1]), lineNumber(row[2])}] = lineNumber(row[0])
	}
	type numbered struct {
		number int
		block  []entry
	}
	var all []numbered
	for n := 1; ; n++ {
		text, there := files[cardName(n)]
		if !there {
			break
		}
		for place, block := range blocks(read(text)) {
			all = append(all, numbered{at[placeOnCard{n, place + 1}], block})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is missing", cardName(1))
	}
	slices.SortStableFunc(all, func(a, b numbered) int { return cmp.Compare(uint(a.number)-1, uint(b.number)-1) })
	var joined []entry
	for _, n := range all {
		joined = append(joined, n.block...)
	}
	return asDocument(joined), nil
}
