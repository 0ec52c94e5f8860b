package accounting

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// dollars reads an amount of dollars; false if it is of anything else.
func dollars(text string) (decimal.Decimal, bool) { return quantity(text, "$") }

func quantity(text, commodity string) (decimal.Decimal, bool) {
	a, ok := readAmount(text)
	if !ok || a.commodity != commodity {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(a.number)
	return value, err == nil
}

// money writes an amount as the books do: $-1,234.50.
func money(symbol string, value decimal.Decimal, places int32) string {
	whole, fraction, _ := strings.Cut(value.Abs().StringFixed(places), ".")
	if value.Round(places).IsNegative() {
		symbol += "-"
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return symbol + whole + "." + fraction
}

// implied returns the one posting without an amount and the dollars that make
// the entry's sum zero; false if there is no such posting or an amount cannot
// be summed.
func (e *entry) implied() (posting *line, value decimal.Decimal, ok bool) {
	elided, summed := 0, true
	e.eachPosting(func(l *line) {
		if l.amount == "" {
			posting = l
			elided++
			return
		}
		written, ok := dollars(l.amount)
		value = value.Sub(written)
		summed = summed && ok
	})
	return posting, value, elided == 1 && summed
}

// addTo adds the entry to the balances of its accounts.
func (e *entry) addTo(balances map[string]decimal.Decimal) {
	elided, rest, ok := e.implied()
	e.eachPosting(func(l *line) {
		value, _ := dollars(l.amount) // zero if it cannot be read
		if ok && l == elided {
			value = rest
		}
		balances[l.account] = balances[l.account].Add(value)
	})
}

const (
	explicitFile = "explicit.ledger"
	// impliedMark is the comment after an amount that was implied. A comment
	// that was there already follows it, after a semicolon.
	impliedMark = "auto"
)

// writeImplied gives every posting without an amount the implied one.
func writeImplied(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i := range j.entries {
		if l, value, ok := j.entries[i].implied(); ok {
			l.amount = money("$", value, 2)
			l.text = strings.TrimSuffix(impliedMark+"; "+l.text, "; ")
		}
	}
	return vfs.Files{explicitFile: j.print()}, nil
}

func blankImplied(files vfs.Files) (vfs.Files, error) {
	j, err := readNamed(files, explicitFile)
	if err != nil {
		return nil, err
	}
	j.eachPosting(func(l *line) {
		mark, comment, _ := strings.Cut(l.text, "; ")
		if mark == impliedMark {
			l.amount, l.text = "", comment
		}
	})
	return asDocument(j), nil
}

const (
	euroFile  = "makerspace_eur.ledger"
	ratesFile = "rates.json"
)

// euroRate is the euros that a dollar is restated at.
var euroRate = decimal.RequireFromString("0.9217")

// toEuros restates the dollar amounts of all postings in euros. Four decimals
// keep the cents apart.
func toEuros(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	j.eachPosting(func(l *line) {
		if value, ok := dollars(l.amount); ok {
			l.amount = money("€", value.Mul(euroRate), 4)
		}
	})
	rates := fmt.Sprintf("{\n  \"from\": \"USD\",\n  \"to\": \"EUR\",\n  \"rate\": %s\n}\n", euroRate)
	return vfs.Files{euroFile: j.print(), ratesFile: rates}, nil
}

func toDollars(files vfs.Files) (vfs.Files, error) {
	j, err := readNamed(files, euroFile)
	if err != nil {
		return nil, err
	}
	rate, err := readRate(files)
	if err != nil {
		return nil, err
	}
	j.eachPosting(func(l *line) {
		if value, ok := quantity(l.amount, "€"); ok {
			l.amount = money("$", value.DivRound(rate, 2), 2)
		}
	})
	return asDocument(j), nil
}

func readRate(files vfs.Files) (decimal.Decimal, error) {
	var rates struct{ Rate float64 }
	if err := plain.JSON(files, ratesFile, &rates); err != nil {
		return decimal.Decimal{}, err
	}
	if rates.Rate <= 0 {
		return decimal.Decimal{}, fmt.Errorf("%s has no rate above zero", ratesFile)
	}
	return decimal.NewFromFloat(rates.Rate), nil
}
