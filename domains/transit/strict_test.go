package transit

import (
	"maps"
	"strings"
	"testing"

	"agentd/vfs"
)

// ferry is a small feed in which each table has what the rules below are about.
var ferry = vfs.Files{
	"stops.txt": `stop_id,stop_name,stop_lat,stop_lon,location_type
0101,"Kaia, øst",68.031166,14.0207,0
0102,Skolen "nedre",68.045,-13.99,
0103,Holmen,68.1,13.9,1
`,
	"routes.txt": "route_id,route_long_name,route_color\n7,Kaia – Holmen,1b3f8b\n",
	"trips.txt":  "route_id,service_id,trip_id,direction_id,block_id\n7,HV,R1,0,\n7,HV,R2,1,\n",
	"stop_times.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,timepoint
R1,9:15:00,9:15:00,0101,10,0,1
R1,9:45:00,9:49:00,0102,20,2,0
R1,9:57:00,9:57:00,0103,30,,1
R2,24:45:00,24:45:00,0103,1,,1
R2,25:24:00,25:24:00,0101,2,,1
`,
	"shapes.txt":     "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS,68.03,14.02,1\nS,68.04,14.01,5\nS,68.10,13.90,9\n",
	"fare_rules.txt": "fare_id,route_id,origin_id,destination_id,contains_id\nF1,7,A,C,\nF2,7,A,C,B\n",
	"fares.txt":      "fare_id,price\nF1,58.00\nF2,71.00\n",
}

// changedFerry replaces a text in one of the tables.
func changedFerry(name, old, new string) vfs.Files {
	return replaced(ferry, nil, vfs.Files{name: strings.ReplaceAll(ferry[name], old, new)})
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
	}{
		{"hours with a zero in front", changedFerry("stop_times.txt", ",9:", ",09:")},
		{"zeros at the end of a fraction", changedFerry("stops.txt", "68.045", "68.0450")},
		{"whole numbers with a fraction of zero", changedFerry("trips.txt", "R1,0", "R1,0.0")},
		{"a price without its fraction", changedFerry("fares.txt", "58.00", "58")},
		{"a colour in capitals", changedFerry("routes.txt", "1b3f8b", "1B3F8B")},
		{"a default that is left out", changedFerry("stop_times.txt", ",10,0,1", ",10,,")},
		{"a default that is written", changedFerry("stops.txt", "-13.99,", "-13.99,0")},
		{"other numbers of the stops in their order", changedFerry("stop_times.txt", "0101,10,", "0101,1,")},
		{"all stops of a trip numbered anew", replaced(ferry, nil, vfs.Files{"stop_times.txt": strings.NewReplacer(",10,", ",1,", ",20,", ",2,", ",30,", ",3,").Replace(ferry["stop_times.txt"])})},
		{"shape points numbered anew", replaced(ferry, nil, vfs.Files{"shapes.txt": strings.NewReplacer(",5\n", ",2\n", ",9\n", ",3\n").Replace(ferry["shapes.txt"])})},
		{"rows in another order", changedFerry("trips.txt", "7,HV,R1,0,\n7,HV,R2,1,\n", "7,HV,R2,1,\n7,HV,R1,0,\n")},
		{"columns in another order", changedFerry("fares.txt", ferry["fares.txt"], "price,fare_id\n58.00,F1\n71.00,F2\n")},
		{"a column that is not used", changedFerry("trips.txt", "block_id\n", "block_id,shape_id\n")},
		{"an empty column that is lost", changedFerry("trips.txt", ",block_id", "")},
		{"quotes that are not needed", changedFerry("trips.txt", "HV", `"HV"`)},
		{"quotes inside that are doubled", changedFerry("stops.txt", `Skolen "nedre"`, `"Skolen ""nedre"""`)},
		{"blanks round values", changedFerry("trips.txt", ",HV", " , HV")},
		{"a byte order mark", changedFerry("stops.txt", "stop_id", "\ufeffstop_id")},
		{"CRLF", changedFerry("stops.txt", "\n", "\r\n")},
		{"a code fence", changedFerry("trips.txt", ferry["trips.txt"], "```csv\n"+ferry["trips.txt"]+"```\n")},
		{"blank lines", changedFerry("trips.txt", "7,HV,R2", "\n7,HV,R2")},
		{"empty cells at the end of rows", changedFerry("fare_rules.txt", "A,C,\n", "A,C\n")},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if ferry.Equal(test.candidate) {
				t.Fatal("nothing is changed")
			}
			if strict := New().Compare(ferry, test.candidate).Strict; strict != 1 {
				t.Errorf("Strict is %.4f, want 1: %v", strict, New().Differences(ferry, test.candidate))
			}
		})
	}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		least     float64 // that Strict must still give
	}{
		{"one time", changedFerry("stop_times.txt", "9:49:00", "9:48:00"), 0.98},
		{"a night trip that was made an early one", changedFerry("stop_times.txt", "24:45", "00:45"), 0.97},
		{"a time that is none", changedFerry("stop_times.txt", "9:49:00", "9:79:00"), 0.98},
		{"a hemisphere", changedFerry("stops.txt", "-13.99", "13.99"), 0.98},
		{"the case of a name", changedFerry("stops.txt", "Holmen", "HOLMEN"), 0.98},
		{"a leading zero of an identifier", changedFerry("stops.txt", "0101", "101"), 0.98},
		{"quotes gained round a name", changedFerry("stops.txt", "Holmen", `"""Holmen"""`), 0.98},
		{"how passengers board", changedFerry("stop_times.txt", "20,2", "20,3"), 0.98},
		{"a value of its own turned into nothing", changedFerry("stop_times.txt", "20,2", "20,"), 0.98},
		{"two stops of a trip in other order", changedFerry("stop_times.txt", "0102,20", "0102,40"), 0.98},
		{"a stop number that is none", changedFerry("stop_times.txt", ",20,", ",two,"), 0.98},
		{"a stop number twice", changedFerry("stop_times.txt", ",20,", ",10,"), 0.98},
		{"shape points in other order", changedFerry("shapes.txt", "14.01,5", "14.01,12"), 0.98},
		{"the zone that a fare rule contains", changedFerry("fare_rules.txt", "A,C,B", "A,C,A"), 0.98},
		{"a price", changedFerry("fares.txt", "58.00", "85.00"), 0.97},
		{"a reference that leads nowhere", changedFerry("stop_times.txt", "0102", "0199"), 0.98},
		{"a row that is lost", changedFerry("stop_times.txt", "R2,25:24:00,25:24:00,0101,2,,1\n", ""), 0.94},
		{"a row that was invented", changedFerry("stop_times.txt", "R2,25", "R2,25:00:00,25:00:00,0102,3,,1\nR2,25"), 0.94},
		{"a row that stands there twice", changedFerry("trips.txt", "7,HV,R1,0,\n", "7,HV,R1,0,\n7,HV,R1,0,\n"), 0.94},
		{"a second row for a key", changedFerry("trips.txt", "7,HV,R1,0,\n", "7,HV,R1,1,\n7,HV,R1,0,\n"), 0.94},
		{"a row of empty cells", changedFerry("trips.txt", "7,HV,R1", ",,,,\n7,HV,R1"), 0.94},
		{"a comma that lost its quotes", changedFerry("stops.txt", `"Kaia, øst"`, "Kaia, øst"), 0.94},
		{"a quote that was lost", changedFerry("stops.txt", `øst"`, "øst"), 0.94},
		{"a value beyond the header", changedFerry("fares.txt", "58.00", "58.00,NOK"), 0.97},
		{"a column renamed", changedFerry("fares.txt", "price", "amount"), 0.92},
		{"a table that was invented", replaced(ferry, nil, vfs.Files{"levels.txt": "level_id,level_index\nL1,0\n"}), 0.85},
		{"a table that is lost", replaced(ferry, []string{"fares.txt"}, nil), 0.80},
		{"a table renamed", replaced(ferry, []string{"stops.txt"}, vfs.Files{"stations.txt": ferry["stops.txt"]}), 0.90},
		{"a table in a folder", replaced(ferry, []string{"stops.txt"}, vfs.Files{"feed/stops.txt": ferry["stops.txt"]}), 0.90},
		{"a sentence above a table", changedFerry("trips.txt", "route_id", "Here is the table:\nroute_id"), 0.90},
		{"a sentence below a table", changedFerry("trips.txt", "7,HV,R2,1,\n", "7,HV,R2,1,\nLet me know if you need more\n"), 0.90},
		{"a note next to the feed", replaced(ferry, nil, vfs.Files{"notes.md": "All tables are done.\n"}), 0.90},
		{"names of columns in capitals", changedFerry("fares.txt", "fare_id,price", "FARE_ID,PRICE"), 0.75},
		{"a semicolon for each comma", changedFerry("fares.txt", ",", ";"), 0.65},
		{"nothing", vfs.Files{}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			strict := New().Compare(ferry, test.candidate).Strict
			if strict >= 1 || strict < test.least {
				t.Errorf("Strict is %.4f, want at least %.2f and less than 1: %v", strict, test.least, New().Differences(ferry, test.candidate))
			}
		})
	}
}

