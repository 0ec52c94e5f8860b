package fonteng

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/vfs"
)

const doubledFile = "units_2000.fea"

var (
	two  = decimal.NewFromInt(2)
	half = decimal.New(5, -1)
)

// doubleUnits goes from 1000 to 2000 units per em.
func doubleUnits(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	d.scale(two)
	return vfs.Files{doubledFile: d.print()}, nil
}

func halveUnits(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, doubledFile)
	if err != nil {
		return nil, err
	}
	d.scale(half)
	return d.asDocument(), nil
}

// inUnits are the fields of tables that are lengths.
var inUnits = map[string]bool{
	"Ascender": true, "Descender": true, "LineGap": true, "CaretOffset": true,
	"VertTypoAscender": true, "VertTypoDescender": true, "VertTypoLineGap": true,
	"TypoAscender": true, "TypoDescender": true, "TypoLineGap": true, "winAscent": true, "winDescent": true,
	"XHeight": true, "CapHeight": true, "LigatureCaretByPos": true,
	"HorizAxis.BaseScriptList": true, "VertAxis.BaseScriptList": true,
	"anchorDef": true, "valueRecordDef": true, "markClass": true,
	"pos": true, "position": true, "enum": true, "enumerate": true,
}

// scale multiplies every length. Points of contours and the pixels of devices
// are none.
func (d *document) scale(by decimal.Decimal) {
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
				words[i].text = scaled(text, by)
			}
		}
		e.words = words
	})
}

// scaled multiplies a number, or the value at a place in the design space.
func scaled(text string, by decimal.Decimal) string {
	place, number := "", text
	if colon := strings.IndexByte(text, ':'); colon > 0 {
		place, number = text[:colon+1], text[colon+1:]
	}
	n, err := decimal.NewFromString(number)
	if err != nil || strings.ContainsAny(number, "eE") {
		return text
	}
	return place + n.Mul(by).String()
}
