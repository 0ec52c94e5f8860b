// Package obj3d is the domain of polygon meshes in Wavefront OBJ files, with the
// materials of their MTL files. Face lines are counted.
//
// The published score looks up groups by name, without letter case, and compares for each the vertices as a bag of
// points and the faces as a set of numbers, counted from the group's first vertex; then the materials' colours and
// factors, and the order of groups. Vertices are not tied to faces. Texture coordinates, normals, smoothing, texture
// maps, library names and comments are passed over, and of several groups with one name, or several files of one kind,
// all but the last.
//
// Strict looks through the numbers: a corner of a face is where it lies, with its texture coordinate and normal, so
// numbering is free, relative numbers included. A face may begin at any corner but keeps its winding. Faces, vertices,
// groups and materials have no order. Vertices, texture coordinates and normals count wherever they stand, also those
// that no face uses.
package obj3d

import (
	"agentd/domains"
	published "agentd/domains/published/obj3d"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Model]{
		Info: domains.Info{
			Name:     "obj3d",
			Title:    "3D model in Wavefront OBJ format",
			Category: "Creative & Media",
			Patterns: []string{"*" + published.MeshSuffix, "*" + published.MaterialSuffix},
			Together: true,
			Element:  counted,
			Example:  "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
			Components: []string{
				"group_coverage", "group_accuracy", "vertex_accuracy", "face_accuracy",
				"material_coverage", "material_accuracy", "material_score", "group_order",
			},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"#"},
		// Vertices have a score of their own.
		Others:     published.Others,
		Evidence:   domains.OfKinds(counted, vertexKind, materialKind),
		Without:    without,
		Sampling:   domains.Sampling{Not: "a mesh is one surface: without some of its faces it has holes"},
		Vocabulary: vocabulary,
	})
}
