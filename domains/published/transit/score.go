package transit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(doc Feed) domains.Stats {
	rows := func(table string) int { return len(doc.table(table).rows) }
	return domains.StatsOf(doc.rows(), "Files", len(doc), "Routes", rows(routesFile), "Stops", rows(StopsFile),
		"Trips", rows(TripsFile), "Stop Times", rows(StopTimesFile))
}

// table returns a table, an empty one if there is none of that name.
func (doc Feed) table(name string) *published {
	if t, ok := doc[name]; ok {
		return t
	}
	return &published{}
}

func (doc Feed) has(name string) bool { return doc[name] != nil }

func (doc Feed) names() []string { return slices.Sorted(maps.Keys(doc)) }

// rows is the number of rows of all tables.
func (doc Feed) rows() int {
	n := 0
	for _, t := range doc {
		n += len(t.rows)
	}
	return n
}

// Score compares two documents as the published evaluator does.
func Score(ref, got Feed, noted *notes.Notes) domains.Reading {
	refRows, gotRows := ref.rows(), got.rows()
	reading := domains.Reading{Elements: domains.Elements{Reference: refRows, Candidate: gotRows}}
	order, err := stopOrder(ref, got, noted)
	if err != nil {
		reading.Problem = err.Error()
		return reading
	}
	rows, references := rowsKept(ref, got), referencesKept(ref, got)
	files, headers := tablesKept(ref, got)
	count := 1 - float64(max(refRows, gotRows)-min(refRows, gotRows))/float64(max(refRows, gotRows, 1))
	reading.RS = rows * (float64(0.35*files) + float64(0.25*order) + float64(0.15*references) +
		float64(0.15*count) + float64(0.10*headers))
	reading.Components = map[string]float64{
		"rows": rows, "files": files, "order": order, "references": references, "count": count, "headers": headers,
	}
	return reading
}

