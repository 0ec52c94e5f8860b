// Package picture reads raster pictures: their size, their pixels without loss, and how two
// of them differ. The content decides the format, not the name.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"
	_ "image/jpeg"
	"image/png"
	"strings"
	"sync"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// MostPixels is how many pixels a picture may have that is decoded. A small file can
// claim any size.
const MostPixels = 1 << 24

// ErrTooLarge marks a picture of more than MostPixels.
var ErrTooLarge = errors.New("the picture has too many pixels")

// Mode is how a file keeps the colours of its pixels.
type Mode uint8

// The modes.
const (
	RGB Mode = iota
	RGBA
	Grey
	Palette
)

func (m Mode) String() string { return [...]string{"RGB", "RGBA", "grey", "palette"}[m] }

// Picture is a decoded picture with eight bits a channel. Its colours are not multiplied
// by alpha, so that those of transparent pixels are kept.
type Picture struct {
	Format string // as png or jpeg
	Mode   Mode
	Pixels *image.NRGBA // from 0, 0; rows without gaps
}

// Width and Height are in pixels.
func (p *Picture) Width() int  { return p.Pixels.Rect.Dx() }
func (p *Picture) Height() int { return p.Pixels.Rect.Dy() }

// Size is the width and the height, as in 512x512.
func (p *Picture) Size() string { return fmt.Sprintf("%dx%d", p.Width(), p.Height()) }

// Decode reads a picture. Of an animation it is the first frame.
func Decode(content string) (*Picture, error) {
	config, _, err := image.DecodeConfig(strings.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > MostPixels/config.Height {
		return nil, fmt.Errorf("%w: %d × %d are more than %d", ErrTooLarge, config.Width, config.Height, MostPixels)
	}
	decoded, format, err := image.Decode(strings.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	return &Picture{Format: format, Mode: modeOf(decoded), Pixels: pixelsOf(decoded)}, nil
}

func modeOf(m image.Image) Mode {
	switch m := m.(type) {
	case *image.Paletted:
		return Palette
	case *image.Gray, *image.Gray16:
		return Grey
	case *image.NRGBA, *image.NRGBA64:
		return RGBA
	case interface{ Opaque() bool }:
		if !m.Opaque() {
			return RGBA
		}
	}
	return RGB
}

// pixelsOf copies a picture into one form. Models of colours that are multiplied by alpha
// come from no format with transparency here: PNG decodes to NRGBA.
func pixelsOf(m image.Image) *image.NRGBA {
	bounds := m.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	at := 0
	put := func(c color.NRGBA) {
		out.Pix[at], out.Pix[at+1], out.Pix[at+2], out.Pix[at+3] = c.R, c.G, c.B, c.A
		at += 4
	}
	var palette []color.NRGBA
	paletted, _ := m.(*image.Paletted)
	if paletted != nil {
		for _, c := range paletted.Palette {
			palette = append(palette, color.NRGBAModel.Convert(c).(color.NRGBA))
		}
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		switch m := m.(type) {
		case *image.NRGBA:
			copy(out.Pix[at:at+4*bounds.Dx()], m.Pix[m.PixOffset(bounds.Min.X, y):])
			at += 4 * bounds.Dx()
			continue
		case *image.RGBA:
			row := m.Pix[m.PixOffset(bounds.Min.X, y):][:4*bounds.Dx()]
			copy(out.Pix[at:], row)
			for i := 0; i < len(row); i += 4 {
				if row[i+3] != 255 {
					c := color.NRGBAModel.Convert(color.RGBA{row[i], row[i+1], row[i+2], row[i+3]}).(color.NRGBA)
					copy(out.Pix[at+i:], []byte{c.R, c.G, c.B, c.A})
				}
			}
			at += len(row)
			continue
		}
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			switch m := m.(type) {
			case *image.Gray:
				v := m.GrayAt(x, y).Y
				put(color.NRGBA{v, v, v, 255})
			case *image.Paletted:
				if i := int(m.ColorIndexAt(x, y)); i < len(palette) {
					put(palette[i])
				} else {
					put(color.NRGBA{A: 255})
				}
			case *image.YCbCr:
				put(color.NRGBAModel.Convert(m.YCbCrAt(x, y)).(color.NRGBA))
			default:
				put(color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA))
			}
		}
	}
	return out
}

// buffers keeps what encoders work with, which is larger than most pictures.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	buffer, _ := b.pool.Get().(*png.EncoderBuffer)
	return buffer
}

func (b *buffers) Put(buffer *png.EncoderBuffer) { b.pool.Put(buffer) }

var encoder = png.Encoder{BufferPool: &buffers{}}

// Encode writes pixels as PNG: without alpha if all are opaque.
func Encode(pixels image.Image) (string, error) {
	var out bytes.Buffer
	if err := encoder.Encode(&out, pixels); err != nil {
		return "", fmt.Errorf("writing a picture: %w", err)
	}
	return out.String(), nil
}

// Describe says in a few words what a binary file holds, from its head alone.
func Describe(content string) string {
	config, format, err := image.DecodeConfig(strings.NewReader(content))
	if err != nil {
		return fmt.Sprintf("%d bytes, no picture that can be read", len(content))
	}
	return fmt.Sprintf("%s picture, %d × %d pixels, %d bytes", strings.ToUpper(format), config.Width, config.Height, len(content))
}

// MediaType is the type of a picture's content, as image/png; false if it is none.
func MediaType(content string) (string, bool) {
	_, format, err := image.DecodeConfig(strings.NewReader(content))
	return "image/" + format, err == nil
}
