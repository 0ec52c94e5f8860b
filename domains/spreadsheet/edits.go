package spreadsheet

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_column", splitByColumn),
		domains.Taking("json_lines", jsonLines),
		domains.Taking("code_columns", codeColumns),
		domains.Taking("sort_by_column", sortByColumn),
		domains.Taking("subtotals", subtotals),
		domains.Taking("star", star),
		domains.Taking("debit_credit", debitCredit),
		domains.Taking("restate", restate),
	}
}

// having says how a table that has some columns is read and printed, and one that an edit made
// of it, which has those that are written. It may have others, and in any order.
func having(columns []string, written ...string) *exact.Single[*table] {
	return &exact.Single[*table]{
		Document: func(files vfs.Files) (*table, error) { return register(files, columns...) },
		Named:    func(files vfs.Files, name string) (*table, error) { return tableOf(files, name, written...) },
		Print:    (*table).text,
	}
}

// splitByColumn makes a file of the rows with each value of a column.
func splitByColumn(p struct {
	Document, Column string
	Others           string // the word of a file for values without letters and digits
	Table            string
}) exact.Steps {
	forward := func(all *table) (vfs.Files, error) {
		k, parts, order := all.column(p.Column), map[string]*table{}, listing("row", "file")
		for n, row := range all.rows {
			name := fileWord(row[k], p.Others) + ".csv"
			if name == p.Table {
				return nil, fmt.Errorf("%q would be saved as %s, which lists the rows", row[k], name)
			}
			if parts[name] == nil {
				parts[name] = listing(all.header...)
			}
			parts[name].add(row...)
			order.add(rowNumber(n), name)
		}
		made := vfs.Files{p.Table: order.text()}
		for name, part := range parts {
			made[name] = part.text()
		}
		return made, nil
	}
	return having([]string{p.Column}).Whole(p.Document, forward, func(files vfs.Files) (*table, error) {
		order, err := tableOf(files, p.Table, "row", "file")
		if err != nil {
			return nil, err
		}
		merged, waiting := listing(), map[string][][]string{}
		for _, part := range read(files) {
			if part.file == p.Table || path.Ext(part.file) != ".csv" {
				continue
			}
			if merged.header == nil {
				merged.header = part.header
			}
			waiting[part.file] = part.rows
		}
		if merged.header == nil {
			return nil, fmt.Errorf("no file of rows next to %s", p.Table)
		}
		at := order.column("file")
		for _, row := range order.byNumber("row") {
			if rows := waiting[row[at]]; len(rows) > 0 {
				merged.add(rows[0]...)
				waiting[row[at]] = rows[1:]
			}
		}
		for _, name := range files.Names() { // rows that the order does not know
			merged.rows = append(merged.rows, waiting[name]...)
		}
		return merged, nil
	})
}

// jsonLines makes an object of each row. On the way back the columns are the members in order
// of first appearance; lines that are no object are skipped.
func jsonLines(p struct{ Document, To string }) exact.Steps {
	forward := func(all *table) (vfs.Files, error) {
		var b strings.Builder
		for _, row := range all.rows {
			separator := "{"
			for k, cell := range row {
				b.WriteString(separator + jsonString(all.header[k]) + ": " + jsonString(cell))
				separator = ", "
			}
			b.WriteString("}\n")
		}
		return vfs.Files{p.To: b.String()}, nil
	}
	return having(nil).Whole(p.Document, forward, func(files vfs.Files) (*table, error) {
		content, err := plain.File(files, p.To)
		all := listing()
		type member struct {
			name  string
			times int // names may repeat
		}
		places := map[member]int{}
		for _, line := range plain.Lines(content) {
			names, values, ok := jsonObject(line)
			if !ok {
				continue
			}
			row := make([]string, len(all.header))
			times := map[string]int{}
			for m, name := range names {
				times[name]++
				k, known := places[member{name, times[name]}]
				if !known {
					k = len(all.header)
					places[member{name, times[name]}] = k
					all.header, row = append(all.header, name), append(row, "")
				}
				row[k] = values[m]
			}
			all.add(row...)
		}
		if err == nil && len(all.rows) == 0 {
			err = fmt.Errorf("%s has no JSON object on any line", p.To)
		}
		if err != nil {
			return all, err
		}
		return all, all.makeRectangular()
	})
}

