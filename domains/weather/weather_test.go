package weather

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// bulletinFile is the file of the bulletins in these tests.
const bulletinFile = "bulletin.txt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "weather1"),
		Generate: rapid.Custom(drawBulletin),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "weather1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "weather1"))
}

// drawBulletin draws the bulletin of some stations. No observation is wrapped and
// none begins with METAR COR: the published reading of the two depends on more
// than the report.
func drawBulletin(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.day, d.month = 1+d.upTo(27, "day"), d.one("month", "JAN", "FEB", "AUG", "DEC")
	d.add(d.one("title", "AVIATION WEATHER BULLETIN\n", "AVIATION WEATHER BULLETIN - BRISTOL BAY\n", ""))
	d.add(fmt.Sprintf("DTG: %02d%s00Z %s 202%d\n", d.day, d.one("hour of issue", "00", "12", "18"), d.month, d.upTo(8, "year")))
	d.add(d.one("region", "REGION: GULF OF ALASKA\n", "Region: Cook Inlet\n", ""))
	d.add(d.one("stations", "STATIONS: PANC PAHO KSEA\n", "STATIONS: PANC  CYYJ\n", ""))
	d.add(d.one("note above", "", "Relay copy, do not retransmit\n", "NR 059\n\n"))
	d.add(d.one("heading", "============================================================\nMETAR / SPECI OBSERVATIONS\n============================================================\n", "\nMETAR OBSERVATIONS\n", "--- METAR / SPECI OBSERVATIONS ---\n\n"))
	for range 1 + d.upTo(6, "stations observed") {
		d.add(d.one("between stations", "", "\n", "\n-- Kodiak --\n\n", "\n(1656 not received)\n", "\nCIRCUIT DOWN 1640 TO 1725\n\n"))
		station := d.one("station", "PANC", "PAHO", "KSEA", "CYYJ", "PADQ")
		for range 1 + d.upTo(3, "hours") {
			d.observation(station)
		}
	}
	d.add(d.one("forecast heading", "\n=== TERMINAL AERODROME FORECASTS (TAF) ===\n\n", "\nTERMINAL AERODROME FORECASTS (TAF)\n"))
	for range d.upTo(3, "forecasts") {
		d.forecast()
	}
	d.add(d.one("end", "", "END OF BULLETIN\n", "\n(end)\n"))
	return vfs.Files{bulletinFile: d.text.String()}
}

type drawer struct {
	*rapid.T
	text  strings.Builder
	day   int
	month string
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) observation(station string) {
	day := d.day
	if day > 1 && d.upTo(5, "the day before") == 0 {
		day--
	}
	groups := []string{
		d.one("type", "METAR", "METAR", "SPECI"), station, fmt.Sprintf("%02d%02d%sZ", day, d.upTo(23, "hour"), d.one("minute", "53", "56", "00")),
		d.one("modifier", "", "AUTO", "COR", "CCA"),
		d.one("wind", "00000KT", "VRB03KT", fmt.Sprintf("%02d0%02dKT", d.upTo(36, "tens"), d.upTo(60, "knots")), "24012G25KT", "09004MPS", "/////KT", "200P99KT"),
		d.one("sector", "", "", "180V240"),
		d.one("visibility", "10SM", "1 1/2SM", "M1/4SM", "3/4SM", "9999", "0800", "CAVOK", "////"),
		d.one("range", "", "R07R/5000V6000FT"),
		d.one("weather", "", "-SN BR", "+TSRA", "FZFG", "VCSH"),
		d.one("sky", "CLR", "FEW012 BKN030CB", "VV002", "OVC008", "BKN///", ""),
		d.one("temperature", "06/M05", "M00/M01", "M12/M15", "11/", "/////", ""),
		d.one("altimeter", "A2992", "A3011", "Q0987", "A////", ""),
		d.one("unknown", "", "", "xyz7", "|", "KT"),
		d.one("trend", "", "", "NOSIG", "TEMPO 0800 FG"),
		d.one("remarks", "", "RMK AO2 SLP196 T00561050", "RMK AO2 PK WND 24038/1426 WSHFT 1415 FROPA P0003 60021 T10001061 $", "RMK AO1, \"CIG\" 005V010 $", "RMK", "$", "RMK @7"),
		d.one("ending", "", "", "="),
	}
	var written []string
	for _, group := range groups {
		if group != "" {
			written = append(written, group)
		}
	}
	d.add(strings.Join(written, d.one("blank", " ", " ", "  ")) + "\n")
}

