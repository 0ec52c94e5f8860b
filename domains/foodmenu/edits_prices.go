package foodmenu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	raisedFile    = "menu_new_prices.txt"
	oldPricesFile = "old_prices.csv"
)

var oldPriceColumns = []string{"item", "name", "price"}

// pricesIn are the prices of an item in a line.
func pricesIn(line string) []price {
	first, ok := findAmount(line)
	if !ok {
		return nil
	}
	all := []price{first}
	for from := first.end; ; {
		at, end := findPrice(line[from:])
		if at < 0 {
			return all
		}
		all = append(all, price{from + at, from + end, decimal(line[from+at+1 : from+end])})
		from += end
	}
}

// replacePrices writes other prices into the line of an item.
func (e *entry) replacePrices(write func(p price, written string) string) {
	at := e.priced()
	line := e.lines[at]
	var b strings.Builder
	from := 0
	for _, p := range pricesIn(line) {
		b.WriteString(line[from:p.start])
		b.WriteString(write(p, line[p.start:p.end]))
		from = p.end
	}
	e.withLine(at, b.String()+line[from:])
}

// rise is by how many hundredths the prices of a dish go up.
func (d *dish) rise() int {
	const seafood, alcohol, other = 9, 4, 6
	switch {
	case d.isSeafood():
		return seafood
	case slices.Contains(d.marks, "A"):
		return alcohol
	}
	return other
}

func (d *dish) isSeafood() bool {
	return slices.Contains(d.codes, "F") || slices.Contains(d.codes, "Sh")
}

// raised is an amount with a rise, rounded to five cents, half of them up.
func raised(cents, hundredths int) int {
	const step = 5
	return (2*cents*(100+hundredths) + 100*step) / (2 * 100 * step) * step
}

// inCents reads dollars and cents.
func inCents(amount string) (int, error) {
	whole, fraction, _ := strings.Cut(amount, ".")
	n, err := strconv.ParseUint(whole+fraction, 10, 31)
	if err != nil || len(fraction) != 2 {
		return 0, fmt.Errorf("%q is not an amount in dollars and cents", amount)
	}
	return int(n), nil
}

func inDollars(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

// raisePrices raises all prices and keeps the old ones in a table.
func raisePrices(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	old := [][]string{oldPriceColumns}
	n := 0
	for i := range all {
		e := &all[i]
		if e.kind != itemEntry {
			continue
		}
		n++
		name, _ := e.dish.divided()
		e.replacePrices(func(p price, written string) string {
			cents, bad := inCents(p.amount)
			if bad != nil {
				err = bad
			}
			old = append(old, []string{strconv.Itoa(n), name, written})
			return inDollars(raised(cents, e.dish.rise()))
		})
	}
	if err != nil {
		return nil, err
	}
	return vfs.Files{raisedFile: printed(all), oldPricesFile: plain.WriteCSV(old)}, nil
}

// lowerPrices puts the old prices in their places, in order.
func lowerPrices(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, raisedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, oldPricesFile, "item", "price")
	if err != nil {
		return nil, err
	}
	old := map[int][]string{}
	for _, row := range rows {
		n := lineNumber(row[0])
		old[n] = append(old[n], row[1])
	}
	n := 0
	for i := range all {
		if all[i].kind != itemEntry {
			continue
		}
		n++
		all[i].replacePrices(func(_ price, written string) string {
			if len(old[n]) == 0 {
				return written
			}
			first := old[n][0]
			old[n] = old[n][1:]
			return first
		})
	}
	return asDocument(all), nil
}
