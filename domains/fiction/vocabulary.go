package fiction

import "agentd/domains/edit"

// vocabulary makes parts of the paragraphs after the title.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "story", Part: "paragraph", Parts: "paragraphs",
		Cut: edit.First(edit.Blocks(`[.?!…”"’'—-]\s*$|.{50}`), edit.Starting(`[.?!…”"’'—-]\s*$|.{50}`, "")),
		Attributes: []edit.Attribute{
			edit.Has("opening word", "opening words", `\A[^\p{L}\n]*([\p{L}'’]+)`),
			edit.Has("speech verb", "speech verbs", `\b(said|asked|replied|answered|whispered|called|cried|murmured|shouted|told|added)\b`),
			edit.Has("proper name", "proper names", `[\p{Ll},;][ \t\n]+(\p{Lu}\p{Ll}{2,})`),
			edit.Has("speech", "speeches", `[“"]([^”"\n]+)[”"]`),
			edit.Has("closing word", "closing words", `([\p{L}'’]+)[^\p{L}\n]*\z`),
		},
	}
}