func (d *drawer) forecast() {
	to := 1 + (d.day % 28)
	d.add(fmt.Sprintf("TAF %s%s %02d1720Z %02d18/%02d24 %s\n", d.one("amended", "", "AMD "), d.one("site", "PANC", "KSEA", "CYYJ"),
		d.day, d.day, to, d.one("first conditions", "36010KT 1SM -SN BR OVC010", "VRB03KT P6SM SKC", "NIL", "36009KT 3200 OVC015 QNH2928INS")))
	for range d.upTo(4, "changes") {
		change := d.one("change", fmt.Sprintf("FM%02d%02d00", d.day, d.upTo(23, "from")), fmt.Sprintf("TEMPO %02d20/%02d02", d.day, to),
			fmt.Sprintf("BECMG %02d02/%02d04", to, to), fmt.Sprintf("PROB30 %02d00/%02d06", to, to), "PROB40 TEMPO 2820/2824", "RMK NXT FCST BY 00Z")
		d.add(d.one("layout", "     ", "  ", "") + change + " " +
			d.one("then", "18015G25KT 3SM RA BR OVC012", "1 1/2SM BR", "NSW SCT035", "00000KT CAVOK WS020/24045KT") + "\n")
	}
	d.add(d.one("after a forecast", "\n", "\n", ""))
}

// sample has what the published score looks at, and what it does not.
const sample = `AVIATION WEATHER BULLETIN
DTG: 281800Z FEB 2025
REGION: GULF OF ALASKA
STATIONS: PANC PAHO PADQ
relayed by the desk

============================================================
METAR / SPECI OBSERVATIONS
============================================================

METAR PANC 281753Z 36011KT 340V040 1SM R07R/5000FT -SN BR OVC011 M05/M06 A2932 RMK AO2 SLP932 P0002 T10501061 $
METAR PANC 281653Z 35009KT 6SM -SN BKN028 OVC045 M05/M08 A2934 RMK AO2 SNB41 SLP939
SPECI PAHO 281716Z AUTO 06018G26KT 1 3/4SM BR VV008 00/M01 A2918 RMK AO2 PK WND 06029/1622 CIG 005V010

-- Kodiak --
METAR PADQ 281753Z COR 14025KT 9999 RA FEW010 06/04 Q0985 RERA NOSIG

TERMINAL AERODROME FORECASTS (TAF)

TAF AMD PANC 281735Z 2818/0124 36010G18KT 1SM -SN OVC010 WS020/11050KT
     TEMPO 2818/2821 1/2SM FZFG
     FM282100 02012KT 2SM BR OVC015

TAF PAED 281700Z 2817/0123 36009KT 3200 BR OVC015 QNH2928INS TXM03/2822Z
     BECMG 2822/2823 9999 NSW SCT035
`

