package transit

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "transit1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "transit1"),
		Generate: rapid.Custom(drawFeed),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "transit1"))
}

// FuzzStopTimes tries the reader on the table with most rules.
func FuzzStopTimes(f *testing.F) {
	seed := domaintest.Seed(f, "transit1")
	domaintest.Fuzz(f, demonstration(f), vfs.Files{stopTimesFile: seed[stopTimesFile]})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "transit1"))
}

// drawFeed draws a feed as different programs write it.
func drawFeed(t *rapid.T) vfs.Files {
	stops := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"0101", "0102", "101", "KAI_2", "Nord-1", "S7", "8503000", "x", "A-01",
	}), 2, 6, rapid.ID).Draw(t, "stops")
	trips := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"571-0710", "R101", "12", "012", "ACE 3", "a,b", `"Kveld"`, "T#1", "trip/4", "N1",
	}), 1, 6, rapid.ID).Draw(t, "trips")
	repeated := trips[:rapid.IntRange(1, len(trips)).Draw(t, "trips repeated")]

	feed := vfs.Files{
		stopsFile:       drawTable(t, stopColumns, drawStops(t, stops)),
		tripsFile:       drawTable(t, tripColumns, drawTrips(t, trips)),
		stopTimesFile:   drawTable(t, stopTimeColumns, drawStopTimes(t, trips, stops)),
		frequenciesFile: drawTable(t, frequencyColumns, drawFrequencies(t, repeated)),
		transfersFile: drawTable(t, []string{"from_stop_id", "to_stop_id", "transfer_type"},
			[][]string{{stops[0], stops[1], "2"}, {stops[1], "elsewhere", ""}}),
	}
	if rapid.Bool().Draw(t, "an unknown table") {
		feed["booking_notes.txt"] = drawTable(t, []string{"trip_id", "note"},
			[][]string{{trips[0], "ring før 15:00"}, {trips[0], ""}, {"", "gjelder «alle»,\nogså søndag"}})
	}
	if rapid.Bool().Draw(t, "a table without rows") {
		feed["fare_rules.txt"] = "fare_id,route_id,origin_id,destination_id,contains_id\n"
	}
	return feed
}

