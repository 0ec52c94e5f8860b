package standin

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"slices"
	"strings"

	"agentd/internal/picture"
	"agentd/models/sim"
	"agentd/vfs"
)

// harm is what a stand-in does to the pictures of one interaction.
type harm struct {
	Kind string `json:"kind"` // noise, shift, blur, region or jpeg
	// Amount is the most by which a value changes (noise, shift), the share of the
	// neighbouring pixels (blur), the side of the region that is lost as a share of the
	// picture's (region), or the quality (jpeg).
	Amount float64 `json:"amount"`
	Seed   int64   `json:"seed"`
}

// fullDamage is the rate of lost elements at which harm is greatest: that of the profile weak.
var fullDamage = func() float64 {
	weak, _ := sim.ProfileNamed("weak")
	return weak.Drop
}()

// harmOf chooses one kind of harm at random; nil for none. The rate of lost elements says
// how often there is harm and how great it is: at full damage always, at a tenth of it in
// about a third of the interactions.
func harmOf(damage sim.Damage) *harm {
	if damage.None() {
		return nil
	}
	level := min(damage.Drop/fullDamage, 1)
	if damage.Random.Float64() >= 0.3+0.7*level {
		return nil
	}
	kinds := []harm{
		{Kind: "noise", Amount: 2 + 5*level},
		{Kind: "shift", Amount: 2 + 5*level},
		{Kind: "blur", Amount: 0.2 + 0.5*level},
		{Kind: "region", Amount: 0.08 + 0.16*level},
		{Kind: "jpeg", Amount: 95 - 25*level},
	}
	chosen := kinds[damage.Random.IntN(len(kinds))]
	chosen.Seed = damage.Random.Int64N(1 << 31)
	return &chosen
}

// spoilPictures does the same harm to all pictures. Files that cannot be read stay as they
// are, and so do files of text.
func spoilPictures(files vfs.Files, damage sim.Damage) vfs.Files {
	h := harmOf(damage)
	if h == nil {
		return files
	}
	spoiled := files.Clone()
	for _, name := range files.Names() {
		if !vfs.Binary(name) {
			continue
		}
		p, err := picture.Decode(files[name])
		if err != nil {
			continue
		}
		if content, err := picture.Encode(h.on(p.Pixels)); err == nil {
			spoiled[name] = content
		}
	}
	return spoiled
}

// on returns a harmed copy of the pixels.
func (h *harm) on(p *image.NRGBA) *image.NRGBA {
	random := rand.New(rand.NewPCG(uint64(h.Seed), 1))
	out := image.NewNRGBA(p.Rect)
	copy(out.Pix, p.Pix)
	width, height := p.Rect.Dx(), p.Rect.Dy()
	each := func(change func(at, channel int) int) {
		for at := 0; at < len(out.Pix); at += 4 {
			for channel := range 3 {
				out.Pix[at+channel] = uint8(min(max(change(at, channel), 0), 255))
			}
		}
	}
	switch h.Kind {
	case "noise":
		most := int(h.Amount)
		each(func(at, channel int) int { return int(p.Pix[at+channel]) + random.IntN(2*most+1) - most })
	case "shift":
		var by [3]int
		for i := range by {
			by[i] = int(h.Amount) * (2*random.IntN(2) - 1)
		}
		each(func(at, channel int) int { return int(p.Pix[at+channel]) + by[channel] })
	case "blur":
		each(func(at, channel int) int {
			next := min(at+4, len(p.Pix)-4) + channel
			a, b := float64(p.Pix[at+channel]), float64(p.Pix[next])
			return int(a + (b-a)*h.Amount/2 + 0.5)
		})
	case "region":
		size := max(1, int(h.Amount*float64(min(width, height))))
		x, y := random.IntN(width-size+1), random.IntN(height-size+1)
		for row := y; row < y+size; row++ {
			first := p.NRGBAAt(x, row)
			for column := x; column < x+size; column++ {
				out.SetNRGBA(column, row, color.NRGBA{first.R, first.G, first.B, 255})
			}
		}
	case "jpeg":
		var packed bytes.Buffer
		if jpeg.Encode(&packed, p, &jpeg.Options{Quality: int(h.Amount)}) != nil {
			return out
		}
		if read, err := picture.Decode(packed.String()); err == nil {
			return read.Pixels
		}
	}
	return out
}

// renamed gives pictures the names of the targets, in order. It is what an edit of pictures
// without an exact program comes to: nothing is known of how the picture should look.
func renamed(files vfs.Files, targets []string) vfs.Files {
	names := slices.DeleteFunc(files.Names(), func(name string) bool { return !vfs.Binary(name) })
	made := vfs.Files{}
	for i, target := range targets {
		if len(names) > 0 {
			source := names[min(i, len(names)-1)]
			made[concrete(target, source)] = files[source]
		}
	}
	return made
}

//go:embed picture.py
var pictureProgram string

// program is a script that does the step on pictures, which no tool shows to a model; ""
// if the documents are text. above begins the names of files.
func (s *step) program(files []string, above string, damage sim.Damage) string {
	var sources []string
	for _, pattern := range s.sources {
		for _, name := range files {
			if vfs.Binary(name) && vfs.Matches(pattern, name) && !s.isDistractor(name) && !slices.Contains(sources, name) {
				sources = append(sources, name)
			}
		}
	}
	if len(sources) == 0 || len(sources) < len(s.sources) {
		return ""
	}
	job, err := json.Marshal(map[string]any{
		"edit": s.oracle, "back": s.backward, "above": above,
		"sources": sources, "targets": s.targets, "harm": harmOf(damage),
	})
	if err != nil {
		return ""
	}
	quoted, err := json.Marshal(string(job))
	if err != nil {
		return ""
	}
	return strings.TrimRight(pictureProgram, "\n") + "\n\n\nmain(json.loads(" + string(quoted) + "))\n"
}
