package properties

import (
	"strings"
	"unicode"
)

// hasDigit reports whether Python's str.isdigit holds for any character of a token.
func hasDigit(token string) bool { return strings.ContainsFunc(token, isDigit) }

// isDigit reports whether a character is a digit by itself: its Numeric_Type is Decimal, as that
// of 7, or Digit, as that of ², ⑦ and ⒎ (Unicode Standard Annex #44). Numbers such as ½, Ⅷ and 十 are
// none.
func isDigit(r rune) bool { return unicode.IsDigit(r) || unicode.Is(digitNotDecimal, r) }

// isSpace reports whether Python's str.isspace holds for a character: the separators of files, groups,
// records and units are white space there too.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// digitNotDecimal are the characters whose Numeric_Type is Digit. The standard adds none since
// Unicode 6.3 and gives new ones the type Numeric.
var digitNotDecimal = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00b2, Hi: 0x00b3, Stride: 1}, {Lo: 0x00b9, Hi: 0x00b9, Stride: 1}, // superscripts
		{Lo: 0x1369, Hi: 0x1371, Stride: 1},                                      // Ethiopic
		{Lo: 0x19da, Hi: 0x19da, Stride: 1},                                      // New Tai Lue
		{Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1}, // superscripts
		{Lo: 0x2080, Hi: 0x2089, Stride: 1},                                                                           // subscripts
		{Lo: 0x2460, Hi: 0x2468, Stride: 1}, {Lo: 0x2474, Hi: 0x247c, Stride: 1}, {Lo: 0x2488, Hi: 0x2490, Stride: 1}, // enclosed
		{Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1}, {Lo: 0x24ff, Hi: 0x24ff, Stride: 1},
		{Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1}, {Lo: 0x278a, Hi: 0x2792, Stride: 1}, // dingbats
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1}, // Kharoshthi
		{Lo: 0x10e60, Hi: 0x10e68, Stride: 1}, // Rumi
		{Lo: 0x11052, Hi: 0x1105a, Stride: 1}, // Brahmi
		{Lo: 0x1f100, Hi: 0x1f10a, Stride: 1}, // with full stop or comma
	},
	LatinOffset: 2,
}
