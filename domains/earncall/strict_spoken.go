package earncall

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// typography are the signs that word processors put for those of a keyboard.
var typography = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "′", "'", "“", `"`, "”", `"`, "„", `"`, "″", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-", " -- ", " - ", "…", "...", "\u00ad", "",
)

// plainly is a text in the signs of a keyboard, with single blanks and figures
// by their value.
func plainly(text string) string {
	if strings.Contains(text, "--") || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		text = typography.Replace(text)
	}
	return byValue(pytext.Collapse(text))
}
