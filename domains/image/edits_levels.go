package image

import (
	"bytes"
	"errors"
	"fmt"
	"image"

	"agentd/domains"
	"agentd/vfs"
	"golang.org/x/image/bmp"
)

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
