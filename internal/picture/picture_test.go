package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"math"
	"strings"
	"testing"

	"agentd/internal/picture"
)

// uniform is a picture of one colour.
func uniform(width, height int, c color.NRGBA) *picture.Picture {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, c)
		}
	}
	return &picture.Picture{Format: "png", Pixels: m}
}

func encoded(t *testing.T, m image.Image) string {
	t.Helper()
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Of two uniform pictures all variances are 0, so that SSIM is (2ab + c1) / (a² + b² + c1),
// with c1 = (0.01 · 255)².
func TestSSIMOfUniformPictures(t *testing.T) {
	t.Parallel()
	const c1 = 6.5025
	for _, c := range []struct{ a, b uint8 }{{100, 100}, {100, 110}, {0, 255}, {255, 0}, {0, 0}, {1, 2}} {
		a, b := float64(c.a), float64(c.b)
		want := (2*a*b + c1) / (a*a + b*b + c1)
		got := picture.SSIM(uniform(9, 7, color.NRGBA{c.a, c.a, c.a, 255}).Pixels, uniform(9, 7, color.NRGBA{c.b, c.b, c.b, 255}).Pixels)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%d and %d: %v, want %v", c.a, c.b, got, want)
		}
	}
}

// In one window, a pattern and its negative vary by the same amount in opposite senses: what
// is left of the formula is counted by hand. Half of red is 0 and half 255, as nearly as 49
// pixels allow; green and blue are equal.
func TestSSIMOfANegative(t *testing.T) {
	t.Parallel()
	a, b := uniform(7, 7, color.NRGBA{0, 9, 9, 255}), uniform(7, 7, color.NRGBA{255, 9, 9, 255})
	for i := range 24 {
		a.Pixels.Pix[8*i], b.Pixels.Pix[8*i] = 255, 0
	}
	const (
		c1, c2 = 6.5025, 58.5225
		ma, mb = 255. * 24 / 49, 255. * 25 / 49
		v      = 49. / 48 * (255*255*24./49 - ma*ma) // of both, and of their product but for the sign
	)
	red := (2*ma*mb + c1) * (-2*v + c2) / ((ma*ma + mb*mb + c1) * (2*v + c2))
	if got, want := picture.SSIM(a.Pixels, b.Pixels), (red+2)/3; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	grey := color.NRGBA{100, 100, 100, 255}
	for name, c := range map[string]struct {
		size    image.Point
		altered []image.Point
		alpha   bool
		want    picture.Change
		said    string
	}{
		"none":  {image.Pt(8, 7), nil, false, picture.Change{Of: 56}, "0 of 56 pixels changed (0.00 %), SSIM 1.0000"},
		"one":   {image.Pt(8, 7), []image.Point{{3, 4}}, false, picture.Change{Of: 56, Changed: 1, Box: image.Rect(3, 4, 4, 5), Largest: 1, Area: image.Rect(3, 4, 4, 5)}, "1 of 56 pixels changed (1.79 %) within 3,4 to 3,4, SSIM 0.9"},
		"alpha": {image.Pt(8, 7), []image.Point{{3, 4}}, true, picture.Change{Of: 56, Changed: 1, Box: image.Rect(3, 4, 4, 5), Largest: 1, Area: image.Rect(3, 4, 4, 5)}, "1 of 56 pixels changed (1.79 %) within 3,4 to 3,4, SSIM 1.0000"},
		"two areas that touch at a corner": {image.Pt(8, 7), []image.Point{{0, 0}, {1, 0}, {2, 1}}, false,
			picture.Change{Of: 56, Changed: 3, Box: image.Rect(0, 0, 3, 2), Largest: 2, Area: image.Rect(0, 0, 2, 1)},
			"3 of 56 pixels changed (5.36 %) within 0,0 to 2,1, the largest connected area has 2, within 0,0 to 1,0, SSIM 0.9"},
		"rows do not go on at the other side": {image.Pt(8, 7), []image.Point{{7, 2}, {0, 3}}, false,
			picture.Change{Of: 56, Changed: 2, Box: image.Rect(0, 2, 8, 4), Largest: 1, Area: image.Rect(7, 2, 8, 3)},
			"2 of 56 pixels changed (3.57 %) within 0,2 to 7,3, the largest connected area has 1, within 7,2 to 7,2, SSIM 0.9"},
		"too small for SSIM": {image.Pt(8, 6), []image.Point{{0, 0}}, false, picture.Change{Of: 48, Changed: 1, Box: image.Rect(0, 0, 1, 1), Largest: 1, Area: image.Rect(0, 0, 1, 1)},
			"1 of 48 pixels changed (2.08 %) within 0,0 to 0,0"},
	} {
		a, b := uniform(c.size.X, c.size.Y, grey), uniform(c.size.X, c.size.Y, grey)
		for _, p := range c.altered {
			other := color.NRGBA{100, 104, 100, 255}
			if c.alpha {
				other = color.NRGBA{100, 100, 100, 9}
			}
			b.Pixels.SetNRGBA(p.X, p.Y, other)
		}
		got, same := picture.Compare(a, b)
		if said := got.String(); !same || !strings.HasPrefix(said, c.said) {
			t.Errorf("%s: %q, want %q", name, said, c.said)
		}
		if small := min(c.size.X, c.size.Y) < picture.Window; math.IsNaN(got.SSIM) != small {
			t.Errorf("%s: SSIM %v", name, got.SSIM)
		}
		if got.SSIM = 0; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if _, same := picture.Compare(uniform(8, 7, grey), uniform(7, 8, grey)); same {
		t.Error("pictures of different sizes are compared")
	}
}

func TestWhatIsSaidOfAFile(t *testing.T) {
	t.Parallel()
	grey := uniform(8, 7, color.NRGBA{100, 100, 100, 255})
	asPNG := encoded(t, grey.Pixels)
	other := uniform(8, 7, color.NRGBA{100, 100, 100, 255})
	other.Pixels.Pix[0] = 0
	var asJPEG, asGIF bytes.Buffer
	if err := jpeg.Encode(&asJPEG, grey.Pixels, nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&asGIF, grey.Pixels, nil); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		asPNG: "PNG picture, 8 × 7 pixels, ", asJPEG.String(): "JPEG picture, 8 × 7 pixels, ", asGIF.String(): "GIF picture, 8 × 7 pixels, ",
		"": "0 bytes, no picture that can be read", asPNG[:20]: "20 bytes, no picture that can be read",
	} {
		if got := picture.Describe(content); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for name, c := range map[string]struct{ was, is, want string }{
		"a pixel":          {asPNG, encoded(t, other.Pixels), "; 1 of 56 pixels changed (1.79 %) within 0,0 to 0,0, SSIM 0."},
		"another format":   {asPNG, asJPEG.String(), "PNG picture, 8 × 7 pixels, "},
		"another size":     {asPNG, encoded(t, uniform(4, 4, color.NRGBA{A: 255}).Pixels), "; of another size"},
		"one is no more":   {asPNG, asPNG[:40], "-> PNG picture, 8 × 7 pixels, 40 bytes"},
		"both are nothing": {"x", "", "1 bytes, no picture that can be read -> 0 bytes, no picture that can be read"},
	} {
		if got := picture.Between(c.was, c.is); !strings.Contains(got, c.want) || strings.ContainsAny(got, "\n\x00") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A file may claim any size; only its pixels are counted.
func TestTooManyPixels(t *testing.T) {
	t.Parallel()
	content := []byte(encoded(t, uniform(8, 7, color.NRGBA{A: 255}).Pixels))
	copy(content[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65,536 on a side
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	if _, err := picture.Decode(string(content)); !errors.Is(err, picture.ErrTooLarge) {
		t.Errorf("a picture of 2^32 pixels: %v", err)
	}
}
