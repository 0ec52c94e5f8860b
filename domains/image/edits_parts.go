package image

import (
	"errors"
	"fmt"
	"image"
	"image/draw"

	"agentd/domains"
)

// centreAndMargin cuts the centre out. The margin on each side is one of so many equal shares of the width and height.
func centreAndMargin(p struct {
	Document, Centre, Margin string
	Shares                   int
}) domains.Steps {
	if p.Shares <= 2 {
		return domains.Refuse("shares must be more than 2")
	}
	centreOf := func(m pixels) image.Rectangle {
		width, height := m.Rect.Dx(), m.Rect.Dy()
		return image.Rect(width/p.Shares, height/p.Shares, width-width/p.Shares, height-height/p.Shares)
	}
	cut := func(m pixels) ([]pixels, error) {
		inner := centreOf(m)
		centre := moved(m, inner.Dx(), inner.Dy(), func(x, y int) (int, int) { return x + inner.Min.X, y + inner.Min.Y })
		margin := moved(m, m.Rect.Dx(), m.Rect.Dy(), func(x, y int) (int, int) { return x, y })
		draw.Draw(margin, inner, image.Black, image.Point{}, draw.Src)
		return []pixels{centre, margin}, nil
	}
	return inParts(p.Document, []string{p.Centre, p.Margin}, cut, func(parts []pixels) (pixels, error) {
		centre, out := parts[0], parts[1]
		inner := centreOf(out)
		if inner.Size() != centre.Rect.Size() {
			return nil, fmt.Errorf("a centre of %v pixels does not fit the hole of %v", centre.Rect.Size(), inner.Size())
		}
		paste(out, centre, inner.Min)
		return out, nil
	})
}

// colourSeparations makes a grey picture of each channel.
func colourSeparations(p struct{ Document, Red, Green, Blue string }) domains.Steps {
	separate := func(p pixels) ([]pixels, error) {
		if !p.Opaque() {
			return nil, errors.New("the picture is transparent in places, which separations do not show")
		}
		parts := make([]pixels, 3)
		for channel := range parts {
			parts[channel] = computed(p, func(r, g, b uint8) (uint8, uint8, uint8) {
				v := [3]uint8{r, g, b}[channel]
				return v, v, v
			})
		}
		return parts, nil
	}
	return inParts(p.Document, []string{p.Red, p.Green, p.Blue}, separate, func(parts []pixels) (pixels, error) {
		out := image.NewNRGBA(parts[0].Rect)
		for channel, part := range parts {
			if part.Rect != out.Rect {
				return nil, errors.New("the separations are of different sizes")
			}
			for at := 0; at < len(out.Pix); at += 4 {
				out.Pix[at+channel], out.Pix[at+3] = part.Pix[at], 255
			}
		}
		return out, nil
	})
}

// alternateRows makes a picture of every other row, and one of the rows between.
func alternateRows(p struct{ Document, Even, Odd string }) domains.Steps {
	split := func(p pixels) ([]pixels, error) {
		width, height := p.Rect.Dx(), p.Rect.Dy()
		if height < 2 {
			return nil, errors.New("the picture has one row only")
		}
		return []pixels{
			moved(p, width, (height+1)/2, func(x, y int) (int, int) { return x, 2 * y }),
			moved(p, width, height/2, func(x, y int) (int, int) { return x, 2*y + 1 }),
		}, nil
	}
	return inParts(p.Document, []string{p.Even, p.Odd}, split, func(parts []pixels) (pixels, error) {
		even, odd := parts[0], parts[1]
		if rows := even.Rect.Dy() - odd.Rect.Dy(); even.Rect.Dx() != odd.Rect.Dx() || rows < 0 || rows > 1 {
			return nil, fmt.Errorf("pictures of %v and %v pixels have no alternate rows of one", even.Rect.Size(), odd.Rect.Size())
		}
		out := image.NewNRGBA(image.Rect(0, 0, even.Rect.Dx(), even.Rect.Dy()+odd.Rect.Dy()))
		for y := range out.Rect.Dy() {
			copy(out.Pix[y*out.Stride:], parts[y%2].Pix[y/2*even.Stride:][:even.Stride])
		}
		return out, nil
	})
}
