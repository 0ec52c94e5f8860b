package accounting

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "accounting1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, balancing, size string }{
		"one posting without an amount": {"2024/02/28 * Oil\n    ; tank 2\n    Heat  $1,310.50\n    Bank\n", "$-1,310.50", "$1,310.50"},
		"it is positive":                {"2024/02/28 Oil\n    Bank  $-900.00\n    Fee  $-200\n    Heat\n", "$1,100.00", "$1,100.00"},
		"all are written":               {"2024/02/28 Oil\n    Heat  12.50 EUR\n    Bank  -12.50 EUR\n", "", "12.50 EUR"},
		"two are without":               {"2024/02/28 Oil\n    Heat  $1\n    Fee\n    Bank\n", "", ""},
		"two commodities":               {"2024/02/28 Oil\n    Heat  $1\n    Bank  -1 EUR\n", "", ""},
		"another price":                 {"2024/02/28 Shares\n    Shares  2 AAPL @ $150\n    Bank\n", "", ""},
		"nothing":                       {"2024/02/28 Oil\n", "", ""},
	} {
		if got := balancing(c.part); got != c.balancing {
			t.Errorf("%s: balancing %q, want %q", name, got, c.balancing)
		}
		if got := size(c.part); got != c.size {
			t.Errorf("%s: size %q, want %q", name, got, c.size)
		}
	}
}

// TestAmountsAreFoundWithTheirCommodity also looks at what is no amount.
func TestAmountsAreFoundWithTheirCommodity(t *testing.T) {
	t.Parallel()
	amount := vocabulary().Attributes[5]
	for line, want := range map[string]string{
		"    Assets:Bank  $-1,310.50":         "$-1,310.50",
		"    Assets:Bank  -$3 ; note":         "-$3",
		"    Assets:Bank\t18.40 EUR":          "18.40 EUR",
		"    Assets:Old bank  12":             "12",
		"    Shares  2 AAPL @ $150":           "2 AAPL",
		"    Assets:Bank  $5 = $10":           "$5",
		"    Assets:Bank":                     "",
		"    ; 2  $3":                         "",
		"    Assets:Bank  ; $3":               "",
		"    Assets:Bank  1.310,50 EUR":       "",
		"    Assets:Bank                 0.5": "0.5",
	} {
		got := ""
		if m := amount.Find.FindStringSubmatch(line); m != nil {
			got = m[1]
		}
		if amount.Name != "amount" || got != want {
			t.Errorf("%q has the %s %q, want %q", line, amount.Name, got, want)
		}
	}
}
