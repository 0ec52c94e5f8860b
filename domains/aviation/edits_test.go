package aviation

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	headline = "PIB ENOR 14 JUN 2025\n"
	section  = "-- EN ROUTE --\n"
	taxiway  = `A2874/25 NOTAMR A2611/25
Q) ENOR/QMXLC/IV/M  /A /000/999/6018N00513E005
A) ENBR B) 2506301130 C) 2507041600 EST
E) TWY Y CLSD.
SOURCE: EUECYIYN
`
	firing = `A2880/25 NOTAMN
Q) ENOR/QRDCA/IV/BO/W/000/280/6352S00905W022
A) ENOR ENBR
B) 2506090600
C) 2506131500
D) 0600-1000
E) TARVA ACT, AREA 635210N0090501E -
635210S 0090501W.
F) 1500FT AMSL G) FL280
`
	crane = `D1188/25 NOTAMN
Q) ENOR/QOBCE/IV/M  /AE/000/011/6016N00516E
A) ENBR B) 2512312300 C) PERM
E) CRANE AT 6017N00516E.
F) GND               G) 625 FT
CREATED: 30 May 2025 12:14:00
`
	resumed = `B0641/25 NOTAMC B0619/25
Q) ENOR/QMXLC/IV/NBO/A /000/999/6245N00716E005
A) ENML B) 2506130918
E) TWY C AVBL.
`
)

// yard is a small bulletin in which every edit has something to do.
const yard = headline + "\n" + taxiway + "\n" + section + "\n" + firing + "\n" + crane + "\n" + resumed + "\nEND\n"

func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(yard) }

const frame = headline + "\n\n" + section + "\n\n\n\nEND\n"

var forwardResults = map[string]vfs.Files{
	"aerodrome_files": {
		"ENBR.txt":  taxiway + "\n" + crane,
		"ENOR.txt":  firing,
		"ENML.txt":  resumed,
		"frame.txt": frame,
		"index.csv": "line,notam\n3,A2874/25\n11,A2880/25\n21,D1188/25\n28,B0641/25\n",
	},
	"triage": {
		"triage.txt": "## CRITICAL (1)\n\n" + firing + "\n## CAUTION (2)\n\n" + taxiway + "\n" + crane + "\n## INFO (1)\n\n" + resumed,
		"notes.txt":  frame,
		"order.csv":  "line,notam\n11,A2880/25\n3,A2874/25\n21,D1188/25\n28,B0641/25\n",
	},
	"active_window": {
		"active.txt":   headline + "\n\n" + section + "\n\n\n" + resumed + "\nEND\n",
		"inactive.txt": taxiway + "\n" + firing + "\n" + crane,
		"removed.csv":  "line,notam,reason\n3,A2874/25,FUTURE\n11,A2880/25,EXPIRED\n21,D1188/25,FUTURE\n",
	},
	"local_times": {
		"bulletin_local.txt": replaced("2506301130", "2506301330", "2507041600", "2507041800", "2506090600", "2506090800",
			"2506131500", "2506131700", "2512312300", "2601010100", "2506130918", "2506131118"),
	},
	"metric_limits": {
		"bulletin_metric.txt": replaced("1500FT AMSL", "457M AMSL", "625 FT", "191M"),
		"limits.csv":          "n,notam,item,coded\n1,A2880/25,F,1500FT AMSL\n2,D1188/25,G,625 FT\n",
	},
	"q_lines": {
		"bulletin_short.txt": replaced("ENOR/QMXLC/IV/M  /A /000/999/6018N00513E005", "[1]", "ENOR/QRDCA/IV/BO/W/000/280/6352S00905W022", "[2]",
			"ENOR/QMXLC/IV/NBO/A /000/999/6245N00716E005", "[3]"),
		"q_lines.json": `[
  {
    "n": 1,
    "notam": "A2874/25",
    "fir": "ENOR",
    "code": "QMXLC",
    "traffic": "IV",
    "purpose": "M  ",
    "scope": "A ",
    "lower": 0,
    "upper": 999,
    "latitude": 60.3,
    "longitude": 5.2167,
    "radius": 5
  },
  {
    "n": 2,
    "notam": "A2880/25",
    "fir": "ENOR",
    "code": "QRDCA",
    "traffic": "IV",
    "purpose": "BO",
    "scope": "W",
    "lower": 0,
    "upper": 280,
    "latitude": -63.8667,
    "longitude": -9.0833,
    "radius": 22
  },
  {
    "n": 3,
    "notam": "B0641/25",
    "fir": "ENOR",
    "code": "QMXLC",
    "traffic": "IV",
    "purpose": "NBO",
    "scope": "A ",
    "lower": 0,
    "upper": 999,
    "latitude": 62.75,
    "longitude": 7.2667,
    "radius": 5
  }
]
`,
	},
	"decoded_codes": {
		"bulletin_plain.txt": replaced("QMXLC", "TAXIWAY CLOSED", "QRDCA", "DANGER AREA ACTIVATED", "QOBCE", "OBSTACLE ERECTED"),
		"codes.csv":          "code,meaning,notams\nQMXLC,TAXIWAY CLOSED,2\nQOBCE,OBSTACLE ERECTED,1\nQRDCA,DANGER AREA ACTIVATED,1\n",
	},
	"positions": {
		"bulletin_positions.txt": replaced("635210N0090501E", "[POS-1]", "635210S 0090501W", "[POS-2]", "6017N00516E.", "[POS-3]."),
		"positions.csv": "pos,notam,latitude,longitude,coded\n1,A2880/25,63.86944,9.08361,635210N0090501E\n" +
			"2,A2880/25,-63.86944,-9.08361,635210S 0090501W\n3,D1188/25,60.28333,5.26667,6017N00516E\n",
	},
}

