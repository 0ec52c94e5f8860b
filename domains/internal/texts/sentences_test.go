package texts

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  "",
		"No stop":                           "No stop",
		"Yes. No! Why?":                     "Yes.|No!|Why?",
		"It is 2.5 m. 3 remain.":            "It is 2.5 m.|3 remain.",
		"See e.g. the annex. It is short.":  "See e.g. the annex.|It is short.",
		`She said "Go!" "Where?" he asked.`: `She said "Go!"|"Where?" he asked.`,
		"So...?! (Really.) Åse left.":       "So...?!|(Really.)|Åse left.",
		"Pay. €5 is due.":                   "Pay. €5 is due.",
		`Hi. "So?" It is $1.5. (Yes.) no. 12 of U.S. cars... and?`: `Hi.|"So?"|It is $1.5.|(Yes.) no.|12 of U.S. cars... and?`,
	} {
		if got := strings.Join(slices.Collect(Sentences(text, `"(`)), "|"); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	if got := slices.Collect(Sentences("Pay. €5 is due.", "€")); len(got) != 2 {
		t.Errorf("a sign that opens a sentence: %q", got)
	}
}

func TestOpening(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Short.": "Short.",
		"Ten words that are too many for a name of it": "Ten words that are too many for a name…",
		strings.Repeat("é", 21):                        strings.Repeat("é", 20) + "…",
		"x" + strings.Repeat("é", 21):                  "x" + strings.Repeat("é", 19) + "…",
	} {
		if got := Opening(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
