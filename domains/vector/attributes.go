package vector

import (
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of what stands at the top level of a drawing, such as its layers, or
// of the lines of one that has few there.
func vocabulary() edit.Format {
	number := func(name, plural, attribute string) edit.Attribute {
		return edit.HasNumber(name, plural, `\s`+attribute+`\s*=\s*["'](-?[\d.]+)["']`)
	}
	attributes := []edit.Attribute{
		edit.Key("element name", "element names", `<([A-Za-z][\w:-]*)`),
		edit.Key("layer", "layers", `\A<[^<>]*\sinkscape:label\s*=\s*["']([^"'\n]+)["']`),
		edit.ComputedNumber("number of elements", "numbers of elements", elementsIn),
		edit.Has("id", "ids", `\sid\s*=\s*["']([^"'\n]+)["']`),
		number("x coordinate", "x coordinates", "(?:x|cx|x1)"),
		number("y coordinate", "y coordinates", "(?:y|cy|y1)"),
		number("width", "widths", "width"),
		edit.Has("style", "styles", `\s(?:style|class)\s*=\s*["']([^"'\n]+)["']`),
		edit.Has("label", "labels", `>[ \t]*([^<>\s][^<>\n]*?)[ \t]*<`),
		edit.Has("path data", "values of path data", `\sd\s*=\s*["']([^"'\n]+)["']`),
	}
	return edit.Format{
		Document: "drawing", Part: "top-level element", Parts: "top-level elements", Attributes: attributes,
		Remark: "  <!-- computed: {} -->", RemarkAt: edit.End, Tree: edit.XMLTree(),
		Cut:   edit.Outer("g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "use", "image", "a"),
		Finer: &edit.Format{Document: "drawing", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: attributes},
	}
}

var openTag = lazyregexp.New(`<[A-Za-z][^<>]*>`)

// elementsIn is how many elements a part has, itself included.
func elementsIn(part string) string { return strconv.Itoa(len(openTag.FindAllString(part, -1))) }
