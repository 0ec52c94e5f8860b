package makefile

import (
	"strings"

	published "agentd/domains/published/makefile"
)

// printed is the text of statements.
func printed(all []published.Statement) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].Text)
		b.WriteByte('\n')
	}
	return b.String()
}
