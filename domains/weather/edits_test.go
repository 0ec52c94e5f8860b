package weather

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// yard is a small bulletin in which every edit has something to do.
const yard = `AVIATION WEATHER BULLETIN
DTG: 010000Z MAR 2025
STATIONS: PANC PAHO

=== METAR / SPECI OBSERVATIONS ===

METAR PANC 282353Z 36011KT 340V040 2 1/2SM -SN BR OVC011 M05/M06 A2932 RMK AO2 SLP932 T10501061 $
METAR PANC 010053Z COR VRB03KT 10SM CLR M04/M06 A2930 RMK AO2
(PAHO late)

SPECI PAHO 010053Z AUTO 06018G26KT 3/4SM R04/2000FT VV004 00/M01 Q0988 RMK CIG 002V006

TERMINAL AERODROME FORECASTS (TAF)

TAF PANC 282320Z 0100/0124 36010G18KT 1SM OVC010 WS020/11050KT
     TEMPO 0100/0103 1/2SM FZFG
     FM010300 02012KT P6SM SCT035
     PROB30 TEMPO 0106/0108 2SM -SN

TAF PAED 282300Z 2823/0105 36009KT 3200 OVC015 QNH2928INS
     BECMG 0102/0103 00000KT 9999

END OF BULLETIN
`

func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(yard) }

const (
	head     = "AVIATION WEATHER BULLETIN\nDTG: 010000Z MAR 2025\nSTATIONS: PANC PAHO\n\n=== METAR / SPECI OBSERVATIONS ===\n\n"
	midnight = "METAR PANC 282353Z 36011KT 340V040 2 1/2SM -SN BR OVC011 M05/M06 A2932 RMK AO2 SLP932 T10501061 $\n"
	calm     = "METAR PANC 010053Z COR VRB03KT 10SM CLR M04/M06 A2930 RMK AO2\n"
	homer    = "SPECI PAHO 010053Z AUTO 06018G26KT 3/4SM R04/2000FT VV004 00/M01 Q0988 RMK CIG 002V006\n"
)

// tail is what follows the observations.
var tail = yard[strings.Index(yard, "\nTERMINAL"):]

