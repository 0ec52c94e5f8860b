package accounting

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of a text, one word a part.
func published(files vfs.Files) []string {
	book, _ := parse(files)
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

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a\n"
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"entries that were added are free":                  {reference + "\n2016/06/01 Uber\n  X  $1\n", 1},
		"postings that were added are free":                 {"2016/06/01 Uber\n  Ground  $8\n  Food  $9\n  Bank\n  ; Receipt: a", 1},
		"the currency is free":                              {"2016/06/01 Uber\n  Ground  €8\n  Bank\n  ; Receipt: a", 1},
		"the side of an amount is free":                     {"2016/06/01 Uber\n  Bank  $8\n  Ground\n  ; Receipt: a", 1},
		"case and quotes in comments are free":              {"2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; 'RECEIPT: A\"", 1},
		"a payee may go on":                                 {"2016/06/01 Uber trip\n  Ground  $8\n  Bank\n  ; Receipt: a", 1},
		"a payee below 0.8 is another entry":                {"2016/06/01 Lyft\n  Ground  $8\n  Bank\n  ; Receipt: a", 0},
		"another date is another entry":                     {"2016/06/02 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a", 0},
		"half the amount is half the score":                 {"2016/06/01 Uber\n  Ground  $4\n  Bank\n  ; Receipt: a", 0.5},
		"no amount is no score":                             {"2016/06/01 Uber\n  Ground\n  Bank\n  ; Receipt: a", 0},
		"only the first positive amount counts":             {"2016/06/01 Uber\n  X  $-3\n  Ground  $8\n  Bank  $7\n  ; Receipt: a", 1},
		"without its comments an entry is half":             {"2016/06/01 Uber\n  Ground  $8\n  Bank", 0.5},
		"one comment more is a Jaccard of a half":           {"2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a\n  ; b", 0.5 + 0.5*math.Sqrt(0.5)},
		"an account that is lost is the likest of the rest": {"2016/06/01 Uber\n  Ground  $8\n  ; Receipt: a", (1 + 0.2) / 2},
		"an empty candidate":                                {"", 0},
	} {
		score := New().Compare(vfs.Files{"a.ledger": reference}, vfs.Files{"a.ledger": c.candidate})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	if score := New().Compare(vfs.Files{"a.ledger": ""}, vfs.Files{"a.ledger": ""}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("two empty documents: %+v", score)
	}
}
