package image

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
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
	p, err := decode(content)
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

// tiles exchanges the tiles of a picture: tile n goes to place (factor n + offset) mod the number of tiles.
func tiles(p struct {
	Document, To         string
	Grid, Factor, Offset int // Grid is the number of tiles on a side
}) domains.Steps {
	const most = 1000
	if min(p.Grid, p.Factor) < 1 || p.Offset < 0 || max(p.Grid, p.Factor, p.Offset) > most {
		return domains.Refuse("grid and factor must be from 1 to 1000, and offset from 0")
	}
	all := p.Grid * p.Grid
	there, back := make([]int, all), make([]int, all) // the tile at each place
	taken := make([]bool, all)
	for n := range all {
		place := (p.Factor*n + p.Offset) % all
		if taken[place] {
			return domains.Refuse("factor puts two tiles in one place")
		}
		taken[place], there[place], back[n] = true, n, place
	}
	exchange := func(from []int) func(pixels) (pixels, error) {
		return func(m pixels) (pixels, error) {
			width, height := m.Rect.Dx(), m.Rect.Dy()
			if width%p.Grid != 0 || height%p.Grid != 0 {
				return nil, fmt.Errorf("%d × %d pixels cannot be cut into %d tiles on a side", width, height, p.Grid)
			}
			w, h := width/p.Grid, height/p.Grid
			return moved(m, width, height, func(x, y int) (int, int) {
				n := from[y/h*p.Grid+x/w]
				return n%p.Grid*w + x%w, n/p.Grid*h + y%h
			}), nil
		}
	}
	return oneToOne(exchange(there), exchange(back))(fromTo{p.Document, p.To})
}

func double(p pixels) (pixels, error) {
	width, height := 2*p.Rect.Dx(), 2*p.Rect.Dy()
	if width > picture.MostPixels/height {
		return nil, picture.ErrTooLarge
	}
	return moved(p, width, height, func(x, y int) (int, int) { return x / 2, y / 2 }), nil
}

func halve(p pixels) (pixels, error) {
	width, height := p.Rect.Dx()/2, p.Rect.Dy()/2
	if width < 1 || height < 1 {
		return nil, errors.New("the picture is too small to be halved")
	}
	return moved(p, width, height, func(x, y int) (int, int) { return 2 * x, 2 * y }), nil
}

// shear moves each row to the right by so many pixels more than the one above; what leaves the
// picture on one side comes in on the other.
func shear(p struct {
	Document, To string
	Pixels       int
}) domains.Steps {
	by := func(slant int) func(pixels) (pixels, error) {
		return func(m pixels) (pixels, error) {
			width := m.Rect.Dx()
			return moved(m, width, m.Rect.Dy(), func(x, y int) (int, int) {
				return ((x-slant*y)%width + width) % width, y
			}), nil
		}
	}
	return oneToOne(by(p.Pixels), by(-p.Pixels))(fromTo{p.Document, p.To})
}
