package main

import (
	"image"
	"image/draw"
	"log"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// letters is a line of text, as how much ink covers each place.
type letters struct {
	ink    *image.Alpha
	aspect float64 // width by height
}

// write sets a line of text.
func write(text string) letters {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		log.Fatal(err)
	}
	const size = 96
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		log.Fatal(err)
	}
	ink := image.NewAlpha(image.Rect(0, 0, font.MeasureString(face, text).Ceil(), size))
	drawer := font.Drawer{Dst: ink, Src: image.Opaque, Face: face, Dot: fixed.P(0, size*3/4)}
	draw.Draw(ink, ink.Rect, image.Transparent, image.Point{}, draw.Src)
	drawer.DrawString(text)
	return letters{ink, float64(ink.Rect.Dx()) / size}
}

// cover is the share of ink at a place, from 0 to 1: u to the right and v up, each from -1 to 1
// over the line's height, so that u goes from -aspect to aspect.
func (l letters) cover(u, v float64) float64 {
	x := (u/l.aspect + 1) / 2 * float64(l.ink.Rect.Dx())
	y := (1 - v) / 2 * float64(l.ink.Rect.Dy())
	return float64(l.ink.AlphaAt(int(x), int(y)).A) / 255
}

// fitting is half the height of a line that is at most so high, and no wider than leaves a margin
// on a board of a half width.
func (l letters) fitting(most, half float64) float64 { return min(most, 0.88*half/l.aspect) }

// on paints the text onto a colour, in the plane of x and y around a centre. height is half
// that of a line.
func (l letters) on(under func(vec) vec, centre vec, height float64, ink vec) func(vec) vec {
	return func(p vec) vec {
		u, v := (p[0]-centre[0])/height, (p[1]-centre[1])/height
		if v < -1 || v > 1 || u < -l.aspect || u > l.aspect || p[2] > centre[2] {
			return under(p)
		}
		return under(p).mix(ink, l.cover(u, v))
	}
}
