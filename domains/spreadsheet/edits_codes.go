package spreadsheet

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"agentd/vfs"
)

const (
	codedFile = "coded.csv"
	codesFile = "codes.csv"
)

// encode replaces customers and items by codes made of initials.
func encode(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, customerColumn, itemColumn)
	if err != nil {
		return nil, err
	}
	codes := listing("column", "code", "value")
	for _, column := range []string{customerColumn, itemColumn} {
		values := all.distinct(column)
		codeOf := codesOf(values)
		for _, value := range values {
			codes.add(column, codeOf[value], value)
		}
		all = all.translate(column, column, codeOf)
	}
	return vfs.Files{codedFile: all.text(), codesFile: codes.text()}, nil
}

// codesOf gives each value the initials of its words; values with the same
// initials are numbered in their order.
func codesOf(values []string) map[string]string {
	shared := map[string]int{}
	for _, value := range values {
		shared[initials(value)]++
	}
	codes := make(map[string]string, len(values))
	used := map[string]int{}
	for _, value := range values {
		code := initials(value)
		if shared[code] > 1 {
			used[code]++
			code += strconv.Itoa(used[code])
		}
		codes[value] = code
	}
	return codes
}

// initials are the first letters of the first three words in upper case, a
// word being a run of letters; X if there is none.
func initials(value string) string {
	const most = 3
	words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) })
	var b strings.Builder
	for _, word := range words[:min(most, len(words))] {
		b.WriteRune(unicode.ToUpper([]rune(word)[0]))
	}
	return cmp.Or(b.String(), "X")
}

func decode(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, codedFile, customerColumn, itemColumn)
	if err != nil {
		return nil, err
	}
	codes, err := tableOf(files, codesFile, "column", "code", "value")
	if err != nil {
		return nil, err
	}
	for _, column := range []string{customerColumn, itemColumn} {
		own := codes.where("column", column)
		all = all.translate(column, column, own.lookup("code", "value"))
	}
	return finished(all), nil
}

const factsFile = "facts.csv"

// dimension is a column that the star schema moves to a file of its own.
type dimension struct{ column, id, file string }

var dimensions = [...]dimension{
	{customerColumn, "customer_id", "customers.csv"},
	{itemColumn, "item_id", "items.csv"},
}

func toStar(files vfs.Files) (vfs.Files, error) {
	facts, err := register(files, customerColumn, itemColumn)
	if err != nil {
		return nil, err
	}
	star := vfs.Files{}
	for _, d := range dimensions {
		entries := listing("id", "name")
		ids := map[string]string{}
		for n, name := range facts.distinct(d.column) {
			ids[name] = rowNumber(n)
			entries.add(ids[name], name)
		}
		facts = facts.translate(d.column, d.id, ids)
		star[d.file] = entries.text()
	}
	star[factsFile] = facts.text()
	return star, nil
}

func fromStar(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, factsFile, dimensions[0].id, dimensions[1].id)
	if err != nil {
		return nil, err
	}
	for _, d := range dimensions {
		entries, err := tableOf(files, d.file, "id", "name")
		if err != nil {
			return nil, err
		}
		all = all.translate(d.id, d.column, entries.lookup("id", "name"))
	}
	return finished(all), nil
}

const (
	journalFile   = "journal.csv"
	accountsFile  = "accounts.csv"
	debitColumn   = "Debit"
	creditColumn  = "Credit"
	accountColumn = "Account"
)

// toJournal splits amounts by sign and replaces categories by account codes.
func toJournal(files vfs.Files) (vfs.Files, error) {
	journal, err := register(files, categoryColumn, amountColumn)
	if err != nil {
		return nil, err
	}
	accounts := listing("code", "category")
	codes := map[string]string{}
	for n, category := range journal.distinct(categoryColumn) {
		codes[category] = fmt.Sprint(4010 + 10*n)
		accounts.add(codes[category], category)
	}
	journal = journal.translate(categoryColumn, accountColumn, codes)
	k := journal.column(amountColumn)
	rows := journal.rows
	journal = journal.replaceColumn(k, []string{debitColumn, creditColumn}, func(n int) []string {
		amount := rows[n][k]
		if credit, negative := strings.CutPrefix(amount, "-"); negative && credit != "" {
			return []string{"", credit}
		}
		return []string{amount, ""}
	})
	return vfs.Files{journalFile: journal.text(), accountsFile: accounts.text()}, nil
}

func fromJournal(files vfs.Files) (vfs.Files, error) {
	all, err := tableOf(files, journalFile, accountColumn, debitColumn, creditColumn)
	if err != nil {
		return nil, err
	}
	accounts, err := tableOf(files, accountsFile, "code", "category")
	if err != nil {
		return nil, err
	}
	all = all.translate(accountColumn, categoryColumn, accounts.lookup("code", "category"))
	debit, credit := all.column(debitColumn), all.column(creditColumn)
	rows := all.rows
	all = all.replaceColumn(debit, []string{amountColumn}, func(n int) []string {
		if amount := rows[n][credit]; amount != "" && rows[n][debit] == "" {
			return []string{"-" + amount}
		}
		return []string{rows[n][debit]}
	})
	return finished(all.withoutColumn(creditColumn)), nil
}
