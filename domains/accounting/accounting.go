// Package accounting is the domain of plain-text double-entry journals in the syntax of Ledger: dated transactions,
// each with a payee, two or more postings (an account and mostly an amount) and comments. The transaction is what is
// counted.
//
// The published score looks at the date, roughly at the payee, at account names, at the first positive amount and at
// the set of comments. Strict also looks at marks, cheque codes, payee notes, every posting with its sign and
// commodity, repeated comments, entries that were added, and text outside entries; it reads what Ledger reads (unpadded
// and dotted dates, tabs, comments after an amount) in a file of any name. The order of transactions, and of postings
// and comments within one, means nothing to it.
package accounting

import (
	"agentd/domains"
	published "agentd/domains/published/accounting"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Book]{
		Info: domains.Info{
			Name:     "accounting",
			Title:    "Ledger journal",
			Category: "Structured Records",
			Patterns: []string{"*.ledger", "*.dat", "*.txt"},
			Element:  counted,
			Example: "2024-03-07 * Harbour Bakery\n" +
				"    Expenses:Food  18.40 EUR\n" +
				"    Assets:Bank",
			Components: []string{"coverage", "posting", "amount", "comment"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       isWellFormed,
		Elements:   format.Elements,
		Comments:   []string{";", "^#", "^%", "^|", "^*"},
		Evidence:   evidence,
		Without:    format.Without,
		Sampling:   domains.Sampling{Category: purpose},
		Vocabulary: vocabulary,
	})
}