// A stop that is lost does not cost those after it, however they are numbered.
func TestNumbersAreForgivenBesideALoss(t *testing.T) {
	t.Parallel()
	candidate := replaced(ferry, nil, vfs.Files{"stop_times.txt": strings.NewReplacer(
		"R1,9:45:00,9:49:00,0102,20,2,0\n", "", ",10,", ",1,", ",30,", ",2,").Replace(ferry["stop_times.txt"])})
	differences := New().Differences(ferry, candidate)
	want := "stop time 20 of trip R1: lost (stop_times.txt | R1 | 09:45:00 | 09:49:00 | 0102 | 20 | 2 | 0)"
	if len(differences) != 1 || differences[0].String() != want {
		t.Errorf("differences are %v, want one: %s", differences, want)
	}
}

func TestDifferencesNameTheRow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ table, old, new, want string }{
		{"stop_times.txt", "9:49:00", "9:59:00", "stop time 20 of trip R1, departure_time: 09:49:00 -> 09:59:00"},
		{"stops.txt", "68.1,", "68.2,", "stop 0103, stop_lat: 68.1 -> 68.2"},
		{"fare_rules.txt", "A,C,B", "A,C,", "rule of fare F2 on route 7 from zone A to zone C through zone B, contains_id: B -> (nothing)"},
		{"fares.txt", "71.00", "70.00", "fares.txt row 2, price: 71 -> 70"},
		{"shapes.txt", "68.04", "68.05", "point 5 of shape S, shape_pt_lat: 68.04 -> 68.05"},
	} {
		differences := New().Differences(ferry, changedFerry(test.table, test.old, test.new))
		if len(differences) != 1 || differences[0].String() != test.want {
			t.Errorf("differences are %v, want one: %s", differences, test.want)
		}
	}
}

