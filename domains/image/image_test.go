package image_test

import (
	"encoding/base64"
	"fmt"
	stdimage "image"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/domains/image"
	"agentd/internal/picture"
	"agentd/vfs"
)

// drawn is a picture with a gradient and some noise, of which every square differs.
func drawn(t interface{ Fatal(...any) }, width, height int, seed uint32) string {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			seed = seed*1664525 + 1013904223
			at := m.PixOffset(x, y)
			m.Pix[at], m.Pix[at+1], m.Pix[at+2], m.Pix[at+3] = uint8(x*255/width), uint8(y*255/height), uint8(seed>>24)/4, 255
		}
	}
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func documents() *rapid.Generator[vfs.Files] {
	return rapid.Custom(func(t *rapid.T) vfs.Files {
		side := rapid.IntRange(2, 6)
		width, height := 8*side.Draw(t, "width"), 8*side.Draw(t, "height")
		return vfs.Files{"scene.png": drawn(t, width, height, rapid.Uint32().Draw(t, "seed"))}
	})
}

func TestDomain(t *testing.T) {
	t.Parallel()
	domaintest.Suite{Domain: image.New(), Seed: vfs.Files{"scene.png": drawn(t, 96, 64, 1)}, Generate: documents()}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, image.New(), vfs.Files{"scene.png": drawn(f, 16, 16, 1)})
}

func TestOracleOfATileIsTheKeyOfTheInstruction(t *testing.T) {
	t.Parallel()
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, 8, 8)) // one pixel a tile
	for n := range 64 {
		copy(m.Pix[4*n:], []byte{uint8(n), 0, 0, 255})
	}
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range image.New().Edits() {
		if edit.Name != "tiles" {
			continue
		}
		made, err := edit.Forward(vfs.Files{"scene.png": content})
		if err != nil {
			t.Fatal(err)
		}
		p, err := picture.Decode(made["tiled.png"])
		if err != nil {
			t.Fatal(err)
		}
		for n := range 64 {
			if got := p.Pixels.Pix[4*((37*n+11)%64)]; int(got) != n {
				t.Errorf("place %d holds tile %d, want %d", (37*n+11)%64, got, n)
			}
		}
	}
}

// What Strict forgives, and what it does not.
func TestStrict(t *testing.T) {
	t.Parallel()
	seed := drawn(t, 64, 64, 1)
	changed := func(change func(m *stdimage.NRGBA)) string {
		p, err := picture.Decode(seed)
		if err != nil {
			t.Fatal(err)
		}
		change(p.Pixels)
		content, err := picture.Encode(p.Pixels)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	one := changed(func(m *stdimage.NRGBA) { m.Pix[0]++ })
	for name, c := range map[string]struct {
		candidate vfs.Files
		strict    float64
		says      string // of the first difference
	}{
		"equal":                 {vfs.Files{"scene.png": seed}, 1, ""},
		"base64":                {vfs.Files{"scene.png": base64.StdEncoding.EncodeToString([]byte(seed))}, 1, ""},
		"another name":          {vfs.Files{"other.png": seed}, 1, ""},
		"one pixel":             {vfs.Files{"scene.png": one}, 1 - 1./65, "1 of 4096 pixels changed (0.02 %) within 0,0 to 0,0, SSIM 0.9999"},
		"transparent":           {vfs.Files{"scene.png": changed(func(m *stdimage.NRGBA) { m.Pix[3] = 0 })}, 1 - 1./65, "1 of 4096 pixels"},
		"a second picture":      {vfs.Files{"scene.png": seed, "z.png": one}, 0.5, "z.png: added"},
		"no picture":            {vfs.Files{"scene.txt": seed}, 0, "scene.png: lost"},
		"text next to it stays": {vfs.Files{"scene.png": seed, "notes.md": "x"}, 1, ""},
	} {
		reference := vfs.Files{"scene.png": seed}
		score := image.New().Compare(reference, c.candidate)
		if math.Abs(score.Strict-c.strict) > 1e-9 {
			t.Errorf("%s: Strict %v, want %v", name, score.Strict, c.strict)
		}
		differences := image.New().Differences(reference, c.candidate)
		if said := fmt.Sprint(differences); (len(differences) == 0) != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: differences %s, want %q", name, said, c.says)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	d := image.New()
	reference, candidate := vfs.Files{"scene.png": drawn(b, 512, 512, 1)}, vfs.Files{"scene.png": drawn(b, 512, 512, 2)}
	b.ReportAllocs()
	for b.Loop() {
		d.Compare(reference, candidate)
	}
}

// BenchmarkCompareSizes has a candidate that is to be resized first.
func BenchmarkCompareSizes(b *testing.B) {
	d := image.New()
	reference, candidate := vfs.Files{"scene.png": drawn(b, 512, 512, 1)}, vfs.Files{"scene.png": drawn(b, 1024, 768, 2)}
	for b.Loop() {
		d.Compare(reference, candidate)
	}
}
