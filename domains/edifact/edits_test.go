package edifact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "vlh_harnham.edi"

const responses = `UNA:+.? '
UNB+UNOC:3+8711:14+5012:14+240301:0815+X77'
UNH+1+ORDRSP:D:96A:UN'
BGM+231+R-100+4'
NAD+BY+5012::9'
NAD+SU+8711::9'
CUX+2:GBP:9'
LIN+10+7+8711001:EN'
IMD+F+M+:::ROSA ?'PEACE?' C4'
QTY+113:0'
PRI+AAA:2.55'
LIN+20+5+8711002:EN'
IMD+F+M+:::ACER 2?+ STEMS:*SEED* C7.5'
QTY+113:8'
FTX+LIN+1++WEEK 14?: OK'
PRI+AAA:30'
UNS+S'
CNT+2:2'
UNT+17+1'
UNH+2+DESADV:D:96A:UN'
BGM+351+D-7+9'
NAD+DP+5012::9'
LIN+1++8711001:EN'
QTY+12:3'
CNT+2:1'
UNT+7+2'
UNZ+2+X77'
`

// replaced is responses with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(responses) }

// partOf is the responses from one text up to another.
func partOf(from, to string) string {
	start := strings.Index(responses, from)
	return responses[start : start+strings.Index(responses[start:], to)]
}

var (
	top      = partOf("UNA", "UNH+1")
	response = partOf("UNH+1", "UNH+2")
	advice   = partOf("UNH+2", "UNZ")
	rose     = partOf("LIN+10", "LIN+20")
	maple    = partOf("LIN+20", "UNS")
)

