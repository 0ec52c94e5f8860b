package accounting

import "testing"

func TestEqualAmountsAreWrittenAlike(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string][]string{
		"$-1234.5":    {"$-1,234.50", "-$1,234.5", "$ -1234.500", "- $1234.5", "-1.234,50 $", "$-01,234.50"},
		"$0":          {"$0.00", "$-0", "$.0"},
		"9.4 CHF":     {"9.40 CHF", "CHF 9.4", "CHF9,40", `"CHF" 9.4`},
		"9.4 EUR":     {"9.40 EUR", "EUR 9.4", "€ 9,40"},
		"-360 GBP":    {"-£360.00", "-360 GBP", "GBP -360.00"},
		"1000000 EUR": {"€1,000,000", "€1000000.", "1,000,000€"},
		"10 AAPL 7":   {`10 "AAPL 7"`},
		"5":           {"5.00", "+5"},
		"$0.75":       {"$.75"},
		"10 X @ $2":   {"10  X @ $2"},
		"$5 = $7.00":  {"$5 =\t$7.00"},
		"$1,00,000":   {"$1,00,000"},
		"$1.000.000":  {"$1.000.000"},
		"$1.000,500":  {"$1.000,500"},
		"(2 * $3)":    {"(2 * $3)"},
		"$":           {"$"},
		"--5":         {"--5"},
		"$5 EUR":      {"$5 EUR"},
	} {
		for _, text := range texts {
			if got := normalAmount(text); got != want {
				t.Errorf("%q is written %q, want %q", text, got, want)
			}
		}
	}
}
