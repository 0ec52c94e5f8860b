package accounting

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of a text, one word a part.
func published(files vfs.Files) []string {
	book, _ := Parse(files)
	var parts []string
	for _, t := range book.transactions {
		parts = append(parts, "entry "+t.date+" "+t.payee)
		for _, p := range t.postings {
			amount := "none"
			switch {
			case p.amount.sign > 0:
				amount = "+"
			case p.amount.sign < 0:
				amount = "-"
			case p.amount.value == zero:
				amount = "zero"
			}
			parts = append(parts, "posting "+p.account+" "+amount)
		}
		for _, c := range t.comments {
			parts = append(parts, "comment "+c)
		}
	}
	return parts
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"slashes and hyphens in dates are one":     {"2016-06/01 Uber", []string{"entry 2016/06/01 Uber"}},
		"an unpadded date is no header":            {"2016/6/1 Uber\n  A  $1", nil},
		"a dotted date is no header":               {"2016.06.01 Uber", nil},
		"an auxiliary date is no header":           {"2016/06/01=2016/06/03 Uber", nil},
		"an indented header is a posting":          {"2016/06/01 a\n 2016/06/02 b", []string{"entry 2016/06/01 a", "posting 2016/06/02 b none"}},
		"a header needs something after the space": {"2016/06/01 ", nil},
		"that may be a space":                      {"2016/06/01  ", []string{"entry 2016/06/01 "}},
		"a mark is dropped":                        {"2016/06/01 *  Uber", []string{"entry 2016/06/01 Uber"}},
		"only one mark is dropped":                 {"2016/06/01 ! * Uber", []string{"entry 2016/06/01 * Uber"}},
		"a note is dropped":                        {"2016/06/01 Uber | to | fro", []string{"entry 2016/06/01 Uber"}},
		"a code stays in the payee":                {"2016/06/01 * (100) Uber", []string{"entry 2016/06/01 (100) Uber"}},
		"a blank line closes the entry":            {"2016/06/01 Uber\n \t\n  A  $1\n  ; c", []string{"entry 2016/06/01 Uber"}},
		"a header closes the entry":                {"2016/06/01 a\n2016/06/02 b\n  A", []string{"entry 2016/06/01 a", "entry 2016/06/02 b", "posting A none"}},
		"text at column 0 closes nothing":          {"2016/06/01 a\n```\n  A", []string{"entry 2016/06/01 a", "posting A none"}},
		"text before the first header is ignored":  {"; books\n  A  $1", nil},
		"a comment may stand at column 0":          {"2016/06/01 a\n;; b ", []string{"entry 2016/06/01 a", "comment ; b"}},
		"a receipt needs no semicolon":             {"2016/06/01 a\nRECEIPT: x", []string{"entry 2016/06/01 a", "comment RECEIPT: x"}},
		"one space glues the amount":               {"2016/06/01 a\n A $1", []string{"entry 2016/06/01 a", "posting A $1 none"}},
		"one tab glues the amount":                 {"2016/06/01 a\n A\t$1", []string{"entry 2016/06/01 a", "posting A\t$1 none"}},
		"two tabs do not":                          {"2016/06/01 a\n A\t\t$1", []string{"entry 2016/06/01 a", "posting A +"}},
		"the first wide gap splits":                {"2016/06/01 a\n A  B  $1", []string{"entry 2016/06/01 a", "posting A none"}},
		"white space at the end is no gap":         {"2016/06/01 a\n A   ", []string{"entry 2016/06/01 a", "posting A none"}},
		"a carriage return is trimmed":             {"2016/06/01 a\r\n A  $1\r\n", []string{"entry 2016/06/01 a", "posting A +"}},
	} {
		if diff := cmp.Diff(c.want, published(vfs.Files{"a.ledger": c.text})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingTakesThreeSuffixes(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for _, name := range []string{"d.txt", "c.dat", "b.ledger", "a.journal", "e.LEDGER", "ledger"} {
		files[name] = "2016/06/01 " + name
	}
	want := []string{"entry 2016/06/01 b.ledger", "entry 2016/06/01 c.dat", "entry 2016/06/01 d.txt"}
	if diff := cmp.Diff(want, published(files)); diff != "" {
		t.Error(diff)
	}
}

func TestPublishedAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"$1,250.50": 1250.5, "1250.5 USD": 1250.5, "EUR 3": 3, "$-9.40": -9.4, "-$9.40": -9.4, "-$-9.40": 9.4,
		"1.000,50": 1.0005, "+5": 5, "1e2": 100, ".5": 0.5, "5.": 5, "0.00": 0, "£ 7": 7, "- 5": -5, "5 USD 5": 55,
	} {
		got := parseAmount(text)
		if got == (number{}) || float64(got.sign)*got.float != want {
			t.Errorf("%q is read as %+v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"$5.00  ; note", "10 CHF", "5 AAPL @ $2", `"5"`, "", "-", "1e", "e5", "1.2.3", "usd 5", "0x10", "5 5"} {
		if got := parseAmount(text); got != (number{}) {
			t.Errorf("%q is read as %+v, want none", text, got)
		}
	}
	if parseAmount("$2,500") != parseAmount("2500.00") || parseAmount("0") != parseAmount("$0.000") {
		t.Error("equal amounts are read as different numbers")
	}
}