func sampleWith(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"gulf.txt": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const padq = "METAR PADQ 281753Z COR 14025KT 9999 RA FEW010 06/04 Q0985 RERA NOSIG\n"
	const panc = "METAR PANC 281653Z 35009KT 6SM -SN BKN028 OVC045 M05/M08 A2934 RMK AO2 SNB41 SLP939\n"
	const paed = "TAF PAED 281700Z 2817/0123 36009KT 3200 BR OVC015 QNH2928INS TXM03/2822Z\n     BECMG 2822/2823 9999 NSW SCT035\n"
	for rule, edit := range map[string][2]string{
		"a lost observation":                    {padq, ""},
		"a repeated observation":                {padq, padq + padq},
		"the order of observations":             {panc, ""}, // and, below, put where it was not
		"a lost forecast":                       {paed, ""},
		"a repeated forecast":                   {paed, paed + "\n" + paed},
		"another type":                          {"SPECI PAHO", "METAR PAHO"},
		"another station":                       {"SPECI PAHO", "SPECI PAEN"},
		"another time":                          {"281716Z", "281717Z"},
		"AUTO":                                  {"AUTO ", ""},
		"COR":                                   {"COR ", ""},
		"AMD":                                   {"AMD ", ""},
		"a wind":                                {"35009KT", "35019KT"},
		"calm and variable":                     {"35009KT", "VRB09KT"},
		"a gust in a forecast":                  {"36010G18KT", "36010KT"},
		"a variable sector":                     {"340V040 ", ""},
		"a runway visual range":                 {"R07R/5000FT", "R07R/3000FT"},
		"a whole mile of visibility":            {"1 3/4SM", "3/4SM"},
		"metric visibility in a forecast":       {" 3200 ", " 2300 "},
		"weather":                               {"1SM R07R/5000FT -SN", "1SM R07R/5000FT +SN"},
		"no significant weather":                {" NSW", ""},
		"a layer":                               {"BKN028 ", ""},
		"vertical visibility":                   {"VV008", "OVC008"},
		"a temperature that T repeats":          {"M05/M06", "M15/M06"},
		"an altimeter setting":                  {"A2934", "A2943"},
		"a unit of pressure":                    {"Q0985", "A0985"},
		"recent weather":                        {" RERA", ""},
		"a trend":                               {" NOSIG", ""},
		"a coded remark":                        {"T10501061", "T10501016"},
		"a remark in words":                     {"SNB41", "SNB14"},
		"the order of words in remarks":         {"CIG 005V010", "005V010 CIG"},
		"a peak wind":                           {"06029/1622", "06029/1722"},
		"the maintenance flag":                  {" $", ""},
		"remarks that were cut off":             {" RMK AO2 SLP932 P0002 T10501061 $", ""},
		"wind shear":                            {" WS020/11050KT", ""},
		"an expected maximum":                   {"TXM03/2822Z", "TXM08/2822Z"},
		"a period of validity":                  {"2818/0124", "2818/0118"},
		"a lost change group":                   {"     TEMPO 2818/2821 1/2SM FZFG\n", ""},
		"the kind of a change":                  {"BECMG", "TEMPO"},
		"the time of a change":                  {"FM282100", "FM282000"},
		"the order of changes":                  {"     TEMPO 2818/2821 1/2SM FZFG\n     FM282100 02012KT 2SM BR OVC015", "     FM282100 02012KT 2SM BR OVC015\n     TEMPO 2818/2821 1/2SM FZFG"},
		"a group in another period":             {"FZFG\n     FM282100 02012KT", "FZFG 02012KT\n     FM282100"},
		"the DTG":                               {"DTG: 281800Z", "DTG: 281200Z"},
		"a station of the header":               {"PANC PAHO PADQ\n", "PANC PADQ\n"},
		"a lost title":                          {"AVIATION WEATHER BULLETIN\n", ""},
		"a note":                                {"relayed by the desk\n", ""},
		"a heading":                             {"-- Kodiak --", "-- Homer --"},
		"prose":                                 {"-- Kodiak --", "Here is the bulletin:\n\n-- Kodiak --"},
		"a report that lost its type":           {"SPECI PAHO", "PAHO"},
		"a report that was turned into a table": {"METAR PADQ 281753Z", "| METAR | PADQ | 281753Z"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := sampleWith(t, edit[0], edit[1])
			if rule == "the order of observations" {
				candidate["gulf.txt"] = strings.Replace(candidate["gulf.txt"], padq, padq+panc, 1)
			}
			score := New().Compare(vfs.Files{"gulf.txt": sample}, candidate)
			if score.Strict >= 1 || score.Strict < 0.7 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"gulf.txt": sample}, candidate))
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"blanks":                            {" RMK ", "   RMK  "},
		"empty lines":                       {"\n\n", "\n\n\n"},
		"letter case":                       {"RMK AO2", "rmk ao2"},
		"a wrapped observation":             {" RMK", "\n     RMK"},
		"a wrapped forecast on one line":    {"\n     ", " "},
		"indentation":                       {"\n     ", "\n"},
		"bullets":                           {"METAR P", "- METAR P"},
		"numbers":                           {"SPECI P", "3. SPECI P"},
		"emphasis":                          {"SPECI PAHO", "**SPECI** `PAHO`"},
		"an end mark":                       {"NOSIG\n", "NOSIG=\n"},
		"the place of coded remarks":        {"SLP932 P0002 T10501061", "T10501061 P0002 SLP932"},
		"the place of groups in the body":   {"6SM -SN", "-SN 6SM"},
		"a section title":                   {"METAR / SPECI OBSERVATIONS\n", "METARs\n"},
		"a section title as a heading":      {"TERMINAL AERODROME FORECASTS (TAF)", "## Forecasts"},
		"no section title":                  {"TERMINAL AERODROME FORECASTS (TAF)\n", ""},
		"rulers":                            {"============================================================\n", ""},
		"the order of stations in the head": {"PANC PAHO PADQ\n", "PADQ PAHO PANC\n"},
		"a code fence":                      {"AVIATION", "```text\nAVIATION"},
		"CRLF":                              {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := sampleWith(t, edit[0], edit[1])
			if score := New().Compare(vfs.Files{"gulf.txt": sample}, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"gulf.txt": sample}, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head, _, _ := strings.Cut(sample, "\n\n")
	observations, forecasts, _ := strings.Cut(sample, "TERMINAL")
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another name":                 {vfs.Files{"wx/latest.md": sample}, true},
		"two files that repeat a head": {vfs.Files{"a.txt": observations, "b.txt": strings.Replace(head, "relayed by the desk", "", 1) + "\nTERMINAL" + forecasts}, true},
		"forecasts in the first file":  {vfs.Files{"a.txt": "TERMINAL" + forecasts, "b.txt": observations}, true},
		"the same reports twice":       {vfs.Files{"a.txt": sample, "b.txt": sample}, false},
		"a file of another kind":       {vfs.Files{"a.txt": sample, "notes.md": "Done.\n"}, false},
		"another head in a second file": {
			vfs.Files{"a.txt": observations, "b.txt": "DTG: 281200Z FEB 2025\nTERMINAL" + forecasts}, false,
		},
	} {
		if score := New().Compare(vfs.Files{"gulf.txt": sample}, c.files); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"gulf.txt": sample}, c.files))
		}
	}
}

