package earncall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
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
		"2 MİLLION 30bps":    "2 MİLLION|30bps",
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

func TestLabels(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"J. P. O’Neill: yes":                  "J. P. O’Neill|yes",
		"Lotte van der Berg, CFO: yes":        "Lotte van der Berg, CFO|yes",
		"Analyst 2 (Larkspur): yes":           "Analyst 2 (Larkspur)|yes",
		"**Amy Roe:** yes":                    "Amy Roe|yes",
		"**Amy Roe**: **yes** no":             "Amy Roe|**yes** no",
		"- Amy Roe: yes":                      "Amy Roe|yes",
		"OPERATOR:":                           "OPERATOR|",
		"Sean d'Arcy: yes":                    "Sean d'Arcy|yes",
		"Sean d’Arcy: yes":                    "Sean d’Arcy|yes",
		"Guidance: up":                        "",
		"For the year our guidance is: up":    "",
		"Thursday, October 31, 2024, 8:30":    "",
		"Questions and Answers:":              "",
		"http://a.b":                          "",
		strings.Repeat("A", 200) + ": yes":    "",
		"no colon":                            "",
		"A B C D E F G H I J K: eleven words": "",
	} {
		speaker, rest, ok := colonLabel(line)
		if got := speaker + "|" + rest; ok && got != want || !ok && want != "" {
			t.Errorf("%q gives %q (%v), want %q", line, got, ok, want)
		}
	}
}

func TestByValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$1,480 million":           "$1.48 billion",
		"$0.5 billion":             "$500 million",
		"$950 thousand":            "$950000",
		"2,000,000 units":          "2 million units",
		"$5M and €2.50bn":          "$5 million and €2.5 billion",
		"5 m of 12 b":              "5 m of 12 b",
		"24.90 percent or 30bps":   "24.9% or 30 basis points",
		"3-4% in 2024.":            "3-4% in 2024.",
		"12th of Q3, 30x, 007":     "12th of Q3, 30x, 007",
		"10:30 on 1/2, 1.2.3, 1,5": "10:30 on 1/2, 1.2.3, 1,5",
		"$3 trillion":              "$3000000000000",
		"":                         "",
	} {
		if got := byValue(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"call.txt": briefing, "z.txt": briefing})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 5, Counts: []domains.Count{
		{Name: "Speaker Turns", Value: "5"}, {Name: "Speakers", Value: "3"}, {Name: "Financial Metrics", Value: "8"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A turn of very many sentences costs what is lost of it, not the whole.
func TestLongTurn(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	for n := range 2 * mostSentences {
		fmt.Fprintf(&said, "It was %d. ", n)
	}
	reference := vfs.Files{"call.txt": "Amy Roe: " + said.String()}
	candidate := vfs.Files{"call.txt": "Amy Roe: " + strings.Replace(said.String(), "was 7.", "is 7.", 1)}
	const least = 0.99
	if got := New().Compare(reference, candidate).Strict; got < least || got == 1 {
		t.Errorf("Strict %v, want at least %v and less than 1", got, least)
	}
}
