package transit

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// harbour is a small feed: two trips of one pattern, one that is repeated.
var harbour = vfs.Files{
	"stops.txt": `stop_id,stop_name,stop_lat,zone_id
01,"Kaia, øst",68.03,A
02,Skolen,68.05,A
03,Holmen,68.01,
`,
	"trips.txt": `trip_id,route_id,trip_headsign,direction_id
7b,7,Holmen,0
7a,7,Holmen,0
F,9,"Kaia, øst",1
`,
	"stop_times.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
7b,9:55:00,9:55:00,01,1,
7b,10:05:00,10:06:00,03,2,3
7a,7:10:00,7:10:00,01,1,
7a,7:20:00,7:21:00,03,2,3
F,24:00:00,24:00:00,02,5,
F,,,03,6,
F,24:07:30,24:07:30,01,7,1
`,
	"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nF,08:00:00,08:40:00,1200\n",
}

// with are the files of the feed without some and with others.
func with(gone string, more vfs.Files) vfs.Files {
	return replaced(harbour, strings.Fields(gone), more)
}

// forwardResults are the exact files after the forward step on the feed.
var forwardResults = map[string]vfs.Files{
	"directions": with("trips.txt stop_times.txt", vfs.Files{
		"trips_0.txt": "trip_id,route_id,trip_headsign,direction_id\n7a,7,Holmen,0\n7b,7,Holmen,0\n",
		"trips_1.txt": "trip_id,route_id,trip_headsign,direction_id\nF,9,\"Kaia, øst\",1\n",
		"stop_times_0.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
7a,7:10:00,7:10:00,01,1,
7a,7:20:00,7:21:00,03,2,3
7b,9:55:00,9:55:00,01,1,
7b,10:05:00,10:06:00,03,2,3
`,
		"stop_times_1.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
F,24:00:00,24:00:00,02,5,
F,,,03,6,
F,24:07:30,24:07:30,01,7,1
`,
	}),
	"stop_boards": with("stop_times.txt", vfs.Files{
		"board_01.csv": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,route_id,trip_headsign
7a,7:10:00,7:10:00,01,1,,7,Holmen
7b,9:55:00,9:55:00,01,1,,7,Holmen
F,24:07:30,24:07:30,01,7,1,9,"Kaia, øst"
`,
		"board_02.csv": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,route_id,trip_headsign
F,24:00:00,24:00:00,02,5,,9,"Kaia, øst"
`,
		"board_03.csv": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,route_id,trip_headsign
7a,7:20:00,7:21:00,03,2,3,7,Holmen
7b,10:05:00,10:06:00,03,2,3,7,Holmen
F,,,03,6,,9,"Kaia, øst"
`,
	}),
	"timetable": with("stop_times.txt", vfs.Files{
		"timetable.md": `Columns: trip_id, arrival_time, departure_time, stop_id, stop_sequence, pickup_type

## Timetable 1

| stop | 7a | 7b |
| --- | --- | --- |
| 01 | 7:10:00 | 9:55:00 |
| 03 | 7:20:00/7:21:00 | 10:05:00/10:06:00 |

## Timetable 2

| stop | F |
| --- | --- |
| 02 | 24:00:00 |
| 03 |  |
| 01 | 24:07:30 |
`,
		"call_details.csv": `trip_id,call,column,value
7b,2,pickup_type,3
7a,2,pickup_type,3
F,1,stop_sequence,5
F,2,stop_sequence,6
F,3,stop_sequence,7
F,3,pickup_type,1
`,
	}),
	"running_times": with("stop_times.txt", vfs.Files{
		"running_times.csv": `trip_id,arrival_secs,departure_secs,stop_id,stop_sequence,pickup_type,run_secs,dwell_secs
7b,35700,35700,01,1,,,0
7b,36300,36360,03,2,3,600,60
7a,25800,25800,01,1,,,0
7a,26400,26460,03,2,3,600,60
F,86400,86400,02,5,,,0
F,,,03,6,,,
F,86850,86850,01,7,1,,0
`,
		"short_hours.csv": `row,column
1,arrival_time
1,departure_time
3,arrival_time
3,departure_time
4,arrival_time
4,departure_time
`,
	}),
	"journey_patterns": with("stop_times.txt", vfs.Files{
		"patterns.csv": `pattern,arrival_secs,departure_secs,stop_id,stop_sequence,pickup_type
P1,0,0,01,1,
P1,600,660,03,2,3
P2,0,0,02,5,
P2,,,03,6,
P2,450,450,01,7,1
`,
		"journeys.csv": "trip_id,pattern,begins\n7b,P1,9:55:00\n7a,P1,7:10:00\nF,P2,24:00:00\n",
	}),
	"unrolled_frequencies": with("trips.txt stop_times.txt frequencies.txt", vfs.Files{
		"single_trips.txt": `trip_id,route_id,trip_headsign,direction_id
7b,7,Holmen,0
7a,7,Holmen,0
F#1,9,"Kaia, øst",1
F#2,9,"Kaia, øst",1
`,
		"single_stop_times.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
7b,9:55:00,9:55:00,01,1,
7b,10:05:00,10:06:00,03,2,3
7a,7:10:00,7:10:00,01,1,
7a,7:20:00,7:21:00,03,2,3
F#1,08:00:00,08:00:00,02,5,
F#1,,,03,6,
F#1,08:07:30,08:07:30,01,7,1
F#2,08:20:00,08:20:00,02,5,
F#2,,,03,6,
F#2,08:27:30,08:27:30,01,7,1
`,
		"headways.csv": "trip_id,start_time,end_time,headway_secs,template_departure\nF,08:00:00,08:40:00,1200,24:00:00\n",
	}),
	"stop_codes": with("stops.txt stop_times.txt", vfs.Files{
		"stops_recoded.txt": "stop_id,stop_name,stop_lat,zone_id\nA-02,\"Kaia, øst\",68.03,A\nA-01,Skolen,68.05,A\nX-01,Holmen,68.01,\n",
		"stop_times_recoded.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
7b,9:55:00,9:55:00,A-02,1,
7b,10:05:00,10:06:00,X-01,2,3
7a,7:10:00,7:10:00,A-02,1,
7a,7:20:00,7:21:00,X-01,2,3
F,24:00:00,24:00:00,A-01,5,
F,,,X-01,6,
F,24:07:30,24:07:30,A-02,7,1
`,
		"stop_codes.csv": "code,stop_id\nA-02,01\nA-01,02\nX-01,03\n",
	}),
	"feed_json": {"feed.json": `{"frequencies.txt":{"columns":["trip_id","start_time","end_time","headway_secs"],"rows":[["F","08:00:00","08:40:00","1200"]]},` +
		`"stop_times.txt":{"columns":["trip_id","arrival_time","departure_time","stop_id","stop_sequence","pickup_type"],"rows":[` +
		`["7b","9:55:00","9:55:00","01","1",""],["7b","10:05:00","10:06:00","03","2","3"],["7a","7:10:00","7:10:00","01","1",""],["7a","7:20:00","7:21:00","03","2","3"],` +
		`["F","24:00:00","24:00:00","02","5",""],["F","","","03","6",""],["F","24:07:30","24:07:30","01","7","1"]]},` +
		`"stops.txt":{"columns":["stop_id","stop_name","stop_lat","zone_id"],"rows":[["01","Kaia, øst","68.03","A"],["02","Skolen","68.05","A"],["03","Holmen","68.01",""]]},` +
		`"trips.txt":{"columns":["trip_id","route_id","trip_headsign","direction_id"],"rows":[["7b","7","Holmen","0"],["7a","7","Holmen","0"],["F","9","Kaia, øst","1"]]}}` + "\n"},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "transit1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), harbour, forwardResults, domaintest.InMeaning)
}

