package jobboard

import (
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
)

// pay is an amount of money by the year or by the hour; the zero value is none.
type pay struct {
	amount float64
	period period
}

type period uint8

const (
	unknownPeriod period = iota
	byYear
	byHour
)

// hoursAYear are paid full-time.
const hoursAYear = 2080

func readPay(text string) pay {
	found, _ := findPay(text)
	amount, ok := pytext.Float(found.number())
	if !ok {
		return pay{}
	}
	return pay{amount, found.period}
}

func (p pay) annual() float64 {
	if p.period == byHour {
		return p.amount * hoursAYear
	}
	return p.amount
}

// foundPay is an amount that stands before "/year" or "/hour" in a text.
type foundPay struct {
	digits    string // as written, with separators of thousands
	period    period
	hasDollar bool // right before the digits
}

// number is the amount without separators.
func (f foundPay) number() string { return strings.ReplaceAll(f.digits, ",", "") }

// findPay finds the first amount by the year or hour.
func findPay(text string) (foundPay, bool) {
	for at := strings.IndexByte(text, '/'); at >= 0; {
		if period := periodAt(text[at+1:]); period != unknownPeriod {
			before := pytext.StripRight(text[:at])
			if start := amountStart(before); start < len(before) {
				return foundPay{before[start:], period, strings.HasSuffix(before[:start], "$")}, true
			}
		}
		next := strings.IndexByte(text[at+1:], '/')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return foundPay{}, false
}

func periodAt(text string) period {
	const length = len("year")
	text = pytext.StripLeft(text)
	if len(text) < length {
		return unknownPeriod
	}
	switch word := text[:length]; {
	case strings.EqualFold(word, "year"):
		return byYear
	case strings.EqualFold(word, "hour"):
		return byHour
	}
	return unknownPeriod
}

// amountStart returns where the amount begins that a text ends with: digits and
// commas, or those with decimals. It is the end of the text if there is none.
func amountStart(text string) int {
	whole := strings.TrimRightFunc(text, isAmountDigit)
	decimals := strings.TrimRightFunc(text, unicode.IsDigit)
	if len(decimals) < len(text) && strings.HasSuffix(decimals, ".") {
		before := decimals[:len(decimals)-1]
		if start := strings.TrimRightFunc(before, isAmountDigit); start != before {
			return len(start)
		}
	}
	return len(whole)
}

func isAmountDigit(r rune) bool { return r == ',' || unicode.IsDigit(r) }
