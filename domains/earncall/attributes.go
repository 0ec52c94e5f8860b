package earncall

import (
	"slices"
	"strconv"

	"agentd/domains/edit"
	"agentd/domains/internal/pytext"
)

// speaker is a name of one word to five; abbreviation is one whose full stop ends no sentence; number
// is a figure without its unit.
const (
	speaker      = `\p{Lu}[\p{L}.'’-]*(?:[ \t]+(?:de|van|von|der|la|le|\p{Lu}[\p{L}.'’-]*)){0,4}`
	number       = `\d+(?:,\d{3})*(?:\.\d+)?`
	abbreviation = `\b(?:Mr|Mrs|Ms|Dr|St|Inc|Ltd|Corp|Co|vs|No|approx|\p{Lu})\.`
)

// vocabulary makes parts of what one speaker says; of sentences where few speak.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "transcript", Part: "speaker turn", Parts: "speaker turns",
		Cut: edit.Starting(`^[*# \t]*`+speaker+`(?:[ \t]*(?:\([^)\n]*\)|[-–—,][^:\n]{1,60}))?\**:(?:[ \t*\p{Lu}]|$)`, ""),
		Attributes: []edit.Attribute{
			edit.Key("speaker", "speakers", `\A[*# \t]*(`+speaker+`)`),
			edit.Key("opening word", "opening words", `\A[^:\n]+:[*\s]*([\p{L}'’]+)`),
			edit.HasNumber("percentage", "percentages", `(?:^|[^\d.,])(\d+(?:\.\d+)?)%`),
			edit.HasNumber("dollar amount", "dollar amounts", `\$(\d+(?:\.\d+)?)(?:[^\d,.]|[,.][^\d]|[,.]?$)`),
			edit.Has("sum of money", "sums of money", `([$€£]`+number+`)`),
			edit.Has("figure", "figures", `(\$`+number+`(?: (?:thousand|million|billion|trillion))?|`+number+`(?:%| basis points))`),
			edit.Has("spoken text", "spoken texts", `\A[^:\n]+:[*\s]*((?s:.+))\z`),
			edit.ComputedNumber("words", "words", words),
			edit.Has("year", "years", `\b((?:19|20)\d\d)\b`),
			edit.Has("question", "questions", `(?:\A|[.!?:][ \t]+|\n)(\p{Lu}[^.!?:\n]*\?)`),
		},
		Finer: &edit.Format{
			Document: "transcript", Part: "sentence", Parts: "sentences",
			Cut: edit.Inline(`[^\s](?:`+abbreviation+`|[^.?!\n]|[.?!]+[^\s.?!"”’)])*(?:[.?!]+["”’)]*)?`, "", ""),
			Attributes: []edit.Attribute{
				edit.Has("opening word", "opening words", `\A([\p{L}'’]+)`),
				edit.Has("closing word", "closing words", `([\p{L}'’]+)[^\p{L}\n]*\z`),
				edit.HasNumber("percentage", "percentages", `(?:^|[^\d.,])(\d+(?:\.\d+)?)%`),
				edit.Has("figure", "figures", `(\$?\d[\d.,]*\d%?)`),
				edit.Has("company term", "company terms",
					`(?i)\b(revenue|growth|margin|guidance|quarter|earnings|customers|cash flow|business)\b`),
			},
		},
	}
}

// words is the number of words that a speaker says in a turn, without the name before them; empty if there is no turn.
func words(spoken string) string {
	c := read(spoken)
	at := slices.IndexFunc(c.parts, func(p part) bool { return len(p.Turns) > 0 })
	if at < 0 {
		return ""
	}
	n := 0
	for _, line := range c.parts[at].Turns[0].Lines {
		n += len(pytext.Fields(line))
	}
	return strconv.Itoa(n)
}
