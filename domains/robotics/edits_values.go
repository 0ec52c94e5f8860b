package robotics

import (
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// longestNumber is the length of numbers that models have; converted ones may
// be longer.
const longestNumber, longestConverted = 24, 64

// readDecimal reads a number of at most that length and magnitude.
func readDecimal(text string, longest int) (decimal.Decimal, bool) {
	if len(text) > longest {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(text)
	return value, err == nil && value.Exponent() > -int32(longest) && value.Exponent() < int32(longest)
}

// inMillimetres writes lengths in millimetres, masses in grams and moments of
// inertia in gram square millimetres.
func inMillimetres(p struct{ Document, To string }) exact.Steps {
	change := func(root *xml.Node) (vfs.Files, error) {
		shift(root, 1, longestNumber)
		return nil, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, _ vfs.Files) error {
		shift(root, -1, longestConverted)
		return nil
	})
}

// shift moves the decimal point of all quantities that depend on the unit, by
// so many places for each thousand. An attribute that is not all numbers stays.
func shift(root *xml.Node, thousands int32, longest int) {
	for _, part := range root.Children {
		if !isPlain(part, "link") && !isPlain(part, "joint") {
			continue
		}
		slides := part.Value("type") == "prismatic"
		part.Walk(func(n *xml.Node) {
			for i, a := range n.Attrs {
				if power := thousandsIn(n.Name, a.Name, slides); power != 0 {
					n.Attrs[i].Value = shifted(a.Value, 3*power*thousands, longest)
				}
			}
		})
	}
}

// thousandsIn is how many factors of a thousand the new unit of an attribute
// makes; 0 if it keeps its unit.
func thousandsIn(element, attribute string, slides bool) int32 {
	switch element + " " + attribute {
	case "origin xyz", "box size", "cylinder length", "cylinder radius", "sphere radius", "mass value":
		return 1
	case "inertia ixx", "inertia ixy", "inertia ixz", "inertia iyy", "inertia iyz", "inertia izz":
		return 3
	case "limit lower", "limit upper", "limit velocity":
		if slides {
			return 1
		}
	}
	return 0
}

func shifted(text string, places int32, longest int) string {
	words := strings.Fields(text)
	for k, word := range words {
		value, ok := readDecimal(word, longest)
		if !ok {
			return text
		}
		words[k] = value.Shift(places).String()
	}
	return strings.Join(words, " ")
}

// mirror makes the model of the mirrored robot, y to the other side and one word in names for
// the other.
func mirror(p struct {
	Document, To string
	Sides        [2]string // words such as left and right
}) exact.Steps {
	if strings.Contains(p.Sides[0], p.Sides[1]) || strings.Contains(p.Sides[1], p.Sides[0]) {
		return exact.Refuse("sides must be two words of which none is in the other")
	}
	sides := strings.NewReplacer(p.Sides[0], p.Sides[1], p.Sides[1], p.Sides[0])
	return rewrite(p.Document, p.To, func(root *xml.Node) (vfs.Files, error) {
		mirrorParts(root, sides)
		return nil, nil
	}, func(root *xml.Node, _ vfs.Files) error {
		mirrorParts(root, sides)
		return nil
	})
}

func mirrorParts(root *xml.Node, sides *strings.Replacer) {
	for _, part := range root.Children {
		if part.Kind != xml.Element {
			continue
		}
		slides := part.Value("type") == "prismatic"
		isBody := isPlain(part, "link") || isPlain(part, "joint")
		do := func(n *xml.Node) {
			for i, a := range n.Attrs {
				switch {
				case a.Name == "name", a.Name == "link", a.Name == "joint", a.Name == "reference":
					n.Attrs[i].Value = sides.Replace(a.Value)
				case isBody:
					n.Attrs[i].Value = negated(a.Value, mirroredPlaces(n.Name, a.Name, slides)...)
				}
			}
		}
		do(part)
		part.Walk(do)
	}
}

// mirroredPlaces are the places of the numbers in an attribute that change
// their sign. A turn goes the other way round, so its axis keeps y and what a
// slide moves along does not.
func mirroredPlaces(element, attribute string, slides bool) []int {
	switch element + " " + attribute {
	case "origin xyz":
		return []int{1}
	case "origin rpy":
		return []int{0, 2}
	case "inertia ixy", "inertia iyz":
		return []int{0}
	case "axis xyz":
		if slides {
			return []int{1}
		}
		return []int{0, 2}
	}
	return nil
}

// negated changes the sign of numbers at places between blanks. A zero has
// none, and what is no number stays.
func negated(text string, places ...int) string {
	if len(places) == 0 {
		return text
	}
	words := strings.Fields(text)
	for _, k := range places {
		if k >= len(words) {
			continue
		}
		digits, isNegative := strings.CutPrefix(words[k], "-")
		if value, ok := readDecimal(digits, longestNumber); !ok || !value.IsPositive() {
			continue
		}
		if isNegative {
			words[k] = digits
		} else {
			words[k] = "-" + strings.TrimPrefix(digits, "+")
		}
	}
	return strings.Join(words, " ")
}
