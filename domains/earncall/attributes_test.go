package earncall

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "earncall1") }

func TestWordsOfATurn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ turn, want string }{
		"the name is not said":       {"Amy Roe: Sales were $1.5 million, up 3%.", "6"},
		"lines that follow are said": {"Amy Roe: Good morning.\nSales rose.\n\nThank you.", "6"},
		"a heading below is no part": {"Operator: Over to you.\n\nQuestions and Answers", "3"},
		"emphasis around the name":   {"**Operator:** Go ahead.", "2"},
		"nothing is said":            {"Operator:", "0"},
		"no turn":                    {"Edited transcript", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := words(tt.turn); got != tt.want {
				t.Errorf("%q words, want %q", got, tt.want)
			}
		})
	}
}
