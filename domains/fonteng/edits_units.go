package fonteng

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/sets"
)

// inUnits are the fields of tables that are lengths.
var inUnits = sets.Words(`
	Ascender Descender LineGap CaretOffset VertTypoAscender VertTypoDescender VertTypoLineGap TypoAscender
	TypoDescender TypoLineGap winAscent winDescent XHeight CapHeight LigatureCaretByPos HorizAxis.BaseScriptList
	VertAxis.BaseScriptList anchorDef valueRecordDef markClass pos position enum enumerate`)

// scale multiplies every length, as for another number of units per em. Points of contours and
// the pixels of devices are none.
func scale(p struct {
	Document, To string
	By           decimal.Decimal
}) exact.Steps {
	if !p.By.IsPositive() {
		return exact.Refuse("by must be above zero")
	}
	return sources.Change(p.Document, p.To, func(d *document) { d.changeLengths(p.By.Mul) }, func(d *document) {
		d.changeLengths(func(length decimal.Decimal) decimal.Decimal { return length.Div(p.By) })
	})
}

func (d *document) changeLengths(change func(decimal.Decimal) decimal.Decimal) {
	d.walk(func(e *entry) {
		if !inUnits[e.text(0)] || e.body != nil {
			return
		}
		words := slices.Clone(e.words)
		inDevice := false
		for i := 1; i < len(words); i++ {
			switch text := words[i].text; {
			case text == "device":
				inDevice = true
			case text == ">":
				inDevice = false
			case !inDevice && words[i-1].text != "contourpoint":
				words[i].text = changed(text, change)
			}
		}
		e.words = words
	})
}

// changed changes a number, or the value at a place in the design space.
func changed(text string, change func(decimal.Decimal) decimal.Decimal) string {
	place, number := "", text
	if colon := strings.IndexByte(text, ':'); colon > 0 {
		place, number = text[:colon+1], text[colon+1:]
	}
	n, err := decimal.NewFromString(number)
	if err != nil || strings.ContainsAny(number, "eE") {
		return text
	}
	return place + change(n).String()
}
