package jobboard

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// shelf is a file of a board that was divided, with the places that its postings
// have on the board, from 0.
type shelf struct {
	file   string
	places []int
}

// shelved writes the shelves, the frame and the table.
func (b *board) shelved(shelves []shelf, frameFile, table string, rows [][]string) (vfs.Files, error) {
	frame, err := b.frame()
	if err != nil {
		return nil, err
	}
	files := vfs.Files{frameFile: plain.Text(frame), table: plain.WriteCSV(rows)}
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
func unshelved(files vfs.Files, frameFile string, index [][]string) (none board, err error) {
	frame, err := plain.File(files, frameFile)
	if err != nil {
		return none, err
	}
	waiting := map[string][]posting{}
	postings := map[int][]string{}
	for _, row := range index {
		file := row[1]
		if _, known := waiting[file]; !known {
			b, err := boardOf(files, file)
			if err != nil {
				return none, err
			}
			waiting[file] = b.postings
		}
		n, err := numberIn(row[0])
		if err != nil {
			return none, err
		}
		if len(waiting[file]) == 0 {
			return none, fmt.Errorf("no further posting in %s for number %d", file, n)
		}
		postings[n] = waiting[file][0].lines
		waiting[file] = waiting[file][1:]
	}
	return fill(plain.Lines(frame), postings)
}

// bands are files by annual pay.
type bands struct {
	Document string
	Bands    []struct {
		File  string
		Below decimal.Decimal
	}
	Others, Unpriced string
	Frame, Table     string
}

// splitByPay makes a file of the postings of each band of pay.
func splitByPay(p bands) exact.Steps {
	return steps(p.Document, p.write, func(files vfs.Files) (board, error) {
		index, err := plain.Table(files, p.Table, "posting", "file")
		if err != nil {
			return board{}, err
		}
		slices.SortStableFunc(index, plain.ByNumber)
		return unshelved(files, p.Frame, index)
	})
}

func (p *bands) write(b board) (vfs.Files, error) {
	rows := [][]string{{"posting", "id", "salary", "annual", "file"}}
	places := map[string][]int{}
	for n, one := range b.postings {
		file, pay := p.Unpriced, ""
		if annual, ok := one.annual(); ok {
			file, pay = p.fileOf(annual), annual.StringFixed(2)
		}
		places[file] = append(places[file], n)
		rows = append(rows, []string{strconv.Itoa(n + 1), one.id(), one.value(salaryLabel), pay, file})
	}
	var shelves []shelf
	for file, postings := range places {
		shelves = append(shelves, shelf{file, postings})
	}
	return b.shelved(shelves, p.Frame, p.Table, rows)
}

func (p *bands) fileOf(annual decimal.Decimal) string {
	for _, band := range p.Bands {
		if annual.LessThan(band.Below) {
			return band.File
		}
	}
	return p.Others
}

// months are files by date.
type months struct{ Document, Begins, Undated, Frame, Table string }

// splitByMonth makes a file of the postings of each month, the newest first.
func splitByMonth(p months) exact.Steps {
	return steps(p.Document, p.write, func(files vfs.Files) (board, error) {
		index, err := plain.Table(files, p.Table, "posting", "file")
		if err != nil {
			return board{}, err
		}
		return unshelved(files, p.Frame, index)
	})
}

func (p *months) write(b board) (vfs.Files, error) {
	places := map[string][]int{}
	for n, one := range b.postings {
		file := p.fileOf(one.value(postedLabel))
		places[file] = append(places[file], n)
	}
	var shelves []shelf
	for _, file := range slices.Backward(slices.Sorted(maps.Keys(places))) {
		if file != p.Undated {
			slices.SortStableFunc(places[file], func(i, j int) int {
				return -strings.Compare(b.postings[i].value(postedLabel), b.postings[j].value(postedLabel))
			})
			shelves = append(shelves, shelf{file, places[file]})
		}
	}
	if undated := places[p.Undated]; undated != nil {
		shelves = append(shelves, shelf{p.Undated, undated})
	}
	rows := [][]string{{"file", "id", "posting"}}
	for _, s := range shelves {
		for _, place := range s.places {
			rows = append(rows, []string{s.file, b.postings[place].id(), strconv.Itoa(place + 1)})
		}
	}
	return b.shelved(shelves, p.Frame, p.Table, rows)
}

// fileOf names the file for a date, which must be one as in 2024-05-02.
func (p *months) fileOf(posted string) string {
	const date = "2024-05-02"
	if len(posted) != len(date) || !beginsWithDate(posted) {
		return p.Undated
	}
	return p.Begins + posted[:len("2024-05")] + ".txt"
}
