package accounting

import (
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/edit"
	"agentd/domains/internal/doc"
)

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

// balancing is the amount that the one posting without any has, so that the entry sums to zero,
// written as the others are; empty if there is no such posting or the amounts cannot be summed.
func balancing(part string) string {
	sum, implied, ok := sums(part)
	if !ok || !implied {
		return ""
	}
	return sum.With(sum.Value.Neg()).String()
}

// size is the sum of an entry's positive amounts, with the one that a posting leaves out; empty if
// they cannot be summed.
func size(part string) string {
	sum, implied, ok := sums(part)
	if !ok {
		return ""
	}
	total := decimal.Zero
	if implied && sum.Value.IsNegative() {
		total = sum.Value.Neg()
	}
	for _, l := range postings(part) {
		if n, ok := edit.ReadNumber(l.amount); ok && n.Value.IsPositive() {
			total = total.Add(n.Value)
		}
	}
	return sum.With(total).String()
}

// sums adds the amounts of an entry, and says whether one posting leaves its own out. It is false
// if several do, or if the amounts are of several commodities.
func sums(part string) (sum edit.Number, implied, ok bool) {
	for _, l := range postings(part) {
		n, written := edit.ReadNumber(l.amount)
		switch {
		case l.amount == "" && !implied:
			implied = true
			continue
		case !written || ok && n.Unit() != sum.Unit():
			return edit.Number{}, false, false
		case ok:
			n = sum.With(sum.Value.Add(n.Value))
		}
		sum, ok = n, true
	}
	return sum, implied, ok
}

// postings are those of an entry.
func postings(part string) []line {
	var all []line
	for _, text := range doc.Lines(part) {
		if indented := strings.TrimLeft(text.Text, " \t"); indented != "" && len(indented) < len(text.Text) {
			if l := readLine(indented); l.account != "" {
				all = append(all, l)
			}
		}
	}
	return all
}
