package accounting

import (
	"agentd/domains/internal/wellformed"
)

// isWellFormed finds lines that ledger would not take: at the margin stand dates, directives and comments, and what
// is indented belongs to an entry.
var isWellFormed = wellformed.Lines(`^(?:[ \t]|[;#%|*]|\d{2,4}[-/.]\d{1,2}|[~=]|[!@]?[a-zA-Z]+\b(?:[^.:!?]*$|.*[/\d]))`, "neither a date, a directive nor a comment begins the line")
