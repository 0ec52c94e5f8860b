package image

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	"golang.org/x/image/bmp"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

// scene is the file that all built-in edits begin with and lead back to.
const scene = "scene.png"

// edits are exact: they move pixels, or compute new ones in whole numbers, so that the way
// back gives every pixel again.
func edits() []domains.Edit {
	return []domains.Edit{
		oneToOne("mirror", "mirrored.png", mirror, mirror),
		oneToOne("quarter_turn", "turned.png", turn(true), turn(false)),
		oneToOne("frame", "framed.png", frame, unframe),
		oneToOne("cycle_channels", "cycled.png", cycle(1), cycle(2)),
		oneToOne("negative", "negative.png", negative, negative),
		oneToOne("tiles", "tiled.png", tiles(false), tiles(true)),
		oneToOne("double", "doubled.png", double, halve),
		oneToOne("shear", "sheared.png", shear(1), shear(-1)),
		inParts("centre_and_margin", []string{"centre.png", "margin.png"}, cutCentre, pasteCentre),
		inParts("colour_separations", []string{"red.png", "green.png", "blue.png"}, separate, combine),
		inParts("alternate_rows", []string{"even.png", "odd.png"}, splitRows, joinRows),
		inParts("poster", []string{"poster.png", "remainder.png"}, posterise, addUp),
		{Name: "bitmap", Forward: toBitmap, Backward: fromBitmap},
	}
}

// pixels is the picture that an edit works on.
type pixels = *image.NRGBA

// oneToOne is an edit that makes one picture of one.
func oneToOne(name, target string, forward, backward func(pixels) (pixels, error)) domains.Edit {
	return inParts(name, []string{target},
		func(p pixels) ([]pixels, error) {
			made, err := forward(p)
			return []pixels{made}, err
		},
		func(parts []pixels) (pixels, error) { return backward(parts[0]) })
}

