package jobboard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// shelf is a file of a board that was divided, with the places that its postings
// have on the board, from 0.
type shelf struct {
	file   string
	places []int
}

// shelved writes the shelves and the frame.
func (b *board) shelved(shelves []shelf) (vfs.Files, error) {
	frame, err := b.frame()
	if err != nil {
		return nil, err
	}
	files := vfs.Files{frameFile: plain.Text(frame)}
	for _, s := range shelves {
		postings := make([]posting, len(s.places))
		for k, place := range s.places {
			postings[k] = b.postings[place]
		}
		files[s.file] = list(postings)
	}
	return files, nil
}

// unshelved merges shelves. The rows of the index are the number of a posting
// and its file, those of one file in the order of the postings there.
func unshelved(files vfs.Files, index [][]string) (vfs.Files, error) {
	frame, err := frameOf(files)
	if err != nil {
		return nil, err
	}
	waiting := map[string][]posting{}
	postings := map[int][]string{}
	for _, row := range index {
		file := row[1]
		if _, known := waiting[file]; !known {
			b, err := boardOf(files, file)
			if err != nil {
				return nil, err
			}
			waiting[file] = b.postings
		}
		n, err := numberIn(row[0])
		if err != nil {
			return nil, err
		}
		if len(waiting[file]) == 0 {
			return nil, fmt.Errorf("no further posting in %s for number %d", file, n)
		}
		postings[n] = waiting[file][0].lines
		waiting[file] = waiting[file][1:]
	}
	return fill(frame, postings)
}

const (
	bandsFile    = "bands.csv"
	unpricedFile = "unpriced.txt"
)

// bands are files with the annual pay that their postings stay below.
var bands = []struct {
	file  string
	below int64
}{
	{"entry.txt", 45_000},
	{"mid.txt", 70_000},
	{"senior.txt", 110_000},
	{"executive.txt", 0}, // all others
}

func bandOf(annual decimal.Decimal) string {
	for _, band := range bands[:len(bands)-1] {
		if annual.LessThan(decimal.NewFromInt(band.below)) {
			return band.file
		}
	}
	return bands[len(bands)-1].file
}

func splitByBand(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"posting", "id", "salary", "annual", "file"}}
	places := map[string][]int{}
	for n, p := range b.postings {
		file, pay := unpricedFile, ""
		if annual, ok := p.annual(); ok {
			file, pay = bandOf(annual), annual.StringFixed(2)
		}
		places[file] = append(places[file], n)
		rows = append(rows, []string{strconv.Itoa(n + 1), p.id(), p.value(salaryLabel), pay, file})
	}
	var shelves []shelf
	for file, postings := range places {
		shelves = append(shelves, shelf{file, postings})
	}
	split, err := b.shelved(shelves)
	if err != nil {
		return nil, err
	}
	split[bandsFile] = plain.WriteCSV(rows)
	return split, nil
}

func mergeBands(files vfs.Files) (vfs.Files, error) {
	index, err := plain.Table(files, bandsFile, "posting", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(index, plain.ByNumber)
	return unshelved(files, index)
}

const (
	shelvesFile = "shelves.csv"
	undatedFile = "posted_undated.txt"
)

// splitByMonth puts the newest month and the newest posting first.
func splitByMonth(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	var shelves []shelf
	for n, p := range b.postings {
		file := monthFile(p.value(postedLabel))
		at := slices.IndexFunc(shelves, func(s shelf) bool { return s.file == file })
		if at < 0 {
			at = len(shelves)
			shelves = append(shelves, shelf{file: file})
		}
		shelves[at].places = append(shelves[at].places, n)
	}
	slices.SortFunc(shelves, func(a, b shelf) int {
		if a.file == undatedFile || b.file == undatedFile {
			return cmp.Compare(strings.Count(a.file, undatedFile), strings.Count(b.file, undatedFile))
		}
		return -strings.Compare(a.file, b.file)
	})
	rows := [][]string{{"file", "id", "posting"}}
	for _, s := range shelves {
		if s.file != undatedFile {
			slices.SortStableFunc(s.places, func(i, j int) int {
				return -strings.Compare(b.postings[i].value(postedLabel), b.postings[j].value(postedLabel))
			})
		}
		for _, place := range s.places {
			rows = append(rows, []string{s.file, b.postings[place].id(), strconv.Itoa(place + 1)})
		}
	}
	split, err := b.shelved(shelves)
	if err != nil {
		return nil, err
	}
	split[shelvesFile] = plain.WriteCSV(rows)
	return split, nil
}

// monthFile names the file for a date, which must be one as in 2024-05-02.
func monthFile(posted string) string {
	const date = "2024-05-02"
	if len(posted) != len(date) || !beginsWithDate(posted) {
		return undatedFile
	}
	return "posted_" + posted[:len("2024-05")] + ".txt"
}

func mergeMonths(files vfs.Files) (vfs.Files, error) {
	index, err := plain.Table(files, shelvesFile, "posting", "file")
	if err != nil {
		return nil, err
	}
	return unshelved(files, index)
}
