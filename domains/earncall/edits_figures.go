package earncall

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	number = `[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?`
	scaled = `(?: thousand| million| billion)?`
)

// Figures replaced by their numbers.
const (
	maskedFile  = "wapsie_call_masked.txt"
	figuresFile = "figures.csv"
)

var (
	figures = regexp.MustCompile(`\$` + number + scaled + `|` + number + `(?:%| basis points)`)
	masks   = regexp.MustCompile(`\[F[0-9]+\]`)
)

func maskFigures(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	if masks.MatchString(c.print()) {
		return nil, fmt.Errorf("%s has places such as [F1] already", document)
	}
	rows := [][]string{{"id", "kind", "text"}}
	c.eachLine(func(line string) string {
		return figures.ReplaceAllStringFunc(line, func(figure string) string {
			id := "F" + strconv.Itoa(len(rows))
			rows = append(rows, []string{id, kindOf(figure), figure})
			return "[" + id + "]"
		})
	})
	return vfs.Files{maskedFile: c.print(), figuresFile: plain.WriteCSV(rows)}, nil
}

func kindOf(figure string) string {
	switch {
	case strings.HasPrefix(figure, "$"):
		return "amount"
	case strings.HasSuffix(figure, "%"):
		return "percentage"
	}
	return "basis points"
}

// unmaskFigures leaves a place whose figure is not listed as it is.
func unmaskFigures(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, maskedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, figuresFile, "id", "text")
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for _, row := range rows {
		known["["+strings.TrimSpace(row[0])+"]"] = row[1]
	}
	c.eachLine(func(line string) string {
		return masks.ReplaceAllStringFunc(line, func(mask string) string {
			if figure, ok := known[mask]; ok {
				return figure
			}
			return mask
		})
	})
	return finished(c, maskedFile)
}

// Amounts in euros.
const (
	eurosFile    = "wapsie_call_eur.txt"
	exchangeFile = "fx.csv"

	euroCents = 92 // for a dollar
)

var (
	dollarAmounts = regexp.MustCompile(`\$(` + number + `)(` + scaled + `)`)
	euroAmounts   = regexp.MustCompile(`€` + number + scaled)
)

func toEuros(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	if strings.Contains(c.print(), "€") {
		return nil, fmt.Errorf("%s has amounts in euros already", document)
	}
	rows := [][]string{{"id", "eur", "usd"}}
	c.eachLine(func(line string) string {
		return dollarAmounts.ReplaceAllStringFunc(line, func(dollars string) string {
			m := dollarAmounts.FindStringSubmatch(dollars)
			euros := "€" + converted(m[1]) + m[2]
			rows = append(rows, []string{strconv.Itoa(len(rows)), euros, dollars})
			return euros
		})
	})
	return vfs.Files{eurosFile: c.print(), exchangeFile: plain.WriteCSV(rows)}, nil
}

// converted is a number of dollars in euros, rounded half up to as many
// decimals, with a comma for thousands.
func converted(dollars string) string {
	whole, fraction, _ := strings.Cut(strings.ReplaceAll(dollars, ",", ""), ".")
	units, _ := new(big.Int).SetString(whole+fraction, 10)
	units.Mul(units, big.NewInt(euroCents)).Add(units, big.NewInt(50)).Quo(units, big.NewInt(100))
	digits := fmt.Sprintf("%0*s", len(fraction)+1, units.String())
	whole, fraction = digits[:len(digits)-len(fraction)], digits[len(digits)-len(fraction):]
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// toDollars gives each amount in euros the dollars of the next row that has it,
// so that a lost row or amount does not shift the others.
func toDollars(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, eurosFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, exchangeFile, "eur", "usd")
	if err != nil {
		return nil, err
	}
	queues := map[string][]string{}
	for _, row := range rows {
		euros := strings.TrimSpace(row[0])
		queues[euros] = append(queues[euros], row[1])
	}
	c.eachLine(func(line string) string {
		return euroAmounts.ReplaceAllStringFunc(line, func(euros string) string {
			queue := queues[euros]
			if len(queue) == 0 {
				return euros
			}
			queues[euros] = queue[1:]
			return queue[0]
		})
	})
	return finished(c, eurosFile)
}
