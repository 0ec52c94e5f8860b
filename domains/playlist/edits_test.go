package playlist

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const documentFile = "slow_boat.xspf"

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "playlist1") }

// part is a file with the root element and those tracks alone.
func part(tracks string) string {
	return opening + "  <trackList>\n" + tracks + "  </trackList>\n</playlist>\n"
}

// with adds a meta at the end of a track.
func with(track, rel, text string) string {
	return strings.Replace(track, "    </track>", `      <meta rel="`+rel+`">`+text+"</meta>\n    </track>", 1)
}

const (
	frame  = opening + header + "  <trackList>\n" + lastComment + "  </trackList>\n</playlist>\n"
	inJSON = `{
  "playlist": {
    "attributes": {
      "version": "1",
      "xmlns": "http://xspf.org/ns/0/",
      "xmlns:v": "http://www.videolan.org/vlc/playlist/ns/0/"
    },
    "title": "Night Ferry",
    "xml": [
      "<!-- rerun on Tuesday -->",
      "<!-- spare: Sweet Lucy -->"
    ],
    "date": "2024-03-24T21:00:00+11:00",
    "track": [
      {
        "location": [
          "file:///m/harbour.flac",
          "http://a.org/harbour.mp3"
        ],
        "title": "Harbour",
        "creator": "Ida & Jo",
        "annotation": "Live & \"dry\".\nEnds cold.",
        "meta": [
          {
            "year": "1976"
          },
          {
            "label": "Fjell"
          },
          {
            "local": "true"
          }
        ],
        "extension": {
          "http://www.videolan.org/vlc/playlist/0": [
            "<v:id>0</v:id>"
          ]
        },
        "album": "Low Tide",
        "trackNum": 2,
        "duration": 214050
      },
      {
        "title": "Waltz",
        "creator": "Ida & Jo",
        "meta": [
          {
            "year": "c. 1990"
          },
          {
            "label": "Topic"
          },
          {
            "request": "false"
          }
        ],
        "xml": [
          "<!-- 22:00 news -->"
        ],
        "duration": 1100000
      },
      {
        "title": "Ghost Ship",
        "creator": "Bo Lind",
        "annotation": "Closer.",
        "link": [
          {
            "http://a.org/rel/lyrics": "http://a.org/ghost"
          }
        ],
        "meta": [
          {
            "year": "1971"
          },
          {
            "label": "Fjell"
          }
        ],
        "album": "Wrecks",
        "duration": 60000
      }
    ]
  }
}
`
)

var reordered = list(with(harbour, "seq", "1") + with(ghost, "seq", "3") + with(waltz, "seq", "2") + lastComment)

var forwardResults = map[string]vfs.Files{
	"split_by_decade": {
		"1970s.xspf":   part(ghost + harbour),
		"undated.xspf": part(waltz),
		"frame.xspf":   frame,
		"order.csv":    "position,file,place\n1,1970s.xspf,2\n2,undated.xspf,1\n3,1970s.xspf,1\n",
	},
	"twenty_minute_sets": {
		"set_1.xspf": part(harbour),
		"set_2.xspf": part(waltz + ghost),
		"frame.xspf": frame,
		"sets.csv":   "set,first,last,length\n1,1,1,03:34.050\n2,2,3,19:20.000\n",
	},
	"show_notes": {
		"numbered.xspf": strings.NewReplacer("Live &amp; \"dry\".\nEnds cold.", "[note 1]", "Closer.", "[note 2]").Replace(sample),
		"notes.md":      "# Notes\n\n## 1\n\nLive & \"dry\".\nEnds cold.\n\n## 2\n\nCloser.\n",
	},
	"track_table": {
		"tracks.csv": `seq,location,title,creator,album,trackNum,duration,annotation,meta year,meta label,meta local,meta request,link http://a.org/rel/lyrics,xml
1,file:///m/harbour.flac,Harbour,Ida & Jo,Low Tide,2,214050,"Live & ""dry"".
Ends cold.",1976,Fjell,true,,,"<location>http://a.org/harbour.mp3</location><extension application=""http://www.videolan.org/vlc/playlist/0""><v:id>0</v:id></extension>"
2,,Waltz,Ida & Jo,,,1100000,,c. 1990,Topic,,false,,<!-- 22:00 news -->
3,,Ghost Ship,Bo Lind,Wrecks,,60000,Closer.,1971,Fjell,,,http://a.org/ghost,
`,
		"frame.xspf": frame,
	},
	"jspf": {"playlist.json": inJSON},
	"clock_times": {
		"clock.xspf": strings.NewReplacer(">214050<", ">03:34.050<", ">1100000<", ">18:20.000<", ">60000<", ">01:00.000<").
			Replace(list(with(harbour, "start", "0:00:00.000") + with(waltz, "start", "0:03:34.050") + with(ghost, "start", "0:21:54.050") + lastComment)),
	},
	"label_codes": {
		"coded.xspf":  strings.NewReplacer(">Fjell<", ">L01<", ">Topic<", ">L02<").Replace(sample),
		"labels.json": "{\n  \"L01\": \"Fjell\",\n  \"L02\": \"Topic\"\n}\n",
	},
	"local_first": {"local_first.xspf": reordered},
	"separation":  {"separated.xspf": reordered},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	// The table and JSPF have an order of elements of their own.
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: sample}, forwardResults, domaintest.InMeaning)
}

