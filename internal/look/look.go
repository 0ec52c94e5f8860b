// Package look is how pages look: one style sheet for the pages of agentd serve, the HTML
// report and the figures in both. Its variables hold the sizes of type, the spaces and the
// colours, for light and dark screens and for paper.
//
// Colours carry meaning in three places, and each can be read without them: scores, whose
// shades go from blue to orange and colour the cell of the number; lines and bars of figures
// (Okabe and Ito's colours, darker or paler where the ground asks for it), which have a
// label and partly a pattern of their own; and differences, where what was lost is struck
// through. Blue and orange are told apart by nearly all who see few colours.
package look

import (
	_ "embed"
	"fmt"
)

//go:embed look.css
var style string

// Style is the style sheet, as text.
func Style() string { return style }

// SeriesColours is how many lines or bars of a figure have a colour of their own. What comes
// after them is grey, as more colours could not be told apart.
const SeriesColours = 6

// Series is the class that gives the n-th line or bar of a figure its colour, from 0; the
// class of grey ones from SeriesColours on.
func Series(n int) string {
	if n >= SeriesColours {
		return "grey"
	}
	return fmt.Sprintf("c%d", n)
}
