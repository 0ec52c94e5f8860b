// Package image compares raster pictures: PNG, JPEG, WebP, BMP and TIFF, decoded by their
// content. A file holds a picture's bytes, or its bytes in base64, which is how the
// published harness keeps pictures. The counted element is the picture.
//
// The published score looks at one picture only: 0.5 of the structural similarity (SSIM) of red, green and blue, 0.25
// of the agreement of the colours' histograms, and 0.25 of the nearness of the pixels. It brings the candidate to the
// reference's size first and drops transparency. A uniform grey picture still scores 0.36.
//
// Strict compares what a viewer would: the number of pictures, the size of each and all
// pixels with their transparency, in squares of eight by eight. It is 1 only if all pixels
// are equal. Names, metadata and how a file is compressed carry nothing.
package image

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/bmp"

	"agentd/domains"
	published "agentd/domains/published/image"
	"agentd/internal/picture"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain {
	r := &published.Reader{}
	return pictures{reader: r, Domain: domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "image",
			Title:      "Raster picture",
			Category:   "Creative & Media",
			Patterns:   []string{"*.png", "*.jpg", "*.jpeg", "*.webp", "*.bmp", "*.tiff"},
			Element:    published.Counted,
			Binary:     true,
			Example:    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAAMElEQVR42mNgEFAwcAhIKGDgkNCw8IjIqIAJNDBABToYoAITGKACMxigAgsYoAIrAIDmFQEIkE3NAAAAAElFTkSuQmCC",
			Components: []string{"ssim", "histogram_similarity", "pixel_similarity"},
		},
		Parse:     r.Parse,
		Score:     domains.Noting(published.Score),
		Stats:     published.Stats,
		Crashes:   published.Crashes,
		Form:      func(_, content string) []domains.Slip { return undecodable(r, content) },
		Elements:  r.Elements,
		WithoutIn: without,
		Sampling:  domains.Sampling{Not: "a picture is no list of entries"},
		Edits:     edits(),
	})}
}

// undecodable is the slip of a picture that cannot be decoded.
func undecodable(r *published.Reader, content string) []domains.Slip {
	if _, err := r.Decode(content); err != nil {
		return []domains.Slip{{What: err.Error()}}
	}
	return nil
}

// pictures is the domain with differences that a person can read: what changed of a
// picture as a whole instead of square by square.
type pictures struct {
	domains.Domain
	reader *published.Reader
}

// With returns the domain itself: there are no options.
func (d pictures) With(domains.Metadata) domains.Domain { return d }

func (d pictures) Against(reference vfs.Files) domains.Reference {
	return against{d.Domain.Against(reference), reference, d.reader}
}

func (d pictures) Differences(reference, candidate vfs.Files) []domains.Difference {
	return d.Against(reference).Differences(candidate)
}

type against struct {
	domains.Reference
	files  vfs.Files
	reader *published.Reader
}

func (a against) Differences(candidate vfs.Files) []domains.Difference {
	return a.whole(candidate).Differences
}

func (a against) Review(candidate vfs.Files) domains.Review {
	review := a.whole(candidate)
	review.Strict = a.Reference.Review(candidate).Strict
	return review
}

// whole names for each picture how many of its pixels changed, where, and how similar it still is. Pictures are paired
// by name; those whose names are on one side alone are paired in name order.
func (a against) whole(candidate vfs.Files) domains.Review {
	ref, _ := a.reader.Parse(a.files) // without pictures all of the other are lost or added
	got, _ := a.reader.Parse(candidate)
	var found domains.Review
	add := func(field string, d domains.Difference) {
		if field != "" {
			d.Where += ", " + field
		}
		found.Differences = append(found.Differences, d)
		found.Parts = append(found.Parts, domains.Part{Element: published.Counted, Field: field})
	}
	partner, free := pairs(ref.Names, got.Names)
	for _, name := range ref.Names {
		is, kept := partner[name]
		if !kept {
			add("", domains.Difference{Kind: domains.Lost, Where: name, Was: describe(ref, name)})
			continue
		}
		changed := domains.Difference{Kind: domains.Changed, Where: name, Was: describe(ref, name), Is: describe(got, is)}
		before, errBefore := ref.Pictures[name]()
		after, errAfter := got.Pictures[is]()
		if errBefore != nil || errAfter != nil {
			if a.files[name] != candidate[is] {
				add("", changed)
			}
			continue
		}
		change, sameSize := picture.Compare(before, after)
		switch {
		case !sameSize:
			if min(before.Width(), before.Height()) >= picture.Window {
				fitted := published.Resized(after, before.Width(), before.Height())
				changed.Is += fmt.Sprintf(", SSIM %.4f at the first one's size", picture.SSIM(before.Pixels, fitted))
			}
			add("size", changed)
		case change.Changed > 0:
			changed.Is += ", " + change.String()
			changed.Gone = blank(after) && !blank(before)
			add("pixels", changed)
		}
	}
	for _, name := range got.Names {
		if free[name] {
			add("", domains.Difference{Kind: domains.Added, Where: name, Is: describe(got, name)})
		}
	}
	return found
}

