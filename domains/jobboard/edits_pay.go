package jobboard

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	annualFile     = "annual_board.txt"
	conversionFile = "conversion_log.csv"
)

// hourlyPay begins the salaries that are stated by the year instead.
var hourlyPay = regexp.MustCompile(`^\$([0-9][0-9,]{0,15}(?:\.[0-9]{1,4})?)/hour`)

func toAnnual(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"posting", "id", "salary"}}
	for n, p := range b.postings {
		salary := p.value(salaryLabel)
		found := hourlyPay.FindStringSubmatch(salary)
		if found == nil {
			continue
		}
		hourly, ok := readAmount(strings.ReplaceAll(found[1], ",", ""))
		if !ok {
			continue
		}
		annual := hourly.Mul(decimal.NewFromInt(hoursAYear)).Round(0)
		b.postings[n] = p.with(salaryLabel, "$"+thousands(annual.String())+"/year"+salary[len(found[0]):])
		rows = append(rows, []string{strconv.Itoa(n + 1), p.id(), salary})
	}
	return vfs.Files{annualFile: b.print(), conversionFile: plain.WriteCSV(rows)}, nil
}

// thousands writes the separators into a whole number.
func thousands(digits string) string {
	const group = 3
	for at := len(digits) - group; at > 0; at -= group {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func toHourly(files vfs.Files) (vfs.Files, error) {
	b, err := boardOf(files, annualFile)
	if err != nil {
		return nil, err
	}
	log, err := plain.Table(files, conversionFile, "posting", "salary")
	if err != nil {
		return nil, err
	}
	for _, row := range log {
		n, err := numberIn(row[0])
		if err != nil {
			return nil, err
		}
		if n > len(b.postings) {
			return nil, fmt.Errorf("%s has no posting %d", annualFile, n)
		}
		p := &b.postings[n-1]
		if at, _ := p.find(salaryLabel); at < 0 {
			return nil, fmt.Errorf("%s in %s has no salary", p.id(), annualFile)
		}
		*p = p.with(salaryLabel, row[1])
	}
	return vfs.Files{boardFile: b.print()}, nil
}

const (
	marketFile    = "market_board.txt"
	positionsFile = "market.csv"
	positionLabel = "Market Position: "
)

// marketPosition is a place in the order of the sorted board.
type marketPosition int

const (
	aboveMarket marketPosition = iota
	atMarket
	belowMarket
	unpriced
)

var positionNames = [...]string{"Above", "At", "Below", "Unpriced"}

// priced is a posting with its pay.
type priced struct {
	posting
	number   int // on the board, from 1
	annual   decimal.Decimal
	median   decimal.Decimal // of the postings of its type
	position marketPosition
}

// addPositions compares the pay of each posting with the median of its type and
// sorts by the result; other lines keep their places.
func addPositions(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	sorted := assess(b.postings)
	slices.SortStableFunc(sorted, func(x, y priced) int {
		return cmp.Or(cmp.Compare(x.position, y.position), y.annual.Cmp(x.annual))
	})
	rows := [][]string{{"id", "posting", "annual", "median"}}
	for n, p := range sorted {
		annual, median := "", ""
		if p.position != unpriced {
			annual, median = p.annual.StringFixed(2), p.median.StringFixed(2)
		}
		rows = append(rows, []string{p.id(), strconv.Itoa(p.number), annual, median})
		b.postings[n].lines = append(slices.Clone(p.lines), positionLabel+positionNames[p.position])
	}
	return vfs.Files{marketFile: b.print(), positionsFile: plain.WriteCSV(rows)}, nil
}

// assess finds the market position of postings.
func assess(postings []posting) []priced {
	all := make([]priced, len(postings))
	ofType := map[string][]decimal.Decimal{}
	for n, p := range postings {
		all[n] = priced{posting: p, number: n + 1, position: unpriced}
		if annual, ok := p.annual(); ok {
			all[n].annual, all[n].position = annual, atMarket
			ofType[p.value(typeLabel)] = append(ofType[p.value(typeLabel)], annual)
		}
	}
	medians := make(map[string]decimal.Decimal, len(ofType))
	for kind, pays := range ofType {
		medians[kind] = median(pays)
	}
	for n := range all {
		p := &all[n]
		if p.position == unpriced {
			continue
		}
		p.median = medians[p.value(typeLabel)]
		switch {
		case p.annual.GreaterThan(p.median.Mul(decimal.RequireFromString("1.15"))):
			p.position = aboveMarket
		case p.annual.LessThan(p.median.Mul(decimal.RequireFromString("0.85"))):
			p.position = belowMarket
		}
	}
	return all
}

// median of an even number is the mean of the two in the middle.
func median(pays []decimal.Decimal) decimal.Decimal {
	slices.SortFunc(pays, decimal.Decimal.Cmp)
	low, high := pays[(len(pays)-1)/2], pays[len(pays)/2]
	return low.Add(high).Mul(decimal.RequireFromString("0.5"))
}

func dropPositions(files vfs.Files) (vfs.Files, error) {
	b, err := boardOf(files, marketFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, positionsFile, "posting")
	if err != nil {
		return nil, err
	}
	if len(rows) != len(b.postings) {
		return nil, fmt.Errorf("%s lists %d postings, %s has %d", positionsFile, len(rows), marketFile, len(b.postings))
	}
	places := make([][]string, len(rows))
	for k, row := range rows {
		n, err := numberIn(row[0])
		if err != nil {
			return nil, err
		}
		if n > len(places) || places[n-1] != nil {
			return nil, fmt.Errorf("%s has no place %d, or two", positionsFile, n)
		}
		lines := b.postings[k].lines
		if strings.HasPrefix(pytext.Strip(lines[len(lines)-1]), strings.TrimSpace(positionLabel)) {
			lines = lines[:len(lines)-1]
		}
		places[n-1] = lines
	}
	for n := range b.postings {
		b.postings[n].lines = places[n]
	}
	return vfs.Files{boardFile: b.print()}, nil
}
