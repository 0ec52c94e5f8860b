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
	ascii, blanks := true, false
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
		blanks = blanks || text[i] < ' ' || text[i] == ' ' && (i == 0 || text[i-1] == ' ')
	}
	if !ascii || strings.Contains(text, "--") {
		text = typography.Replace(text)
	}
	if !ascii || blanks {
		text = pytext.Collapse(text)
	}
	return byValue(text)
}
