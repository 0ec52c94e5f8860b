package accounting

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	othersFile = "other.ledger"
	orderFile  = "order.csv"
)

// splitByClaimant makes a file of the entries of each person reimbursed.
func splitByClaimant(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := [][]string{{"position", "file"}}
	out := split(j, othersFile, func(e *entry) string {
		name := claimantFile(e)
		order = append(order, []string{strconv.Itoa(len(order)), name})
		return name
	})
	out[orderFile] = plain.WriteCSV(order)
	return out, nil
}

func mergeClaimants(files vfs.Files) (vfs.Files, error) {
	j, err := mergeInOrder(files, othersFile, orderFile)
	if err != nil {
		return nil, err
	}
	return asDocument(j), nil
}

// claimantFile names the file after the last part of the claimant's account:
// "walt_kivisto.ledger".
func claimantFile(e *entry) string {
	name := othersFile
	e.eachPosting(func(l *line) {
		person, ok := strings.CutPrefix(l.account, "Liabilities:Reimbursement:")
		if !ok || name != othersFile {
			return
		}
		words := strings.FieldsFunc(strings.ToLower(person[strings.LastIndex(person, ":")+1:]), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if len(words) > 0 {
			name = strings.Join(words, "_") + ".ledger"
		}
	})
	return name
}

const (
	approvedFile  = "approved.ledger"
	approvalFile  = "needs_approval.ledger"
	decisionsFile = "decisions.csv"
)

// guardedAccounts are those that no entry may touch without approval.
var guardedAccounts = []string{"Assets:NBC:Savings", "Income:Grants:Restricted", "Liabilities:NBC Visa"}

// approvalLimit is the largest amount that needs no approval.
var approvalLimit = decimal.NewFromInt(1000)

// splitByApproval sets apart the entries that need the board's approval.
func splitByApproval(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	decisions := [][]string{{"position", "file", "reason"}}
	out := split(j, approvedFile, func(e *entry) string {
		reason, name := approvalReason(e), approvalFile
		if reason == "none" {
			name = approvedFile
		}
		decisions = append(decisions, []string{strconv.Itoa(len(decisions)), name, reason})
		return name
	})
	out[decisionsFile] = plain.WriteCSV(decisions)
	return out, nil
}

func mergeApproval(files vfs.Files) (vfs.Files, error) {
	j, err := mergeInOrder(files, approvedFile, decisionsFile)
	if err != nil {
		return nil, err
	}
	return asDocument(j), nil
}

func approvalReason(e *entry) string {
	large, guarded := false, false
	e.eachPosting(func(l *line) {
		if value, ok := dollars(l.amount); ok && value.Abs().GreaterThan(approvalLimit) {
			large = true
		}
		guarded = guarded || slices.Contains(guardedAccounts, l.account)
	})
	switch {
	case large && guarded:
		return "both"
	case large:
		return "amount"
	case guarded:
		return "account"
	}
	return "none"
}

// splitByMonth makes a file of each month and a table of the balances at the
// months' ends.
func splitByMonth(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	months := map[string][]*entry{}
	for i := range j.entries {
		month := j.entries[i].month()
		months[month] = append(months[month], &j.entries[i])
	}
	inOrder := slices.Sorted(maps.Keys(months))
	out := split(j, inOrder[0]+".ledger", func(e *entry) string { return e.month() + ".ledger" })

	table := [][]string{{"month", "account", "balance"}}
	balances := map[string]decimal.Decimal{}
	for _, month := range inOrder {
		for _, e := range months[month] {
			e.addTo(balances)
		}
		for _, account := range slices.Sorted(maps.Keys(balances)) {
			table = append(table, []string{month, account, balances[account].StringFixed(2)})
		}
	}
	out["balances.csv"] = plain.WriteCSV(table)
	return out, nil
}

func mergeMonths(files vfs.Files) (vfs.Files, error) {
	j, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	return asDocument(j), nil
}

// month is the month of the entry's date, as in 2023-01.
func (e *entry) month() string { return normalDate(e.date)[:len("2023-01")] }
