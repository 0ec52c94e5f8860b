package fiction

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// document is the document of the built-in environment.
const document = "saltmarsh_bell.txt"

// demonstration is the domain with a judge and the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain {
	return domaintest.With(t, New().(domains.Judged).WithJudge(domaintest.Unmoved{}), "fiction1")
}

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ part, words, spoken string }{
		"no speech":                         {"She had travelled — nobody asked.", "6", "0"},
		"curly quotes":                      {"“Grey,” said Hester. “As the harbour is.”", "7", "5"},
		"straight quotes over two lines":    {"Tobias asked, \"Shall\nwe?\" and laughed.", "6", "2"},
		"a line of signs is no paragraph":   {"He left.\n\n* * *", "2", "0"},
		"a quote without its end":           {"“I have a brother", "4", "0"},
		"an apostrophe in a word is no end": {"“It’s late,” he said.", "4", "2"},
		"nothing":                           {"", "0", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if w, s := words(tt.part), spokenWords(tt.part); w != tt.words || s != tt.spoken {
				t.Errorf("%s words, %s spoken; want %s and %s", w, s, tt.words, tt.spoken)
			}
		})
	}
}
