package jobboard

import (
	"regexp"
	"strings"

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
	amount, ok := pytext.Float(found.number)
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
	number    string // as written, without separators of thousands
	period    period
	hasDollar bool // right before the amount
}

// blanks are what Python takes for white space.
const blanks = `[\s\v\x1c-\x1f\x{85}\p{Z}]*`

var periodicPay = regexp.MustCompile(`(\$?)([\p{Nd},]+(?:\.\p{Nd}+)?)` + blanks + `/` + blanks + `(?:((?i)year)|(?i:hour))`)

// findPay finds the first amount by the year or hour.
func findPay(text string) (foundPay, bool) {
	if !strings.Contains(text, "/") {
		return foundPay{}, false
	}
	match := periodicPay.FindStringSubmatch(text)
	if match == nil {
		return foundPay{}, false
	}
	found := foundPay{strings.ReplaceAll(match[2], ",", ""), byHour, match[1] != ""}
	if match[3] != "" {
		found.period = byYear
	}
	return found, true
}
