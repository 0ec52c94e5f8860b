package image

import (
	"fmt"
	"image"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

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
