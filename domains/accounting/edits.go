package accounting

import (
	"errors"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "makerspace.ledger"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_claimant", Forward: splitByClaimant, Backward: mergeClaimants},
		{Name: "csv_journal", Forward: toTable, Backward: fromTable},
		{Name: "receipt_register", Forward: registerReceipts, Backward: nameReceipts},
		{Name: "short_accounts", Forward: codeAccounts, Backward: nameAccounts},
		{Name: "monthly_books", Forward: splitByMonth, Backward: mergeMonths},
		{Name: "explicit_amounts", Forward: writeImplied, Backward: blankImplied},
		{Name: "approval_filter", Forward: splitByApproval, Backward: mergeApproval},
		{Name: "euro_restatement", Forward: toEuros, Backward: toDollars},
	}
}

var errNoEntry = errors.New("no ledger file with an entry")

// readDocument reads the ledger files that a forward step is given, as one.
func readDocument(files vfs.Files) (journal, error) {
	files = files.Match([]string{"*.ledger"})
	j := joined(readParts(files, ""))
	if len(j.entries) == 0 {
		return journal{}, errNoEntry
	}
	return j, nil
}

// readNamed reads the ledger file that a backward step needs.
func readNamed(files vfs.Files, name string) (journal, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(j journal) vfs.Files { return vfs.Files{document: j.print()} }

// part is one of several ledger files that make up a journal.
type part struct {
	name string
	journal
}

// readParts reads ledger files in name order, only main, which has the opening
// lines, first; empty stands for the first in name order. What the others have
// before their first entry belongs to that entry.
func readParts(files vfs.Files, main string) []part {
	names := files.Names()
	if at := slices.Index(names, main); at > 0 {
		names = slices.Concat([]string{main}, names[:at], names[at+1:])
	}
	var parts []part
	for n, name := range names {
		j := read(files[name])
		if n > 0 {
			if len(j.entries) > 0 {
				j.entries[0].above = j.opening
			} else {
				j.closing = slices.Concat(j.opening, j.closing)
			}
			j.opening = nil
		}
		parts = append(parts, part{name, j})
	}
	return parts
}

// joined puts parts one after the other.
func joined(parts []part) journal {
	var all journal
	for _, p := range parts {
		all.opening = append(all.opening, p.opening...)
		all.entries = append(all.entries, p.entries...)
		all.closing = append(all.closing, p.closing...)
	}
	return all
}

// split hands the entries out, in order, to the files that fileOf names; main
// also gets the lines before the first and after the last entry.
func split(j journal, main string, fileOf func(*entry) string) vfs.Files {
	parts := map[string]*journal{main: {opening: j.opening, closing: j.closing}}
	for i := range j.entries {
		name := fileOf(&j.entries[i])
		if parts[name] == nil {
			parts[name] = &journal{}
		}
		parts[name].entries = append(parts[name].entries, j.entries[i])
	}
	files := vfs.Files{}
	for name, p := range parts {
		files[name] = p.print()
	}
	return files
}

// mergeInOrder takes in what split made and a table of the positions and files
// of the entries. Entries that the table does not place come last.
func mergeInOrder(files vfs.Files, main, table string) (journal, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return journal{}, err
	}
	files = files.Match([]string{"*.ledger"})
	if len(files) == 0 {
		return journal{}, errNoEntry
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	parts := readParts(files, main)
	var placed []entry
	for _, row := range rows {
		at := slices.IndexFunc(parts, func(p part) bool { return p.name == row[1] })
		if at >= 0 && len(parts[at].entries) > 0 {
			placed = append(placed, parts[at].entries[0])
			parts[at].entries = parts[at].entries[1:]
		}
	}
	j := joined(parts)
	j.entries = append(placed, j.entries...)
	return j, nil
}

// eachPosting calls do with every posting, to change it.
func (j *journal) eachPosting(do func(*line)) {
	for i := range j.entries {
		j.entries[i].eachPosting(do)
	}
}

func (e *entry) eachPosting(do func(*line)) {
	for i := range e.lines {
		if e.lines[i].kind == postingLine {
			do(&e.lines[i])
		}
	}
}
