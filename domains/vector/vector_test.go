package vector

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const documentFile = "pasteuriser_pid.svg"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "vector1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "vector1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "vector1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "vector1"))
}

// drawDocument draws a file as different programs and people write one: with or
// without prefix, ids, style sheet and layout.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{T: t, prefix: rapid.SampledFrom([]string{"", "", "", "svg:"}).Draw(t, "prefix")}
	declaration := "xmlns"
	if d.prefix != "" {
		declaration = "xmlns:svg"
	}
	b := &d.Builder
	b.WriteString(d.one("declaration", `<?xml version="1.0" encoding="UTF-8"?>`+"\n", ""))
	b.WriteString(d.one("doctype", "", "", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`+"\n"))
	fmt.Fprintf(b, `<%ssvg %s="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"`+
		` xmlns:xlink="http://www.w3.org/1999/xlink" width="210mm" height="297mm" viewBox="0 0 210 297">`, d.prefix, declaration)
	if d.sometimes("title") {
		d.element("title", "", "Plan & section")
	}
	if d.sometimes("style") {
		d.element("style", ` type="text/css"`, d.one("rules", "", ".wall{fill:none} /* old */ .door, .gate {stroke : Red}", "@media print{.wall{fill:#000}}"))
	}
	if d.sometimes("defs") {
		d.open("defs", ` id="defs1"`)
		d.element("marker", ` id="arrow" orient="auto"`, "")
		d.close("defs")
	}
	for range d.upTo(3, "layers") {
		d.group(2)
	}
	d.shapes(3)
	b.WriteString("</" + d.prefix + "svg>\n")
	return vfs.Files{documentFile: b.String()}
}

type drawer struct {
	*rapid.T
	strings.Builder
	prefix string
	ids    int
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

// newID is an attribute, or none.
func (d *drawer) newID() string {
	d.ids++
	return d.one("id", "", fmt.Sprintf(` id="a%d"`, d.ids))
}

func (d *drawer) open(name, attributes string) {
	d.WriteString(d.one("layout", "", "\n  ", "\n"))
	d.WriteString("<" + d.prefix + name + attributes + ">")
}

func (d *drawer) close(name string) { d.WriteString("</" + d.prefix + name + ">") }

func (d *drawer) element(name, attributes, text string) {
	d.open(name, attributes)
	d.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text))
	d.close(name)
}

func (d *drawer) group(depth int) {
	d.open("g", d.newID()+d.one("group", "", ` class="instrument"`, ` class="valve instrument"`, ` inkscape:label="walls" transform="translate(10,20.5)"`))
	d.shapes(4)
	if depth > 0 && d.sometimes("group in group") {
		d.group(depth - 1)
	}
	d.close("g")
}

func (d *drawer) shapes(most int) {
	for range d.upTo(most, "shapes") {
		d.shape()
	}
}

func (d *drawer) shape() {
	paint := d.one("paint", "", ` fill="#fff"`, ` fill="Red" stroke="black"`, ` style="fill:none; stroke : #000"`, ` style="fill:#ffffff"`, ` class="wall"`, ` class="door" style=""`)
	x, y, size := d.number("x"), d.number("y"), d.number("size")
	switch d.one("shape", "rect", "circle", "line", "path", "polygon", "text", "label", "use", "comment") {
	case "rect":
		d.element("rect", d.newID()+fmt.Sprintf(` x="%s" y="%s" width="%s" height="%s"`, x, y, size, size)+paint, "")
	case "circle":
		d.element("circle", d.newID()+fmt.Sprintf(` cx="%s" cy="%s" r="%s"`, x, y, size)+paint, "")
	case "line":
		d.element("line", fmt.Sprintf(` x1="%s" y1="%s" x2="%s" y2="5%%"`, x, y, size)+paint, "")
	case "path":
		d.element("path", d.newID()+fmt.Sprintf(` d="M %s,%s L 10 10 A5 5 0 013,4 Z"`, x, y)+paint, "")
	case "polygon":
		d.element("polygon", fmt.Sprintf(` points="%s,%s 5,5 6 6"`, x, y), "")
	case "text":
		d.element("text", d.newID()+fmt.Sprintf(` x="%s" y="%s"`, x, y)+paint, d.words())
	case "label":
		d.open("text", d.newID()+paint)
		d.element("tspan", fmt.Sprintf(` x="%s" y="%s"`, x, y), d.words())
		d.WriteString(d.one("between", "", " ", "\n", " and "))
		d.element("tspan", "", d.words())
		d.WriteString(d.one("after", "", " ", " mm"))
		d.close("text")
	case "use":
		d.element("use", fmt.Sprintf(` xlink:href="#arrow" x="%s" y="%s"`, x, y), "")
	case "comment":
		d.WriteString("<!-- checked -->")
	}
}

func (d *drawer) number(label string) string {
	return d.one(label, "0", "12", "-7.5", "440.0", "203.1423", "1e2", "12px", ".5")
}

func (d *drawer) words() string {
	return d.one("words", "TT 101", "flow < 2", "Ärger & Co", " padded ", "PT-3", "")
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "vector1") {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		printed := read(drawDocument(t)[documentFile]).print()
		if diff := cmp.Diff(printed, read(printed).print()); diff != "" {
			t.Fatal(diff)
		}
	})
}
