package earncall

import (
	"strings"
	"testing"
)

// TestPublishedTurns has the rules of the published reading; a turn is written
// as "speaker=content".
func TestPublishedTurns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Operator: Hi.\n\n there \nAmy Roe:Yes": "Operator=Hi. there|Amy Roe=Yes",
		"Title\nOperator: Hi.":                  "Operator=Hi.",
		"Al-Amin O'Dea : x":                     "Al-Amin O'Dea=x",
		"Guidance: up":                          "Guidance=up",
		"A: one letter":                         "",
		"J. P. Roe: a full stop":                "",
		" Amy: indented":                        "",
		"amy: small":                            "",
		"Åse: an accent":                        "",
		"Amy: a: b\nSam\u00a0Roe: c":            "Amy=a: b|Sam\u00a0Roe=c",
		"Amy:":                                  "Amy=",
	} {
		var got []string
		for _, turn := range publishedTurns(text) {
			got = append(got, turn.speaker+"="+turn.content)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestPublishedFigures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$1.48 billion, up 8% or 140 basis points": "$1.48 billion|8%|140 basis points",
		"$3, and":            "$3,",
		"$5M $2.5bn $2.5 ":   "$2.|$2.5",
		"1,234%":             "234%",
		"$1.48\nbillion":     "$1.48\nbillion",
		"2 MILLION 30bps":    "2 MILLION|30bps",
		"$ 5, $, x5% 5.5.5%": "$,|5.5%",
		"$1,2a":              "$1,",
		"12 millions 3 %":    "",
		"$5 millions":        "$5",
		"٣%":                 "٣%",
		"$1.a":               "$1.",
	} {
		if got := strings.Join(publishedFigures(text), "|"); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
