package spreadsheet

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// plainAmount is an amount in digits; more of them than here no sum of money
// has.
var plainAmount = regexp.MustCompile(`^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$`)

func readAmount(cell string) (decimal.Decimal, bool) {
	if !plainAmount.MatchString(cell) {
		return decimal.Decimal{}, false
	}
	amount, err := decimal.NewFromString(cell)
	return amount, err == nil
}

const (
	byAmountFile = "by_amount.csv"
	rowColumn    = "row"
)

// sortByAmount puts the largest first; rows whose amount is no number come
// last.
func sortByAmount(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, amountColumn)
	if err != nil {
		return nil, err
	}
	k := all.column(amountColumn)
	all.header = append(all.header, rowColumn)
	for n := range all.rows {
		all.rows[n] = append(all.rows[n], rowNumber(n))
	}
	slices.SortStableFunc(all.rows, func(a, b []string) int {
		x, xOK := readAmount(a[k])
		y, yOK := readAmount(b[k])
		switch {
		case xOK && yOK:
			return y.Cmp(x)
		case xOK:
			return -1
		case yOK:
			return 1
		}
		return 0
	})
	return vfs.Files{byAmountFile: all.text()}, nil
}

func sortByRow(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, byAmountFile, rowColumn)
	if err != nil {
		return nil, err
	}
	all.rows = all.byNumber(rowColumn)
	return finished(all.withoutColumn(rowColumn)), nil
}

const (
	withTotalsFile = "with_totals.csv"
	totalsFile     = "totals.json"
	totalMark      = "TOTAL"
)

// addSubtotals adds a row with the sum after each run of neighbouring rows of
// one category.
func addSubtotals(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, categoryColumn, amountColumn)
	if err != nil {
		return nil, err
	}
	category, amount := all.column(categoryColumn), all.column(amountColumn)
	with := table{header: all.header}
	var totals []int
	start := 0
	for n, row := range all.rows {
		with.add(row...)
		if n+1 < len(all.rows) && all.rows[n+1][category] == row[category] {
			continue
		}
		total := make([]string, len(all.header))
		total[category] = row[category]
		total[amount] = sum(all.rows[start:n+1], amount)
		total[0] = totalMark
		with.add(total...)
		totals = append(totals, len(with.rows))
		start = n + 1
	}
	list, err := json.Marshal(totals)
	if err != nil {
		return nil, fmt.Errorf("listing the totals: %w", err)
	}
	return vfs.Files{withTotalsFile: with.text(), totalsFile: string(list) + "\n"}, nil
}

// sum adds up a column exactly, with the decimals of its most precise cell.
func sum(rows [][]string, k int) string {
	total := decimal.Zero
	places := int32(0)
	for _, row := range rows {
		if amount, ok := readAmount(row[k]); ok {
			total = total.Add(amount)
			places = max(places, -amount.Exponent())
		}
	}
	return total.StringFixed(places)
}

// dropSubtotals removes the listed rows. Where the list does not fit the table
// it goes by their mark.
func dropSubtotals(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, withTotalsFile, categoryColumn, amountColumn)
	if err != nil {
		return nil, err
	}
	list, err := plain.File(files, totalsFile)
	if err != nil {
		return nil, err
	}
	isTotal := func(n int) bool { return all.rows[n][0] == totalMark }
	if totals, fits := readTotals(list, len(all.rows), isTotal); fits {
		isTotal = func(n int) bool { return totals[n] }
	}
	rest := table{header: all.header}
	for n, row := range all.rows {
		if !isTotal(n) {
			rest.add(row...)
		}
	}
	return finished(rest), nil
}

// readTotals returns the listed rows, and whether each is one of the table
// with the mark.
func readTotals(list string, rows int, isTotal func(n int) bool) (map[int]bool, bool) {
	var numbers []int
	if err := json.Unmarshal([]byte(list), &numbers); err != nil {
		return nil, false
	}
	totals := make(map[int]bool, len(numbers))
	for _, number := range numbers {
		if number < 1 || number > rows || !isTotal(number-1) {
			return nil, false
		}
		totals[number-1] = true
	}
	return totals, true
}

const (
	kronerFile   = "charges_nok.csv"
	poundsFile   = "amounts_gbp.csv"
	kronerColumn = "Amount NOK"
)

// kronerToThePound is the rate of the edit's instruction.
var kronerToThePound = decimal.RequireFromString("13.1328")

func toKroner(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, amountColumn)
	if err != nil {
		return nil, err
	}
	k := all.column(amountColumn)
	pounds := listing("row", "amount")
	for n, row := range all.rows {
		pounds.add(rowNumber(n), row[k])
	}
	rows := all.rows
	all = all.replaceColumn(k, []string{kronerColumn}, func(n int) []string { return []string{inKroner(rows[n][k])} })
	return vfs.Files{kronerFile: all.text(), poundsFile: pounds.text()}, nil
}

func inKroner(cell string) string {
	amount, ok := readAmount(cell)
	if !ok {
		return cell
	}
	return amount.Mul(kronerToThePound).StringFixed(2)
}

// toPounds takes the amounts in pounds from their list, unless the one there
// is not worth the kroner of its row; then the kroner count.
func toPounds(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, kronerFile, kronerColumn)
	if err != nil {
		return nil, err
	}
	list, err := tableOf(files, poundsFile, "row", "amount")
	if err != nil {
		return nil, err
	}
	pounds := list.lookup("row", "amount")
	k := all.column(kronerColumn)
	rows := all.rows
	all = all.replaceColumn(k, []string{amountColumn}, func(n int) []string {
		kroner := rows[n][k]
		if listed, ok := pounds[rowNumber(n)]; ok && inKroner(listed) == kroner {
			return []string{listed}
		}
		if amount, ok := readAmount(kroner); ok {
			kroner = amount.Div(kronerToThePound).StringFixed(2)
		}
		return []string{kroner}
	})
	return finished(all), nil
}
