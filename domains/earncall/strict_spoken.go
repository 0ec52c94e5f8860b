package earncall

import (
	"strings"
	"unicode"
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

// sentences divides a text as plainly gives it: after a full stop, question or
// exclamation mark, before a blank and what can begin a sentence.
func sentences(text string) []string {
	if text == "" {
		return nil
	}
	var all []string
	start := 0
	for i := 0; i < len(text); i++ {
		if !strings.ContainsRune(".?!", rune(text[i])) {
			continue
		}
		end := i + 1
		for end < len(text) && strings.IndexByte(`"')].?!`, text[end]) >= 0 {
			end++
		}
		i = end - 1
		if strings.HasPrefix(text[end:], " ") && beginsSentence(text[end+1:]) {
			all = append(all, text[start:end])
			start = end + 1
		}
	}
	return append(all, text[start:])
}

func beginsSentence(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(`"'([$€£`, r)
}