func TestForwardTakesADocumentOfSeveralFiles(t *testing.T) {
	t.Parallel()
	document := vfs.Files{documentFile: sample}
	for _, edit := range demonstration(t).Edits() {
		got, err := edit.Forward(vfs.Files{"a.xspf": list(harbour), "b.xspf": list(waltz + ghost + lastComment)})
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		again, err := edit.Backward(got)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		if differences := New().Differences(document, again); len(differences) > 0 {
			t.Errorf("%s: %v", edit.Name, differences)
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	forward := func(edit, document string) (vfs.Files, error) {
		return domaintest.Edit(t, demonstration(t), edit).Forward(vfs.Files{documentFile: document})
	}
	for _, c := range []struct{ edit, document, want string }{
		{"jspf", "", "reading slow_boat.xspf: no playlist"},
		{"jspf", "<playlist/>", "reading slow_boat.xspf: no trackList"},
		{"jspf", "<xspf>" + only("") + "</xspf>", "no place for"},
		{"jspf", strings.Replace(only(""), "<track>", `<track xml:base="a">`, 1), "track 1 has attributes"},
		{"track_table", strings.Replace(only(""), "<track>", `<track xml:base="a">`, 1), "track 1 has attributes"},
		{"local_first", only(`<meta rel="seq">1</meta>`), "track 1 has a meta seq already"},
		{"separation", only(`<meta rel="seq">1</meta>`), "track 1 has a meta seq already"},
		{"clock_times", only(`<meta rel="start"/>`), "track 1 has a meta start already"},
		{"clock_times", only(`<duration>03:34.050</duration>`), "track 1 has a duration in clock time already"},
		{"show_notes", only("<annotation>a\n## 1</annotation>"), "annotation 1 has a line that reads as a heading"},
	} {
		if _, err := forward(c.edit, c.document); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: error %v, want %q", c.edit, c.document, err, c.want)
		}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"split_by_decade", vfs.Files{"frame.xspf": frame}, "order.csv is missing"},
		{"split_by_decade", vfs.Files{"1970s.xspf": sample}, "frame.xspf is missing"},
		{"twenty_minute_sets", vfs.Files{"frame.xspf": frame, "set_1.xspf": ""}, "reading set_1.xspf: no playlist"},
		{"show_notes", vfs.Files{"numbered.xspf": sample}, "notes.md is missing"},
		{"track_table", vfs.Files{"frame.xspf": frame, "tracks.csv": "title\nA\n"}, "does not begin with the column seq"},
		{"jspf", vfs.Files{"playlist.json": "[]"}, "reading playlist.json"},
		{"jspf", vfs.Files{"playlist.json": "{}"}, "has no list of tracks"},
		{"label_codes", vfs.Files{"coded.xspf": sample, "labels.json": "L01"}, "reading labels.json"},
		{"separation", vfs.Files{"local_first.xspf": sample}, "separated.xspf is missing"},
	} {
		if _, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	document := vfs.Files{documentFile: sample}
	for edit, files := range forwardResults {
		damaged := vfs.Files{}
		for name, text := range files {
			if name == "order.csv" || name == "sets.csv" {
				text = text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
			}
			damaged[name] = strings.NewReplacer("Waltz", "Walz", "Closer.", "Closer!").Replace(text)
		}
		again, err := domaintest.Edit(t, demonstration(t), edit).Backward(damaged)
		if err != nil {
			t.Errorf("%s: %v", edit, err)
			continue
		}
		score := New().Compare(document, again)
		if score.Strict >= 1 || score.Strict < 0.5 || score.Elements.Candidate != 3 {
			t.Errorf("%s: Strict %v, %+v: %v", edit, score.Strict, score.Elements, New().Differences(document, again))
		}
	}
}

func TestDecadesAndSets(t *testing.T) {
	t.Parallel()
	for year, want := range map[string]string{
		"1974": "1970s", " 2003 ": "2000s", "c. 1991": "", "1977/78": "", "": "", "19745": "", "１９７４": "",
	} {
		p := readPlaylist(only(`<meta rel="year">1950</meta><meta rel="year">` + year + `</meta>`))
		if got := decade(p.items[0], "year"); got != want {
			t.Errorf("%q: %q, want %q", year, got, want)
		}
	}
	for rule, c := range map[string]struct{ durations, want string }{
		"exactly twenty minutes": {"600000 600000 1", "1,1,2,20:00.000\n2,3,3,00:00.001\n"},
		"longer than a set":      {"1 1500000 1", "1,1,1,00:00.001\n2,2,2,25:00.000\n3,3,3,00:00.001\n"},
		"no number":              {"1200000 3:34 -5", "1,1,3,20:00.000\n"},
	} {
		tracks := ""
		for ms := range strings.FieldsSeq(c.durations) {
			tracks += "<track><duration>" + ms + "</duration></track>"
		}
		got, err := domaintest.Edit(t, demonstration(t), "twenty_minute_sets").Forward(vfs.Files{documentFile: list(tracks)})
		if err != nil || got["sets.csv"] != "set,first,last,length\n"+c.want {
			t.Errorf("%s: %s, %v", rule, got["sets.csv"], err)
		}
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int]string{0: "00:00.000", 59_999: "00:59.999", 214_050: "03:34.050", 6_000_000: "100:00.000"} {
		if got := clock(ms); got != want {
			t.Errorf("%d: %s, want %s", ms, got, want)
		}
		if got, ok := fromClock(want); !ok || got != ms {
			t.Errorf("%s: %d, want %d", want, got, ms)
		}
	}
	for _, text := range []string{"", "3:34", "03:34", "03:74.000", "03:34.0500", "1:03:34.050"} {
		if ms, ok := fromClock(text); ok {
			t.Errorf("%s: %d", text, ms)
		}
	}
}

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"cut_sets", `{"document": "ferry.xspf", "frame": "f.xspf", "begins": "s", "minutes": 5, "table": "s.csv"}`, "s.csv",
			"1,1,1,03:34.050\n2,2,2,18:20.000\n3,3,3,01:00.000\n"},
		{"code_meta", `{"document": "ferry.xspf", "to": "c.xspf", "meta": "year", "first": "Y1", "list": "y.json"}`, "y.json",
			"{\n  \"Y1\": \"1971\",\n  \"Y2\": \"1976\",\n  \"Y3\": \"c. 1990\"\n}\n"},
		{"flag_first", `{"document": "ferry.xspf", "to": "r.xspf", "flag": "request", "position": "was"}`, "r.xspf",
			`<meta rel="was">3</meta>`},
		{"notes_apart", `{"document": "ferry.xspf", "to": "n.xspf", "word": "see", "notes": "n.md", "title": "Says"}`, "n.xspf",
			"<annotation>[see 2]</annotation>"},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(vfs.Files{"ferry.xspf": sample})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v %v", c.edit, err, made)
		}
		if back, err := edit.Backward(made); err != nil || back["ferry.xspf"] != sample {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
}
