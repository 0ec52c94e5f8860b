package foodmenu

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// replacePrices writes other prices into the line of an item.
func (e *entry) replacePrices(write func(amount, written string) string) {
	at := e.priced()
	line := e.lines[at]
	p, _ := findAmount(line)
	first := write(p.amount, line[p.start:p.end])
	further := replacePrices(line[p.end:], func(written string) string { return write(decimal(written[1:]), written) })
	e.withLine(at, line[:p.start]+first+further)
}

// raised is an amount with so many hundredths more, rounded to a multiple of some cents, half of
// them up.
func raised(cents, hundredths, step int) int {
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

// raisePrices raises all prices and keeps the old ones in a table. The first rise that an item
// fits counts.
func raisePrices(p struct {
	Document, To string
	Rises        []struct {
		tags
		Percent int
	}
	Step  int // in cents, of the new prices
	Table string
}) exact.Steps {
	if p.Step < 1 {
		return exact.Refuse("step must be 1 or more")
	}
	return menus.Rewrite(p.Document, p.To, func(all *[]entry) (_ vfs.Files, err error) {
		old := [][]string{{"item", "name", "price"}}
		for at, e := range items(*all) {
			percent := 0
			for _, rise := range p.Rises {
				if rise.fit(e.dish) {
					percent = rise.Percent
					break
				}
			}
			name, _ := e.dish.divided()
			e.replacePrices(func(amount, written string) string {
				cents, bad := inCents(amount)
				if bad != nil {
					err = bad
				}
				old = append(old, []string{strconv.Itoa(at.item), name, written})
				return inDollars(raised(cents, percent, p.Step))
			})
		}
		return vfs.Files{p.Table: plain.WriteCSV(old)}, err
	}, func(all *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "item", "price")
		old := plain.NotesBy(rows, func(row []string) string { return strconv.Itoa(plain.LineNumber(row[0])) })
		for at, e := range items(*all) {
			e.replacePrices(func(_, written string) string {
				if row := old.Take(strconv.Itoa(at.item)); row != nil {
					return row[1]
				}
				return written
			})
		}
		return err
	})
}
