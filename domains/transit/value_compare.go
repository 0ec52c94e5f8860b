package transit

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/sets"
)

func stats(doc feed) domains.Stats {
	count := func(label, table string) domains.Count {
		return domains.Count{Name: label, Value: strconv.Itoa(len(doc.table(table).rows))}
	}
	return domains.Stats{
		Elements: doc.rows,
		Counts: []domains.Count{
			{Name: "Files", Value: strconv.Itoa(len(doc.names))},
			count("Routes", routesFile),
			count("Stops", stopsFile),
			count("Trips", tripsFile),
			count("Stop Times", stopTimesFile),
		},
	}
}

// table returns a table, an empty one if there is none of that name.
func (doc feed) table(name string) *published {
	if t, ok := doc.tables[name]; ok {
		return t
	}
	return &published{}
}

func (doc feed) has(name string) bool { return doc.tables[name] != nil }

func score(ref, got feed, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{Reference: ref.rows, Candidate: got.rows}}
	order, err := stopOrder(ref, got, noted)
	if err != nil {
		reading.Problem = err.Error()
		return reading
	}
	rows, files, references := rowsKept(ref, got), filesKept(ref, got), referencesKept(ref, got)
	count := 1 - float64(max(ref.rows, got.rows)-min(ref.rows, got.rows))/float64(max(ref.rows, got.rows, 1))
	headers := headersKept(ref, got)
	reading.Value = rows * (float64(0.35*files) + float64(0.25*order) + float64(0.15*references) + float64(0.15*count) + float64(0.10*headers))
	reading.Components = map[string]float64{
		"rows": rows, "files": files, "order": order, "references": references, "count": count, "headers": headers,
	}
	return reading
}

// rowsKept is the share that is kept of the reference's rows.
func rowsKept(ref, got feed) float64 {
	if ref.rows == 0 {
		if got.rows == 0 {
			return 1
		}
		return 0
	}
	kept := 0.0
	for _, name := range ref.names {
		r, g := ref.table(name), got.table(name)
		if len(r.rows) == 0 || len(g.rows) == 0 {
			continue
		}
		share := 0.0
		if key := keyColumns(name); key != nil {
			share = keyedRowsKept(r, g, key)
		} else {
			share = rowSetKept(r, g)
		}
		kept += float64(float64(len(r.rows)) * share)
	}
	return kept / float64(ref.rows)
}

// keyedRowsKept is the mean over the reference's keys of the share of columns
// that are equal in both rows. Of several rows with a key the last counts.
func keyedRowsKept(ref, got *published, columns []string) float64 {
	type pair struct{ ref, got []string }
	refKey, gotKey := ref.key(columns), got.key(columns)
	places := map[string]int{}
	var pairs []pair
	for _, row := range ref.rows {
		key := refKey(row)
		at, known := places[string(key)]
		if !known {
			at = len(pairs)
			places[string(key)] = at
			pairs = append(pairs, pair{})
		}
		pairs[at].ref = row
	}
	for _, row := range got.rows {
		if at, known := places[string(gotKey(row))]; known {
			pairs[at].got = row
		}
	}
	c := newRowComparer(ref, got)
	kept := 0.0
	for _, p := range pairs {
		if p.got != nil {
			kept += c.equal(p.ref, p.got)
		}
	}
	kept /= float64(len(pairs))
	if len(got.rows) > len(ref.rows) {
		kept *= float64(len(ref.rows)) / float64(len(got.rows))
	}
	return kept
}

// rowComparer compares rows of two tables column by column.
type rowComparer struct {
	inGot, inRef []int // of each place of a table that in the other, -1 if none
	columns      int   // of both tables together
}

// shadowed marks a place whose column stands once more after it.
const shadowed = -2

func newRowComparer(ref, got *published) rowComparer {
	places := func(of, in *published) (places []int, shared int) {
		places = make([]int, len(of.header))
		for k, name := range of.header {
			if of.place[name] != k {
				places[k] = shadowed
				continue
			}
			if places[k] = in.column(name); places[k] >= 0 {
				shared++
			}
		}
		return places, shared
	}
	c := rowComparer{}
	shared := 0
	c.inGot, shared = places(ref, got)
	c.inRef, _ = places(got, ref)
	c.columns = len(ref.columns) + len(got.columns) - shared
	return c
}

// equal is the share of columns with equal values. It looks only at cells that
// are not empty, so that rows may be much shorter than their header.
func (c rowComparer) equal(ref, got []string) float64 {
	different := 0
	for k, value := range ref {
		if at := c.inGot[k]; at != shadowed && value != "" && value != cell(got, at) {
			different++
		}
	}
	for k, value := range got {
		if at := c.inRef[k]; at != shadowed && value != "" && cell(ref, at) == "" {
			different++
		}
	}
	return float64(c.columns-different) / float64(c.columns)
}

// rowSetKept is the share of the reference's different rows that the candidate
// has too.
func rowSetKept(ref, got *published) float64 {
	numbers := make(map[string]int, len(ref.columns))
	for n, name := range ref.columns {
		numbers[name] = n
	}
	if len(got.columns) != len(ref.columns) {
		return 0
	}
	for _, name := range got.columns {
		if _, shared := numbers[name]; !shared {
			return 0
		}
	}
	found := map[string]bool{}
	form := ref.form(numbers)
	for _, row := range ref.rows {
		found[string(form(row))] = false
	}
	kept := 0
	form = got.form(numbers)
	for _, row := range got.rows {
		f := form(row)
		if already, known := found[string(f)]; known && !already {
			found[string(f)] = true
			kept++
		}
	}
	return float64(kept) / float64(len(found))
}

// form returns the function that gives equal rows an equal form, in a buffer
// that the next call overwrites. Columns have numbers.
func (t *published) form(numbers map[string]int) func(row []string) []byte {
	number := make([]int, len(t.header))
	for k, name := range t.header {
		number[k] = shadowed
		if t.place[name] == k {
			number[k] = numbers[name]
		}
	}
	var buffer []byte
	var places []int
	return func(row []string) []byte {
		places = places[:0]
		for k, value := range row {
			if value != "" && number[k] != shadowed {
				places = append(places, k)
			}
		}
		slices.SortFunc(places, func(a, b int) int { return number[a] - number[b] })
		buffer = buffer[:0]
		for _, k := range places {
			buffer = strconv.AppendInt(buffer, int64(number[k]), 10)
			buffer = append(append(append(buffer, 0xff), row[k]...), 0xff)
		}
		return buffer
	}
}

func filesKept(ref, got feed) float64 {
	if len(ref.names) == 0 {
		return 1
	}
	kept := 0
	for _, name := range ref.names {
		if got.has(name) {
			kept++
		}
	}
	return float64(kept) / float64(len(ref.names))
}

// headersKept is the mean similarity of the headers of the reference's tables.
func headersKept(ref, got feed) float64 {
	if len(ref.names) == 0 {
		return 1
	}
	kept := 0.0
	for _, name := range ref.names {
		if got.has(name) {
			kept += sets.Names(ref.table(name).header, got.table(name).header, 0.95)
		}
	}
	return kept / float64(len(ref.names))
}
