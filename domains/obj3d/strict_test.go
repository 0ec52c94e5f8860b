package obj3d

import (
	"fmt"
	"strings"
	"testing"

	"agentd/vfs"
)

const shed = `# drawn by hand
mtllib shed.mtl
o shed
g wall north
usemtl boards
s off
v 0 0 0
v 4 0 0
v 4 0 2.5
v 0 0 2.5
v 4 0 2.5
vt 0 0
vt 1 0
vt 1 0.5
vn 0 -1 0
f 1/1/1 2/2/1 3/3/1
f 1//1 3//1 2//1
g roof
usemtl felt
s 1
v 0 3 3.5
v 4 3 3.5
v 2 1 3.5 0.8 0.1 0.1
# the ridge sags
f 4 5 7 6 8
l 6 7
lod 2
`

const shedMaterials = `# drawn by hand
newmtl boards
Kd 0.50 0.4 0.3
Ns 10
map_Kd -s 1 1 1 boards.png
newmtl felt
# from the tin
Kd 0.1
illum 1
`

func differences(candidate vfs.Files) (float64, string) {
	reference := vfs.Files{"a.obj": shed, "a.mtl": shedMaterials}
	return New().Compare(reference, candidate).Strict, fmt.Sprint(New().Differences(reference, candidate))
}

// changed is the shed with one text for another, in the mesh or the materials.
func changed(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(shed+shedMaterials, was) {
		t.Fatalf("the shed has no %q", was)
	}
	files := vfs.Files{"a.obj": strings.Replace(shed, was, is, 1), "a.mtl": shedMaterials}
	if files["a.obj"] == shed {
		files["a.mtl"] = strings.Replace(shedMaterials, was, is, 1)
	}
	return files
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	one := func(was, is string) vfs.Files { return changed(t, was, is) }
	for rule, files := range map[string]vfs.Files{
		"the corner a face begins at":        one("f 4 5 7 6 8", "f 7 6 8 4 5"),
		"the order of faces":                 one("f 1/1/1 2/2/1 3/3/1\nf 1//1 3//1 2//1\n", "f 1//1 3//1 2//1\nf 1/1/1 2/2/1 3/3/1\n"),
		"commas between numbers":             one("f 4 5 7 6 8", "f 4, 5, 7, 6, 8"),
		"commas between coordinates":         one("v 0 3 3.5", "v 0, 3, 3.5"),
		"relative numbers":                   one("f 4 5 7 6 8", "f -5 -4 -2 -3 -1"),
		"other numbers for the same corners": {"a.obj": strings.NewReplacer("v 0 0 0\nv 4 0 0\n", "v 4 0 0\nv 0 0 0\n", "f 1/1/1 2/2/1", "f 2/1/1 1/2/1", "3//1 2//1", "3//1 1//1", "f 1//1", "f 2//1").Replace(shed), "a.mtl": shedMaterials},
		"which vertex of several at a place": one("f 1//1 3//1", "f 1//1 5//1"),
		"vertices in another group":          {"a.obj": strings.Replace(strings.Replace(shed, "v 0 3 3.5\n", "", 1), "vt 0 0\n", "v 0 3 3.5\nvt 0 0\n", 1), "a.mtl": shedMaterials},
		"vertices after the faces":           {"a.obj": strings.Replace(shed, "v 4 3 3.5\nv 2 1 3.5 0.8 0.1 0.1\n", "", 1) + "v 4 3 3.5\nv 2 1 3.5 0.8 0.1 0.1\n", "a.mtl": shedMaterials},
		"the way numbers are written":        {"a.obj": strings.NewReplacer("2.5", "+2.50", " 4 0", " 4.000 0e0", "0.5", ".5").Replace(shed), "a.mtl": strings.Replace(shedMaterials, "0.50", "5e-1", 1)},
		"a weight of 1":                      one("v 0 3 3.5", "v 0 3 3.5 1.0"),
		"a texture coordinate's zeros":       one("vt 1 0\n", "vt 1\n"),
		"the order of a line's groups":       one("g wall north", "g north wall"),
		"off for 0":                          one("s off", "s 0"),
		"a state that is said again":         one("f 1//1", "usemtl boards\ns off\nf 1//1"),
		"groups in another order":            {"a.obj": groupsSwapped, "a.mtl": shedMaterials},
		"materials in another order":         one(shedMaterials, strings.Replace(shedMaterials, boards, "", 1)+boards),
		"a grey written out":                 one("Kd 0.1\n", "Kd 0.1 0.1 0.10\n"),
		"a heading that says the same":       one("# drawn by hand\nnewmtl", "newmtl"),
		"the mark of a comment":              one("# the ridge sags", "#the ridge  sags"),
		"a ruler":                            one("# the ridge sags", "# -----\n#\n# the ridge sags"),
		"layout":                             {"a.obj": strings.ReplaceAll(strings.ReplaceAll(shed, " ", "\t "), "\n", "  \n\n"), "a.mtl": shedMaterials},
		"a continued line":                   one("f 4 5 7 6 8", "f 4 5 \\\n  7 6 8"),
		"a code fence":                       {"a.obj": "```obj\n" + shed + "```\n", "a.mtl": shedMaterials},
		"line ends":                          {"a.obj": strings.ReplaceAll(shed, "\n", "\r\n"), "a.mtl": shedMaterials},
		"the names of the files":             {"b.OBJ": shed, "z.mtl": shedMaterials},
		"materials in two files":             {"a.obj": shed, "a.mtl": strings.Replace(shedMaterials, boards, "", 1), "b.mtl": boards},
		"a mesh in two files":                {"a.obj": twoFiles[0], "b.obj": twoFiles[1], "a.mtl": shedMaterials},
		"a part that counts on":              {"a.obj": twoFiles[0], "b.obj": strings.NewReplacer("f 1 2 4 3 5", "f 4 5 7 6 8", "l 3 4", "l 6 7").Replace(twoFiles[1]), "a.mtl": shedMaterials},
	} {
		if strict, found := differences(files); strict != 1 {
			t.Errorf("%s: Strict %v: %s", rule, strict, found)
		}
	}
}

