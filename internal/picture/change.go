package picture

import (
	"fmt"
	"image"
)

// Change says how far the pixels of a picture differ from those of another of the same
// size.
type Change struct {
	Of      int             // pixels in all
	Changed int             // of these, in any of red, green, blue and alpha
	Largest int             // of the largest area of changed pixels that touch each other at a side
	Area    image.Rectangle // around that area
}

// Share is the share of pixels that are equal, from 0 to 1.
func (c Change) Share() float64 { return 1 - float64(c.Changed)/float64(c.Of) }

func (c Change) String() string {
	return fmt.Sprintf("%d of %d pixels changed (%.2f %%), the largest connected area has %d, from %d,%d to %d,%d",
		c.Changed, c.Of, 100*float64(c.Changed)/float64(c.Of), c.Largest, c.Area.Min.X, c.Area.Min.Y, c.Area.Max.X-1, c.Area.Max.Y-1)
}

// Compare finds the pixels that differ; false if the sizes do.
func Compare(a, b *Picture) (Change, bool) {
	if a.Pixels.Rect != b.Pixels.Rect {
		return Change{}, false
	}
	width := a.Width()
	change := Change{Of: width * a.Height()}
	changed := make([]bool, change.Of)
	for i := range changed {
		at := 4 * i
		if [4]byte(a.Pixels.Pix[at:at+4]) != [4]byte(b.Pixels.Pix[at:at+4]) {
			changed[i] = true
			change.Changed++
		}
	}
	var stack []int
	for start := range changed {
		if !changed[start] {
			continue
		}
		size, area := 0, image.Rectangle{}
		stack, changed[start] = append(stack[:0], start), false
		take := func(i int) {
			if changed[i] {
				changed[i] = false
				stack = append(stack, i)
			}
		}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%width, i/width
			size++
			area = area.Union(image.Rect(x, y, x+1, y+1))
			if x > 0 {
				take(i - 1)
			}
			if x+1 < width {
				take(i + 1)
			}
			if y > 0 {
				take(i - width)
			}
			if i+width < len(changed) {
				take(i + width)
			}
		}
		if size > change.Largest {
			change.Largest, change.Area = size, area
		}
	}
	return change, true
}