// codeColumns replaces the values of columns by codes made of initials.
func codeColumns(p struct {
	Document, To string
	Columns      []string
	Table        string
}) exact.Steps {
	change := func(all *table) (vfs.Files, error) {
		codes := listing("column", "code", "value")
		for _, column := range p.Columns {
			values := all.distinct(column)
			codeOf := codesOf(values)
			for _, value := range values {
				codes.add(column, codeOf[value], value)
			}
			all.translate(column, column, codeOf)
		}
		return vfs.Files{p.Table: codes.text()}, nil
	}
	return having(p.Columns, p.Columns...).Rewrite(p.Document, p.To, change, func(all *table, files vfs.Files) error {
		codes, err := tableOf(files, p.Table, "column", "code", "value")
		if err != nil {
			return err
		}
		for _, column := range p.Columns {
			all.translate(column, column, codes.where("column", column).lookup("code", "value"))
		}
		return nil
	})
}

// sortByColumn puts the row with the largest number in a column first, those without one last,
// and the row's place into another column.
func sortByColumn(p struct{ Document, To, Column, Position string }) exact.Steps {
	change := func(all *table) {
		k := all.column(p.Column)
		all.header = append(all.header, p.Position)
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
	}
	return having([]string{p.Column}, p.Position).Change(p.Document, p.To, change, func(all *table) {
		all.rows = all.byNumber(p.Position)
		all.dropColumn(p.Position)
	})
}

// subtotals adds a row with the sum of a column after each run of neighbouring rows of one
// group, and lists these rows. Where the list does not fit the table, they are known by their
// mark on the way back.
func subtotals(p struct {
	Document, To string
	Group, Sum   string // columns
	Mark         string // in the first column
	List         string
}) exact.Steps {
	columns := []string{p.Group, p.Sum}
	change := func(all *table) (vfs.Files, error) {
		group, amount, rows := all.column(p.Group), all.column(p.Sum), all.rows
		var totals []int
		start := 0
		all.rows = nil
		for n, row := range rows {
			all.add(row...)
			if n+1 < len(rows) && rows[n+1][group] == row[group] {
				continue
			}
			total := make([]string, len(all.header))
			total[group] = row[group]
			total[amount] = sum(rows[start:n+1], amount)
			total[0] = p.Mark
			all.add(total...)
			totals = append(totals, len(all.rows))
			start = n + 1
		}
		list := strings.ReplaceAll(fmt.Sprint(totals), " ", ",")
		return vfs.Files{p.List: list + "\n"}, nil
	}
	return having(columns, columns...).Rewrite(p.Document, p.To, change, func(all *table, files vfs.Files) error {
		list, err := plain.File(files, p.List)
		isTotal := func(n int) bool { return all.rows[n][0] == p.Mark }
		if totals, fits := readTotals(list, len(all.rows), isTotal); fits {
			isTotal = func(n int) bool { return totals[n] }
		}
		var rest [][]string
		for n, row := range all.rows {
			if !isTotal(n) {
				rest = append(rest, row)
			}
		}
		all.rows = rest
		return err
	})
}

// star moves columns to files of their own, and puts the numbers of their values in their place.
func star(p struct {
	Document, Facts string
	Dimensions      []struct{ Column, ID, File string }
}) exact.Steps {
	var columns, ids []string
	for _, d := range p.Dimensions {
		columns, ids = append(columns, d.Column), append(ids, d.ID)
	}
	change := func(facts *table) (vfs.Files, error) {
		made := vfs.Files{}
		for _, d := range p.Dimensions {
			entries, numbers := listing("id", "name"), map[string]string{}
			for n, name := range facts.distinct(d.Column) {
				numbers[name] = rowNumber(n)
				entries.add(numbers[name], name)
			}
			facts.translate(d.Column, d.ID, numbers)
			made[d.File] = entries.text()
		}
		return made, nil
	}
	return having(columns, ids...).Rewrite(p.Document, p.Facts, change, func(all *table, files vfs.Files) error {
		for _, d := range p.Dimensions {
			entries, err := tableOf(files, d.File, "id", "name")
			if err != nil {
				return err
			}
			all.translate(d.ID, d.Column, entries.lookup("id", "name"))
		}
		return nil
	})
}