const boards = "newmtl boards\nKd 0.50 0.4 0.3\nNs 10\nmap_Kd -s 1 1 1 boards.png\n"

const groupsSwapped = `# drawn by hand
mtllib shed.mtl
o shed
g roof
usemtl felt
s 1
v 4 0 2.5
v 0 3 3.5
v 4 3 3.5
v 2 1 3.5 0.8 0.1 0.1
v 0 0 2.5
# the ridge sags
f 5 1 3 2 4
l 2 3
lod 2
g wall north
usemtl boards
s off
v 0 0 0
v 4 0 0
v 4 0 2.5
vt 0 0
vt 1 0
vt 1 0.5
vn 0 -1 0
f 6/1/1 7/2/1 8/3/1
f 6//1 8//1 7//1
`

var twoFiles = [2]string{
	"# drawn by hand\nmtllib shed.mtl\no shed\ng wall north\nusemtl boards\nv 0 0 0\nv 4 0 0\nv 4 0 2.5\nvt 0 0\nvt 1 0\nvt 1 0.5\nvn 0 -1 0\nf 1/1/1 2/2/1 3/3/1\n" +
		"f 1//1 3//1 2//1\n",
	"mtllib shed.mtl\no shed\ng roof\nusemtl felt\ns 1\nv 0 0 2.5\nv 4 0 2.5\nv 0 3 3.5\nv 4 3 3.5\nv 2 1 3.5 0.8 0.1 0.1\n# the ridge sags\nf 1 2 4 3 5\nl 3 4\nlod 2\n",
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		names   string // part of the differences
	}{
		"a coordinate":                    {"v 4 0 0", "v 4 0 0.1", "vertex 2 of north wall, z: 0 -> 0.1"},
		"the faces with it":               {"v 4 0 0", "v 4 0 0.1", "face 1 of north wall, corner: 4 0 0 -> 4 0 0.1"},
		"vertices in each other's place":  {"v 0 0 0\nv 4 0 0\n", "v 4 0 0\nv 0 0 0\n", "face 1 of north wall, winding: 1 2 3 -> 1 3 2"},
		"a number of a vertex":            {"f 4 5 7 6 8", "f 4 5 7 6 3", "face 1 of roof, corner: 2 1 3.5 0.8 0.1 0.1 -> 4 0 2.5"},
		"a number that is not there":      {"f 4 5 7 6 8", "f 4 5 7 6 9", "v 9, which is not there"},
		"a number that cannot be read":    {"f 4 5 7 6 8", "f 4 5 7 6 8;", "corner: 2 1 3.5 0.8 0.1 0.1 -> 8;"},
		"the winding":                     {"f 4 5 7 6 8", "f 8 6 7 5 4", "face 1 of roof, winding"},
		"two corners exchanged":           {"f 4 5 7 6 8", "f 4 5 6 7 8", "face 1 of roof, winding"},
		"a texture coordinate of a face":  {"1/1/1 2/2/1", "1/2/1 2/1/1", "texture: 0 at 0 0 0 -> 1 at 0 0 0"},
		"a normal of a face":              {"f 1//1 3//1", "f 1 3//1", "face 2 of north wall, normal: 0 -1 0 at 0 0 0 -> (nothing)"},
		"a texture coordinate":            {"vt 1 0.5", "vt 1 0.6", "texture coordinate 3 of north wall, v: 0.5 -> 0.6"},
		"a normal":                        {"vn 0 -1 0", "vn 0 1 0", "normal 1 of north wall, y: -1 -> 1"},
		"a colour of a vertex":            {"0.8 0.1 0.1", "0.8 0.2 0.1", "vertex 3 of roof, green: 0.1 -> 0.2"},
		"a weight":                        {"v 0 3 3.5", "v 0 3 3.5 2", "vertex 1 of roof, w: (nothing) -> 2"},
		"a vertex that is no number":      {"v 0 3 3.5", "v 0 x 3.5", "vertex 1 of roof, y: 3 -> x"},
		"a vertex that no face uses":      {"vt 0 0\n", "vt 0 0\nv 9 9 9\n", "vertex 6 of north wall: added"},
		"vertices that were made one":     {"v 4 0 2.5\nvt", "vt", "vertex"},
		"a face that was lost":            {"f 1//1 3//1 2//1\n", "", "face 2 of north wall: lost"},
		"a face that is there twice":      {"f 1//1 3//1 2//1\n", "f 1//1 3//1 2//1\nf 1//1 3//1 2//1\n", "face 3 of north wall: added"},
		"a line":                          {"l 6 7", "l 7 6", "polyline 1 of roof, corner 1: 0 3 3.5 -> 4 3 3.5"},
		"a group's name":                  {"g roof", "g Roof", "group roof, group: roof -> Roof"},
		"one of several groups":           {"g wall north", "g wall", "group north: lost"},
		"an object's name":                {"o shed", "o barn", "object shed"},
		"an object made a group":          {"o shed", "g shed", "group shed: added"},
		"the material of a group":         {"usemtl felt", "usemtl Felt", "face 1 of roof, material: felt -> Felt"},
		"the smoothing":                   {"s 1", "s 2", "face 1 of roof, smoothing: 1 -> 2"},
		"a library":                       {"mtllib shed.mtl", "mtllib barn.mtl", "material library: shed.mtl -> barn.mtl"},
		"a statement of display":          {"lod 2", "lod 3", "statement 1, lod, word 1: 2 -> 3"},
		"a comment":                       {"# the ridge sags", "# the ridge is straight", "comment: the ridge sags -> the ridge is straight"},
		"a comment after a face":          {"f 4 5 7 6 8", "f 4 5 7 6 8 # sagged", "comment: added (sagged)"},
		"the heading of the mesh":         {"# drawn by hand\nmtllib", "mtllib", "comment: lost (drawn by hand)"},
		"a comment in the materials":      {"# from the tin\n", "", "comment in the materials: lost (from the tin)"},
		"a material's name":               {"newmtl felt", "newmtl Felt", "material felt, name: felt -> Felt"},
		"a colour":                        {"0.50 0.4", "0.50 0.5", "material boards, Kd green: 0.4 -> 0.5"},
		"a factor":                        {"Ns 10", "Ns 11", "material boards, Ns: 10 -> 11"},
		"an option of a texture":          {"-s 1 1 1", "-s 2 1 1", "material boards, map_Kd"},
		"a property that was lost":        {"illum 1\n", "", "material felt, illum: 1 -> (nothing)"},
		"a property that was added":       {"illum 1\n", "illum 1\nd 0.5\n", "material felt, d: (nothing) -> 0.5"},
		"a material that is there twice":  {"newmtl felt", boards + "newmtl felt", "material boards: added"},
		"a property above all materials":  {"# drawn by hand\nnewmtl", "Kd 1 1 1\nnewmtl", "no part of the format: added (Kd 1 1 1)"},
		"prose":                           {"g roof", "The roof follows.\ng roof", "no part of the format: added (The roof follows.)"},
		"prose that begins like a vertex": {"g roof", "v for the vertices of the roof\ng roof", "no part of the format: added (v for"},
	} {
		strict, found := differences(changed(t, c.was, c.is))
		if strict >= 1 || strict < 0.5 || !strings.Contains(found, c.names) {
			t.Errorf("%s: Strict %v, want %q in %s", rule, strict, c.names, found)
		}
	}
}

