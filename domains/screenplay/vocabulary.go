package screenplay

import "agentd/domains/edit"

// vocabulary cuts before each speech of the dialogue. A stage direction goes with the speech
// above it, the first ones with what comes before the dialogue.
func vocabulary() edit.Format {
	const speaker = `^[ \t]*([A-Z][A-Z0-9 .'’&-]*?)[ \t]*(?:\([^()\n]*\)[ \t]*)?:`
	speeches := edit.Starting(speaker, "")
	return edit.Format{
		Document: "script", Part: "speech", Parts: "speeches",
		Cut: edit.Either(edit.Within(`^[#\s]*DIALOGUE\b`, "", speeches), speeches),
		Attributes: []edit.Attribute{
			edit.Has("speaker", "speakers", speaker),
			edit.Has("remark in brackets", "remarks in brackets", `:.*?\(([^()\n]+)\)`),
			edit.Has("stage direction", "stage directions", `^[ \t]*\(([^()\n]+)\)[ \t]*$`),
			edit.Has("first word", "first words", speaker[:6]+`[A-Z][^:\n]*:[ \t]*(?:\([^()\n]*\)[ \t]*)?([\pL'’]+)`),
			edit.Has("spoken words", "spoken words", `^[ \t]*[A-Z][A-Z0-9 .'’&-]*(?:\([^()\n]*\)[ \t]*)?:[ \t]*(\S[^\n]*)`),
		},
	}
}
