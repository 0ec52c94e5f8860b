package accounting

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// ledgers says how ledgers are taken apart and put together.
var ledgers = exact.Format[journal, entry]{
	Patterns: []string{"*.ledger"},
	Read:     read,
	Print:    journal.print,
	Parts:    func(j *journal) *[]entry { return &j.entries },
	Follow: func(j *journal) {
		if len(j.entries) > 0 {
			j.entries[0].above = j.opening
		} else {
			j.closing = slices.Concat(j.opening, j.closing)
		}
		j.opening = nil
	},
	Join: func(all []journal) (joined journal) {
		for _, j := range all {
			joined.opening = append(joined.opening, j.opening...)
			joined.entries = append(joined.entries, j.entries...)
			joined.closing = append(joined.closing, j.closing...)
		}
		return joined
	},
	Empty: errors.New("no ledger file with an entry"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_account", splitByAccount),
		domains.Taking("split_by_size", splitBySize),
		domains.Taking("split_by_month", splitByMonth),
		domains.Taking("journal_table", journalTable),
		domains.Taking("number_comments", numberComments),
		domains.Taking("code_accounts", codeAccounts),
		domains.Taking("write_implied", writeImplied),
		domains.Taking("restate", restate),
	}
}

// splitByAccount makes a file of the entries that post to each account below one. The file has
// the name of the account's last part.
func splitByAccount(p struct {
	Document      string
	Under         string // an account, with its colon
	Others, Table string
}) exact.Steps {
	return ledgers.Split(p.Document, p.Others, p.Table, func(e *entry) (string, []string) {
		for l := range e.postings() {
			if account, under := strings.CutPrefix(l.account, p.Under); under {
				return exact.FileName(account[strings.LastIndex(account, ":")+1:], ".ledger", p.Others), nil
			}
		}
		return p.Others, nil
	})
}

// splitBySize sets apart the entries with an amount above a limit, or with a posting to one of
// some accounts, and says in the table for which of both reasons.
func splitBySize(p struct {
	Document             string
	Above                decimal.Decimal // without a sign
	Symbol               string
	Accounts             []string
	Apart, Others, Table string
}) exact.Steps {
	return ledgers.Split(p.Document, p.Others, p.Table, func(e *entry) (string, []string) {
		large, guarded := false, false
		for l := range e.postings() {
			value, ok := quantity(l.amount, p.Symbol)
			large = large || ok && value.Abs().GreaterThan(p.Above)
			guarded = guarded || slices.Contains(p.Accounts, l.account)
		}
		switch {
		case large && guarded:
			return p.Apart, []string{"both"}
		case large:
			return p.Apart, []string{"amount"}
		case guarded:
			return p.Apart, []string{"account"}
		}
		return p.Others, []string{"none"}
	}, "reason")
}

// splitByMonth makes a file of each month and a table of the balances at the months' ends.
func splitByMonth(p struct {
	Document, Symbol, Table string
}) exact.Steps {
	return ledgers.Whole(p.Document, func(j journal) (vfs.Files, error) {
		months := map[string][]*entry{}
		for i := range j.entries {
			month := j.entries[i].month()
			months[month] = append(months[month], &j.entries[i])
		}
		inOrder := slices.Sorted(maps.Keys(months))
		made := ledgers.Divide(j, inOrder[0]+".ledger", func(e *entry) string { return e.month() + ".ledger" })
		table, balances := [][]string{{"month", "account", "balance"}}, map[string]decimal.Decimal{}
		for _, month := range inOrder {
			for _, e := range months[month] {
				e.addTo(balances, p.Symbol)
			}
			for _, account := range slices.Sorted(maps.Keys(balances)) {
				table = append(table, []string{month, account, balances[account].StringFixed(2)})
			}
		}
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}, ledgers.Document)
}

