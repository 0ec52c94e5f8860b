package jobboard

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// hourlyPay begins the salaries that are stated by the year instead.
var hourlyPay = regexp.MustCompile(`^\$([0-9][0-9,]{0,15}(?:\.[0-9]{1,4})?)/hour`)

// annualPay states pay by the hour by the year.
func annualPay(p struct{ Document, To, Table string }) exact.Steps {
	return steps(p.Document, func(b board) (vfs.Files, error) {
		rows := [][]string{{"posting", "id", "salary"}}
		for n, one := range b.postings {
			salary := one.value(salaryLabel)
			found := hourlyPay.FindStringSubmatch(salary)
			if found == nil {
				continue
			}
			hourly, ok := readAmount(strings.ReplaceAll(found[1], ",", ""))
			if !ok {
				continue
			}
			annual := hourly.Mul(decimal.NewFromInt(hoursAYear)).Round(0)
			b.postings[n] = one.with(salaryLabel, "$"+thousands(annual.String())+"/year"+salary[len(found[0]):])
			rows = append(rows, []string{strconv.Itoa(n + 1), one.id(), salary})
		}
		return vfs.Files{p.To: b.print(), p.Table: plain.WriteCSV(rows)}, nil
	}, func(files vfs.Files) (board, error) {
		b, err := boardOf(files, p.To)
		if err != nil {
			return b, err
		}
		rows, err := tableOf(files, p.Table, "salary")
		for _, row := range rows {
			if row.posting > len(b.postings) {
				return b, fmt.Errorf("%s has no posting %d", p.To, row.posting)
			}
			one := &b.postings[row.posting-1]
			if at, _ := one.find(salaryLabel); at < 0 {
				return b, fmt.Errorf("%s in %s has no salary", one.id(), p.To)
			}
			*one = one.with(salaryLabel, row.cells[0])
		}
		return b, err
	})
}

// thousands writes the separators into a whole number.
func thousands(digits string) string {
	const group = 3
	for at := len(digits) - group; at > 0; at -= group {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// The market positions are by the alphabet in the order of the sorted board.
const (
	aboveMarket = "Above"
	atMarket    = "At"
	belowMarket = "Below"
	unpriced    = "Unpriced"
)

// priced is a posting with its pay.
type priced struct {
	posting
	number   int // on the board, from 1
	annual   decimal.Decimal
	median   decimal.Decimal // of the postings of its type
	position string
}

// market compares the pay of each posting with the median of its type.
type market struct {
	Document, To string
	Label        string
	Above, Below decimal.Decimal // shares of the median
	Table        string
}

// marketPosition notes of each posting how it is paid, and sorts by that. Other lines keep
// their places.
func marketPosition(p market) exact.Steps { return steps(p.Document, p.write, p.read) }

func (m *market) write(b board) (vfs.Files, error) {
	sorted := m.assess(b.postings)
	slices.SortStableFunc(sorted, func(x, y priced) int {
		return cmp.Or(strings.Compare(x.position, y.position), y.annual.Cmp(x.annual))
	})
	rows := [][]string{{"id", "posting", "annual", "median"}}
	for n, p := range sorted {
		annual, median := "", ""
		if p.position != unpriced {
			annual, median = p.annual.StringFixed(2), p.median.StringFixed(2)
		}
		rows = append(rows, []string{p.id(), strconv.Itoa(p.number), annual, median})
		b.postings[n].lines = append(slices.Clone(p.lines), m.Label+": "+p.position)
	}
	return vfs.Files{m.To: b.print(), m.Table: plain.WriteCSV(rows)}, nil
}

// assess finds the market position of postings.
func (m *market) assess(postings []posting) []priced {
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
		case p.annual.GreaterThan(p.median.Mul(m.Above)):
			p.position = aboveMarket
		case p.annual.LessThan(p.median.Mul(m.Below)):
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

func (m *market) read(files vfs.Files) (board, error) {
	b, err := boardOf(files, m.To)
	if err != nil {
		return b, err
	}
	rows, err := tableOf(files, m.Table)
	if err != nil {
		return b, err
	}
	if len(rows) != len(b.postings) {
		return b, fmt.Errorf("%s lists %d postings, %s has %d", m.Table, len(rows), m.To, len(b.postings))
	}
	places := make([][]string, len(rows))
	for k, row := range rows {
		if row.posting > len(places) || places[row.posting-1] != nil {
			return b, fmt.Errorf("%s has no place %d, or two", m.Table, row.posting)
		}
		lines := b.postings[k].lines
		if strings.HasPrefix(pytext.Strip(lines[len(lines)-1]), m.Label+":") {
			lines = lines[:len(lines)-1]
		}
		places[row.posting-1] = lines
	}
	for n := range b.postings {
		b.postings[n].lines = places[n]
	}
	return b, nil
}
