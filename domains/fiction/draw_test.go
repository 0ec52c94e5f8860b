package fiction

import (
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawn are stories with a title, scenes and speech, wrapped or not, by somebody
// who is not quite sure of quotes and spelling.
func drawn() *rapid.Generator[vfs.Files] {
	return rapid.Custom(func(t *rapid.T) vfs.Files {
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		many := func(label string, least, most int) int { return rapid.IntRange(least, most).Draw(t, label) }
		name := func() string {
			return pick("name", "Hester", "Tobias", "Mrs Pell", "Ilya", "the Ó Briain boy", "Anne-Marie", "Dunmore")
		}
		said := func() string {
			text := pick("said", "You are late", "Not tonight", "It was grey, wasn't it?", "Twenty-two, I counted", "Harbour lights -- all out", "")
			mark := pick("mark", ".", "!", ",", "…", "")
			if rapid.Bool().Draw(t, "curly") {
				return "“" + strings.ReplaceAll(text, "'", "’") + mark + "”"
			}
			return `"` + text + mark + `"`
		}
		sentence := func() string {
			return pick("sentence",
				"The tide had gone out by then.",
				"They ploughed on, past the kerb and the last of the 1911 cottages.",
				"Rain.",
				"Nobody realised how far they had travelled — nobody at all.",
				"COLOUR was what it lacked; the ink ran.",
				name()+" looked at "+name()+", and at the door.",
				said()+" said "+name()+".",
				name()+" told "+name()+" about it: "+said()+" and "+said(),
				said(),
				"[sic] 3 * 4 (12)",
			)
		}
		paragraph := func() string {
			sentences := make([]string, many("sentences", 1, 5))
			for i := range sentences {
				sentences[i] = sentence()
			}
			text := strings.Join(sentences, " ")
			if rapid.Bool().Draw(t, "wrapped") {
				text = strings.ReplaceAll(text, ". ", pick("wrap", ".\n", ". \n  ", ".\t\n"))
			}
			return text
		}
		paragraphs := []string{pick("title", "The Bell", "# The Bell", "THE BELL\nby A. N. Other")}
		scenes := many("scenes", 1, 4)
		line := pick("break", "* * *", "***", "#", "—")
		for scene := range scenes {
			for range many("paragraphs", 1, 6) {
				paragraphs = append(paragraphs, paragraph())
			}
			if scene < scenes-1 {
				paragraphs = append(paragraphs, line)
			}
		}
		text := strings.Join(paragraphs, pick("gap", "\n\n", "\n\n\n", "\n  \n"))
		return vfs.Files{document: text + pick("end", "\n", "", "\n\n")}
	})
}