// blank reports whether a picture has one colour alone.
func blank(p *picture.Picture) bool {
	const pixel = 4 // bytes
	pixels := p.Pixels.Pix
	return len(pixels) >= pixel && bytes.Equal(pixels[pixel:], pixels[:len(pixels)-pixel])
}

// pairs finds for each name of the reference its partner, and which of the others are left.
func pairs(reference, candidate []string) (partner map[string]string, free map[string]bool) {
	partner, free = map[string]string{}, map[string]bool{}
	for _, name := range candidate {
		free[name] = true
	}
	var unpaired []string
	for _, name := range reference {
		if free[name] {
			partner[name], free[name] = name, false
		} else {
			unpaired = append(unpaired, name)
		}
	}
	for _, name := range candidate {
		if free[name] && len(unpaired) > 0 {
			partner[unpaired[0]], unpaired, free[name] = name, unpaired[1:], false
		}
	}
	return partner, free
}

func describe(d published.Document, name string) string {
	p, err := d.Pictures[name]()
	if err != nil {
		return "unreadable"
	}
	return fmt.Sprintf("%s, %s, %s pixels", strings.ToUpper(p.Format), p.Mode, p.Size())
}

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

// poster leaves so many levels of each channel. What is left out is in the remainder, so many times as strong.
func poster(p struct {
	Document, To, Remainder string
	Levels                  int
}) domains.Steps {
	const values = 256
	if p.Levels < 2 || p.Levels > values/2 || values%p.Levels != 0 {
		return domains.Refuse("levels must be a power of 2 from 2 to 128")
	}
	levels, step := uint8(p.Levels), uint8(values/p.Levels)
	level := func(v uint8) uint8 { return v / step * step }
	rest := func(v uint8) uint8 { return v % step * levels }
	forward := func(m pixels) ([]pixels, error) {
		return []pixels{
			computed(m, func(r, g, b uint8) (uint8, uint8, uint8) { return level(r), level(g), level(b) }),
			computed(m, func(r, g, b uint8) (uint8, uint8, uint8) { return rest(r), rest(g), rest(b) }),
		}, nil
	}
	return inParts(p.Document, []string{p.To, p.Remainder}, forward, func(parts []pixels) (pixels, error) {
		poster, remainder := parts[0], parts[1]
		if poster.Rect != remainder.Rect {
			return nil, errors.New("poster and remainder are of different sizes")
		}
		out := image.NewNRGBA(poster.Rect)
		for at := range out.Pix {
			if at%4 == 3 {
				out.Pix[at] = poster.Pix[at]
			} else {
				out.Pix[at] = uint8(min(values-1, int(poster.Pix[at])+int(remainder.Pix[at]/levels)))
			}
		}
		return out, nil
	})
}

// bitmap writes the picture in the format of Windows.
func bitmap(p fromTo) domains.Steps {
	steps := oneToOne(func(m pixels) (pixels, error) { return m, nil }, func(m pixels) (pixels, error) { return m, nil })(p)
	steps.Forward = func(files vfs.Files) (vfs.Files, error) {
		m, err := read(files, p.Document)
		if err != nil {
			return nil, err
		}
		if !m.Opaque() {
			return nil, errors.New("the picture is transparent in places, which a bitmap does not show")
		}
		var out bytes.Buffer
		if err := bmp.Encode(&out, m); err != nil {
			return nil, fmt.Errorf("writing %s: %w", p.To, err)
		}
		return vfs.Files{p.To: out.String()}, nil
	}
	return steps
}

// without leaves out pictures.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, name := range files.Names() {
		if published.IsPicture(name) && leave() {
			delete(left, name)
		}
	}
	return left
}
