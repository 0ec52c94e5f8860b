package xml

import (
	"slices"
	"testing"
)

func TestAttributesKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	var n Node
	for _, a := range []Attr{{"x", "1"}, {"y", "2"}, {"x", "3"}} {
		n.SetAttribute(a.Name, a.Value)
	}
	if want := []Attr{{"x", "3"}, {"y", "2"}}; !slices.Equal(n.Attrs, want) {
		t.Errorf("attributes %v, want %v", n.Attrs, want)
	}
	n.RemoveAttribute("x")
	n.RemoveAttribute("z")
	if want := []Attr{{"y", "2"}}; !slices.Equal(n.Attrs, want) {
		t.Errorf("attributes %v, want %v", n.Attrs, want)
	}
}
