package picture

import (
	"cmp"
	"fmt"
	"image"
	"math"
)

// Change says how far the pixels of a picture differ from those of another of the same
// size.
type Change struct {
	Of      int             // pixels in all
	Changed int             // of these, in any of red, green, blue and alpha
	Box     image.Rectangle // around all changed pixels
	Largest int             // of the largest area of changed pixels that touch each other at a side
	Area    image.Rectangle // around that area
	SSIM    float64         // structural similarity, 1 if equal; NaN of pictures smaller than Window
}

// String is the change in one phrase, of one line.
func (c Change) String() string {
	said := fmt.Sprintf("%d of %d pixels changed (%.2f %%)", c.Changed, c.Of, 100*float64(c.Changed)/float64(c.Of))
	if c.Changed > 0 {
		said += " within " + corners(c.Box)
		if c.Largest < c.Changed {
			said += fmt.Sprintf(", the largest connected area has %d, within %s", c.Largest, corners(c.Area))
		}
	}
	if !math.IsNaN(c.SSIM) {
		said += fmt.Sprintf(", SSIM %.4f", math.Floor(1e4*c.SSIM)/1e4) // 1.0000 only if equal
	}
	return said
}

// corners are the first and the last pixel of an area, as x,y.
func corners(r image.Rectangle) string {
	return fmt.Sprintf("%d,%d to %d,%d", r.Min.X, r.Min.Y, r.Max.X-1, r.Max.Y-1)
}

// Between says in one line what became of a file that holds a picture, or should: format, size
// and bytes before and after, and how the pixels differ.
func Between(was, is string) string {
	said := Describe(was) + " -> " + Describe(is)
	before, errBefore := Decode(was)
	after, errAfter := Decode(is)
	if err := cmp.Or(errBefore, errAfter); err != nil {
		return said
	}
	if change, sameSize := Compare(before, after); sameSize {
		return said + "; " + change.String()
	}
	return said + "; of another size"
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
			x, y := i%width, i/width
			change.Box = change.Box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if change.SSIM = math.NaN(); min(width, a.Height()) >= Window {
		change.SSIM = SSIM(a.Pixels, b.Pixels)
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
