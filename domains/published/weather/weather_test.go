package weather

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestGroupsOfAnObservation(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]observed{
		"METAR KPHL 141654Z 24009G15KT 10SM BKN085 06/M05 A3011 RMK AO2 T00561050 $": {
			station: "KPHL", time: "141654Z", windDir: "240", windSpeed: "9", windGust: "15", visibility: "10 miles", sky: []string{"BKN8500"},
			temperature: "5.6", dewPoint: "-5.0", altimeter: "30.11", remarks: " AO2 T00561050",
		},
		"METAR EGLL 141650 AUTO 36010MPS 9999NDV -RA //// ///015/// M00/ Q1013": {
			station: "EGLL", time: "141650Z", windDir: "360", windSpeed: "19", visibility: "greater than 10000 meters",
			weather: []string{"-RA", "////"}, sky: []string{"///1500"}, temperature: "-0.0", altimeter: "29.91",
		},
		"SPECI PANC 310000Z VRB03KT 1 1/2SM RA+ 0VC010CB 06/XX 2992": {
			station: "PANC", time: "310000Z", windDir: "VRB", windSpeed: "3", visibility: "1 1/2 miles", weather: []string{"+RA"},
			sky: []string{"OVC1000CB"}, temperature: "6.0", altimeter: "29.92",
		},
		"METAR KPHL 141654Z 00000KT M1/4SM":                         {station: "KPHL", time: "141654Z", windDir: "0", windSpeed: "0", visibility: "less than 1/4 miles"},
		"METAR KPHL 141654Z 24009 7KM":                              {station: "KPHL", time: "141654Z", windDir: "240", windSpeed: "9", visibility: "7.0 km"},
		"METAR PANC 141654Z 24009":                                  {station: "PANC", time: "141654Z", windDir: "240", windSpeed: "17"},
		"METAR KPHL 142554Z 24009KT":                                {station: "KPHL"}, // an hour that there is not
		"METAR KPHL 320054Z 24009KT":                                {station: "KPHL"},
		"METAR KPHL 141654Z 24009KT 11/2SM BKN085":                  {station: "KPHL", time: "141654Z", windDir: "240", windSpeed: "9"},
		"METAR KPHL 141654Z 37009KT 10SM":                           {station: "KPHL", time: "141654Z"},
		"METAR KPHL xyz 141654Z 10SM abc 24009KT":                   {station: "KPHL", time: "141654Z", windDir: "240", windSpeed: "9", visibility: "10 miles"},
		"METAR KPHL 141654Z 24009KT CAVOK TEMPO 3000 BR 06/05 1013": {station: "KPHL", time: "141654Z", windDir: "240", windSpeed: "9", visibility: "10000 meters"},
		"METAR KPHL 141654Z RMK PK WND 28045/2555 T00561050":        {station: "KPHL", time: "141654Z", remarks: " PK WND 28045/2555 T00561050"},
		"METAR KPHL 141654Z RMK WSHFT 1630 T10001000":               {station: "KPHL", time: "141654Z", temperature: "-0.0", dewPoint: "-0.0", remarks: " WSHFT 1630 T10001000"},
	} {
		o := readObservation(line)
		got := o.read()
		got.inTrend = false
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(observed{})); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
		if o.station != want.station || o.time != want.time {
			t.Errorf("%s: key %s", line, o.key())
		}
	}
}