// inParts is an edit that makes several pictures of one.
func inParts(name string, targets []string, forward func(pixels) ([]pixels, error), backward func([]pixels) (pixels, error)) domains.Edit {
	return domains.Edit{
		Name: name,
		Forward: func(files vfs.Files) (vfs.Files, error) {
			p, err := read(files, scene)
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
			return vfs.Files{scene: content}, err
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

// border is the width of the frame, in pixels, and passepartout its colour.
const border = 24

var passepartout = color.NRGBA{0x2b, 0x1d, 0x14, 0xff}

func frame(p pixels) (pixels, error) {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, width+2*border, height+2*border))
	for y := range height + 2*border {
		for x := range width + 2*border {
			if inner := image.Pt(x-border, y-border); inner.In(p.Rect) {
				out.SetNRGBA(x, y, p.NRGBAAt(inner.X, inner.Y))
			} else {
				out.SetNRGBA(x, y, passepartout)
			}
		}
	}
	return out, nil
}

func unframe(p pixels) (pixels, error) {
	width, height := p.Rect.Dx()-2*border, p.Rect.Dy()-2*border
	if width < 1 || height < 1 {
		return nil, errors.New("the picture is smaller than its frame")
	}
	return moved(p, width, height, func(x, y int) (int, int) { return x + border, y + border }), nil
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

// grid is the number of tiles on a side, and key where each goes: tile n to place
// (37 n + 11) mod 64.
const grid = 8

func key(n int) int { return (37*n + 11) % (grid * grid) }

func tiles(back bool) func(pixels) (pixels, error) {
	return func(p pixels) (pixels, error) {
		width, height := p.Rect.Dx(), p.Rect.Dy()
		if width%grid != 0 || height%grid != 0 {
			return nil, fmt.Errorf("%d × %d pixels cannot be cut into %d tiles on a side", width, height, grid)
		}
		w, h := width/grid, height/grid
		var from [grid * grid]int // by place
		for n := range from {
			if back {
				from[n] = key(n)
			} else {
				from[key(n)] = n
			}
		}
		return moved(p, width, height, func(x, y int) (int, int) {
			n := from[y/h*grid+x/w]
			return n%grid*w + x%w, n/grid*h + y%h
		}), nil
	}
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

// slant is by how many pixels each row is moved further than the one above.
const slant = 3

// shear moves row y to the right by 3 y pixels in the given sense; what leaves the picture on
// one side comes in on the other.
func shear(sense int) func(pixels) (pixels, error) {
	return func(p pixels) (pixels, error) {
		width, height := p.Rect.Dx(), p.Rect.Dy()
		return moved(p, width, height, func(x, y int) (int, int) {
			return ((x-sense*slant*y)%width + width) % width, y
		}), nil
	}
}

// edge is how wide the margin around the centre is, as a share of the side: one eighth.
const edge = 8

func centreOf(p pixels) image.Rectangle {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	return image.Rect(width/edge, height/edge, width-width/edge, height-height/edge)
}

func cutCentre(p pixels) ([]pixels, error) {
	inner := centreOf(p)
	centre := moved(p, inner.Dx(), inner.Dy(), func(x, y int) (int, int) { return x + inner.Min.X, y + inner.Min.Y })
	margin := moved(p, p.Rect.Dx(), p.Rect.Dy(), func(x, y int) (int, int) { return x, y })
	for y := inner.Min.Y; y < inner.Max.Y; y++ {
		for x := inner.Min.X; x < inner.Max.X; x++ {
			margin.SetNRGBA(x, y, color.NRGBA{A: 255})
		}
	}
	return []pixels{centre, margin}, nil
}

func pasteCentre(parts []pixels) (pixels, error) {
	centre, out := parts[0], parts[1]
	inner := centreOf(out)
	if inner.Size() != centre.Rect.Size() {
		return nil, fmt.Errorf("a centre of %v pixels does not fit the hole of %v", centre.Rect.Size(), inner.Size())
	}
	for y := range inner.Dy() {
		for x := range inner.Dx() {
			out.SetNRGBA(x+inner.Min.X, y+inner.Min.Y, centre.NRGBAAt(x, y))
		}
	}
	return out, nil
}

func separate(p pixels) ([]pixels, error) {
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

func combine(parts []pixels) (pixels, error) {
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
}

func splitRows(p pixels) ([]pixels, error) {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	if height < 2 {
		return nil, errors.New("the picture has one row only")
	}
	return []pixels{
		moved(p, width, (height+1)/2, func(x, y int) (int, int) { return x, 2 * y }),
		moved(p, width, height/2, func(x, y int) (int, int) { return x, 2*y + 1 }),
	}, nil
}

func joinRows(parts []pixels) (pixels, error) {
	even, odd := parts[0], parts[1]
	if rows := even.Rect.Dy() - odd.Rect.Dy(); even.Rect.Dx() != odd.Rect.Dx() || rows < 0 || rows > 1 {
		return nil, fmt.Errorf("pictures of %v and %v pixels have no alternate rows of one", even.Rect.Size(), odd.Rect.Size())
	}
	out := image.NewNRGBA(image.Rect(0, 0, even.Rect.Dx(), even.Rect.Dy()+odd.Rect.Dy()))
	for y := range out.Rect.Dy() {
		copy(out.Pix[y*out.Stride:], parts[y%2].Pix[y/2*even.Stride:][:even.Stride])
	}
	return out, nil
}

// step is the distance between the levels of a poster, of which there are eight.
const step = 32

func posterise(p pixels) ([]pixels, error) {
	level := func(v uint8) uint8 { return v / step * step }
	rest := func(v uint8) uint8 { return v % step * 8 }
	return []pixels{
		computed(p, func(r, g, b uint8) (uint8, uint8, uint8) { return level(r), level(g), level(b) }),
		computed(p, func(r, g, b uint8) (uint8, uint8, uint8) { return rest(r), rest(g), rest(b) }),
	}, nil
}

func addUp(parts []pixels) (pixels, error) {
	poster, remainder := parts[0], parts[1]
	if poster.Rect != remainder.Rect {
		return nil, errors.New("poster and remainder are of different sizes")
	}
	out := image.NewNRGBA(poster.Rect)
	for at := range out.Pix {
		if at%4 == 3 {
			out.Pix[at] = poster.Pix[at]
		} else {
			out.Pix[at] = uint8(min(255, int(poster.Pix[at])+int(remainder.Pix[at])/8))
		}
	}
	return out, nil
}

// bitmapFile is the scene in the format of Windows.
const bitmapFile = "scene.bmp"

func toBitmap(files vfs.Files) (vfs.Files, error) {
	p, err := read(files, scene)
	if err != nil {
		return nil, err
	}
	if !p.Opaque() {
		return nil, errors.New("the picture is transparent in places, which a bitmap does not show")
	}
	var out bytes.Buffer
	if err := bmp.Encode(&out, p); err != nil {
		return nil, fmt.Errorf("writing %s: %w", bitmapFile, err)
	}
	return vfs.Files{bitmapFile: out.String()}, nil
}

func fromBitmap(files vfs.Files) (vfs.Files, error) {
	p, err := read(files, bitmapFile)
	if err != nil {
		return nil, err
	}
	content, err := picture.Encode(p)
	return vfs.Files{scene: content}, err
}