// replaced is a copy of the files without some and with others.
func replaced(files vfs.Files, gone []string, with vfs.Files) vfs.Files {
	after := files.Clone()
	for _, name := range gone {
		delete(after, name)
	}
	maps.Copy(after, with)
	return after
}

// A column without values may come or go; another name for it is somebody's change.
func TestTheNameOfAColumnWithoutValues(t *testing.T) {
	t.Parallel()
	const shapes = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\ns1,57.1,-3.7,1,\ns1,57.2,-3.7,2,\n"
	for name, c := range map[string]struct {
		is   string
		same bool
	}{
		"another name":  {strings.Replace(shapes, "traveled", "travelled", 1), false},
		"it is gone":    {strings.NewReplacer(",shape_dist_traveled", "", "1,\n", "1\n", "2,\n", "2\n").Replace(shapes), true},
		"one more":      {strings.NewReplacer("traveled\n", "traveled,note\n", ",\n", ",,\n").Replace(shapes), true},
		"another place": {"shape_dist_traveled,shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n,s1,57.1,-3.7,1\n,s1,57.2,-3.7,2\n", true},
	} {
		was, is := vfs.Files{"shapes.txt": shapes}, vfs.Files{"shapes.txt": c.is}
		if score := New().Compare(was, is); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", name, score.Strict, New().Differences(was, is))
		}
	}
}
