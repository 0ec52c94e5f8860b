package screenplay

import (
	"strconv"
	"strings"

	"agentd/domains/edit"
)

// vocabulary cuts before each speech of the dialogue. A stage direction goes with the speech
// above it, the first ones with what comes before the dialogue.
func vocabulary() edit.Format {
	const (
		name    = `\p{Lu}[\p{Lu}\p{M}0-9 .'’&-]*?`
		manner  = `[ \t]*(?:\([^()\n]*\)[ \t]*)?`
		speaker = `^[ \t]*(` + name + `)` + manner + `:`
		label   = `^[ \t]*` + name + manner + `:`
	)
	speeches := edit.Starting(speaker, "")
	return edit.Format{
		Document: "script", Part: "speech", Parts: "speeches",
		Cut: edit.Either(edit.Within(`^[#\s]*DIALOGUE\b`, "", speeches), speeches),
		Attributes: []edit.Attribute{
			edit.Has("speaker", "speakers", speaker),
			edit.Has("remark in brackets", "remarks in brackets", `:.*?\(([^()\n]+)\)`),
			edit.Has("bracketed text", "bracketed texts", `\(([^()\n]+)\)`),
			edit.ComputedNumber("words", "words", words),
			edit.Has("stage direction", "stage directions", `^[ \t]*\(([^()\n]+)\)[ \t]*$`),
			edit.Has("first word", "first words", label+manner+`([\pL'’]+)`),
			edit.Has("spoken words", "spoken words", label+`[ \t]*(\S[^\n]*)`),
		},
	}
}

// words is the number of words of a speech, which stand between blanks; those in parentheses are not
// said. It is empty if there is no speech.
func words(part string) string {
	for _, b := range readText(part).blocks {
		if b.kind == counted {
			said := replaceParentheticals(strings.Join(b.text(), " "), func(string) string { return "" })
			return strconv.Itoa(len(strings.Fields(said)))
		}
	}
	return ""
}
