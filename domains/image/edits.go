package image

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"agentd/domains"
)

// edits are exact: they move pixels, or compute new ones in whole numbers, so that the way
// back gives every pixel again.
func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("mirror", oneToOne(mirror, mirror)),
		domains.Taking("quarter_turn", oneToOne(turn(true), turn(false))),
		domains.Taking("frame", frame),
		domains.Taking("cycle_channels", oneToOne(cycle(1), cycle(2))),
		domains.Taking("negative", oneToOne(negative, negative)),
		domains.Taking("tiles", tiles),
		domains.Taking("double", oneToOne(double, halve)),
		domains.Taking("shear", shear),
		domains.Taking("centre_and_margin", centreAndMargin),
		domains.Taking("colour_separations", colourSeparations),
		domains.Taking("alternate_rows", alternateRows),
		domains.Taking("poster", poster),
		domains.Taking("bitmap", bitmap),
	}
}

func mirror(p pixels) (pixels, error) {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	return moved(p, width, height, func(x, y int) (int, int) { return width - 1 - x, y }), nil
}

func turn(clockwise bool) func(pixels) (pixels, error) {
	return func(p pixels) (pixels, error) {
		width, height := p.Rect.Dx(), p.Rect.Dy()
		return moved(p, height, width, func(x, y int) (int, int) {
			if clockwise {
				return y, height - 1 - x
			}
			return width - 1 - y, x
		}), nil
	}
}

// frame puts a frame of one colour around the picture.
func frame(p struct {
	Document, To string
	Width        int    // in pixels
	Color        string // such as #2b1d14
}) domains.Steps {
	around := color.NRGBA{A: 0xff}
	if n, err := fmt.Sscanf(p.Color, "#%2x%2x%2x", &around.R, &around.G, &around.B); err != nil || n != 3 || p.Width < 1 {
		return domains.Refuse("width must be at least 1 and color one such as #2b1d14")
	}
	forward := func(m pixels) (pixels, error) {
		out := image.NewNRGBA(image.Rect(0, 0, m.Rect.Dx()+2*p.Width, m.Rect.Dy()+2*p.Width))
		draw.Draw(out, out.Rect, image.NewUniform(around), image.Point{}, draw.Src)
		paste(out, m, image.Pt(p.Width, p.Width))
		return out, nil
	}
	return oneToOne(forward, func(m pixels) (pixels, error) {
		width, height := m.Rect.Dx()-2*p.Width, m.Rect.Dy()-2*p.Width
		if width < 1 || height < 1 {
			return nil, errors.New("the picture is smaller than its frame")
		}
		return moved(m, width, height, func(x, y int) (int, int) { return x + p.Width, y + p.Width }), nil
	})(fromTo{p.Document, p.To})
}

// cycle moves the channels on by so many places: with one, red gets what green was, green
// what blue was, and blue what red was.
func cycle(places int) func(pixels) (pixels, error) {
	return func(p pixels) (pixels, error) {
		return computed(p, func(r, g, b uint8) (uint8, uint8, uint8) {
			all := [3]uint8{r, g, b}
			return all[places%3], all[(1+places)%3], all[(2+places)%3]
		}), nil
	}
}

func negative(p pixels) (pixels, error) {
	return computed(p, func(r, g, b uint8) (uint8, uint8, uint8) { return 255 - r, 255 - g, 255 - b }), nil
}
