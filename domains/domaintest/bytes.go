package domaintest

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentd/internal/charset"
	"agentd/internal/fidelity"
)

// ByteDamage is a kind of damage to the bytes of a text.
type ByteDamage struct {
	Name string
	Do   func(text string) string
	What string // the property of package fidelity that is another, empty for any
	// Resave says that programs write texts so which change nothing in them, and that no format minds.
	Resave bool
}

// ByteDamages are the kinds.
func ByteDamages() []ByteDamage {
	return []ByteDamage{
		{Name: "CRLF", Do: func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, What: fidelity.LineEnds, Resave: true},
		{Name: "CR", Do: func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }, What: fidelity.LineEnds},
		{Name: "LF", Do: func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }, What: fidelity.LineEnds, Resave: true},
		{Name: "one CRLF", Do: func(s string) string { return strings.Replace(s, "\n", "\r\n", 1) }, What: fidelity.LineEnds},
		{Name: "a byte order mark", Do: func(s string) string { return "\ufeff" + strings.TrimPrefix(s, "\ufeff") }, What: fidelity.Mark, Resave: true},
		{Name: "no last newline", Do: func(s string) string { return strings.TrimRight(s, "\r\n") }, What: fidelity.Newline, Resave: true},
		{Name: "another last newline", Do: func(s string) string { return s + "\n" }, Resave: true},
		{Name: "trailing blanks", Do: func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") }},
		{Name: "a trailing tab", Do: func(s string) string { return strings.Replace(s, "\n", "\t\n", 1) }},
		{Name: "no trailing blanks", Do: func(s string) string { return strings.ReplaceAll(s, " \n", "\n") }},
		{Name: "UTF-16", Do: func(s string) string { return "\xff\xfe" + wide(s, 2) }, What: fidelity.Encoding},
		{Name: "UTF-32", Do: func(s string) string { return "\xff\xfe\x00\x00" + wide(s, 4) }, What: fidelity.Encoding},
		{Name: "tabs for blanks", Do: func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }, What: fidelity.Rest},
		{Name: "two blanks for one", Do: func(s string) string { return strings.ReplaceAll(s, " ", "  ") }},
		{Name: "an indent", Do: func(s string) string { return " " + strings.ReplaceAll(s, "\n", "\n ") }},
		{Name: "blanks that do not break", Do: func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }},
		{Name: "another quotation mark", Do: func(s string) string { return strings.ReplaceAll(s, `"`, "'") }, What: fidelity.Rest},
		{Name: "typographic marks", Do: func(s string) string { return strings.ReplaceAll(s, "'", "’") }, What: fidelity.Rest},
		{Name: "no blank at the beginning", Do: func(s string) string { return strings.ReplaceAll(s, "\n ", "\n") }},
		{Name: "decomposed letters", Do: norm.NFD.String, What: fidelity.Form},
	}
}

// wide is a text whose characters have so many bytes, the least first.
func wide(text string, bytes int) string {
	e, err := charset.Lookup(map[int]string{2: "utf-16le", 4: "utf-32le"}[bytes])
	if err != nil {
		panic(err)
	}
	content, err := e.Encode(text)
	if err != nil {
		panic(err)
	}
	return content
}
