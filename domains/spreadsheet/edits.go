package spreadsheet

import (
	"encoding/json"
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

// tableEdit makes an edit of a table that has some columns. It may have others, and in any order.
func tableEdit(document string, columns []string, forward func(table) (vfs.Files, error), backward func(vfs.Files) (table, error)) exact.Steps {
	return exact.Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			all, err := register(files, columns...)
			if err != nil {
				return nil, err
			}
			return forward(all)
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			all, err := backward(files)
			if err != nil {
				return nil, err
			}
			return vfs.Files{document: all.text()}, nil
		},
	}
}

// splitByColumn makes a file of the rows with each value of a column.
func splitByColumn(p struct {
	Document, Column string
	Others           string // the word of a file for values without letters and digits
	Table            string
}) exact.Steps {
	forward := func(all table) (vfs.Files, error) {
		k, parts, order := all.column(p.Column), map[string]table{}, listing("row", "file")
		for n, row := range all.rows {
			name := fileWord(row[k], p.Others) + ".csv"
			if name == p.Table {
				return nil, fmt.Errorf("%q would be saved as %s, which lists the rows", row[k], name)
			}
			part := parts[name]
			part.header = all.header
			part.add(row...)
			parts[name] = part
			order.add(rowNumber(n), name)
		}
		made := vfs.Files{p.Table: order.text()}
		for name, part := range parts {
			made[name] = part.text()
		}
		return made, nil
	}
	return tableEdit(p.Document, []string{p.Column}, forward, func(files vfs.Files) (merged table, err error) {
		order, err := tableOf(files, p.Table, "row", "file")
		if err != nil {
			return merged, err
		}
		waiting := map[string][][]string{}
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
			return merged, fmt.Errorf("no file of rows next to %s", p.Table)
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
	forward := func(all table) (vfs.Files, error) {
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
	return tableEdit(p.Document, nil, forward, func(files vfs.Files) (all table, err error) {
		content, err := plain.File(files, p.To)
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
		return all.rectangular()
	})
}

// codeColumns replaces the values of columns by codes made of initials.
func codeColumns(p struct {
	Document, To string
	Columns      []string
	Table        string
}) exact.Steps {
	forward := func(all table) (vfs.Files, error) {
		codes := listing("column", "code", "value")
		for _, column := range p.Columns {
			values := all.distinct(column)
			codeOf := codesOf(values)
			for _, value := range values {
				codes.add(column, codeOf[value], value)
			}
			all = all.translate(column, column, codeOf)
		}
		return vfs.Files{p.To: all.text(), p.Table: codes.text()}, nil
	}
	return tableEdit(p.Document, p.Columns, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.To, p.Columns...)
		if err != nil {
			return all, err
		}
		codes, err := tableOf(files, p.Table, "column", "code", "value")
		if err != nil {
			return all, err
		}
		for _, column := range p.Columns {
			all = all.translate(column, column, codes.where("column", column).lookup("code", "value"))
		}
		return all, nil
	})
}

// sortByColumn puts the row with the largest number in a column first, those without one last,
// and the row's place into another column.
func sortByColumn(p struct{ Document, To, Column, Position string }) exact.Steps {
	forward := func(all table) (vfs.Files, error) {
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
		return vfs.Files{p.To: all.text()}, nil
	}
	return tableEdit(p.Document, []string{p.Column}, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.To, p.Position)
		if err != nil {
			return all, err
		}
		all.rows = all.byNumber(p.Position)
		return all.withoutColumn(p.Position), nil
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
	forward := func(all table) (vfs.Files, error) {
		group, amount := all.column(p.Group), all.column(p.Sum)
		with := table{header: all.header}
		var totals []int
		start := 0
		for n, row := range all.rows {
			with.add(row...)
			if n+1 < len(all.rows) && all.rows[n+1][group] == row[group] {
				continue
			}
			total := make([]string, len(all.header))
			total[group] = row[group]
			total[amount] = sum(all.rows[start:n+1], amount)
			total[0] = p.Mark
			with.add(total...)
			totals = append(totals, len(with.rows))
			start = n + 1
		}
		list, err := json.Marshal(totals)
		return vfs.Files{p.To: with.text(), p.List: string(list) + "\n"}, err
	}
	return tableEdit(p.Document, columns, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.To, columns...)
		if err != nil {
			return all, err
		}
		list, err := plain.File(files, p.List)
		isTotal := func(n int) bool { return all.rows[n][0] == p.Mark }
		if totals, fits := readTotals(list, len(all.rows), isTotal); fits {
			isTotal = func(n int) bool { return totals[n] }
		}
		rest := table{header: all.header}
		for n, row := range all.rows {
			if !isTotal(n) {
				rest.add(row...)
			}
		}
		return rest, err
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
	forward := func(facts table) (vfs.Files, error) {
		made := vfs.Files{}
		for _, d := range p.Dimensions {
			entries, numbers := listing("id", "name"), map[string]string{}
			for n, name := range facts.distinct(d.Column) {
				numbers[name] = rowNumber(n)
				entries.add(numbers[name], name)
			}
			facts = facts.translate(d.Column, d.ID, numbers)
			made[d.File] = entries.text()
		}
		made[p.Facts] = facts.text()
		return made, nil
	}
	return tableEdit(p.Document, columns, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.Facts, ids...)
		if err != nil {
			return all, err
		}
		for _, d := range p.Dimensions {
			entries, err := tableOf(files, d.File, "id", "name")
			if err != nil {
				return all, err
			}
			all = all.translate(d.ID, d.Column, entries.lookup("id", "name"))
		}
		return all, nil
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
	forward := func(journal table) (vfs.Files, error) {
		accounts, codes := listing("code", "category"), map[string]string{}
		for n, category := range journal.distinct(p.Category) {
			codes[category] = strconv.Itoa(p.First + p.Step*n)
			accounts.add(codes[category], category)
		}
		journal = journal.translate(p.Category, p.Account, codes)
		k, rows := journal.column(p.Amount), journal.rows
		journal = journal.replaceColumn(k, []string{p.Debit, p.Credit}, func(n int) []string {
			amount := rows[n][k]
			if credit, negative := strings.CutPrefix(amount, "-"); negative && credit != "" {
				return []string{"", credit}
			}
			return []string{amount, ""}
		})
		return vfs.Files{p.To: journal.text(), p.Table: accounts.text()}, nil
	}
	return tableEdit(p.Document, []string{p.Amount, p.Category}, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.To, p.Account, p.Debit, p.Credit)
		if err != nil {
			return all, err
		}
		accounts, err := tableOf(files, p.Table, "code", "category")
		if err != nil {
			return all, err
		}
		all = all.translate(p.Account, p.Category, accounts.lookup("code", "category"))
		debit, credit, rows := all.column(p.Debit), all.column(p.Credit), all.rows
		all = all.replaceColumn(debit, []string{p.Amount}, func(n int) []string {
			if amount := rows[n][credit]; amount != "" && rows[n][debit] == "" {
				return []string{"-" + amount}
			}
			return []string{rows[n][debit]}
		})
		return all.withoutColumn(p.Credit), nil
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
	forward := func(all table) (vfs.Files, error) {
		k, rows, own := all.column(p.Column), all.rows, listing("row", "amount")
		for n, row := range rows {
			own.add(rowNumber(n), row[k])
		}
		all = all.replaceColumn(k, []string{p.Other}, func(n int) []string { return []string{restated(rows[n][k])} })
		return vfs.Files{p.To: all.text(), p.Table: own.text()}, nil
	}
	return tableEdit(p.Document, []string{p.Column}, forward, func(files vfs.Files) (table, error) {
		all, err := tableOf(files, p.To, p.Other)
		if err != nil {
			return all, err
		}
		list, err := tableOf(files, p.Table, "row", "amount")
		if err != nil {
			return all, err
		}
		own, k, rows := list.lookup("row", "amount"), all.column(p.Other), all.rows
		return all.replaceColumn(k, []string{p.Column}, func(n int) []string {
			other := rows[n][k]
			if listed, ok := own[rowNumber(n)]; ok && restated(listed) == other {
				return []string{listed}
			}
			if amount, ok := readAmount(other); ok {
				other = amount.Div(p.Rate).StringFixed(2)
			}
			return []string{other}
		}), nil
	})
}
