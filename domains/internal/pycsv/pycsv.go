// Package pycsv reads comma-separated values as Python's csv module does, on
// which the published evaluators of several domains rest.
package pycsv

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
)

// errReturn is the one error of comma-separated values: a carriage return in the middle of a row, outside of quotes.
var errReturn = errors.New("a carriage return inside a row")

// cellLimit is the longest cell that Python's csv module reads, in code points.
const cellLimit = 131_072

// TooLong reports whether a record has a cell that is longer than Python's csv module reads; Records takes it.
func TooLong(record []string) bool {
	return slices.ContainsFunc(record, func(cell string) bool {
		return len(cell) > cellLimit && utf8.RuneCountInString(cell) > cellLimit
	})
}

// Records reads comma-separated values as Python's csv module does when it is not strict. A cell is quoted only if it
// begins with a quote, text after its closing quote belongs to it, and one that is never closed runs to the end. Empty
// lines are no records.
func Records(text string) ([][]string, error) { return Split(text, ',') }

// Split is Records for cells that another delimiter separates.
func Split(text string, delimiter byte) ([][]string, error) { return SplitQuoted(text, delimiter, '"') }

// SplitQuoted is Split for cells that another character quotes.
func SplitQuoted(text string, delimiter, quote byte) ([][]string, error) {
	r := reader{delimiter: delimiter, quote: quote}
	between := string([]byte{delimiter})
	for line := range strings.Lines(text) {
		if r.at == startOfRecord && strings.IndexByte(line, quote) < 0 && strings.IndexByte(line, '\r') < 0 { // the quick way of most lines
			if bare := strings.TrimSuffix(line, "\n"); bare != "" {
				r.records = plain.Append(r.records, strings.Split(bare, between))
			}
			continue
		}
		for _, c := range []byte(line) {
			if !r.take(c) {
				return nil, errReturn
			}
		}
		r.endLine()
	}
	if r.at == inQuotes {
		r.endCell()
		r.endRecord()
	}
	return r.records, nil
}

var (
	inDouble = lazyregexp.New(`(?:^|[,;\t|\n])"`)
	inSingle = lazyregexp.New(`(?:^|[,;\t|\n])'(?:[^'\n]|'')*'(?:[,;\t|\n]|$)`)
)

// Quote is the character that quotes cells: the single quote where two cells or more stand in it and none in double
// quotes, otherwise the double quote.
func Quote(text string) byte {
	if mayBeginCells(text, '\'') && len(inSingle.FindAllStringIndex(text, 2)) == 2 && !inDouble.MatchString(text) {
		return '\''
	}
	return '"'
}

// mayBeginCells reports whether a quote stands where a cell may begin, twice or more. It is quick, and rules out nearly all tables.
func mayBeginCells(text string, quote byte) bool {
	cells := 0
	for at := 0; cells < 2; at++ {
		next := strings.IndexByte(text[at:], quote)
		if next < 0 {
			return false
		}
		if at += next; at == 0 || strings.IndexByte(",;\t|\n", text[at-1]) >= 0 {
			cells++
		}
	}
	return true
}

// Comments returns the comments above a table, lines that begin with #, and the table. A line with as many cells as the first one
// without # is no comment: the header begins so, or the rows. Comments among the rows too are of another format, such as CoNLL-U.
func Comments(text string) (comments, table string) {
	at := 0
	for strings.HasPrefix(text[at:], "#") {
		line := strings.IndexByte(text[at:], '\n')
		if line < 0 {
			return "", text
		}
		at += line + 1
	}
	if at == 0 || strings.Contains(text[at:], "\n#") {
		return "", text
	}
	delimiter, cells := byte(0), 1
	for _, c := range []byte(",;\t|") {
		if n := firstCells(text[at:], c); n > cells {
			delimiter, cells = c, n
		}
	}
	for cells > 1 && at > 0 {
		begin := strings.LastIndexByte(text[:at-1], '\n') + 1
		if firstCells(text[begin:at], delimiter) != cells {
			return text[:at], text[at:]
		}
		at = begin
	}
	return "", text
}

// firstCells is the number of cells of the first record.
func firstCells(text string, delimiter byte) int {
	records, err := SplitQuoted(text, delimiter, Quote(text))
	if err != nil || len(records) == 0 {
		return 0
	}
	return len(records[0])
}

// place is where in a record the reader stands.
type place uint8

const (
	startOfRecord place = iota
	startOfCell
	inCell
	inQuotes
	quoteInQuotes // the closing quote, or the first of a doubled one
	endOfRecord
)

type reader struct {
	delimiter byte
	quote     byte
	at        place
	cell      []byte
	record    []string
	records   [][]string
}

// take reads a byte; false if it cannot stand there.
func (r *reader) take(c byte) bool {
	switch r.at {
	case endOfRecord:
		return c == '\n' || c == '\r'
	case inQuotes:
		if c == r.quote {
			r.at = quoteInQuotes
		} else {
			r.cell = append(r.cell, c)
		}
		return true
	case quoteInQuotes:
		if c == r.quote {
			r.cell = append(r.cell, c)
			r.at = inQuotes
			return true
		}
	case startOfRecord:
		if c == '\n' || c == '\r' {
			r.at = endOfRecord
			return true
		}
		fallthrough
	case startOfCell:
		if c == r.quote {
			r.at = inQuotes
			return true
		}
	}
	switch c {
	case r.delimiter:
		r.endCell()
		r.at = startOfCell
	case '\n', '\r':
		r.endCell()
		r.at = endOfRecord
	default:
		r.cell = append(r.cell, c)
		r.at = inCell
	}
	return true
}

func (r *reader) endLine() {
	switch r.at {
	case inQuotes:
		return
	case startOfCell, inCell, quoteInQuotes: // the last line may lack its end
		r.endCell()
	}
	r.endRecord()
}

func (r *reader) endCell() {
	r.record = append(r.record, string(r.cell))
	r.cell = r.cell[:0]
}

func (r *reader) endRecord() {
	if len(r.record) > 0 {
		r.records = plain.Append(r.records, r.record)
		r.record = make([]string, 0, len(r.record))
	}
	r.at = startOfRecord
}