func TestPeriodsOfAForecast(t *testing.T) {
	t.Parallel()
	f := readForecast("TAF AMD KPHL 141720Z 1418/1524 27010G20KT 1 1/2SM -SHRA BKN030CB WS020/24045KT FM150200 VRB05KT P6SM " +
		"SKC PROB30 TEMPO 1504/1506 1/2SM FG VV002 BECMG xyz 9999 VCSH")
	want := []period{
		{kind: "INITIAL", windDir: "270", windSpeed: "10", visibility: "1/2SM", weather: []string{"-SHRA"}, sky: []string{"BKN030CB"}},
		{kind: "FM", from: "150200", windDir: "VRB", windSpeed: "05", visibility: "P6SM", sky: []string{"SKC"}},
		{kind: "PROB30"},
		{kind: "TEMPO", from: "1504/1506", visibility: "1/2SM", weather: []string{"FG"}, sky: []string{"VV002"}},
		{kind: "BECMG"},
	}
	if diff := cmp.Diff(want, f.periods(), cmp.AllowUnexported(period{})); diff != "" {
		t.Error(diff)
	}
	if f.key() != "TAF_KPHL_141720Z" || f.from != "1418" || f.to != "1524" {
		t.Errorf("%+v", f)
	}
	for _, text := range []string{"TAF COR KPHL 141720Z 1418/1524 27010KT", "TAF KPHL 141720Z 1418/1524", "TAF KPHL 1418/1524 27010KT", "TAF "} {
		if f := readForecast(text); f.key() != "TAF__" || f.periods() != nil {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	const report, taf = "METAR KPHL 141654Z 10SM\n", "TAF KPHL 141720Z 1418/1524 10SM\n"
	for name, c := range map[string]struct {
		text                    string
		observations, forecasts int
		repaired                [2]int // the same of a candidate
	}{
		"reports under their titles":          {"METAR OBSERVATIONS\n" + report + "TAF FORECASTS\n" + taf, 1, 1, [2]int{1, 1}},
		"reports under each other's":          {"TAF FORECASTS\n" + report + taf, 0, 1, [2]int{0, 1}},
		"reports without any title":           {report + taf + report, 2, 1, [2]int{2, 1}},
		"a title in other words":              {"--- METARs ---\n" + report + "--- Forecasts ---\n" + taf, 1, 1, [2]int{1, 1}},
		"a bullet, and the title is a report": {"METAR OBSERVATIONS\n- " + report, 1, 0, [2]int{1, 0}},
		"a short corrected report":            {"METAR OBSERVATIONS\nMETAR COR KPHL 141654Z 10SM\n" + report, 2, 0, [2]int{1, 0}},
		"a forecast that an empty line ends":  {"TAF FORECASTS\nTAF KPHL 141720Z\n\n1418/1524 10SM\n", 0, 1, [2]int{0, 1}},
	} {
		d, _ := Parse(vfs.Files{"a.txt": c.text})
		b, repaired := d.asWritten(), d.repaired()
		if len(b.observations) != c.observations || len(b.forecasts) != c.forecasts {
			t.Errorf("%s: %d observations, %d forecasts", name, len(b.observations), len(b.forecasts))
		}
		if got := [2]int{len(repaired.observations), len(repaired.forecasts)}; got != c.repaired {
			t.Errorf("%s: repaired %v, want %v", name, got, c.repaired)
		}
	}
}

func TestTitlesAreSpelledOut(t *testing.T) {
	t.Parallel()
	lines := strings.Split("a\n~~~~\nSpeci reports\n====\nTAF AMD KPHL 1\nTAF COR KPHL 1\nMETAR KPHL 1\nthe metar of the day is late, and so are all the others, sorry", "\n")
	want := append([]string{"a"}, observationTitle...)
	want = append(append(want, lines[4]), forecastTitle...)
	want = append(want, lines[6:]...)
	if diff := cmp.Diff(want, repairTitles(lines)); diff != "" {
		t.Error(diff)
	}
}

func TestHeaderOfTheLastFile(t *testing.T) {
	t.Parallel()
	d, _ := Parse(vfs.Files{"a.txt": "DTG: 1\nREGION:  x \n", "b.txt": "AVIATION WEATHER BULLETIN 2\nDTG:2\n"})
	b := d.asWritten()
	if want := (header{"2", "x", "", "AVIATION WEATHER BULLETIN 2"}); b.header != want {
		t.Errorf("%+v", b.header)
	}
}
