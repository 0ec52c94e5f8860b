package geodata

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for geometry, want := range map[string][3]string{
		`null`: {"", "", "0"},
		`{"type": "Point", "coordinates": [-2.050, 53.7, 197]}`:                                    {"POINT Z (-2.050 53.7 197)", "[-2.050, 53.7, -2.050, 53.7]", "1"},
		`{"type": "LineString", "coordinates": [[9, 53.7], [-10, 2], [1.5, 60]]}`:                  {"LINESTRING (9 53.7, -10 2, 1.5 60)", "[-10, 2, 9, 60]", "3"},
		`{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}`:                                  {"MULTIPOINT ((1 2), (3 4))", "[1, 2, 3, 4]", "2"},
		`{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}`:                   {"POLYGON ((0 0, 1 0, 1 1, 0 0))", "[0, 0, 1, 1]", "4"},
		`{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}`: {"GEOMETRYCOLLECTION (POINT (1 2))", "[1, 2, 1, 2]", "1"},
		`{"type": "LineString", "coordinates": [[1, 2], [3, 4, 5]]}`:                               {"", "[1, 2, 3, 4]", "2"},
		`{"type": "Point", "coordinates": []}`:                                                     {"", "", "0"},
		`{"type": "Circle", "coordinates": ["x", 2]}`:                                              {"", "", "1"},
	} {
		part := `{"type": "Feature", "geometry": ` + geometry + "}"
		if got := [3]string{wellKnown(part), extent(part), vertices(part)}; got != want {
			t.Errorf("%s: %q, want %q", geometry, got, want)
		}
	}
}