var forwardResults = map[string]vfs.Files{
	"message_files": {
		"R-100.edi": top + response + "UNZ+1+X77'\n",
		"D-7.edi":   top + advice + "UNZ+1+X77'\n",
		"interchange_manifest.csv": `position,file
1,R-100.edi
2,D-7.edi
`,
	},
	"segment_table": {
		"segments.csv": `message,line,tag,data
,,UNB,UNOC:3+8711:14+5012:14+240301:0815+X77
1,,UNH,1+ORDRSP:D:96A:UN
1,,BGM,231+R-100+4
1,,NAD,BY+5012::9
1,,NAD,SU+8711::9
1,,CUX,2:GBP:9
1,10,LIN,10+7+8711001:EN
1,10,IMD,F+M+:::ROSA ?'PEACE?' C4
1,10,QTY,113:0
1,10,PRI,AAA:2.55
1,20,LIN,20+5+8711002:EN
1,20,IMD,F+M+:::ACER 2?+ STEMS:*SEED* C7.5
1,20,QTY,113:8
1,20,FTX,LIN+1++WEEK 14?: OK
1,20,PRI,AAA:30
1,,UNS,S
1,,CNT,2:2
1,,UNT,17+1
2,,UNH,2+DESADV:D:96A:UN
2,,BGM,351+D-7+9
2,,NAD,DP+5012::9
2,1,LIN,1++8711001:EN
2,1,QTY,12:3
2,,CNT,2:1
2,,UNT,7+2
,,UNZ,2+X77
`,
	},
	"lines_by_status": {
		"by_status.edi": replaced(rose+maple,
			strings.Replace(maple, "LIN+20", "LIN+1", 1)+strings.Replace(rose, "LIN+10", "LIN+2", 1)),
		"line_order.csv": `message,line,was
1,1,20
1,2,10
`,
	},
	"line_values": {
		"valued.edi": replaced("PRI+AAA:2.55'", "MOA+203:0.00'\nPRI+AAA:2.55'", "FTX+LIN", "MOA+203:240.00'\nFTX+LIN",
			"UNS+S'", "UNS+S'\nMOA+79:240.00'", "UNT+17", "UNT+20"),
	},
	"pot_sizes": {
		"pot_sizes.edi": replaced("PEACE?' C4'", "PEACE?' #'\nIMD+F+98+:::C4'", "*SEED* C7.5'", "*SEED* #'\nIMD+F+98+:::C7.5'",
			"UNT+17", "UNT+19"),
	},
	"euro_prices": {
		"euro_prices.edi": replaced("GBP", "EUR", "AAA:2.55", "AAA:2.9820", "AAA:30", "AAA:35.0820"),
		"rates.csv": `message,currency,rate
1,GBP,1.1694
`,
	},
	"host_separators": {
		"host_feed.dat": replaced(standardService, "UNA|*,! ~", "2.55", "2,55", "C7.5", "C7.5", "*SEED*", "!*SEED!*",
			"14?:", "14:", "2?+", "2+", "?'", "'", "+", "*", ":", "|", "'\n", "~\n"),
	},
	"party_codes": {
		"coded_parties.edi": replaced("BY+5012::9", "BY+P1::91", "SU+8711::9", "SU+P2::91", "DP+5012::9", "DP+P1::91"),
		"parties.csv": `code,gln
P1,5012
P2,8711
`,
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "edifact1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: responses}, forwardResults, domaintest.ToTheLetter)
}

func TestMessageFilesKeepGroups(t *testing.T) {
	t.Parallel()
	const (
		first  = "UNG+ORDRSP+A+B+240301:0815+604+UN+D:96A'\n"
		second = "UNG+DESADV+A+B+240301:0815+605+UN+D:96A'\n"
	)
	grouped := top + first + response + "UNE+1+604'\n" + second + advice + "UNE+1+605'\nUNZ+2+X77'\n"
	edit := domaintest.Edit(t, demonstration(t), "message_files")
	files, err := edit.Forward(vfs.Files{document: grouped})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(top+second+advice+"UNE+1+605'\nUNZ+1+X77'\n", files["D-7.edi"]); diff != "" {
		t.Error(diff)
	}
	joined, err := edit.Backward(files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vfs.Files{document: grouped}, joined); diff != "" {
		t.Error(diff)
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	d, document := New(), vfs.Files{"a.edi": responses}
	domaintest.Takes(t, d, document,
		"sort_lines", `{"document": "a.edi", "to": "b.edi", "type": "DESADV", "actions": [], "price": "AAA", "table": "order.csv"}`,
		vfs.Files{"b.edi": responses, "order.csv": "message,line,was\n2,1,1\n"})
	domaintest.Takes(t, d, document,
		"add_values", `{"document": "a.edi", "to": "b.edi", "quantity": "113", "price": "AAB", "line": "203", "total": "79"}`,
		vfs.Files{"b.edi": responses})
	domaintest.Takes(t, d, document,
		"words_apart", `{"document": "a.edi", "to": "b.edi", "pattern": "[A-Z]{5}|ACER", "mark": "@", "characteristic": "8"}`,
		vfs.Files{"b.edi": replaced("ACER 2?+ STEMS:*SEED* C7.5'", "@ 2?+ STEMS:*SEED* C7.5'\nIMD+F+8+:::ACER'", "UNT+17", "UNT+18")})
	domaintest.Takes(t, d, document,
		"restate", `{"document": "a.edi", "to": "b.edi", "own": {"code": "GBP", "places": 2}, "other": {"code": "SEK", "places": 1},
			"rate": 13, "table": "rate.csv"}`,
		vfs.Files{
			"b.edi":    replaced("GBP", "SEK", "AAA:2.55", "AAA:33.2", "AAA:30", "AAA:390.0"),
			"rate.csv": "message,currency,rate\n1,GBP,13\n",
		})
	domaintest.Takes(t, d, document,
		"other_separators", `{"document": "a.edi", "to": "b.edi", "una": "UNA:+,? '", "numbers": ["PRI"]}`,
		vfs.Files{"b.edi": replaced(standardService, "UNA:+,? '", "2.55", "2,55")})
	domaintest.Takes(t, d, document,
		"code_parties", `{"document": "a.edi", "to": "b.edi", "first": "GC08", "agency": "92", "table": "codes.csv"}`,
		vfs.Files{
			"b.edi":     replaced("BY+5012::9", "BY+GC08::92", "SU+8711::9", "SU+GC09::92", "DP+5012::9", "DP+GC08::92"),
			"codes.csv": "code,gln\nGC08,5012\nGC09,8711\n",
		})
	domaintest.Refuses(t, d, "words_apart", `{"document": "a.edi", "to": "b.edi", "pattern": "[", "mark": "@", "characteristic": "8"}`, "missing closing ]")
	domaintest.Refuses(t, d, "other_separators", `{"document": "a.edi", "to": "b.edi", "una": "UNA:+", "numbers": []}`, `"UNA:+" is no UNA`)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	backward := map[string]func(vfs.Files) (vfs.Files, error){}
	for _, edit := range demonstration(t).Edits() {
		backward[edit.Name] = edit.Backward
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"message_files", vfs.Files{"R-100.edi": responses}, "interchange_manifest.csv is missing"},
		{"message_files", vfs.Files{"interchange_manifest.csv": "position,file\n"}, "no EDIFACT file with a message"},
		{"segment_table", vfs.Files{"segments.csv": "message,line,tag\n"}, `reading segments.csv: no column "data"`},
		{"lines_by_status", vfs.Files{"by_status.edi": responses}, "line_order.csv is missing"},
		{"line_values", vfs.Files{document: responses}, "valued.edi is missing"},
		{"pot_sizes", vfs.Files{document: responses}, "pot_sizes.edi is missing"},
		{"euro_prices", vfs.Files{"euro_prices.edi": responses, "rates.csv": ""}, "reading rates.csv: no header"},
		{"host_separators", vfs.Files{document: responses}, "host_feed.dat is missing"},
		{"party_codes", vfs.Files{"parties.csv": "code,gln\n"}, "coded_parties.edi is missing"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the interchange.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{document: responses})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				lines := strings.SplitAfter(text, "\n")
				if strings.HasSuffix(name, ".csv") {
					lines = lines[:len(lines)-2]
				}
				damaged[name] = strings.ReplaceAll(strings.Join(lines, ""), "ROSA", "ROSE")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			reference := vfs.Files{document: responses}
			score := d.Compare(reference, back)
			if score.Strict >= 1 || score.Strict < 0.6 || score.Elements.Candidate != 3 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(reference, back))
			}
		})
	}
}
