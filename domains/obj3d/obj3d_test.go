package obj3d

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/obj3d"
	"agentd/vfs"
)

const (
	environment   = "obj3d1"
	meshFile      = "platelayers_hut.obj"
	materialsFile = "route_materials.mtl"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, environment),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, environment))
}

func FuzzMaterials(f *testing.F) {
	seed := domaintest.Seed(f, environment)
	for _, content := range domaintest.Hostile() {
		f.Add(content)
	}
	f.Add(seed[materialsFile])
	f.Fuzz(func(t *testing.T, content string) {
		files := vfs.Files{meshFile: seed[meshFile], materialsFile: content}
		if score := New().Compare(seed, files); score.RS < 0 || score.RS > 1 || score.Strict < 0 || score.Strict > 1 {
			t.Errorf("Value %v, Strict %v", score.RS, score.Strict)
		}
		if self := New().Compare(files, files); self.Strict != 1 && !strings.Contains(content, "\r") {
			t.Errorf("Strict of a document against itself is %v", self.Strict)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

var drawnMaterials = []string{"brick", "Slate Welsh", "glass", "oak_tarred", "08___Default"}

// drawDocument draws a mesh of groups that have their own vertices, and their
// materials.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	if d.sometimes("heading") {
		d.line("%s", d.one("comment", "# exported from Rhino, metres", "#", "####  ----", "# 3ds Max Wavefront OBJ Exporter"))
	}
	if !d.sometimes("no library") {
		d.line("mtllib %s", materialsFile)
	}
	for n := range 1 + d.upTo(4, "groups") {
		d.group(n)
	}
	mesh := d.text.String()
	d.text.Reset()
	d.materials()
	return vfs.Files{meshFile: mesh, materialsFile: d.text.String()}
}

type drawer struct {
	*rapid.T
	text   strings.Builder
	counts [3]int // vertices, texture coordinates and normals so far
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(format string, values ...any) { fmt.Fprintf(&d.text, format+"\n", values...) }

func (d *drawer) quirk() {
	if d.sometimes("quirk") {
		d.line("%s", d.one("odd line", "", "# taken off the drawing", "#", "   # 12 faces", "\t"))
	}
}

func (d *drawer) group(n int) {
	d.quirk()
	d.line("g%s%s", d.one("blanks", " ", "   ", "\t"), d.one("name", "wall", "Roof", "chimney pot", "x")+fmt.Sprint(n))
	d.line("usemtl %s", rapid.SampledFrom(drawnMaterials).Draw(d.T, "material"))
	if !d.sometimes("no smoothing") {
		d.line("s %s", d.one("smoothing", "off", "0", "1", "24"))
	}
	d.quirk()
	before := d.counts
	d.list("v", 0, 3+d.upTo(3, "vertices"), 3)
	if d.sometimes("textures") {
		d.list("vt", 1, 1+d.upTo(2, "textures"), 2)
	}
	if d.sometimes("normals") {
		d.list("vn", 2, 1+d.upTo(2, "normals"), 3)
	}
	backward := d.sometimes("backward")
	for k := range 1 + d.upTo(3, "faces") {
		d.face(k, before, backward)
		d.quirk()
	}
}

func (d *drawer) list(keyword string, which, size, width int) {
	for range size {
		d.counts[which]++
		words := []string{keyword}
		for range width {
			words = append(words, d.one("number", "0", "0.60", "-2.345", "1.5", "3.250000", "2.1e-05", "-1", ".5", "12.", "+0.25", "-0.0"))
		}
		d.line("%s", strings.Join(words, d.one("blanks", " ", "  ", "\t")))
	}
}

// face draws a face from the lists of its group; no two begin and end alike.
func (d *drawer) face(number int, before [3]int, backward bool) {
	words := []string{"f"}
	for corner := range 3 + number {
		word := ""
		for which := range d.counts {
			size := d.counts[which] - before[which]
			if which > 0 {
				word += "/"
			}
			if size == 0 {
				continue
			}
			at := before[which] + 1 + (corner+d.upTo(size-1, "corner"))%size
			if backward {
				at -= d.counts[which] + 1
			}
			word += fmt.Sprint(at)
		}
		words = append(words, strings.TrimRight(word, "/"))
	}
	if d.sometimes("note") {
		words = append(words, "# sagged")
	}
	d.line("%s", strings.Join(words, d.one("blanks", " ", "  ")))
}

func (d *drawer) materials() {
	if d.sometimes("heading") {
		d.line("# exported from Rhino, metres")
	}
	for _, name := range drawnMaterials {
		d.line("newmtl %s", name)
		for _, property := range []string{"Ka 0 0 0", "Kd 0.5 .25 1.0", "Ks 0.02 0.02 0.02", "Ns 1.5e+01", "d 1.0", "illum 2", "map_Kd -s 1 1 1 brick.png", "Ni 1.45"} {
			if d.sometimes(property) {
				d.line("%s", d.one("indent", "", "\t")+property)
			}
		}
		d.quirk()
	}
}

func TestLinesAreCountedAlsoWhereTheyCannotBeRead(t *testing.T) {
	t.Parallel()
	files := vfs.Files{
		"a.obj": "g old\n",
		"b.OBJ": "mtllib a.mtl  b.mtl\nmtllib a.mtl\ng x\nv 1 2 x\nv 1 2 3\nvn\nvt a\nvt 1\nf 1\nf x\n",
		"b.mtl": "newmtl a\nnewmtl A\nnewmtl a\n",
	}
	got, err := New().Statistics(files)
	want := domains.Stats{Elements: 1, Counts: []domains.Count{
		{Name: "Groups", Value: "1"}, {Name: "Vertices", Value: "2"}, {Name: "Normals", Value: "1"}, {Name: "Texcoords", Value: "2"},
		{Name: "Faces", Value: "1"}, {Name: "MTL Libraries", Value: "3"}, {Name: "Materials", Value: "2"},
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, files := range []vfs.Files{nil, {"a.obj": ""}, {"a.mtl": "newmtl a\n"}} {
		if _, err := New().Statistics(files); !errors.Is(err, published.ErrNoMesh) {
			t.Errorf("%v: %v", files, err)
		}
	}
}

func TestRSForgivesAndSees(t *testing.T) {
	t.Parallel()
	const materials = "newmtl red\nKd 1 0 0\nNs 100\nillum 2\n"
	const mesh = "g a\nusemtl red\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\ng b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n"
	reference := vfs.Files{"a.obj": mesh, "a.mtl": materials}
	for rule, c := range map[string]struct {
		mesh, materials string
		want            float64
	}{
		"vertices in another order": {"g a\nusemtl red\nv 1 1 0\nv 1 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\ng B\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n", materials, 1},
		"a face lost":               {"g a\nusemtl red\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\ng b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n", materials, 0.6583},
		"all faces of a group lost": {"g a\nusemtl red\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\ng b\nv 5 0 0\nv 6 0 0\nv 5 1 0\n", materials, 0.6498},
		"no materials":              {mesh, "", 0.8165},
		"a darker red":              {mesh, "newmtl RED\nKd 0.5 0 0\nNs 50\nillum 2\n", 0.9778},
		"nothing in common":         {"g c\nv 0 0 0\nf 1 1 1\n", materials, 0},
	} {
		score := New().Compare(reference, vfs.Files{"a.obj": c.mesh, "a.mtl": c.materials})
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
}