// rowsKept is the share that is kept of the reference's rows.
func rowsKept(ref, got Feed) float64 {
	all := ref.rows()
	if all == 0 {
		return sets.OneIf(got.rows() == 0)
	}
	kept := 0.0
	for _, name := range ref.names() {
		r, g := ref.table(name), got.table(name)
		if len(r.rows) == 0 || len(g.rows) == 0 {
			continue
		}
		share := 0.0
		if key := KnownTables[name].keys; key != nil {
			share = keyedRowsKept(r, g, key)
		} else {
			share = rowSetKept(r, g)
		}
		kept += float64(float64(len(r.rows)) * share)
	}
	return kept / float64(all)
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

func newRowComparer(ref, got *published) rowComparer {
	c := rowComparer{inGot: got.placesOf(ref.columns), inRef: ref.placesOf(got.columns)}
	c.columns = len(got.columns) + lists.Count(c.inGot, func(at *int) bool { return *at < 0 })
	return c
}

// equal is the share of columns with equal values. It looks only at cells that
// are not empty, so that rows may be much shorter than their header.
func (c rowComparer) equal(ref, got []string) float64 {
	different := 0
	for k, value := range ref {
		if value != "" && value != Cell(got, c.inGot[k]) {
			different++
		}
	}
	for k, value := range got {
		if value != "" && Cell(ref, c.inRef[k]) == "" {
			different++
		}
	}
	return float64(c.columns-different) / float64(c.columns)
}

// rowSetKept is the share of the reference's different rows that the candidate has too.
func rowSetKept(ref, got *published) float64 {
	places := ref.placesOf(got.columns)
	if len(got.columns) != len(ref.columns) || slices.Contains(places, -1) {
		return 0
	}
	found := map[string]bool{}
	form := rowForm(ref.placesOf(ref.columns))
	for _, row := range ref.rows {
		found[string(form(row))] = false
	}
	kept := 0
	form = rowForm(places)
	for _, row := range got.rows {
		f := form(row)
		if already, known := found[string(f)]; known && !already {
			found[string(f)] = true
			kept++
		}
	}
	return float64(kept) / float64(len(found))
}

// rowForm returns the function that gives equal rows an equal form, in a buffer
// that the next call overwrites. Columns have numbers.
func rowForm(number []int) func(row []string) []byte {
	var buffer []byte
	var places []int
	return func(row []string) []byte {
		places = places[:0]
		for k, value := range row {
			if value != "" {
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

// tablesKept is the share of the reference's files that the candidate has, and the mean
// similarity of the headers of all of them.
func tablesKept(ref, got Feed) (files, headers float64) {
	var kept, similar sets.Mean
	for _, name := range ref.names() {
		if !got.has(name) {
			kept.Add(0)
			similar.Add(0)
			continue
		}
		kept.Add(1)
		similar.Add(sets.Names(ref.table(name).header, got.table(name).header, 0.95))
	}
	return kept.Or(1), similar.Or(1)
}

// links are the references that the published evaluator follows: a column of
// one table names a row of another by the column of the same name.
var links = [...]struct{ source, column, target string }{
	{routesFile, "agency_id", "agency.txt"},
	{TripsFile, "route_id", routesFile},
	{TripsFile, "service_id", "calendar.txt"},
	{StopTimesFile, "trip_id", TripsFile},
	{StopTimesFile, "stop_id", StopsFile},
	{"fare_rules.txt", "route_id", routesFile},
	{"directions.txt", "route_id", routesFile},
}

// referencesKept is the share of references that lead to a row of the
// candidate: those of the candidate and once more those of the reference.
func referencesKept(ref, got Feed) float64 {
	if len(got) == 0 {
		return 0
	}
	found, all := 0, 0
	for _, link := range links {
		if !got.has(link.source) || !got.has(link.target) {
			continue
		}
		ids := map[string]bool{}
		for _, id := range got.table(link.target).values(link.column) {
			ids[id] = true
		}
		var sources []*published
		if len(ids) > 0 {
			sources = append(sources, got.table(link.source))
		}
		if ref.has(link.source) && ref.has(link.target) {
			sources = append(sources, ref.table(link.source))
		}
		for _, source := range sources {
			for _, id := range source.values(link.column) {
				all++
				if ids[id] {
					found++
				}
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

// values are a column's values that are not empty.
func (t *published) values(column string) (values []string) {
	k := t.column(column)
	for _, row := range t.rows {
		if v := Cell(row, k); v != "" {
			values = append(values, v)
		}
	}
	return values
}

// stopOrder is the mean similarity of the stops of each of the reference's trips, in their order.
func stopOrder(ref, got Feed, noted *notes.Notes) (float64, error) {
	switch {
	case !got.has(StopTimesFile):
		return sets.OneIf(len(ref.table(StopTimesFile).rows) == 0), nil
	case !ref.has(StopTimesFile):
		return 1, nil
	}
	names, refStops, err := ref.table(StopTimesFile).trips()
	if err != nil {
		return 0, err
	}
	others, gotStops, err := got.table(StopTimesFile).trips()
	if err != nil {
		return 0, err
	}
	if similarity, empty := sets.EitherEmpty(names, others); empty {
		return similarity, nil
	}
	kept := 0.0
	for _, name := range names {
		if stops, ok := gotStops[name]; ok {
			kept += ratio.Bounded(refStops[name], stops, ratio.Limits{Work: mostPairs}, noted)
		}
	}
	return kept / float64(len(names)), nil
}

// mostPairs is the product of the lengths of two trips up to which their stops
// are compared in order; none that runs has so many.
const mostPairs = 1 << 24

// trips returns the names of the trips in order of first appearance, and the
// stops of each in the order of their numbers.
func (t *published) trips() (names []string, stops map[string][]string, err error) {
	type call struct{ number, stop string }
	trip, number, stop := t.column("trip_id"), t.column("stop_sequence"), t.column("stop_id")
	calls := map[string][]call{}
	for _, row := range t.rows {
		name := Cell(row, trip)
		if name == "" {
			continue
		}
		n, err := readNumber(Cell(row, number))
		if err != nil {
			return nil, nil, err
		}
		of, known := calls[name]
		if !known {
			names = append(names, name)
		}
		calls[name] = append(of, call{n, Cell(row, stop)})
	}
	stops = make(map[string][]string, len(calls))
	for _, name := range names {
		of := calls[name]
		slices.SortStableFunc(of, func(a, b call) int {
			return cmp.Or(cmp.Compare(len(a.number), len(b.number)), strings.Compare(a.number, b.number))
		})
		stops[name] = lists.Map(of, func(c call) string { return c.stop })
	}
	return names, stops, nil
}

// readNumber is a number's decimal digits, without zeros in front; nothing for
// a text that is no number, which counts as zero. A superscript two and the like pass
// for digits in the published program, which then fails.
func readNumber(text string) (string, error) {
	isOdd := func(r rune) bool { return unicode.Is(unicode.No, r) }
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !isOdd(r) }) {
		return "", nil
	}
	if strings.ContainsFunc(text, isOdd) {
		return "", fmt.Errorf("the published program fails on the stop_sequence %q", text)
	}
	digits := strings.Map(func(r rune) rune { return rune('0' + pytext.DigitValue(r)) }, text)
	return strings.TrimLeft(digits, "0"), nil
}

// column returns the place of a column, -1 if there is none of exactly that name.
func (t *published) column(name string) int {
	if k, ok := t.place[name]; ok {
		return k
	}
	return -1
}

// placesOf returns the places of columns, -1 for one that the table has not.
func (t *published) placesOf(columns []string) []int {
	return lists.Map(columns, t.column)
}

// key returns the function that gives a row its key, in a buffer that the next call overwrites.
func (t *published) key(columns []string) func(row []string) []byte {
	places := t.placesOf(columns)
	var buffer []byte
	return func(row []string) []byte {
		buffer = buffer[:0]
		for _, k := range places {
			buffer = append(append(buffer, Cell(row, k)...), 0xff)
		}
		return buffer
	}
}

// The tables that the scores and the edits know by name.
const (
	StopsFile       = "stops.txt"
	routesFile      = "routes.txt"
	TripsFile       = "trips.txt"
	StopTimesFile   = "stop_times.txt"
	ShapesFile      = "shapes.txt"
	FrequenciesFile = "frequencies.txt"
	TransfersFile   = "transfers.txt"
)

// Label is how a practitioner calls the row of a table: words, each followed by the value of a column.
type Label []struct{ Words, Column string }

// KnownTable says what the scores know about a table of the format.
type KnownTable struct {
	keys     []string // by which the published evaluator knows a row; none where it compares sets of rows
	Required string   // the column that no row may leave empty
	Label    Label
}

// KnownTables are the tables of a feed that have a meaning, by the names of their files.
var KnownTables = map[string]KnownTable{
	"agency.txt": {[]string{"agency_id"}, "agency_name", Label{{"agency ", "agency_id"}}},
	routesFile:   {[]string{"route_id"}, "route_id", Label{{"route ", "route_id"}}},
	StopsFile:    {[]string{"stop_id"}, "stop_id", Label{{"stop ", "stop_id"}}},
	TripsFile:    {[]string{"trip_id"}, "trip_id", Label{{"trip ", "trip_id"}}},
	StopTimesFile: {
		[]string{"trip_id", "stop_sequence"}, "trip_id", Label{{"stop time ", "stop_sequence"}, {" of trip ", "trip_id"}},
	},
	"calendar.txt": {[]string{"service_id"}, "service_id", Label{{"service ", "service_id"}}},
	"calendar_dates.txt": {
		[]string{"service_id", "date"}, "service_id", Label{{"exception on ", "date"}, {" to service ", "service_id"}},
	},
	"fare_attributes.txt": {[]string{"fare_id"}, "fare_id", Label{{"fare ", "fare_id"}}},
	"fare_rules.txt": {
		[]string{"fare_id", "route_id", "origin_id", "destination_id"}, "fare_id",
		Label{
			{"rule of fare ", "fare_id"}, {" on route ", "route_id"}, {" from zone ", "origin_id"},
			{" to zone ", "destination_id"}, {" through zone ", "contains_id"},
		},
	},
	FrequenciesFile: {
		[]string{"trip_id", "start_time"}, "trip_id", Label{{"frequency of trip ", "trip_id"}, {" from ", "start_time"}},
	},
	ShapesFile: {
		[]string{"shape_id", "shape_pt_sequence"}, "shape_id",
		Label{{"point ", "shape_pt_sequence"}, {" of shape ", "shape_id"}},
	},
	"directions.txt":   {keys: []string{"route_id", "direction_id"}, Required: "route_id"},
	TransfersFile:      {nil, "transfer_type", Label{{"transfer from ", "from_stop_id"}, {" to ", "to_stop_id"}}},
	"feed_info.txt":    {Required: "feed_publisher_name"},
	"attributions.txt": {Required: "organization_name"},
	"pathways.txt":     {Required: "pathway_id"},
	"levels.txt":       {Required: "level_id"},
	"translations.txt": {Required: "table_name"},
}