var (
	stopColumns      = []string{"stop_id", "stop_name", "stop_lat", "stop_lon", "zone_id", "parent_station"}
	tripColumns      = []string{"route_id", "service_id", "trip_id", "trip_headsign", "direction_id"}
	stopTimeColumns  = []string{"trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "stop_headsign", "pickup_type", "shape_dist_traveled"}
	frequencyColumns = []string{"trip_id", "start_time", "end_time", "headway_secs", "exact_times"}
)

func drawStops(t *rapid.T, stops []string) (rows [][]string) {
	for _, id := range stops {
		rows = append(rows, []string{
			id,
			rapid.SampledFrom([]string{"Kaia", `Snuplass "Gymmen"`, "Torsvik, butikken", "TORSVIK", "", "Brua\nvest"}).Draw(t, "name"),
			rapid.SampledFrom([]string{"68.031280", "68.03128", "-33.9", "0", "5.97e1"}).Draw(t, "latitude"),
			rapid.SampledFrom([]string{"14.02", "-121.2789480", "0.0"}).Draw(t, "longitude"),
			rapid.SampledFrom([]string{"", "A", "B", "X", "57 005", "A-01"}).Draw(t, "zone"),
			rapid.SampledFrom([]string{"", stops[0]}).Draw(t, "parent"),
		})
	}
	return rows
}

func drawTrips(t *rapid.T, trips []string) (rows [][]string) {
	for _, id := range trips {
		rows = append(rows, []string{
			rapid.SampledFrom([]string{"571", "580", "P1"}).Draw(t, "route"),
			rapid.SampledFrom([]string{"HV", "LØ", "72777"}).Draw(t, "service"),
			id,
			rapid.SampledFrom([]string{"Reinfjord", `til "Byen"`, "Torsvik, ytre", ""}).Draw(t, "headsign"),
			rapid.SampledFrom([]string{"0", "1", ""}).Draw(t, "direction"),
		})
	}
	return rows
}

// drawStopTimes draws trips that stay longer at later stops than at the first,
// some of them with hours of one digit.
func drawStopTimes(t *rapid.T, trips, stops []string) (rows [][]string) {
	for _, trip := range trips {
		at := 60 * rapid.IntRange(0, 26*60).Draw(t, "begins")
		short := rapid.Bool().Draw(t, "short hours")
		step := rapid.SampledFrom([]int{1, 10}).Draw(t, "numbers go by")
		for n := range rapid.IntRange(1, 5).Draw(t, "stop times") {
			arrival, departure := writeClock(at, short), writeClock(at, short)
			if n > 0 {
				at += rapid.SampledFrom([]int{0, 60, 90}).Draw(t, "dwell")
				departure = writeClock(at, short)
				if rapid.IntRange(0, 4).Draw(t, "no time") == 0 {
					arrival, departure = "", ""
				}
			}
			rows = append(rows, []string{
				trip, arrival, departure,
				rapid.SampledFrom(stops).Draw(t, "stop"),
				fmt.Sprint(step * (n + 1)),
				rapid.SampledFrom([]string{"", "", "Kaia | «ekspress»"}).Draw(t, "headsign"),
				rapid.SampledFrom([]string{"", "0", "3"}).Draw(t, "pickup"),
				rapid.SampledFrom([]string{"", "0.0", "12.50"}).Draw(t, "distance"),
			})
			at += rapid.SampledFrom([]int{60, 435, 3600}).Draw(t, "runs")
		}
	}
	if rapid.Bool().Draw(t, "mixed") {
		rows = rapid.Permutation(rows).Draw(t, "rows")
	}
	return rows
}

func drawFrequencies(t *rapid.T, trips []string) (rows [][]string) {
	for _, trip := range trips {
		from := 60 * rapid.IntRange(0, 20*60).Draw(t, "from")
		for range rapid.IntRange(1, 2).Draw(t, "frequencies") {
			to := from + 60*rapid.IntRange(1, 90).Draw(t, "lasts")
			rows = append(rows, []string{
				trip, writeClock(from, false), writeClock(to, false),
				rapid.SampledFrom([]string{"1200", "600", "1801"}).Draw(t, "headway"),
				rapid.SampledFrom([]string{"", "0", "1"}).Draw(t, "exact"),
			})
			from = to + 600
		}
	}
	return rows
}

// drawTable writes a table with the columns, quoting, padding and line ends of
// some program.
func drawTable(t *rapid.T, columns []string, rows [][]string) string {
	order := make([]int, len(columns))
	for k := range order {
		order[k] = k
	}
	order = rapid.Permutation(order).Draw(t, "columns")
	quoteAll := rapid.Bool().Draw(t, "quotes round all cells")
	padding := rapid.SampledFrom([]string{"", "", " "}).Draw(t, "padding")
	unused := rapid.Bool().Draw(t, "an unused column")
	uneven := rapid.Bool().Draw(t, "no empty cells at the end of rows")
	var b strings.Builder
	for n, row := range append([][]string{columns}, rows...) {
		cells := make([]string, 0, len(order)+1)
		for _, k := range order {
			cell := row[k]
			if n > 0 && cell != "" && !strings.ContainsAny(cell, "\",\n") {
				cell += padding
			}
			if quoteAll || strings.ContainsAny(cell, "\",\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			cells = append(cells, cell)
		}
		if unused {
			cells = append(cells, map[bool]string{true: "level_id", false: ""}[n == 0])
		}
		for uneven && n > 0 && len(cells) > 2 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
		if rapid.IntRange(0, 19).Draw(t, "blank line") == 0 {
			b.WriteString("\n")
		}
	}
	text := b.String()
	if rapid.Bool().Draw(t, "no line end at the end") {
		text = strings.TrimRight(text, "\n")
	}
	if !strings.Contains(strings.Join(flatCells(rows), ""), "\n") && rapid.Bool().Draw(t, "CRLF") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func flatCells(rows [][]string) (cells []string) {
	for _, row := range rows {
		cells = append(cells, row...)
	}
	return cells
}

// writeClock writes a time with two digits of hours or, if it is short, with one where that is enough.
func writeClock(seconds int, short bool) string {
	digits := 2
	if short {
		digits = 1
	}
	return fmt.Sprintf("%0*d:%02d:%02d", digits, seconds/3600, seconds/60%60, seconds%60)
}
