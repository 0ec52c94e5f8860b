package transit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
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
		return vfs.Files{stopTimesFile: text}
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
		"a digit that is no decimal": "²", "a digit in a circle": "1①", "too many digits": strings.Repeat("9", pytext.MostDigits+1),
	} {
		score := New().Compare(times("1", "2", "3"), times("1", number, "3"))
		if score.RS != 0 || score.Problem == "" || score.Strict == 0 {
			t.Errorf("%s: Value %v, problem %q, Strict %v", rule, score.RS, score.Problem, score.Strict)
		}
	}
}

func TestLongTripsAreComparedByTheirStops(t *testing.T) {
	t.Parallel()
	var long []string
	for range 5000 {
		long = append(long, "A", "B")
	}
	if got := ratio.Bounded(long, long[1:9001], ratio.Limits{Work: mostPairs}, nil); got != 18.0/19 {
		t.Errorf("similarity is %v, want %v", got, 18.0/19)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{
		"routes.txt": "route_id\nR\n",
		"trips.txt":  "trip_id,route_id,service_id\n1,R,S\n2,R,S\n3,,S\n",
	}
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		kept      float64
	}{
		{"each reference is looked up twice", reference, 1},
		{"one that leads nowhere", vfs.Files{"routes.txt": "route_id\nR\n", "trips.txt": "trip_id,route_id\n1,R\n2,X\n3,\n"}, 0.75},
		{"those of the reference fail without their table's rows", vfs.Files{"routes.txt": "route_id\n", "trips.txt": "trip_id,route_id\n1,R\n"}, 0},
		{"without the table there are none", vfs.Files{"trips.txt": "trip_id,route_id\n1,R\n"}, 1},
		{"no files at all", vfs.Files{}, 0},
	} {
		ref, _ := parse(reference)
		got, _ := parse(test.candidate)
		if kept := referencesKept(ref, got); math.Abs(kept-test.kept) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.rule, kept, test.kept)
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
