package accounting

import (
	"strings"

	"agentd/domains"
)

// isPosted reports whether an element is a transaction that posts an amount, or to two
// accounts. A line of a log that begins with a date looks like the header of a
// transaction, and what is indented below it like an account.
func isPosted(e *domains.Element) bool {
	postings := 0
	for _, f := range e.Fields {
		if f.Name != postingField {
			continue
		}
		if postings++; postings > 1 || strings.Contains(f.Value, postingGap) {
			return true
		}
	}
	return false
}
