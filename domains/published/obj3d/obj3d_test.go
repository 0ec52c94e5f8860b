package obj3d

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// described is a mesh as groups with their material, vertices and faces.
func described(m mesh) []string {
	var all []string
	for _, g := range m.groups {
		var faces [][]int
		for n := g.faces.from; n < g.faces.to; n++ {
			faces = append(faces, m.face(n))
		}
		all = append(all, fmt.Sprintf("%s (%s): %v %v", g.name, g.material, m.vertices[g.vertices.from:g.vertices.to], faces))
	}
	return all
}

func TestMeshesAreReadAsPublished(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"numbers count from the group":     {"g a\nv 1 2 3\nv 4 5 6\ng b\nv 0 0 0\nf 3 1 2\n", []string{"a (): [[1 2 3] [4 5 6]] []", "b (): [[0 0 0]] [[1 -1 0]]"}},
		"relative numbers are shifted too": {"g a\nv 1 2 3\ng b\nv 0 0 0\nf -1 -1 -1\n", []string{"a (): [[1 2 3]] []", "b (): [[0 0 0]] [[-2 -2 -2]]"}},
		"a bad vertex is no vertex":        {"g a\nv 1 2 x\nv 1 2\nv 1 2 3 4 5\ng b\nf 3\n", []string{"a (): [[1 2 3]] []", "b (): [] [[2]]"}},
		"all but digits is deleted":        {"g a\nf 1, 2.0 3x/y/z\n", []string{"a (): [] [[1 20 3]]"}},
		"a bad corner loses its face":      {"g a\nf 1 2 x\nf 1 2 3/-\nf 1 2/5-\nf /1\nf 4/ 5// 6\n", []string{"a (): [] [[4 5 6]]"}},
		"v opens a group":                  {"usemtl Red\nv 0 0 0\n", []string{"default (red): [[0 0 0]] []"}},
		"o is g":                           {"o A  b\ng\n", []string{"a b (): [] []", "default (): [] []"}},
		"usemtl holds for the next group":  {"g a\nusemtl x\nusemtl Y  z\ng b\n", []string{"a (y z): [] []", "b (y z): [] []"}},
		"keywords have a case":             {"G a\nV 1 2 3\n# g b\n```\n", nil},
		"lines end where Python says":      {"g a\fv 1 2 3\u2028f 1\v\n", []string{"a (): [[1 2 3]] [[1]]"}},
		"numbers are Python's":             {"g a\nv 1_0 1e2 -.5\nv 0x1 1 1\nv inf -Infinity 3\n", []string{"a (): [[10 100 -0.5] [+Inf -Inf 3]] []"}},
	} {
		if diff := cmp.Diff(c.want, described(parseMesh(c.text))); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestMaterialsAreReadAsPublished(t *testing.T) {
	t.Parallel()
	all := parseMaterials("Kd 1 1 1\nnewmtl a\nKd 1 1 1\nNs 5\nnewmtl b\nKd 0 .5 1 7\nKd x 1 1\nKs 1 1\nNi 1_0\nd nan\nd x\nillum 2.0\nNs\nnewmtl a\nillum +2\n")
	if len(all) != 2 || all[0].colours != [4]*point{} || all[0].factors != [3]*float64{} || all[0].illumination != "2" {
		t.Fatalf("%+v", all)
	}
	b := all[1]
	if *b.colours[1] != (point{0, 0.5, 1}) || b.colours[2] != nil || *b.factors[1] != 10 || !math.IsNaN(*b.factors[2]) || b.illumination != "" || b.factors[0] != nil {
		t.Errorf("%+v", b)
	}
}

// plainSimilarity is the sheet's rule without any shortcut.
func plainSimilarity(reference, candidate []point) float64 {
	reference, candidate = slices.Clone(reference), slices.Clone(candidate)
	slices.SortFunc(reference, comparePoints)
	slices.SortFunc(candidate, comparePoints)
	used := make([]bool, len(candidate))
	sum := 0.0
	for _, a := range reference {
		best, most := -1, 0.0
		for n, b := range candidate {
			similarity := 0.0
			switch distance := a.distance(&b); {
			case distance < samePlace:
				similarity = 1
			case distance < reach:
				similarity = 1 - distance
			}
			if !used[n] && similarity > most {
				best, most = n, similarity
			}
		}
		if best >= 0 {
			used[best] = true
			sum += most
		}
	}
	return sum
}

func TestVerticesArePairedAsPlainly(t *testing.T) {
	t.Parallel()
	places := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) point {
		at := rapid.SampledFrom([]float64{0, 0.0005, 0.001, 0.3, 0.7, 1, 1.0009, 2, math.NaN(), math.Inf(1)})
		return point{at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z")}
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		reference, candidate := places.Draw(t, "reference"), places.Draw(t, "candidate")
		m := matcher{left: mostSteps}
		if got, want := m.similarity(reference, candidate), plainSimilarity(reference, candidate); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, want %v", got, want)
		}
		few := matcher{}
		if got := few.similarity(reference, reference); got > float64(len(reference)) {
			t.Fatalf("%v of %d", got, len(reference))
		}
	})
}
