package edifact

import "agentd/domains/edit"

// description is a pattern for the text of an article.
const description = `\bIMD\+[^+']*\+[^+']*\+:*((?:[^'?+]|\?(?s:.))+)'`

// vocabulary makes parts of messages; of the line items of the first one where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "interchange", Part: "message", Parts: "messages",
		Cut: edit.Inline(`\bUNH\+(?:[^'?]|\?(?s:.))*'`, `\b[A-Z]{3}[+:](?:[^'?]|\?(?s:.))*'`, `\bUN[EZ]\+(?:[^'?]|\?(?s:.))*'`),
		Attributes: []edit.Attribute{
			edit.Key("message type", "message types", `\AUNH\+[^+]*\+(\w+)`),
			edit.Has("document number", "document numbers", `\bBGM\+[^+']*\+([^+':]+)`),
			edit.Has("order number", "order numbers", `\bRFF\+ON:([^+':]+)`),
			edit.Has("document date", "document dates", `\bDTM\+137:(\d+)`),
			edit.Has("contact", "contacts", `\bCTA\+[^+']*\+[^+':]*:([^+']+)`),
			edit.Has("item description", "item descriptions", description),
			edit.HasNumber("price", "prices", `\bPRI\+\w+:(\d+(?:\.\d+)?)[:+']`),
		},
		Finer: &edit.Format{
			Document: "interchange", Part: "message-1 line item", Parts: "message-1 line items",
			Cut: edit.Inline(`\bLIN\+(?:[^'?]|\?(?s:.))*'`, `\b(?:[A-KM-TV-Z][A-Z]{2}|L[A-HJ-Z][A-Z]|U[A-MO-Z][A-Z]|UN[ABGH])[+:](?:[^'?]|\?(?s:.))*'`, `\bUN[STEZ]\+`),
			Attributes: []edit.Attribute{
				edit.Key("action code", "action codes", `\ALIN\+[^+']*\+(\w+)`),
				edit.Key("article number", "article numbers", `\ALIN\+[^+']*\+[^+']*\+(\w+)`),
				edit.Has("description", "descriptions", description),
				edit.HasNumber("price", "prices", `\bPRI\+\w+:(\d+(?:\.\d+)?)[:+']`),
				edit.HasNumber("quantity", "quantities", `\bQTY\+\w+:(\d+(?:\.\d+)?)[:+']`),
				edit.Has("reference", "references", `\bRFF\+\w+:([^+']+)`),
			},
		},
	}
}