var forwardResults = map[string]vfs.Files{
	"chronological": {
		"chronological.txt": head + homer + calm + midnight + "\n(PAHO late)\n" + tail,
		"positions.csv": `line,type,station,time
11,SPECI,PAHO,010053Z
8,METAR,PANC,010053Z
7,METAR,PANC,282353Z
10,,,
`,
	},
	"station_files": {
		"PANC.txt": midnight + calm + `TAF PANC 282320Z 0100/0124 36010G18KT 1SM OVC010 WS020/11050KT
     TEMPO 0100/0103 1/2SM FZFG
     FM010300 02012KT P6SM SCT035
     PROB30 TEMPO 0106/0108 2SM -SN
`,
		"PAHO.txt": homer,
		"PAED.txt": `TAF PAED 282300Z 2823/0105 36009KT 3200 OVC015 QNH2928INS
     BECMG 0102/0103 00000KT 9999
`,
		"frame.txt": head + "(PAHO late)\n\n\nTERMINAL AERODROME FORECASTS (TAF)\n\n\n\nEND OF BULLETIN\n",
		"index.csv": `line,type,station,time
7,METAR,PANC,282353Z
8,METAR,PANC,010053Z
11,SPECI,PAHO,010053Z
15,TAF,PANC,282320Z
20,TAF,PAED,282300Z
`,
	},
	"observation_table": {
		"observations.md": tableHeader +
			"| 7 | METAR PANC 282353Z | 36011KT 340V040 | 2 1/2SM | -SN BR | OVC011 | 23.0 | 21.0 | 992.9 | RMK AO2 SLP932 T10501061 $ |\n" +
			"| 8 | METAR PANC 010053Z COR | VRB03KT | 10SM |  | CLR | 24.8 | 21.2 | 992.2 | RMK AO2 |\n" +
			"| 11 | SPECI PAHO 010053Z AUTO | 06018G26KT | 3/4SM R04/2000FT |  | VV004 | 32.0 | 30.2 | 988.0 | RMK CIG 002V006 |\n",
		"rest.txt":         head + "(PAHO late)\n\n" + tail,
		"coded_groups.csv": "line,temperature,altimeter\n7,M05/M06,A2932\n8,M04/M06,A2930\n11,00/M01,Q0988\n",
	},
	"flight_categories": {
		"flight_categories.txt": head + "## LIFR (1)\n" + homer + "## IFR (1)\n" + midnight + "## VFR (1)\n" + calm + "\n(PAHO late)\n" + tail,
		"category_positions.csv": `line,type,station,time
11,SPECI,PAHO,010053Z
7,METAR,PANC,282353Z
8,METAR,PANC,010053Z
10,,,
`,
	},
	"taf_periods": {
		"observations.txt": yard[:strings.Index(yard, "TAF PANC")] + "<TAF 1>\n\n<TAF 2>\n\nEND OF BULLETIN\n",
		"taf_periods.csv": `taf,station,issued,kind,begin,end,text
1,PANC,282320Z,INITIAL,2025-03-01T00:00Z,2025-03-01T03:00Z,TAF PANC 282320Z 0100/0124 36010G18KT 1SM OVC010 WS020/11050KT
1,PANC,282320Z,TEMPO,2025-03-01T00:00Z,2025-03-01T03:00Z,TEMPO 0100/0103 1/2SM FZFG
1,PANC,282320Z,FM,2025-03-01T03:00Z,2025-03-02T00:00Z,FM010300 02012KT P6SM SCT035
1,PANC,282320Z,PROB30,2025-03-01T06:00Z,2025-03-01T08:00Z,PROB30 TEMPO 0106/0108 2SM -SN
2,PAED,282300Z,INITIAL,2025-02-28T23:00Z,2025-03-01T05:00Z,TAF PAED 282300Z 2823/0105 36009KT 3200 OVC015 QNH2928INS
2,PAED,282300Z,BECMG,2025-03-01T02:00Z,2025-03-01T03:00Z,BECMG 0102/0103 00000KT 9999
`,
	},
	"remark_list": {
		"bulletin_short.txt": replaced("AO2 SLP932 T10501061 $", "@1", "AO2\n", "@2\n", "CIG 002V006", "@3"),
		"remarks.csv": `n,station,time,remarks
1,PANC,282353Z,AO2 SLP932 T10501061 $
2,PANC,010053Z,AO2
3,PAHO,010053Z,CIG 002V006
`,
	},
	"metric_winds": {
		"bulletin_mps.txt": replaced("36011KT", "36006MPS", "VRB03KT", "VRB02MPS", "06018G26KT", "06009G13MPS", "36010G18KT", "36005G09MPS",
			"02012KT", "02006MPS", "36009KT", "36005MPS", "00000KT", "00000MPS"),
		"winds.csv": `n,station,coded
1,PANC,36011KT
2,PANC,VRB03KT
3,PAHO,06018G26KT
4,PANC,36010G18KT
5,PANC,02012KT
6,PAED,36009KT
7,PAED,00000KT
`,
	},
	"local_times": {
		"bulletin_local.txt": replaced("METAR PANC 282353Z", "METAR PANC 281453L", "METAR PANC 010053Z", "METAR PANC 281553L", "SPECI PAHO 010053Z", "SPECI PAHO 281553L"),
	},
}

// bulletinFile is that of the documents in these tests.
const bulletinFile = "bulletin.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "weather1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{bulletinFile: yard}, forwardResults, domaintest.ToTheLetter)
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	document := vfs.Files{"wx.txt": yard}
	edits := domaintest.Making(t, New(), map[string]string{
		"shift_times":      `{"document": "wx.txt", "to": "india.txt", "hours": 5.5, "letter": "E*"}`,
		"list_remarks":     `{"document": "wx.txt", "to": "short.txt", "table": "notes.csv"}`,
		"split_by_station": `{"document": "wx.txt", "rest": "A.txt", "table": "all.csv"}`,
	})
	domaintest.Results(t, edits, document, map[string]vfs.Files{
		"shift_times": {
			"india.txt": replaced("METAR PANC 282353Z", "METAR PANC 010523E*", "METAR PANC 010053Z", "METAR PANC 010623E*", "SPECI PAHO 010053Z", "SPECI PAHO 010623E*"),
		},
		"list_remarks": {
			"short.txt": replaced("AO2 SLP932 T10501061 $", "@1", "AO2\n", "@2\n", "CIG 002V006", "@3"),
			"notes.csv": forwardResults["remark_list"]["remarks.csv"],
		},
		"split_by_station": {
			"A.txt": forwardResults["station_files"]["frame.txt"], "all.csv": forwardResults["station_files"]["index.csv"],
			"PAHO.txt": homer, "PANC.txt": forwardResults["station_files"]["PANC.txt"], "PAED.txt": forwardResults["station_files"]["PAED.txt"],
		},
	}, domaintest.ToTheLetter)
}