func TestEditsRefuse(t *testing.T) {
	t.Parallel()
	changed := func(name, old, new string) vfs.Files {
		return replaced(harbour, nil, vfs.Files{name: strings.ReplaceAll(harbour[name], old, new)})
	}
	for _, test := range []struct {
		rule, edit string
		files      vfs.Files
	}{
		{"a direction that is no file name", "directions", changed("trips.txt", "Holmen,0", "Holmen,../0")},
		{"text among the rows", "directions", changed("trips.txt", "7a", "These trips run later\n7a")},
		{"a stop that is no file name", "stop_boards", changed("stop_times.txt", ",02,", ",nord/2,")},
		{"a trip named with a bar", "timetable", changed("stop_times.txt", "F,", "F|,")},
		{"a time that is none", "running_times", changed("stop_times.txt", "7:10:00", "ten past 7")},
		{"hours of one and of two digits in a trip", "journey_patterns", changed("stop_times.txt", "7:20:00", "07:20:00")},
		{"a trip without a time at its first stop", "journey_patterns", changed("stop_times.txt", "24:00:00", "")},
		{"a headway of nothing", "unrolled_frequencies", changed("frequencies.txt", "1200", "0")},
		{"a frequency of no trip", "unrolled_frequencies", changed("frequencies.txt", "F,", "G,")},
		{"a trip named like a copy", "unrolled_frequencies", changed("trips.txt", "7a", "F#1")},
		{"trips beyond number", "unrolled_frequencies", changed("frequencies.txt", "08:40:00,1200", "90:00:00,1")},
		{"a stop without latitude", "stop_codes", changed("stops.txt", "68.05", "")},
		{"a stop that is named like a code", "stop_codes", changed("stop_times.txt", ",02,", ",A-01,")},
		{"a row with surplus cells", "feed_json", changed("stops.txt", "Skolen", "Skolen, nedre")},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got, err := domaintest.Edit(t, demonstration(t), test.edit).Forward(test.files); err == nil {
				t.Errorf("no error, but %v", got)
			}
		})
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	d := New()
	// Its rows are in the order in which the backward steps write them.
	feed := replaced(harbour, []string{"frequencies.txt"}, vfs.Files{
		"trips.txt": "trip_id,route_id,trip_headsign,direction_id\n7a,7,Holmen,0\nF,9,Kaia,\n",
		"stops.txt": "stop_id,stop_name,stop_lat,zone_id\n01,Kaia,68.03,A\n02,Skolen,68.05,A\n03,Holmen,68.01,\n",
		"stop_times.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence
7a,07:10:00,07:10:00,01,1
F,08:00:00,08:00:00,02,1
`,
	})
	const header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence"
	with := func(gone string, more vfs.Files) vfs.Files { return replaced(feed, strings.Fields(gone), more) }
	domaintest.Takes(t, d, feed,
		"split_trips", `{"by": "trip_headsign", "trips": "to_", "times": "calls_to_", "others": "nowhere"}`,
		with("trips.txt stop_times.txt", vfs.Files{
			"to_Holmen.txt":       "trip_id,route_id,trip_headsign,direction_id\n7a,7,Holmen,0\n",
			"to_Kaia.txt":         "trip_id,route_id,trip_headsign,direction_id\nF,9,Kaia,\n",
			"calls_to_Holmen.txt": header + "\n7a,07:10:00,07:10:00,01,1\n",
			"calls_to_Kaia.txt":   header + "\nF,08:00:00,08:00:00,02,1\n",
		}))
	domaintest.Takes(t, d, feed,
		"stop_boards", `{"begins": "at_", "columns": ["direction_id"]}`,
		with("stop_times.txt", vfs.Files{
			"at_01.csv": header + ",direction_id\n7a,07:10:00,07:10:00,01,1,0\n",
			"at_02.csv": header + ",direction_id\nF,08:00:00,08:00:00,02,1,\n",
		}))
	domaintest.Takes(t, d, feed,
		"timetable", `{"to": "t.md", "heading": "Avganger", "details": "d.csv"}`,
		with("stop_times.txt", vfs.Files{
			"t.md": `Columns: trip_id, arrival_time, departure_time, stop_id, stop_sequence

## Avganger 1

| stop | 7a |
| --- | --- |
| 01 | 07:10:00 |

## Avganger 2

| stop | F |
| --- | --- |
| 02 | 08:00:00 |
`,
			"d.csv": "trip_id,call,column,value\n",
		}))
	domaintest.Takes(t, d, feed,
		"journey_patterns", `{"patterns": "p.csv", "journeys": "j.csv", "first": "M07"}`,
		with("stop_times.txt", vfs.Files{
			"p.csv": "pattern,arrival_secs,departure_secs,stop_id,stop_sequence\nM07,0,0,01,1\nM08,0,0,02,1\n",
			"j.csv": "trip_id,pattern,begins\n7a,M07,07:10:00\nF,M08,08:00:00\n",
		}))
	domaintest.Takes(t, d, feed,
		"code_stops", `{"suffix": "2", "no_zone": "Z", "list": "l.csv"}`,
		with("stops.txt stop_times.txt", vfs.Files{
			"stops2.txt":      "stop_id,stop_name,stop_lat,zone_id\nA-02,Kaia,68.03,A\nA-01,Skolen,68.05,A\nZ-01,Holmen,68.01,\n",
			"stop_times2.txt": header + "\n7a,07:10:00,07:10:00,A-02,1\nF,08:00:00,08:00:00,A-01,1\n",
			"l.csv":           "code,stop_id\nA-02,01\nA-01,02\nZ-01,03\n",
		}))
}
