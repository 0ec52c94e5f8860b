package obj3d

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// A hutch for ferrets, in metres.
const (
	heading = "# hutch, metres\nmtllib route_materials.mtl\n"
	floor   = `g floor
usemtl ply
s off
v 0 0 0.50
v 1.2 0 0.50
v 1.2 0.6 0.50
v 0 0.6 0.50
vt 0 0
vt 1 0
vt 1 1
f 1/1 2/2 3/3
f 1 3 4
`
	lidAbove = `g lid
usemtl felt
s 1
# falls to the back
v 0 0 2.10
v 1.2 0 2.10
v 1.2 0.7 2.00
v 0 0.7 2.00
vn 0 1.4e-1 0.99
`
	lid   = lidAbove + "f 5//1 6//1 7//1 8//1\n"
	latch = `g latch
usemtl ply
v 0.6 -0.02 1.2
v 0.7 -0.02 1.2
v 0.65 -0.02 1.3
f -3 -2 -1
`
	hutchMaterials = `# shared
newmtl ply
Kd 0.8 0.7 0.5
# three coats
newmtl felt
Kd 0.1 0.1 0.1
illum 1
`
)

var hutch = vfs.Files{meshFile: heading + floor + lid + latch, materialsFile: hutchMaterials}

var forwardResults = map[string]vfs.Files{
	"material_split": {
		"heading.obj":  heading,
		"ply.obj":      floor + latch,
		"felt.obj":     lidAbove + "f 1//1 2//1 3//1 4//1\n",
		"manifest.csv": "position,group,file\n1,floor,ply.obj\n2,lid,felt.obj\n3,latch,ply.obj\n",
		materialsFile:  hutchMaterials,
	},
	"roof_off": {
		"walls.obj": heading + floor + latch,
		"roof.obj":  lidAbove + "f 1//1 2//1 3//1 4//1\n",
		"levels.csv": `position,group,file,lowest,highest
1,floor,walls.obj,0.5,0.5
2,lid,roof.obj,2,2.1
3,latch,walls.obj,1.2,1.3
`,
		materialsFile: hutchMaterials,
	},
	"as_json": {"model.json": `{
"comments": [
  "hutch, metres"
],
"libraries": [
  "route_materials.mtl"
],
"groups": [
  {"name":"floor","material":"ply","smoothing":"off","comments":[],"vertices":[[0,0,0.50],[1.2,0,0.50],[1.2,0.6,0.50],[0,0.6,0.50]],"texcoords":[[0,0],[1,0],[1,1]],"normals":[],"faces":["1/1 2/2 3/3","1 3 4"]},
  {"name":"lid","material":"felt","smoothing":"1","comments":["falls to the back"],"vertices":[[0,0,2.10],[1.2,0,2.10],[1.2,0.7,2.00],[0,0.7,2.00]],"texcoords":[],"normals":[[0,1.4e-1,0.99]],"faces":["5//1 6//1 7//1 8//1"]},
  {"name":"latch","material":"ply","smoothing":"","comments":[],"vertices":[[0.6,-0.02,1.2],[0.7,-0.02,1.2],[0.65,-0.02,1.3]],"texcoords":[],"normals":[],"faces":["-3 -2 -1"]}
],
"notes": [
  "shared"
],
"materials": [
  {"name":"ply","comments":["three coats"],"properties":[["Kd","0.8 0.7 0.5"]]},
  {"name":"felt","comments":[],"properties":[["Kd","0.1 0.1 0.1"],["illum","1"]]}
]
}
`},
	"y_up": {
		"hut_yup_mm.obj": heading + `g floor
usemtl ply
s off
v 0 500 0
v 1200 500 0
v 1200 500 -600
v 0 500 -600
vt 0 0
vt 1 0
vt 1 1
f 1/1 2/2 3/3
f 1 3 4
g lid
usemtl felt
s 1
# falls to the back
v 0 2100 0
v 1200 2100 0
v 1200 2000 -700
v 0 2000 -700
vn 0 0.99 -0.14
f 5//1 6//1 7//1 8//1
g latch
usemtl ply
v 600 1200 20
v 700 1200 20
v 650 1300 20
f -3 -2 -1
`,
		materialsFile: hutchMaterials,
	},
	"by_volume": {
		"by_volume.obj": heading + floor + latch + lidAbove + "f 8//1 9//1 10//1 11//1\n",
		"inventory.csv": `position,group,length,depth,height,volume
1,floor,1.2,0.6,0,0.0000
3,latch,0.1,0,0.1,0.0000
2,lid,1.2,0.7,0.1,0.0840
`,
		materialsFile: hutchMaterials,
	},
	"vertex_pool": {
		"pooled.obj": heading + `v 0 0 0.50
v 0 0 2.10
v 0 0.6 0.50
v 0 0.7 2.00
v 0.6 -0.02 1.2
v 0.65 -0.02 1.3
v 0.7 -0.02 1.2
v 1.2 0 0.50
v 1.2 0 2.10
v 1.2 0.6 0.50
v 1.2 0.7 2.00
g floor
usemtl ply
s off
vt 0 0
vt 1 0
vt 1 1
f 1/1 8/2 10/3
f 1 10 3
g lid
usemtl felt
s 1
# falls to the back
vn 0 1.4e-1 0.99
f 2//1 9//1 11//1 4//1
g latch
usemtl ply
f -7 -5 -6
`,
		"vertex_pool.csv": "vertex,group,index\n1,1,1\n2,2,1\n3,1,4\n4,2,4\n5,3,1\n6,3,3\n7,3,2\n8,1,2\n9,2,2\n10,1,3\n11,2,3\n",
		materialsFile:     hutchMaterials,
	},
	"material_codes": {
		"coded.obj": "# hutch, metres\nmtllib coded.mtl\n" + strings.Replace(floor, "ply", "M02", 1) +
			strings.Replace(lid, "felt", "M01", 1) + strings.Replace(latch, "ply", "M02", 1),
		"coded.mtl": `# shared
newmtl M02
Kd 0.8 0.7 0.5
# three coats
newmtl M01
Kd 0.1 0.1 0.1
illum 1
`,
		"material_codes.csv": "code,name,uses\nM01,felt,1\nM02,ply,2\n",
	},
	"triangles": {
		"triangles.obj": heading + floor + lidAbove + "f 5//1 6//1 7//1\nf 5//1 7//1 8//1\n" + latch,
		"polygons.csv":  "face,corners\n3,4\n",
		materialsFile:   hutchMaterials,
	},
}

