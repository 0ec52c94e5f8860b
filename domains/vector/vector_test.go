package vector

import (
	"fmt"
	"strings"
	"testing"

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

func TestWithoutKeepsWhatStandsInElements(t *testing.T) {
	t.Parallel()
	const text = "<svg>\n <g a='1'>\n  <rect/> <g><!-- c --><circle/></g>\n </g><text>one<tspan>two</tspan></text>\n</svg>"
	for kept, want := range map[string]string{
		"grg.tt": "<svg>\n <g a='1'>\n  <rect/> <g><!-- c --></g>\n </g><text>one<tspan>two</tspan></text>\n</svg>",
		".r.ctt": "<svg>\n <rect/><!-- c --><circle/><text>one<tspan>two</tspan></text>\n</svg>",
		"....t.": "<svg>\n <!-- c --><text>one</text>\n</svg>",
		".....t": "<svg>\n <!-- c --><tspan>two</tspan>\n</svg>",
	} {
		n := -1
		if got := without("", text, func() bool { n++; return kept[n] == '.' }); got != want {
			t.Errorf("%s: %s, want %s", kept, got, want)
		}
	}
}

// Groups of one id in several files are that of the last file.
func TestFilesAreReadInOrder(t *testing.T) {
	t.Parallel()
	whole := "<svg width='9'><g id='a'><text id='t'>x</text><text id='u'>y</text></g></svg>"
	first := "<svg width='9'><g id='a'><text id='t'>x</text></g></svg>"
	last := "<svg width='7'><g id='a'><text id='u'>y</text></g></svg>"
	score := New().Compare(vfs.Files{"a.svg": whole}, vfs.Files{"a.svg": first, "b.svg": last})
	if got := score.Components["structure_score"]; got != 0.75 {
		t.Errorf("structure %v, want 0.75", got)
	}
	if score.Components["metadata_score"] != 1 || score.Elements.Candidate != 4 {
		t.Errorf("%+v", score)
	}
}

func TestNormalValues(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"x", "010.50px", "10.5"},
		{"x", "1,2  3.0", "1 2 3"},
		{"width", "120.0mm", "120mm"},
		{"width", "50.0%", "50%"},
		{"transform", "matrix(1,0 0,1,5.0,.5)", "matrix(1 0 0 1 5 0.5)"},
		{"points", "1-2.5.5", "1 -2.5 0.5"},
		{"data-n", "007", "007"},
		{"id", "01", "01"},
		{"font-family", `"DejaVu Sans", 'Arial'`, "DejaVu Sans,Arial"},
		{"fill", `url("#a") RED`, "url(#a) RED"},
		{"fill", "RED", "#ff0000"},
		{"fill", "rgb(300,0,0)", "rgb(300,0,0)"},
		{"marker-end", "url('#a1')", "url(#a1)"},
		{"clip", "rect(1px, 2px)", "rect(1 2)"},
		{"font", "600 11px x1", "600 11 x1"},
	} {
		if got := normalValue(c[0], c[1]); got != c[2] {
			t.Errorf("%s %q becomes %q, want %q", c[0], c[1], got, c[2])
		}
	}
	for data, want := range map[string]string{
		"M0,0 1 1z":           "M0 0L1 1z",
		"m1-1.5.5":            "m1-1.5.5", // a number is left over
		"a5 5 0 013,4":        "a5 5 0 0 1 3 4",
		"M0 0A5 5 0 013,4":    "M0 0A5 5 0 0 1 3 4",
		"M0 0M1 1":            "M0 0|M1 1",
		"M 0 0 L":             "M 0 0 L",
		"red":                 "red",
		"":                    "",
		"M1e-1 2Z L 3 3":      "M0.1 2zL3 3",
		"M0 0 C1 2 3 4 5 6 7": "M0 0 C1 2 3 4 5 6 7",
	} {
		if got := strings.Join(outlinesOf(data), "|"); got != want {
			t.Errorf("%q becomes %q, want %q", data, got, want)
		}
	}
}
