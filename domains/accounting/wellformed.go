package accounting

import (
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	"agentd/internal/lazyregexp"
)

// isWellFormed finds lines that ledger would not take: at the margin stand dates, directives and comments, and what
// is indented belongs to an entry.
var isWellFormed = wellformed.All(beancount, outsideTexts(wellformed.Lines(`^(?:[ \t]|[;#%|*]|\d{2,4}[-/.]\d{1,2}|[~=]|(?:plugin|option|include|push\w+|pop\w+)[ \t]|[!@]?[a-zA-Z]+\b(?:[^.:!?]*$|.*[/\d]))`, "neither a date, a directive nor a comment begins the line")))

// outsideTexts makes a check of the lines that do not begin within a text in quotes.
func outsideTexts(check wellformed.Check) wellformed.Check {
	return func(name, text string) []wellformed.Slip {
		if wrapped := wrappedTexts(text); len(wrapped) > 0 {
			lines := strings.Split(pytext.UniversalNewlines(text), "\n")
			for n := range wrapped {
				lines[n] = ""
			}
			text = strings.Join(lines, "\n")
		}
		return check(name, text)
	}
}

// beancountLine is a line of Beancount, in which accounts are opened.
var beancountLine = lazyregexp.New(`(?m)^(?:\d{4}-\d\d-\d\d open [A-Z]|option "|plugin ")`)

// isBeancount reports whether a text has a line that Beancount alone has.
func isBeancount(text string) bool {
	return (strings.Contains(text, " open ") || strings.Contains(text, ` "`)) && beancountLine.MatchString(text)
}

// inBeancount checks texts, and that each account has parts.
var inBeancount = wellformed.All(
	wellformed.Code{Line: []string{";"}, AtStart: []string{"*"}, Quotes: `"`, Escape: true, Wrapped: true}.Check,
	outsideTexts(wellformed.Not(`^\s+(?:[!*] )?[A-Z][\w-]*(?:\s|$)|^\d{4}-\d\d-\d\d (?:open|close|balance|pad|note) [A-Z][\w-]*(?:\s|$)`, "an account has one part")),
)

func beancount(name, text string) []wellformed.Slip {
	if !isBeancount(text) {
		return nil
	}
	return inBeancount(name, text)
}
