package equivalences

import "agentd/domains/domaintest"

// generalEquivalences are those of general text.
var generalEquivalences = map[string][]domaintest.Equivalence{
	"markdown": {
		trailing1, returns,
		domaintest.Everywhere("another mark of all list items", true, `(?m)^( *)- `, "${1}* "),
		domaintest.Everywhere("headings closed", true, `(?m)^(#+ [^\n]*\pL)$`, "${1} ##"),
		domaintest.Everywhere("blank lines", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("wider cells", true, `(?m)^\| ([^|\n]*) \|`, "|   ${1}     |"),
		domaintest.Rewritten("another level", false, `(?m)^## `, "### "),
		domaintest.Rewritten("a list item less", false, `(?m)^- [^\n]*\n(- )`, "${1}"),
		anotherLetter("another letter", `(?m)^(\w[^\n]*)$`),
		anotherDigit(`(?m)^(\|[^\n]*\d[^\n]*)$`),
		domaintest.Swapped("two headings exchanged", false, `(?m)^## [^\n]*$`),
	},
	"text": {
		trailing, returns,
		domaintest.Everywhere("blank lines", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("a line less", false, `(?m)^[^\n]+\n`, ""),
		domaintest.Rewritten("a blank line less", false, `[^\n]\n\n+[^\n]`, "a\nb"),
		anotherLetter("another letter", `(?m)^(\w[^\n]*)$`),
		anotherDigit(`(?m)^([^\n]*\d[^\n]*)$`),
		domaintest.Swapped("two lines exchanged", false, `(?m)^\w[^\n]*$`),
	},
}

// trailing1 is one blank at a line's end: two break the line in Markdown.
var trailing1 = domaintest.Rewritten("a blank at a line's end", true, `(?m)(\pL)$`, "${1} ")
