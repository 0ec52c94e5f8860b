package image

import (
	"errors"
	"fmt"
	"image"
	"image/draw"

	"agentd/domains"
	published "agentd/domains/published/image"
	"agentd/internal/picture"
	"agentd/vfs"
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

// pixels is the picture that an edit works on.
type pixels = *image.NRGBA

// fromTo are the parameters of an edit that needs no others.
type fromTo struct{ Document, To string }

// oneToOne is an edit that makes one picture of one.
func oneToOne(forward, backward func(pixels) (pixels, error)) func(fromTo) domains.Steps {
	return func(p fromTo) domains.Steps {
		return inParts(p.Document, []string{p.To},
			func(p pixels) ([]pixels, error) {
				made, err := forward(p)
				return []pixels{made}, err
			},
			func(parts []pixels) (pixels, error) { return backward(parts[0]) })
	}
}

// inParts is an edit that makes several pictures of one.
func inParts(document string, targets []string, forward func(pixels) ([]pixels, error), backward func([]pixels) (pixels, error)) domains.Steps {
	return domains.Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			p, err := read(files, document)
			if err != nil {
				return nil, err
			}
			parts, err := forward(p)
			if err != nil {
				return nil, err
			}
			made := vfs.Files{}
			for i, part := range parts {
				if made[targets[i]], err = picture.Encode(part); err != nil {
					return nil, err
				}
			}
			return made, nil
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			parts := make([]pixels, len(targets))
			for i, target := range targets {
				var err error
				if parts[i], err = read(files, target); err != nil {
					return nil, err
				}
			}
			p, err := backward(parts)
			if err != nil {
				return nil, err
			}
			content, err := picture.Encode(p)
			return vfs.Files{document: content}, err
		},
	}
}

func read(files vfs.Files, name string) (pixels, error) {
	content, ok := files[name]
	if !ok {
		return nil, fmt.Errorf("there is no %s", name)
	}
	p, err := published.Decode(content)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return p.Pixels, nil
}

// moved makes a picture of a size of which each pixel is one of another.
func moved(p pixels, width, height int, from func(x, y int) (int, int)) pixels {
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			sx, sy := from(x, y)
			copy(out.Pix[out.PixOffset(x, y):][:4], p.Pix[p.PixOffset(sx, sy):])
		}
	}
	return out
}

// paste puts a picture into another one, from a place on.
func paste(into, p pixels, at image.Point) {
	for y := range p.Rect.Dy() {
		copy(into.Pix[into.PixOffset(at.X, at.Y+y):], p.Pix[y*p.Stride:][:4*p.Rect.Dx()])
	}
}

// computed makes a picture of one, channel by channel; alpha stays.
func computed(p pixels, of func(r, g, b uint8) (uint8, uint8, uint8)) pixels {
	out := image.NewNRGBA(p.Rect)
	for at := 0; at < len(p.Pix); at += 4 {
		out.Pix[at], out.Pix[at+1], out.Pix[at+2] = of(p.Pix[at], p.Pix[at+1], p.Pix[at+2])
		out.Pix[at+3] = p.Pix[at+3]
	}
	return out
}