// The files of the documents in these tests.
const (
	meshFile      = "platelayers_hut.obj"
	materialsFile = "route_materials.mtl"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), hutch, forwardResults, domaintest.InMeaning)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	document := func(was, is string) vfs.Files {
		if !strings.Contains(hutch[meshFile]+hutchMaterials, was) {
			t.Fatalf("the hutch has no %q", was)
		}
		return vfs.Files{
			meshFile:      strings.Replace(hutch[meshFile], was, is, 1),
			materialsFile: strings.Replace(hutchMaterials, was, is, 1),
		}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"material_split", document("g floor\n", "v 1 1 1\ng floor\n"), `"v 1 1 1" stands above the first group`},
		{"material_split", document("f 1 3 4", "f 1 3 5"), `"f 1 3 5" refers to another group`},
		{"material_split", document("usemtl ply\n", ""), `the group "floor" has 0 usemtl lines`},
		{"material_split", document("usemtl ply\n", "usemtl a/b\n"), `the material "a/b" cannot be the name of a file`},
		{"roof_off", document("v 0 0 0.50", "v 0 0 half"), `"half" in "v 0 0 half" is no number`},
		{"roof_off", document("g latch", "g hook\ng latch"), `the group "hook" has no vertex`},
		{"as_json", document("f 1 3 4", "l 1 3 4"), `"l 1 3 4" has no place in the JSON form`},
		{"as_json", document("f 1 3 4", "f 1 3 4\ns 2"), `"s 2" has no place`},
		{"as_json", document("f -3 -2 -1\n", "f -3 -2 -1\nv 1 1 1\n"), `"v 1 1 1" has no place`},
		{"as_json", document("Kd 0.1", "shiny 0.1"), `"shiny 0.1 0.1 0.1" has no place`},
		{"as_json", vfs.Files{meshFile: hutch[meshFile]}, "there is not one .mtl file"},
		{"y_up", document("v 0 0 0.50", "v 0 0"), `"v 0 0" has too few numbers`},
		{"by_volume", document("f 1 3 4", "f 1 3 12"), `the corner "12" of "f 1 3 12" refers to nothing`},
		{"vertex_pool", document("v 0 0 0.50", "v 0 0 1e99"), `"1e99" in "v 0 0 1e99" is no number`},
		{"material_codes", document("newmtl felt", "newmtl roofing"), `the material "felt" is not in the .mtl file`},
		{"material_codes", document("mtllib", "mtllib coded.mtl"), "names coded.mtl already"},
		{"triangles", vfs.Files{meshFile: "# empty\n"}, "no .obj file with a group"},
		{"triangles", vfs.Files{"a.obj": lid, "b.obj": latch}, "there are several .obj files"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Forward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"material_split", vfs.Files{"ply.obj": floor}, "manifest.csv is missing"},
		{"material_split", vfs.Files{"ply.obj": floor, "manifest.csv": "position,file\n"}, "heading.obj is missing"},
		{"material_split", vfs.Files{"ply.obj": "f 1", "heading.obj": "", "manifest.csv": "position,file\n"}, `ply.obj: the corner "1"`},
		{"roof_off", vfs.Files{"walls.obj": heading, "levels.csv": "position,file\n"}, "no .obj file with a group"},
		{"as_json", vfs.Files{"model.json": "{}"}, "model.json has no group"},
		{"y_up", vfs.Files{"hut_yup_mm.obj": "g a\nv 1 1 x\n"}, `"x" in "v 1 1 x" is no number`},
		{"by_volume", vfs.Files{"by_volume.obj": floor, "inventory.csv": "group\nfloor\n"}, `no column "position"`},
		{"vertex_pool", vfs.Files{"pooled.obj": "v 1 1 1\n", "vertex_pool.csv": "vertex,group,index\n"}, "no .obj file with a group"},
		{"material_codes", vfs.Files{"coded.obj": floor}, "coded.mtl is missing"},
		{"triangles", vfs.Files{"triangles.obj": floor}, "polygons.csv is missing"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	mesh := strings.Replace(hutch[meshFile], materialsFile, "hutch.mtl", 1)
	document := vfs.Files{"hutch.obj": mesh, "hutch.mtl": hutchMaterials}
	edits := domaintest.Making(t, New(), map[string]string{
		"split_by_height": `{"document": "hutch.obj", "lower": "low.obj", "upper": "high.obj", "from": 0.6, "table": "z.csv"}`,
		"code_materials":  `{"document": "hutch.obj", "materials": "hutch.mtl", "to": "c.obj", "coded": "c.mtl", "first": "mat5", "table": "c.csv"}`,
	})
	domaintest.Results(t, edits, document, map[string]vfs.Files{
		"split_by_height": {
			"low.obj":   strings.Replace(heading, materialsFile, "hutch.mtl", 1) + floor,
			"high.obj":  lidAbove + "f 1//1 2//1 3//1 4//1\n" + latch,
			"z.csv":     "position,group,file,lowest,highest\n1,floor,low.obj,0.5,0.5\n2,lid,high.obj,2,2.1\n3,latch,high.obj,1.2,1.3\n",
			"hutch.mtl": hutchMaterials,
		},
		"code_materials": {
			"c.obj": strings.NewReplacer("hutch.mtl", "c.mtl", "usemtl ply", "usemtl mat6", "felt", "mat5").Replace(mesh),
			"c.mtl": strings.NewReplacer("ply", "mat6", "felt", "mat5").Replace(hutchMaterials),
			"c.csv": "code,name,uses\nmat5,felt,1\nmat6,ply,2\n",
		},
	}, domaintest.ToTheLetter)
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	domaintest.DamagedSteps(t, demonstration(t), domaintest.Seed(t, environment), 0.9, "library part", "part", "slate_20x10.png", "slate.png")
}

// A face may use vertices of other groups where groups only change places.
func TestGroupsMayShareVertices(t *testing.T) {
	t.Parallel()
	document := vfs.Files{meshFile: strings.Replace(hutch[meshFile], "f 1 3 4", "f 1 6 -1", 1), materialsFile: hutchMaterials}
	for _, name := range []string{"by_volume", "y_up", "vertex_pool", "triangles"} {
		edit := domaintest.Edit(t, demonstration(t), name)
		there, err := edit.Forward(document)
		if err != nil {
			t.Fatal(err)
		}
		again, err := edit.Backward(there)
		if err != nil {
			t.Fatal(err)
		}
		if differences := New().Differences(document, again); len(differences) > 0 {
			t.Errorf("%s: %v", name, differences)
		}
	}
}
