package edifact

import (
	"github.com/shopspring/decimal"

	"agentd/domains/edit"
)

// description is a pattern for the text of an article.
const description = `\bIMD\+[^+']*\+[^+']*\+:*((?:[^'?+]|\?(?s:.))+)'`

// notLine is a pattern for a segment that begins no line item and ends none.
const notLine = `\b(?:[A-KM-TV-Z][A-Z]{2}|L[A-HJ-Z][A-Z]|U[A-MO-Z][A-Z]|UN[ABGH])[+:](?:[^'?]|\?(?s:.))*'`

// lineItem is a pattern for the segment that begins a line item.
const lineItem = `\bLIN\+(?:[^'?]|\?(?s:.))*'`

// vocabulary makes parts of messages; of the line items of the first one where there are few.
func vocabulary() edit.Format {
	items := []edit.Attribute{
		edit.Key("action code", "action codes", `\ALIN\+[^+']*\+(\w+)`),
		edit.Key("article number", "article numbers", `\ALIN\+[^+']*\+[^+']*\+(\w+)`),
		edit.Has("description", "descriptions", description),
		edit.HasNumber("price", "prices", `\bPRI\+\w+:(\d+(?:\.\d+)?)[:+']`),
		edit.HasNumber("quantity", "quantities", `\bQTY\+\w+:(\d+(?:\.\d+)?)[:+']`),
		edit.Has("reference", "references", `\bRFF\+\w+:([^+']+)`),
		edit.ComputedNumber("value", "values", value),
	}
	return edit.Format{
		Document: "interchange", Part: "message", Parts: "messages",
		Cut: edit.Inline(`\bUNH\+(?:[^'?]|\?(?s:.))*'`, `\b(?:[A-TV-Z][A-Z]{2}|U[A-MO-Z][A-Z]|UN[ABGST])[+:](?:[^'?]|\?(?s:.))*'`, `\bUN[EZ]\+(?:[^'?]|\?(?s:.))*'`),
		Attributes: []edit.Attribute{
			edit.Key("message type", "message types", `\AUNH\+[^+]*\+(\w+)`),
			edit.Has("document number", "document numbers", `\bBGM\+[^+']*\+([^+':]+)`),
			edit.Has("order number", "order numbers", `\bRFF\+ON:([^+':]+)`),
			edit.Has("document date", "document dates", `\bDTM\+137:(\d+)`),
			edit.Has("contact", "contacts", `\bCTA\+[^+']*\+[^+':]*:([^+']+)`),
			edit.Has("item description", "item descriptions", description),
			edit.HasNumber("price", "prices", `\bPRI\+\w+:(\d+(?:\.\d+)?)[:+']`),
			edit.Key("item action", "item actions", `\bLIN\+[^+']*\+(\w+)`),
			edit.Has("location number", "location numbers", `\bNAD\+\w+\+(\d{13})\b`),
			edit.ComputedNumber("value", "values", value),
		},
		Finer: &edit.Format{
			Document: "interchange", Part: "message-1 line item", Parts: "message-1 line items", Attributes: items,
			Cut: edit.Inline(lineItem, notLine, `\bUN[STEZ]\+`),
			Finer: &edit.Format{
				Document: "interchange", Part: "line item", Parts: "line items", Attributes: items,
				Cut: edit.Inline(lineItem, notLine, `\bUNZ\+`),
			},
		},
	}
}

// value is the sum of what the line items in a part cost, with two decimals: the net price (PRI+AAA) times the
// quantity to be delivered (QTY+113), or else dispatched (12) or ordered (21). It is empty if none has both.
func value(part string) string {
	sum, found := decimal.Zero, false
	t := read(part)
	for _, m := range t.messages() {
		for _, l := range m.lines {
			said := make(map[string]decimal.Decimal) // the first of each qualifier
			for i := range l.segments {
				s := &l.segments[i]
				n, ok := decimalOf(s.At(1, 2))
				if _, known := said[s.Tag+s.At(1, 1)]; ok && !known {
					said[s.Tag+s.At(1, 1)] = n
				}
			}
			price, priced := said["PRIAAA"]
			for _, qualifier := range []string{"113", "12", "21"} {
				if quantity, ok := said["QTY"+qualifier]; ok && priced {
					sum, found = sum.Add(price.Mul(quantity)), true
					break
				}
			}
		}
	}
	if !found {
		return ""
	}
	return sum.StringFixed(2)
}
