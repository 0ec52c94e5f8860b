package accounting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const journalTable = "journal.csv"

var journalColumns = []string{"entry", "date", "mark", "code", "payee", "note", "account", "amount", "comment"}

// toTable makes a row of each posting and comment line. Lines at column 0 are
// rows of only an entry number and a comment that holds the whole line.
func toTable(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{journalColumns}
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
	return vfs.Files{journalTable: plain.WriteCSV(rows)}, nil
}

func fromTable(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, journalTable, journalColumns...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var lines []string
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
	return asDocument(read(plain.Text(lines))), nil
}

const (
	registeredFile = "registered.ledger"
	registerFile   = "receipts.csv"
	receiptTag     = "Receipt: "
)

// registerReceipts numbers the receipts and moves their file names to a table.
func registerReceipts(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	register := [][]string{{"id", "date", "payee", "file"}}
	for i := range j.entries {
		e := &j.entries[i]
		e.eachComment(func(text *string) {
			if file, ok := strings.CutPrefix(*text, receiptTag); ok {
				id := fmt.Sprintf("%03d", len(register))
				register = append(register, []string{id, e.date, e.payee, file})
				*text = receiptTag + "#" + id
			}
		})
	}
	return vfs.Files{registeredFile: j.print(), registerFile: plain.WriteCSV(register)}, nil
}

func nameReceipts(files vfs.Files) (vfs.Files, error) {
	j, err := readNamed(files, registeredFile)
	if err != nil {
		return nil, err
	}
	register, err := plain.Table(files, registerFile, "id", "file")
	if err != nil {
		return nil, err
	}
	fileOf := map[string]string{}
	for _, row := range register {
		fileOf[receiptTag+"#"+row[0]] = row[1]
	}
	for i := range j.entries {
		j.entries[i].eachComment(func(text *string) {
			if file, ok := fileOf[*text]; ok {
				*text = receiptTag + file
			}
		})
	}
	return asDocument(j), nil
}

// eachComment calls do with every comment of the entry, to change it.
func (e *entry) eachComment(do func(text *string)) {
	do(&e.comment)
	for i := range e.lines {
		if e.lines[i].kind != marginLine {
			do(&e.lines[i].text)
		}
	}
}

const (
	codedFile    = "coded.ledger"
	accountsFile = "accounts.json"
)

// codeAccounts replaces accounts by an initial and a number, such as A1.
func codeAccounts(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	codeOf, numbers := map[string]string{}, map[string]int{}
	var entries []string // of the JSON object, in order of first appearance
	j.eachPosting(func(l *line) {
		if codeOf[l.account] == "" {
			_, size := utf8.DecodeRuneInString(l.account)
			initial := strings.ToUpper(l.account[:size])
			numbers[initial]++
			code := initial + strconv.Itoa(numbers[initial])
			codeOf[l.account] = code
			entries = append(entries, "  "+quoted(code)+": "+quoted(l.account))
		}
		l.account = codeOf[l.account]
	})
	return vfs.Files{
		codedFile:    j.print(),
		accountsFile: "{\n" + strings.Join(entries, ",\n") + "\n}\n",
	}, nil
}

func nameAccounts(files vfs.Files) (vfs.Files, error) {
	j, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	var accountOf map[string]string
	if err := plain.JSON(files, accountsFile, &accountOf); err != nil {
		return nil, err
	}
	j.eachPosting(func(l *line) {
		if account, ok := accountOf[l.account]; ok {
			l.account = account
		}
	})
	return asDocument(j), nil
}

// quoted is a JSON string in which & and the like are readable.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