// journalTable makes a row of each posting and comment line. Lines at column 0 are rows of only
// an entry number and a comment that holds the whole line.
func journalTable(p struct {
	Document, Table string
}) exact.Steps {
	columns := []string{"entry", "date", "mark", "code", "payee", "note", "account", "amount", "comment"}
	forward := func(j journal) (vfs.Files, error) {
		rows := [][]string{columns}
		outside := func(n int, lines ...string) {
			for _, text := range lines {
				rows = append(rows, []string{strconv.Itoa(n), "", "", "", "", "", "", "", text})
			}
		}
		outside(0, j.opening...)
		for i := range j.entries {
			e, n := &j.entries[i], i+1
			inside := func(account, amount, comment string) {
				rows = append(rows, []string{strconv.Itoa(n), e.date, e.mark, e.code, e.payee, e.note, account, amount, comment})
			}
			outside(n, e.above...)
			if e.comment != "" || len(e.lines) == 0 {
				inside("", "", e.comment)
			}
			for k := range e.lines {
				if l := &e.lines[k]; l.kind == marginLine {
					outside(n, l.text)
				} else {
					inside(l.markedAccount(), l.amount, l.text)
				}
			}
		}
		outside(len(j.entries)+1, j.closing...)
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return ledgers.Whole(p.Document, forward, func(files vfs.Files) (journal, error) {
		rows, err := plain.Table(files, p.Table, columns...)
		slices.SortStableFunc(rows, plain.ByNumber)
		return read(plain.Text(tableLines(rows))), err
	})
}

// tableLines are the lines of a ledger that the rows of a journalTable make.
func tableLines(rows [][]string) (lines []string) {
	number, headed := "", ""
	for _, row := range rows {
		e := entry{date: row[1], mark: row[2], code: row[3], payee: row[4], note: row[5]}
		l := line{account: row[6], amount: row[7], text: row[8]}
		if number != "" && number != row[0] {
			lines = append(lines, "")
		}
		number = row[0]
		if e.date != "" && headed != number {
			lines = append(lines, e.header())
			headed = number
		}
		switch {
		case e.date == "":
			l.kind = marginLine
		case l.account == "":
			l.kind = commentLine
		}
		if l != (line{kind: commentLine}) { // an entry with neither postings nor comments
			lines = append(lines, l.print())
		}
	}
	return lines
}

// numberComments moves what comments say after a tag into a table, and puts its number there.
func numberComments(p struct {
	Document, To, Tag string
	Column            string // of what the comments say
	Table             string
}) exact.Steps {
	mark := p.Tag + "#"
	change := func(j *journal) (vfs.Files, error) {
		register := [][]string{{"id", "date", "payee", p.Column}}
		for i := range j.entries {
			e := &j.entries[i]
			for text := range e.comments() {
				if said, ok := strings.CutPrefix(*text, p.Tag); ok {
					id := fmt.Sprintf("%03d", len(register))
					register = append(register, []string{id, e.date, e.payee, said})
					*text = mark + id
				}
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(register)}, nil
	}
	restore := func(j *journal, files vfs.Files) error {
		said, err := exact.ReadRegister(files, p.Table, "id", p.Column)
		for i := range j.entries {
			for text := range j.entries[i].comments() {
				id, numbered := strings.CutPrefix(*text, mark)
				if whole, ok := said[id]; ok && numbered {
					*text = p.Tag + whole
				}
			}
		}
		return err
	}
	return ledgers.Rewrite(p.Document, p.To, change, restore)
}

// codeAccounts replaces accounts by an initial and a number, such as A1.
func codeAccounts(p struct {
	Document, To, List string
}) exact.Steps {
	change := func(j *journal) (vfs.Files, error) {
		numbers := map[string]int{}
		codes := exact.Codes{New: func(account string, _ int) string {
			_, size := utf8.DecodeRuneInString(account)
			initial := strings.ToUpper(account[:size])
			numbers[initial]++
			return initial + strconv.Itoa(numbers[initial])
		}}
		for l := range j.postings() {
			l.account = codes.Of(l.account)
		}
		return vfs.Files{p.List: codes.JSON()}, nil
	}
	restore := func(j *journal, files vfs.Files) error {
		accounts, err := exact.ReadCodes(files, p.List)
		for l := range j.postings() {
			if account, ok := accounts[l.account]; ok {
				l.account = account
			}
		}
		return err
	}
	return ledgers.Rewrite(p.Document, p.To, change, restore)
}

// writeImplied gives every posting without an amount the one that makes its entry's sum zero,
// and a comment that says so. A comment that was there follows it, after a semicolon.
func writeImplied(p struct {
	Document, To, Symbol, Comment string
}) exact.Steps {
	change := func(j *journal) {
		for i := range j.entries {
			if l, value, ok := j.entries[i].implied(p.Symbol); ok {
				l.amount = money(p.Symbol, value, 2)
				l.text = strings.TrimSuffix(p.Comment+"; "+l.text, "; ")
			}
		}
	}
	return ledgers.Change(p.Document, p.To, change, func(j *journal) {
		for l := range j.postings() {
			if mark, comment, _ := strings.Cut(l.text, "; "); mark == p.Comment {
				l.amount, l.text = "", comment
			}
		}
	})
}

// currency is one in which a ledger is kept.
type currency struct {
	Code   string `json:"code"` // of ISO 4217
	Symbol string `json:"symbol"`
	Places int32  `json:"places"` // decimals of an amount
}

// restate writes the amounts of all postings in another currency. It must have enough decimals
// to keep the amounts apart.
func restate(p struct {
	Document, To string
	Own, Other   currency
	Rate         decimal.Decimal // what one of its own is in the other
	Rates        string
}) exact.Steps {
	change := func(j *journal) (vfs.Files, error) {
		for l := range j.postings() {
			if value, ok := quantity(l.amount, p.Own.Symbol); ok {
				l.amount = money(p.Other.Symbol, value.Mul(p.Rate), p.Other.Places)
			}
		}
		rates := fmt.Sprintf("{\n  \"from\": %q,\n  \"to\": %q,\n  \"rate\": %s\n}\n", p.Own.Code, p.Other.Code, p.Rate)
		return vfs.Files{p.Rates: rates}, nil
	}
	restore := func(j *journal, files vfs.Files) error {
		var kept struct{ Rate float64 }
		if err := plain.JSON(files, p.Rates, &kept); err != nil {
			return err
		}
		if kept.Rate <= 0 {
			return fmt.Errorf("%s has no rate above zero", p.Rates)
		}
		for l := range j.postings() {
			if value, ok := quantity(l.amount, p.Other.Symbol); ok {
				l.amount = money(p.Own.Symbol, value.DivRound(decimal.NewFromFloat(kept.Rate), p.Own.Places), p.Own.Places)
			}
		}
		return nil
	}
	return ledgers.Rewrite(p.Document, p.To, change, restore)
}
