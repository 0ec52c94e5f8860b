package plain

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// PutIn puts entries back among the others of a document, each before the entry
// that would else stand on its line. placed gives an entry's line, from 1, or 0 for
// one that comes last; lines is how many an entry takes up, nil stands for one.
func PutIn[P, E any](taken []P, rest []E, placed func(P) (line int, entry E), lines func(E) int) []E {
	place := func(p P) int {
		line, _ := placed(p)
		return line
	}
	slices.SortStableFunc(taken, func(a, b P) int { return cmp.Compare(uint(place(a))-1, uint(place(b))-1) })
	all := make([]E, 0, len(taken)+len(rest))
	at := 1
	add := func(e E) {
		all = append(all, e)
		if lines == nil {
			at++
		} else {
			at += lines(e)
		}
	}
	for _, p := range taken {
		line, entry := placed(p)
		for len(rest) > 0 && (line == 0 || at < line) {
			add(rest[0])
			rest = rest[1:]
		}
		add(entry)
	}
	return append(all, rest...)
}

// LineNumber reads a line number; 0 if there is none.
func LineNumber(cell string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(cell))
	return max(n, 0)
}

// Notes are rows of a table by what they are about.
type Notes map[string][][]string

// NotesBy sorts the rows of a table.
func NotesBy(table [][]string, about func(row []string) string) Notes {
	n := Notes{}
	for _, row := range table {
		n[about(row)] = append(n[about(row)], row)
	}
	return n
}

// Take returns the next row about a thing, nil if there is none.
func (n Notes) Take(about string) []string {
	rows := n[about]
	if len(rows) == 0 {
		return nil
	}
	n[about] = rows[1:]
	return rows[0]
}

// TakeNumber returns the line number in the first cell of the next row about a thing; false if there
// is no row.
func (n Notes) TakeNumber(about string) (number int, ok bool) {
	row := n.Take(about)
	if row == nil {
		return 0, false
	}
	return LineNumber(row[0]), true
}

// Array is a list that WriteJSON prints as JSONArray does.
type Array[T any] []T

func (a Array[T]) lines() string {
	text, _ := JSONArray(a) // an array that can be written
	return text
}

// JSONArray writes an array with an entry on each line.
func JSONArray[T any](entries []T) (string, error) {
	lines := make([]string, len(entries))
	for n, entry := range entries {
		var line strings.Builder
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(entry); err != nil {
			return "", err
		}
		lines[n] = "\n  " + strings.TrimSuffix(line.String(), "\n")
	}
	return "[" + strings.Join(lines, ",") + "\n]\n", nil
}
