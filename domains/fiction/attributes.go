package fiction

import (
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// sentence is a line that is no title: one that ends like a sentence, or is long.
const sentence = `[.?!…”"’')\]—-]\s*$|.{50}`

// vocabulary makes parts of the paragraphs after the title.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "story", Part: "paragraph", Parts: "paragraphs",
		Cut: edit.First(edit.Blocks(sentence), edit.Starting(sentence, "")),
		Attributes: []edit.Attribute{
			edit.Has("opening word", "opening words", `\A[^\p{L}\n]*([\p{L}'’]+)`),
			edit.Has("speech verb", "speech verbs", `\b(said|asked|replied|answered|whispered|called|cried|murmured|shouted|told|added)\b`),
			edit.Has("proper name", "proper names", `[\p{Ll},;][ \t\n]+(\p{Lu}\p{Ll}+(?:[ \t\n]\p{Lu}\p{Ll}+)*)`),
			edit.ComputedNumber("words", "words", words), edit.ComputedNumber("spoken words", "spoken words", spokenWords),
			edit.Has("speech", "speeches", `[“"]([^”"\n]+)[”"]`),
			edit.Has("closing word", "closing words", `([\p{L}'’]+)[^\p{L}\n]*\z`),
		},
	}
}

// words is the number of words between blanks in a paragraph, without a line of signs below it.
func words(part string) string { return strconv.Itoa(len(pytext.Fields(firstParagraph(part)))) }

// quoted is speech in a paragraph: between curly quotes, or between two straight ones.
var quoted = lazyregexp.New(`“[^“”]*”|"[^"]*"`)

// spokenWords is the number of words between blanks in the speech of a paragraph, each passage by itself.
func spokenWords(part string) string {
	n := 0
	for _, speech := range quoted.FindAllString(firstParagraph(part), -1) {
		n += len(pytext.Fields(strings.Trim(speech, `“”"`)))
	}
	return strconv.Itoa(n)
}

func firstParagraph(part string) string {
	for _, lines := range paragraphsOf(part) {
		return strings.Join(lines, "\n")
	}
	return ""
}