// What many elements repeat is cut where it gets long, and still compared as a
// whole.
func TestLongTextsDifferAtTheirEnd(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"g %s\nf 1\n", "usemtl %s\nf 1\n", "v 0 0 0.%s\nf 1\n", "f %s/1\n"} {
		document := func(end string) vfs.Files {
			return vfs.Files{"a.obj": fmt.Sprintf(text, strings.Repeat("1", 5000)+end)}
		}
		if score := New().Compare(document("1"), document("2")); score.Strict == 1 {
			t.Errorf("%s: no difference", text)
		}
		if found := fmt.Sprint(New().Differences(document("1"), document("2"))); strings.Contains(text, "v") && len(found) > 2000 {
			t.Errorf("%s: %d bytes of differences", text, len(found))
		}
	}
}

func TestWindingIsTheSameFromEveryCorner(t *testing.T) {
	t.Parallel()
	for _, places := range []string{"", "a", "ab", "abc", "acb", "abcd", "adbc", "aab", "abab", "aabab", "abcabd", "aaaa", "bacadaea"} {
		var want string
		for start := range len(places) {
			var corners []corner
			for n := range len(places) {
				corners = append(corners, corner{places[(start+n)%len(places):][:1]})
			}
			got := winding(corners)
			if start == 0 {
				want = got
			}
			if got != want {
				t.Errorf("%s from %d: %s, want %s", places, start, got, want)
			}
		}
	}
	if winding([]corner{{"a"}, {"b"}, {"c"}}) == winding([]corner{{"a"}, {"c"}, {"b"}}) {
		t.Error("the other way around is the same")
	}
}
