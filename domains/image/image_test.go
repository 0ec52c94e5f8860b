package image_test

import (
	"encoding/base64"
	"fmt"
	stdimage "image"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
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

// taking is the domain with the parameters of its edits given.
type taking struct {
	domains.Domain
	edits []domains.Edit
}

func (d taking) Edits() []domains.Edit { return d.edits }

func demonstration(t testing.TB) domains.Domain {
	d := taking{Domain: image.New()}
	for name, parameters := range map[string]string{
		"mirror":             `{"document": "scene.png", "to": "mirrored.png"}`,
		"quarter_turn":       `{"document": "scene.png", "to": "turned.png"}`,
		"frame":              `{"document": "scene.png", "to": "framed.png", "width": 24, "color": "#2b1d14"}`,
		"cycle_channels":     `{"document": "scene.png", "to": "cycled.png"}`,
		"negative":           `{"document": "scene.png", "to": "negative.png"}`,
		"tiles":              `{"document": "scene.png", "to": "tiled.png", "grid": 8, "factor": 37, "offset": 11}`,
		"double":             `{"document": "scene.png", "to": "doubled.png"}`,
		"shear":              `{"document": "scene.png", "to": "sheared.png", "pixels": 3}`,
		"centre_and_margin":  `{"document": "scene.png", "centre": "centre.png", "margin": "margin.png", "shares": 8}`,
		"colour_separations": `{"document": "scene.png", "red": "red.png", "green": "green.png", "blue": "blue.png"}`,
		"alternate_rows":     `{"document": "scene.png", "even": "even.png", "odd": "odd.png"}`,
		"poster":             `{"document": "scene.png", "to": "poster.png", "remainder": "remainder.png", "levels": 8}`,
		"bitmap":             `{"document": "scene.png", "to": "scene.bmp"}`,
	} {
		edit, err := domaintest.Edit(t, d.Domain, name).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		d.edits = append(d.edits, edit)
	}
	if all := len(d.Domain.Edits()); len(d.edits) != all {
		t.Fatalf("parameters for %d of %d edits", len(d.edits), all)
	}
	return d
}

func TestEditsRefuseParameters(t *testing.T) {
	t.Parallel()
	for parameters, edit := range map[string]string{
		`{"document": "", "to": "", "width": 0, "color": "#000000"}`:       "frame",
		`{"document": "", "to": "", "width": 1, "color": "brown"}`:         "frame",
		`{"document": "", "to": "", "grid": 8, "factor": 2, "offset": 0}`:  "tiles",
		`{"document": "", "to": "", "grid": 8, "factor": 3, "offset": -1}`: "tiles",
		`{"document": "", "centre": "", "margin": "", "shares": 2}`:        "centre_and_margin",
		`{"document": "", "to": "", "remainder": "", "levels": 12}`:        "poster",
	} {
		made, err := domaintest.Edit(t, image.New(), edit).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made.Forward(vfs.Files{"": drawn(t, 16, 16, 1)}); err == nil || !strings.Contains(err.Error(), "must") && !strings.Contains(err.Error(), "two tiles") {
			t.Errorf("%s %s: %v", edit, parameters, err)
		}
	}
}

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for edit, parameters := range map[string]string{
		"frame":             `{"document": "a.png", "to": "b.png", "width": 3, "color": "#ff0000"}`,
		"tiles":             `{"document": "a.png", "to": "b.png", "grid": 3, "factor": 2, "offset": 1}`,
		"shear":             `{"document": "a.png", "to": "b.png", "pixels": -5}`,
		"centre_and_margin": `{"document": "a.png", "centre": "b.png", "margin": "c.png", "shares": 4}`,
		"poster":            `{"document": "a.png", "to": "b.png", "remainder": "c.png", "levels": 2}`,
	} {
		made, err := domaintest.Edit(t, image.New(), edit).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		files := vfs.Files{"a.png": drawn(t, 24, 12, 1)}
		there, err := made.Forward(files)
		if err != nil || there["b.png"] == "" || there["b.png"] == files["a.png"] {
			t.Errorf("%s: %v, %d files", edit, err, len(there))
		}
		if back, err := made.Backward(there); err != nil || image.New().Compare(files, back).Strict != 1 {
			t.Errorf("%s does not lead back: %v", edit, err)
		}
	}
}

func TestDomain(t *testing.T) {
	t.Parallel()
	domaintest.Suite{Domain: demonstration(t), Seed: vfs.Files{"scene.png": drawn(t, 96, 64, 1)}, Generate: documents()}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), vfs.Files{"scene.png": drawn(f, 16, 16, 1)})
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
	for _, edit := range demonstration(t).Edits() {
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
