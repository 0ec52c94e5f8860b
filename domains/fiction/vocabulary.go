package fiction

import "agentd/domains/edit"

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
