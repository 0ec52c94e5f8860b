package geotrack

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "geotrack1") }

const (
	surveyFile = "lairig_ghru.gpx"

	opening = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="eTrex" xmlns="http://www.topografix.com/GPX/1/1" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
`
	metadata = `  <metadata>
    <time>2024-05-01T18:00:00Z</time>
  </metadata>
`
	hut = `  <wpt lat="57.3" lon="-3.7">
    <ele>10.5</ele>
    <name>Hut</name>
    <link href="hut.jpg">
      <text>door</text>
    </link>
    <type>bothy</type>
  </wpt>
`
	bridge = `  <wpt lat="57.1001" lon="-3.7">
    <name>Bridge</name>
    <type>bridge</type>
  </wpt>
`
	firstPoint  = `<trkpt lat="57.10" lon="-3.7"><ele>100</ele><time>2024-05-01T08:00:00Z</time><extensions><tpx:TrackPointExtension><tpx:atemp>19.0</tpx:atemp></tpx:TrackPointExtension></extensions></trkpt>`
	secondPoint = `<trkpt lat="57.12" lon="-3.7"><ele>99.5</ele><time>2024-05-01T08:20:00.250Z</time></trkpt>`
	thirdPoint  = `<trkpt lat="57.13" lon="-3.71"><time>2024-05-01T09:20:00Z</time></trkpt>`
	otherPoint  = `<trkpt lat="57.3" lon="-3.7"><ele>-2</ele><time>2024-05-01T08:10:00Z</time></trkpt>`
	walk        = opening + metadata + hut + bridge +
		"  <trk>\n    <name>A</name>\n    <trkseg>\n      " + firstPoint + "\n      " + secondPoint + "\n      " + thirdPoint + "\n    </trkseg>\n  </trk>\n" +
		"  <trk>\n    <name>B</name>\n    <trkseg>\n      " + otherPoint + "\n    </trkseg>\n  </trk>\n</gpx>\n"
	emptyTracks = "  <trk>\n    <name>A</name>\n    <trkseg/>\n  </trk>\n  <trk>\n    <name>B</name>\n    <trkseg/>\n  </trk>\n</gpx>\n"
)

var forwardResults = map[string]vfs.Files{
	"split_by_track": {
		"walk_1.gpx": opening + metadata + bridge +
			"  <trk>\n    <name>A</name>\n    <trkseg>\n      " + firstPoint + "\n      " + secondPoint + "\n      " + thirdPoint + "\n    </trkseg>\n  </trk>\n</gpx>\n",
		"walk_2.gpx": opening + hut +
			"  <trk>\n    <name>B</name>\n    <trkseg>\n      " + otherPoint + "\n    </trkseg>\n  </trk>\n</gpx>\n",
		"waypoints.csv": "position,name,file\n1,Hut,walk_2.gpx\n2,Bridge,walk_1.gpx\n",
	},
	"points_table": {
		"points.csv": `track,segment,place,lat,lon,ele,time,extensions/tpx:TrackPointExtension/tpx:atemp
1,1,1,57.10,-3.7,100,2024-05-01T08:00:00Z,19.0
1,1,2,57.12,-3.7,99.5,2024-05-01T08:20:00.250Z,
1,1,3,57.13,-3.71,,2024-05-01T09:20:00Z,
2,1,1,57.3,-3.7,-2,2024-05-01T08:10:00Z,
`,
		"frame.gpx": opening + metadata + hut + bridge + emptyTracks,
	},
	"timeline": {
		"timeline.gpx": opening + metadata + hut + bridge + "  <trk>\n    <name>Timeline</name>\n    <trkseg>\n      " +
			firstPoint + "\n      " + otherPoint + "\n      " + secondPoint + "\n    </trkseg>\n    <trkseg>\n      " +
			thirdPoint + "\n    </trkseg>\n  </trk>\n</gpx>\n",
		"tracks.gpx":  opening + emptyTracks,
		"sources.csv": "point,track,segment,place\n1,1,1,1\n2,2,1,1\n3,1,1,2\n4,1,1,3\n",
	},
	"imperial_units": {
		"imperial.gpx": strings.NewReplacer("<ele>10.5<", "<ele>34.449<", "<ele>100<", "<ele>328.08<", "<ele>99.5<", "<ele>326.444<",
			"<ele>-2<", "<ele>-6.56<", ">19.0<", ">66.20<").Replace(walk),
	},
	"summer_time": {
		"summer_time.gpx": strings.NewReplacer("T18:00:00Z", "T19:00:00+01:00", "T08:00:00Z", "T09:00:00+01:00",
			"T08:20:00.250Z", "T09:20:00.250+01:00", "T09:20:00Z", "T10:20:00+01:00", "T08:10:00Z", "T09:10:00+01:00").Replace(walk),
	},
	"thin_out": {
		"thinned.gpx": strings.Replace(walk, "      "+secondPoint+"\n      "+thirdPoint+"\n", "", 1),
		"dropped.csv": `track,segment,place,lat,lon,ele,time
1,1,2,57.12,-3.7,99.5,2024-05-01T08:20:00.250Z
1,1,3,57.13,-3.71,,2024-05-01T09:20:00Z
`,
	},
	"delta_coding": {
		"deltas.csv": `track,segment,place,lat,lon,ele,time,extensions/tpx:TrackPointExtension/tpx:atemp
1,1,1,57.10,-3.7,100,2024-05-01T08:00:00Z,19.0
1,1,2,0.02,0,-0.5,1200.25,
1,1,3,0.01,-0.01,,3599.75,
2,1,1,57.3,-3.7,-2,2024-05-01T08:10:00Z,
`,
		"frame.gpx": opening + metadata + hut + bridge + emptyTracks,
	},
	"visit_order": {
		"visits.gpx": opening + metadata + `  <rte>
    <name>Visits</name>
    <rtept lat="57.1001" lon="-3.7"><name>Bridge</name><type>bridge</type></rtept>
    <rtept lat="57.3" lon="-3.7"><ele>10.5</ele><name>Hut</name><link href="hut.jpg"><text>door</text></link><type>bothy</type></rtept>
  </rte>
` + walk[len(opening+metadata+hut+bridge):],
		"visits.csv": "visit,list_no,name,track_point,metres\n1,2,Bridge,1,11\n2,1,Hut,4,0\n",
	},
	"survey_sheet": {
		"survey.md": `# Waypoints

## bothy

### 1. Hut

- lat: 57.3
- lon: -3.7
- ele: 10.5
- link@href: hut.jpg
- link/text: door
- type: bothy

## bridge

### 2. Bridge

- lat: 57.1001
- lon: -3.7
- type: bridge
`,
		"tracks.gpx": opening + metadata + walk[len(opening+metadata+hut+bridge):],
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	// The sums of delta_coding have no trailing zeros.
	domaintest.Results(t, demonstration(t), vfs.Files{surveyFile: walk}, forwardResults, domaintest.InMeaning)
}

func TestForwardTakesADocumentOfSeveralFiles(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		got, err := edit.Forward(forwardResults["split_by_track"])
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		back, err := edit.Backward(got)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		files := vfs.Files{surveyFile: walk}
		if score := New().Compare(files, back); score.Strict != 1 {
			t.Errorf("%s: Strict %v: %v", edit.Name, score.Strict, New().Differences(files, back))
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"split_by_track", vfs.Files{"walk_1.gpx": walk}, "waypoints.csv is missing"},
		{"split_by_track", vfs.Files{"waypoints.csv": "position,file\n"}, "no GPX file"},
		{"points_table", vfs.Files{"frame.gpx": walk, "points.csv": "lat,lon\n1,2\n"}, `reading points.csv: no column "track"`},
		{"points_table", vfs.Files{"points.csv": "track,segment,place,lat,lon\n"}, "frame.gpx is missing"},
		{"timeline", vfs.Files{"timeline.gpx": walk, "tracks.gpx": walk}, "sources.csv is missing"},
		{"imperial_units", vfs.Files{"imperial.gpx": "no tracks here"}, "reading imperial.gpx: no element"},
		{"thin_out", vfs.Files{"thinned.gpx": walk, "dropped.csv": ""}, "dropped.csv is empty"},
		{"visit_order", vfs.Files{"visits.gpx": walk, "visits.csv": "visit,list_no\n"}, "visits.gpx has no route Visits"},
		{"survey_sheet", vfs.Files{"tracks.gpx": walk}, "survey.md is missing"},
	} {
		if _, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{surveyFile: walk})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if name == "waypoints.csv" || name == "sources.csv" || name == "visits.csv" {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "Bridge", "Brigde")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(vfs.Files{surveyFile: walk}, back)
			if score.Strict >= 1 || score.Strict < 0.5 || score.Elements.Candidate != 4 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(vfs.Files{surveyFile: walk}, back))
			}
		})
	}
}

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"move_zone", `{"document": "walk.gpx", "to": "z.gpx", "zone": "-03:30"}`, "z.gpx", "<time>2024-05-01T05:50:00-03:30</time>"},
		{"thin_out", `{"document": "walk.gpx", "to": "t.gpx", "every": 2, "table": "d.csv"}`, "d.csv", "lat,lon,ele,time\n1,1,2,57.12"},
		{"timeline", `{"document": "walk.gpx", "to": "t.gpx", "tracks": "o.gpx", "name": "Day", "gap": 9, "table": "s.csv"}`, "t.gpx",
			"<name>Day</name>\n    <trkseg>\n      " + firstPoint + "\n    </trkseg>\n    <trkseg>\n      " + otherPoint},
		{"points_table", `{"document": "walk.gpx", "to": "f.gpx", "table": "p.csv", "differences": ["ele"]}`, "p.csv", "1,1,2,57.12,-3.7,-0.5,2024"},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(vfs.Files{"a.gpx": walk})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v %v", c.edit, err, made)
		}
		back, err := edit.Backward(made)
		if score := New().Compare(vfs.Files{"walk.gpx": walk}, back); err != nil || score.Strict != 1 {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
	for edit, parameters := range map[string]string{
		"move_zone": `{"document": "", "to": "", "zone": "BST"}`,
		"thin_out":  `{"document": "", "to": "", "every": 0, "table": ""}`,
	} {
		made, err := domaintest.Edit(t, New(), edit).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made.Forward(vfs.Files{"a.gpx": walk}); err == nil {
			t.Errorf("%s made %v", edit, got)
		}
	}
}
