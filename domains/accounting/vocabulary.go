package accounting

import "agentd/domains/edit"

// written is an amount with its commodity on either side.
const written = `(?:-?[^\s\d;,.()@={}"+-]{1,4} ?)?-?\d[\d,]*(?:\.\d+)?(?: ?[^\s\d;,.()@={}"+-]{1,6})?`

// vocabulary cuts a journal before each dated line.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "ledger", Part: "entry", Parts: "entries",
		Cut:    edit.Starting(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}`, ""),
		Remark: "    ; Computed: {}",
		Attributes: []edit.Attribute{
			edit.Has("payee", "payees", `^\d{4}\S+[ \t]+(?:[*!][ \t]*)?(?:\([^)\n]*\)[ \t]*)?([^|;\n]*[^|;\s])`),
			edit.Key("month", "months", `^(\d{4}[-/.]\d{1,2})[-/.]`),
			edit.Key("date", "dates", `^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2})`),
			edit.Has("mark", "marks", `^\d{4}\S+[ \t]+([*!])`),
			edit.Has("account", "accounts", `^[ \t]+([^\s;(\["][^;\n]*?)(?:[ \t]{2,}|\t|$)`),
			edit.HasNumber("amount", "amounts", `^[ \t]+[^\s;][^;\n]*?(?:[ \t]{2,}|\t)[ \t]*(`+written+`)[ \t]*(?:[;@={]|$)`),
			edit.Has("tag value", "tag values", `;[ \t]*[A-Z]\w*:[ \t]+([^\s][^\n]*[^\s])`),
			edit.Has("comment", "comments", `;[ \t]*([^\s;][^\n]*[^\s])`),
			edit.ComputedNumber("balancing amount", "balancing amounts", balancing),
			edit.ComputedNumber("size", "sizes", size),
		},
	}
}
