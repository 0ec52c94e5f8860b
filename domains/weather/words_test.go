package weather

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// A visibility in kilometres is that in metres; a fraction, or more digits, is no such group.
func TestMetresOf(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"7KM": "7000", "07KM": "7000", "10KM": "9999", "15KM": "9999", "0KM": "0000",
		"7SM": "", "KM": "", "100KM": "", "1/2KM": "", "7000": "",
	} {
		if got, ok := metresOf(word); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", word, got, ok, want)
		}
	}
}

// Bulletins of weather services say once what their reports are: a line with the type alone. It is the type of each report below.
func TestHeadingsGiveTypes(t *testing.T) {
	t.Parallel()
	const (
		forecasts = "000\nFTNO31 ENMI 311100\nTAF\nENVA 311100Z 3112/0112 24012KT 9999 FEW020 TEMPO 3112/3118\n     4000 -SN\n     FM1400 26010KT\n     FM1600 28012KT=\nENGM 3112/0112 02005KT CAVOK=\n"
		observed  = "SANO31 ENMI 311150\nMETAR\nENVA 311150Z 24012KT 9999 FEW020 02/M01 Q1013=\nENGM 311150Z 02005KT CAVOK M03/M08 Q1019=\n"
	)
	for title, c := range map[string]struct {
		was, is string
		same    bool
	}{
		"the type of each":       {observed, strings.NewReplacer("METAR\n", "", "ENVA", "METAR ENVA", "ENGM", "METAR ENGM").Replace(observed), true},
		"no type":                {observed, strings.Replace(observed, "METAR\n", "", 1), false},
		"another type":           {observed, strings.Replace(observed, "METAR", "SPECI", 1), false},
		"no heading of the TAF":  {forecasts, strings.Replace(forecasts, "TAF\n", "", 1), false},
		"forecasts are amended":  {forecasts, strings.Replace(forecasts, "TAF\n", "TAF AMD\n", 1), false},
		"periods are swapped":    {forecasts, strings.Replace(forecasts, "FM1400 26010KT\n     FM1600 28012KT", "FM1600 28012KT\n     FM1400 26010KT", 1), false},
		"a forecast of a change": {forecasts, strings.Replace(forecasts, "4000", "3000", 1), false},
	} {
		review := New().Against(vfs.Files{bulletinFile: c.was}).Review(vfs.Files{bulletinFile: c.is})
		if review.Same() != c.same {
			t.Errorf("%s: strict %.3f, %v", title, review.Strict, review.Differences)
		}
	}
	if n := len(New().With(domains.Metadata{domains.RSOption: domains.RSStrict}).Elements(vfs.Files{bulletinFile: forecasts})); n != 4 {
		t.Errorf("%d elements, 2 forecasts and 2 lines expected", n)
	}
}
