package transit

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/transit"
	"agentd/vfs"
)

// TestPublishedReading states rules of the published score that the golden rows
// do not show.
func TestPublishedReading(t *testing.T) {
	t.Parallel()
	const stops = "stop_id,stop_name\n1,A\n2,B\n"
	for _, test := range []struct {
		rule                 string
		reference, candidate vfs.Files
		rows                 float64
	}{
		{"letter case and quotes at the ends", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name\n1,\"\"\" a\"\"\"\n2,b\n"}, 1},
		{"a table is known by the base name of its file", vfs.Files{"stops.txt": stops}, vfs.Files{"feed/stops.txt": stops}, 1},
		{"the last file of a name counts", vfs.Files{"stops.txt": stops}, vfs.Files{"a/stops.txt": stops, "b/stops.txt": "stop_id\n"}, 0},
		{"the last row of a key counts", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name\n1,X\n2,B\n1,A\n"}, 2.0 / 3},
		{"rows with surplus cells are dropped", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name\n1,A,\n2,B\n"}, 0.5},
		{"short rows are filled", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name\n1\n2,B\n"}, 0.75},
		{"an empty column equals an absent one", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name,x\n1,A,\n2,B,\n"}, 1},
		{"a column more counts among all", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name,x\n1,A,y\n2,B,\n"}, 5.0 / 6},
		{"a blank before a name makes another column", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id, stop_name\n1,A\n2,B\n"}, 1.0 / 3},
		{"of repeated columns the last counts", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name,stop_name\n1,X,A\n2,X,B\n"}, 1},
		{"a carriage return in a row empties the table", vfs.Files{"stops.txt": stops}, vfs.Files{"stops.txt": "stop_id,stop_name\n1,A\rB\n2,B\n"}, 0},
		{"a table without key is a set", vfs.Files{"feed_info.txt": "a,b\n1,2\n1,2\n3,4\n"}, vfs.Files{"feed_info.txt": "b,a\n4,3\n9,9\n2,1\n"}, 1},
		{"where all columns are the same", vfs.Files{"feed_info.txt": "a,b\n1,2\n"}, vfs.Files{"feed_info.txt": "a,b,c\n1,2,\n"}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got := New().Compare(test.reference, test.candidate).Components["rows"]
			if math.Abs(got-test.rows) > 1e-12 {
				t.Errorf("rows are %v, want %v", got, test.rows)
			}
		})
	}
}

func TestStopOrder(t *testing.T) {
	t.Parallel()
	times := func(numbers ...string) vfs.Files {
		text := "trip_id,stop_id,stop_sequence\n"
		for k, n := range numbers {
			text += "T," + string(rune('A'+k)) + "," + n + "\n"
		}
		return vfs.Files{published.StopTimesFile: text}
	}
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		order     float64
	}{
		{"numbers are put in order by value", times("2", "10", "11"), 1},
		{"zeros in front mean nothing", times("002", "10", "011"), 1},
		{"digits of any script are numbers", times("٢", "١٠", "١١"), 1},
		{"what is no number counts as zero", times("2", "x", "11"), 2.0 / 3},
		{"equal numbers keep their order", times("1", "1", "1"), 1},
		{"no stop times", vfs.Files{"trips.txt": "trip_id\nT\n"}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got := New().Compare(times("1", "2", "3"), test.candidate).Components["order"]; math.Abs(got-test.order) > 1e-12 {
				t.Errorf("order is %v, want %v", got, test.order)
			}
		})
	}
	for rule, number := range map[string]string{
		"a digit that is no decimal": "²", "a digit in a circle": "1①",
	} {
		score := New().Compare(times("1", "2", "3"), times("1", number, "3"))
		if score.RS != 0 || score.Problem == "" || score.Strict == 0 {
			t.Errorf("%s: Value %v, problem %q, Strict %v", rule, score.RS, score.Problem, score.Strict)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, text string
		cells      []string
		is         form
	}{
		{"plain cells", "a,,b ", []string{"a", "", "b "}, clean},
		{"a comma in quotes", `"a,b",c`, []string{"a,b", "c"}, clean},
		{"a doubled quote", `"a ""b""",c`, []string{`a "b"`, "c"}, clean},
		{"a quote inside a cell", `5" pipe,c`, []string{`5" pipe`, "c"}, clean},
		{"text after a closing quote", `"a"b,c`, []string{"ab", "c"}, loose},
		{"a quote that is not closed", `"a,b`, []string{`"a`, "b"}, open},
		{"a comma at the end", "a,", []string{"a", ""}, clean},
		{"nothing", "", []string{""}, clean},
	} {
		if cells, is := split(test.text); !slices.Equal(cells, test.cells) || is != test.is {
			t.Errorf("%s: %q, %d, want %q, %d", test.rule, cells, is, test.cells, test.is)
		}
	}
}

func TestReadTable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, text string
		rows       []string // cells joined by a bar
		foreign    int      // lines
	}{
		{"a line break in quotes", "stop_id,stop_name\n1,\"Brua\nvest\"\n2,B\n", []string{"1|Brua\nvest", "2|B"}, 0},
		{"a lost quote costs one row", "stop_id,stop_name\n1,\"A\n2,\"B\"\n3,C\n", []string{`1|"A`, "2|B", "3|C"}, 0},
		{"an introduction", "Here is the file, as asked:\nstop_id,stop_name\n1,A\n", []string{"1|A"}, 1},
		{"a sentence among the rows", "stop_id,stop_name\n1,A\nand so on\n2\n", []string{"1|A", "2"}, 1},
		{"prose", "The feed is done.\nAll of it.\n", nil, 2},
		{"an unknown table", "pathway,from\np1,s1\n", []string{"p1|s1"}, 0},
	} {
		table := readTable("stops.txt", test.text)
		var rows []string
		foreign := len(table.above)
		for _, r := range table.rows {
			if r.foreign {
				foreign++
				continue
			}
			rows = append(rows, strings.Join(r.cells, "|"))
		}
		if !slices.Equal(rows, test.rows) || foreign != test.foreign {
			t.Errorf("%s: rows %q and %d lines of text, want %q and %d", test.rule, rows, foreign, test.rows, test.foreign)
		}
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"7:05:09": "07:05:09", "07:05:09": "07:05:09", "25:24:00": "25:24:00", "100:00:00": "100:00:00", "007:05:09": "07:05:09",
		"7:60:00": "7:60:00", "7:05": "7:05", "-1:00:00": "-1:00:00", "": "",
	} {
		if got := plainClock(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

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
	domaintest.Fuzz(f, demonstration(f), vfs.Files{published.StopTimesFile: seed[published.StopTimesFile]})
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
		published.StopsFile:       drawTable(t, stopColumns, drawStops(t, stops)),
		published.TripsFile:       drawTable(t, tripColumns, drawTrips(t, trips)),
		published.StopTimesFile:   drawTable(t, stopTimeColumns, drawStopTimes(t, trips, stops)),
		published.FrequenciesFile: drawTable(t, frequencyColumns, drawFrequencies(t, repeated)),
		published.TransfersFile: drawTable(t, []string{"from_stop_id", "to_stop_id", "transfer_type"},
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
