package jobboard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// shelves divide a board into files: a table says which posting is in which, and a frame has
// all else. They go back in the order of the numbers if they are ByNumber, otherwise in that
// of the table.
type shelves struct {
	Document, Frame, Table string
	ByNumber               bool
}

// shelved is where a posting goes, with the row that says so.
type shelved struct {
	posting int // its number on the board, from 1
	file    string
	row     []string
}

// steps are those of an edit that names the columns of its table and places the postings, those
// of one file in their order there.
func (s shelves) steps(columns []string, place func(board) []shelved) exact.Steps {
	return steps(s.Document, func(b board) (vfs.Files, error) {
		frame, err := b.frame()
		if err != nil {
			return nil, err
		}
		rows := [][]string{columns}
		files := map[string]*board{}
		for _, p := range place(b) {
			rows = append(rows, p.row)
			if files[p.file] == nil {
				files[p.file] = &board{}
			}
			files[p.file].join(board{postings: []posting{{lines: b.postings[p.posting-1].lines}}})
		}
		made := vfs.Files{s.Frame: plain.Text(frame), s.Table: plain.WriteCSV(rows)}
		for name, shelf := range files {
			made[name] = shelf.print()
		}
		return made, nil
	}, s.merge)
}

func (s *shelves) merge(files vfs.Files) (none board, err error) {
	rows, err := tableOf(files, s.Table, "file")
	if err != nil {
		return none, err
	}
	if s.ByNumber {
		slices.SortStableFunc(rows, func(a, b tableRow) int { return cmp.Compare(a.posting, b.posting) })
	}
	frame, err := plain.File(files, s.Frame)
	if err != nil {
		return none, err
	}
	waiting := map[string][]posting{}
	postings := map[int][]string{}
	for _, row := range rows {
		file := row.cells[0]
		if _, known := waiting[file]; !known {
			b, err := boardOf(files, file)
			if err != nil {
				return none, err
			}
			waiting[file] = b.postings
		}
		if len(waiting[file]) == 0 {
			return none, fmt.Errorf("no further posting in %s for number %d", file, row.posting)
		}
		postings[row.posting] = waiting[file][0].lines
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
	s := shelves{Document: p.Document, Frame: p.Frame, Table: p.Table, ByNumber: true}
	return s.steps([]string{"posting", "id", "salary", "annual", "file"}, func(b board) (placed []shelved) {
		for n, one := range b.postings {
			file, pay := p.Unpriced, ""
			if annual, ok := one.annual(); ok {
				file, pay = p.fileOf(annual), annual.StringFixed(2)
			}
			placed = append(placed, shelved{n + 1, file, []string{strconv.Itoa(n + 1), one.id(), one.value(salaryLabel), pay, file}})
		}
		return placed
	})
}

func (p *bands) fileOf(annual decimal.Decimal) string {
	for _, band := range p.Bands {
		if annual.LessThan(band.Below) {
			return band.File
		}
	}
	return p.Others
}

// splitByMonth makes a file of the postings of each month, the newest first. Dates must be as in
// 2024-05-02.
func splitByMonth(p struct{ Document, Begins, Undated, Frame, Table string }) exact.Steps {
	const month, date = len("2024-05"), len("2024-05-02")
	s := shelves{Document: p.Document, Frame: p.Frame, Table: p.Table}
	return s.steps([]string{"file", "id", "posting"}, func(b board) (placed []shelved) {
		posted := make([]string, len(b.postings)) // empty where undated
		for n, one := range b.postings {
			file := p.Undated
			if value := one.value(postedLabel); len(value) == date && beginsWithDate.MatchString(value) {
				posted[n], file = value, p.Begins+value[:month]+".txt"
			}
			placed = append(placed, shelved{n + 1, file, []string{file, one.id(), strconv.Itoa(n + 1)}})
		}
		slices.SortStableFunc(placed, func(x, y shelved) int { return strings.Compare(posted[y.posting-1], posted[x.posting-1]) })
		return placed
	})
}