// document is the file of the documents in these tests.
const document = "bulletin.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "aviation1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: yard}, forwardResults, domaintest.ToTheLetter)
}

func TestSeverities(t *testing.T) {
	t.Parallel()
	triage := domaintest.Edit(t, demonstration(t), "triage")
	for code, want := range map[string]string{
		"QFALC": "CRITICAL", "QMRLC": "CRITICAL", "QRTCA": "CRITICAL", "QWULW": "CRITICAL",
		"QMXLC": "CAUTION", "QGWLW": "CAUTION", "QICAS": "CAUTION", "QFUAU": "CAUTION", "QOBCE": "CAUTION", "QMRHW": "CAUTION",
		"QPICH": "INFO", "QMRXX": "INFO", "QLPAK": "INFO", "QMRL": "INFO",
	} {
		text := "A1/25 NOTAMN\nQ) ENOR/" + code + "/I /NBO/A /000/999/6018N00513E005\n"
		made, err := triage.Forward(vfs.Files{document: text})
		if got := made["triage.txt"]; got != "## "+want+" (1)\n\n"+text {
			t.Errorf("%s: %s (%v), want %s", code, got, err, want)
		}
	}
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	edits := domaintest.Making(t, New(), map[string]string{
		"split_by_window": `{"document": "pib.txt", "from": "2507010000", "to": "2601010000", "active": "a.txt", "inactive": "b.txt", "table": "c.csv"}`,
		"shift_times":     `{"document": "pib.txt", "to": "newfoundland.txt", "hours": -3.5}`,
		"decode_codes":    `{"document": "pib.txt", "to": "words.txt", "subjects": {"MX": "PATH"}, "conditions": {"LC": "SHUT"}, "table": "words.csv"}`,
	})
	domaintest.Results(t, edits, vfs.Files{"pib.txt": yard}, map[string]vfs.Files{
		"split_by_window": {
			"a.txt": headline + "\n" + taxiway + "\n" + section + "\n\n" + crane + "\n" + resumed + "\nEND\n",
			"b.txt": firing, "c.csv": "line,notam,reason\n11,A2880/25,EXPIRED\n",
		},
		"shift_times": {"newfoundland.txt": replaced("2506301130", "2506300800", "2507041600", "2507041230", "2506090600", "2506090230",
			"2506131500", "2506131130", "2512312300", "2512311930", "2506130918", "2506130548")},
		"decode_codes": {"words.txt": replaced("QMXLC", "PATH SHUT"), "words.csv": "code,meaning,notams\nQMXLC,PATH SHUT,2\n"},
	}, domaintest.ToTheLetter)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit    string
		forward bool
		files   vfs.Files
		want    string
	}{
		{"aerodrome_files", true, vfs.Files{"bulletin.txt": "Nothing today.\n"}, "has no NOTAM"},
		{"positions", true, vfs.Files{"bulletin.txt": "A1/25 NOTAMN\nE) AT [POS-1] OR 6017N00516E.\n"}, "would not lead back"},
		{"q_lines", true, vfs.Files{"bulletin.txt": "A1/25 NOTAMN\nQ) [1]\nA2/25 NOTAMN\nQ) ENOR/QMXLC/IV/M  /A /000/999/6018N00513E005\n"}, "would not lead back"},
		{"decoded_codes", true, vfs.Files{"bulletin.txt": "A1/25 NOTAMN\nQ) ENOR/RUNWAY CLOSED/IV\nA2/25 NOTAMN\nQ) ENOR/QMRLC/IV\n"}, "would not lead back"},
		{"metric_limits", true, vfs.Files{"bulletin.txt": "A1/25 NOTAMN\nF) 300M AGL G) 900M\nA1/25 NOTAMN\nF) 900FT\n"}, "would not lead back"},
		{"active_window", true, vfs.Files{"bulletin.txt": "A1/25 NOTAMN\nE) X\nA2/25 NOTAMN\nB) 2606140000\nSOURCE: Y\nEND\n"}, "would not lead back"},
		{"aerodrome_files", false, vfs.Files{"index.csv": "line,notam\n"}, "frame.txt is missing"},
		{"aerodrome_files", false, vfs.Files{"frame.txt": frame}, "index.csv is missing"},
		{"triage", false, vfs.Files{"triage.txt": yard, "order.csv": "line,notam\n"}, "notes.txt is missing"},
		{"triage", false, vfs.Files{"triage.txt": yard, "notes.txt": "", "order.csv": "line\n"}, `no column "notam"`},
		{"active_window", false, vfs.Files{"active.txt": yard, "inactive.txt": ""}, "removed.csv is missing"},
		{"local_times", false, vfs.Files{"bulletin.txt": yard}, "bulletin_local.txt is missing"},
		{"metric_limits", false, vfs.Files{"bulletin_metric.txt": yard}, "limits.csv is missing"},
		{"q_lines", false, vfs.Files{"bulletin_short.txt": yard, "q_lines.json": "{"}, "reading q_lines.json"},
		{"decoded_codes", false, vfs.Files{"bulletin_plain.txt": yard, "codes.csv": ""}, "reading codes.csv: no header"},
		{"positions", false, vfs.Files{"bulletin_positions.txt": yard}, "positions.csv is missing"},
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
			there, err := edit.Forward(vfs.Files{document: yard})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range there {
				if strings.HasSuffix(name, ".csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "TWY Y CLSD", "TWY Z CLSD")
			}
			merged, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := New().Compare(vfs.Files{document: yard}, merged)
			if score.Strict >= 1 || score.Strict < 0.8 || len(merged) != 1 {
				t.Errorf("Strict %v: %v", score.Strict, New().Differences(vfs.Files{document: yard}, merged))
			}
		})
	}
}