func TestFlightCategories(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"10SM CLR":                 "VFR",
		"6SM BKN031":               "VFR",
		"P6SM SCT002":              "VFR",
		"CAVOK":                    "VFR",
		"9999 FEW003":              "VFR",
		"5SM SKC":                  "MVFR",
		"10SM OVC030":              "MVFR",
		"8000 BKN040":              "MVFR",
		"10SM BKN009 OVC040":       "IFR",
		"2 3/4SM FEW010":           "IFR",
		"1SM BKN011":               "IFR",
		"10SM VV004":               "LIFR",
		"M1/4SM FG":                "LIFR",
		"3/4SM BR":                 "LIFR",
		"0800 R27/0600 SCT010":     "LIFR",
		"24005KT 06/M05":           "UNKNOWN",
		"10SM CLR RMK VIS 1/2SM N": "VFR",
		"10SM CLR TEMPO 0400 FG":   "VFR",
	} {
		e := readEntries("METAR PANC 281753Z " + body + "\n")[0]
		if got := e.flightCategory(); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestWrappedObservationsComeOutWrapped(t *testing.T) {
	t.Parallel()
	wrapped := vfs.Files{bulletinFile: strings.NewReplacer("BR OVC011", "BR\n  OVC011", "RMK CIG", "RMK\n     CIG").Replace(yard)}
	for _, edit := range demonstration(t).Edits() {
		there, err := edit.Forward(wrapped)
		if err != nil {
			t.Fatal(err)
		}
		again, err := edit.Backward(there)
		if err != nil {
			t.Fatal(err)
		}
		if score := New().Compare(wrapped, again); score.Strict != 1 || score.Value != 1 {
			t.Errorf("%s: %+v: %v", edit.Name, score, New().Differences(wrapped, again))
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit    string
		forward bool
		files   vfs.Files
		want    string
	}{
		{"station_files", true, vfs.Files{"bulletin.txt": "Nothing today.\n"}, "has no report"},
		{"chronological", true, vfs.Files{"bulletin.txt": homer}, "has no DTG"},
		{"taf_periods", true, vfs.Files{"bulletin.txt": "DTG: 281800Z\n" + homer}, "has no DTG"},
		{"chronological", false, vfs.Files{"chronological.txt": yard}, "positions.csv is missing"},
		{"station_files", false, vfs.Files{"index.csv": "line,type,station,time\n"}, "frame.txt is missing"},
		{"observation_table", false, vfs.Files{"observations.md": tableHeader, "rest.txt": ""}, "coded_groups.csv is missing"},
		{"flight_categories", false, vfs.Files{"flight_categories.txt": yard, "category_positions.csv": "line\n"}, `no column "type"`},
		{"taf_periods", false, vfs.Files{"taf_periods.csv": "taf,text\n"}, "observations.txt is missing"},
		{"remark_list", false, vfs.Files{"bulletin_short.txt": yard, "remarks.csv": ""}, "reading remarks.csv: no header"},
		{"metric_winds", false, vfs.Files{"bulletin_mps.txt": yard}, "winds.csv is missing"},
		{"local_times", false, vfs.Files{"bulletin_local.txt": homer}, "has no DTG"},
	} {
		step := domaintest.Edit(t, demonstration(t), c.edit).Backward
		if c.forward {
			step = domaintest.Edit(t, demonstration(t), c.edit).Forward
		}
		if _, err := step(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the bulletin.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			there, err := edit.Forward(vfs.Files{bulletinFile: yard})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range there {
				if strings.HasSuffix(name, ".csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "-SN", "+SN")
			}
			merged, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := New().Compare(vfs.Files{bulletinFile: yard}, merged)
			if score.Strict >= 1 || score.Strict < 0.8 || len(merged) != 1 {
				t.Errorf("Strict %v: %v", score.Strict, New().Differences(vfs.Files{bulletinFile: yard}, merged))
			}
		})
	}
}