func TestDifferencesAreNamedAsAPractitionerWould(t *testing.T) {
	t.Parallel()
	candidate := strings.NewReplacer("A2934", "A2943", "2SM BR OVC015", "2SM OVC015").Replace(sample)
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "METAR PANC 281653Z, altimeter", Was: "A2934", Is: "A2943"},
		{Kind: domains.Changed, Where: "TAF PANC 281735Z, FM282100 weather", Was: "BR", Gone: true},
	}
	if diff := cmp.Diff(want, New().Differences(vfs.Files{"a.txt": sample}, vfs.Files{"a.txt": candidate})); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "weather1")
	one := vfs.Files{bulletinFile: strings.Replace(seed[bulletinFile], "A2934", "A2943", 1)}
	if score := New().Compare(seed, one); score.Strict < 0.995 || score.Strict >= 1 {
		t.Errorf("one wrong altimeter setting of 37 leaves Strict at %v", score.Strict)
	}
}

func TestWithoutKeepsAllOtherLines(t *testing.T) {
	t.Parallel()
	bulletin := vfs.Files{"a.txt": "METARs\nMETAR PANC 281753Z\n  10SM\nnote\nSPECI PAHO 281753Z\n\nTAF PANC 281735Z NIL\n     FM1\n"}
	left := New().Without(bulletin, func(n int) bool { return n != 1 })
	if diff := cmp.Diff(vfs.Files{"a.txt": "METARs\nnote\nSPECI PAHO 281753Z\n\n"}, left); diff != "" {
		t.Error(diff)
	}
}

// A list says once what its reports are. A report that lost its type is not the same.
func TestReportsWithoutAType(t *testing.T) {
	t.Parallel()
	const list = "2021/03/20 11:50\nKBOS 201154Z 32014KT 10SM SCT050 03/M06 A3010 RMK AO2\n\nKPVD 201151Z 31012KT 10SM CLR 03/M07 A3009\n"
	reports := func(text string) int {
		n := 0
		for _, e := range New().Elements(vfs.Files{"list.txt": text}) {
			if e.Kind != domains.ForeignKind {
				n++
			}
		}
		return n
	}
	if n := reports(list); n != 2 {
		t.Errorf("%d reports", n)
	}
	reference := New().Against(vfs.Files{"list.txt": list})
	for from, to := range map[string]string{"32014KT": "32041KT", "KPVD": "KPVC", "A3009": "", "11:50": "11:51", "KBOS": "METAR KBOS"} {
		if r := reference.Review(vfs.Files{"list.txt": strings.Replace(list, from, to, 1)}); r.Strict == 1 {
			t.Errorf("%q for %q is silent", to, from)
		}
	}
	typed := "METAR " + strings.Split(list, "\n")[1] + "\n" + "METAR KPVD 201151Z 31012KT 10SM CLR 03/M07 A3009\n"
	if r := New().Against(vfs.Files{"a.txt": typed}).Review(vfs.Files{"a.txt": strings.Replace(typed, "METAR ", "", 1)}); r.Strict == 1 {
		t.Error("a lost type is silent")
	}
}
