package accounting

import (
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the transactions that post an amount, or to two accounts. A line of
// a log that begins with a date looks like the header of a transaction, and what is
// indented below it like an account.
func evidence(_ vfs.Files, elements []domains.Element) int {
	found := 0
	for i := range elements {
		if elements[i].Kind == counted && isPosted(elements[i].Fields) {
			found++
		}
	}
	return found
}

func isPosted(fields []domains.Field) bool {
	postings := 0
	for _, f := range fields {
		if f.Name != postingField {
			continue
		}
		if postings++; postings > 1 || strings.Contains(f.Value, postingGap) {
			return true
		}
	}
	return false
}