// debitCredit splits amounts by sign and replaces categories by account codes.
func debitCredit(p struct {
	Document, To           string
	Amount, Category       string // columns of the document
	Debit, Credit, Account string // columns in their place
	First, Step            int    // of the codes
	Table                  string
}) exact.Steps {
	change := func(journal *table) (vfs.Files, error) {
		accounts, codes := listing("code", "category"), map[string]string{}
		for n, category := range journal.distinct(p.Category) {
			codes[category] = strconv.Itoa(p.First + p.Step*n)
			accounts.add(codes[category], category)
		}
		journal.translate(p.Category, p.Account, codes)
		k := journal.column(p.Amount)
		journal.replaceColumn(k, []string{p.Debit, p.Credit}, func(_ int, row []string) []string {
			amount := row[k]
			if credit, negative := strings.CutPrefix(amount, "-"); negative && credit != "" {
				return []string{"", credit}
			}
			return []string{amount, ""}
		})
		return vfs.Files{p.Table: accounts.text()}, nil
	}
	tables := having([]string{p.Amount, p.Category}, p.Account, p.Debit, p.Credit)
	return tables.Rewrite(p.Document, p.To, change, func(all *table, files vfs.Files) error {
		accounts, err := tableOf(files, p.Table, "code", "category")
		if err != nil {
			return err
		}
		all.translate(p.Account, p.Category, accounts.lookup("code", "category"))
		debit, credit := all.column(p.Debit), all.column(p.Credit)
		all.replaceColumn(debit, []string{p.Amount}, func(_ int, row []string) []string {
			if row[credit] != "" && row[debit] == "" {
				return []string{"-" + row[credit]}
			}
			return []string{row[debit]}
		})
		all.dropColumn(p.Credit)
		return nil
	})
}

// restate writes amounts in another currency, and keeps them in a list. On the way back the
// one in the list counts, unless it is not worth the other amount of its row.
func restate(p struct {
	Document, To string
	Column       string
	Other        string          // the column in its place
	Rate         decimal.Decimal // what one of its own is in the other
	Table        string
}) exact.Steps {
	if !p.Rate.IsPositive() {
		return exact.Refuse("rate must be above zero")
	}
	restated := func(cell string) string {
		if amount, ok := readAmount(cell); ok {
			return amount.Mul(p.Rate).StringFixed(2)
		}
		return cell
	}
	change := func(all *table) (vfs.Files, error) {
		k, own := all.column(p.Column), listing("row", "amount")
		for n, row := range all.rows {
			own.add(rowNumber(n), row[k])
		}
		all.replaceColumn(k, []string{p.Other}, func(_ int, row []string) []string { return []string{restated(row[k])} })
		return vfs.Files{p.Table: own.text()}, nil
	}
	return having([]string{p.Column}, p.Other).Rewrite(p.Document, p.To, change, func(all *table, files vfs.Files) error {
		list, err := tableOf(files, p.Table, "row", "amount")
		if err != nil {
			return err
		}
		own, k := list.lookup("row", "amount"), all.column(p.Other)
		all.replaceColumn(k, []string{p.Column}, func(n int, row []string) []string {
			other := row[k]
			if listed, ok := own[rowNumber(n)]; ok && restated(listed) == other {
				return []string{listed}
			}
			if amount, ok := readAmount(other); ok {
				other = amount.Div(p.Rate).StringFixed(2)
			}
			return []string{other}
		})
		return nil
	})
}
