package vector

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

func parsed(t *testing.T, text string) Document {
	t.Helper()
	doc, err := Parse(vfs.Files{"a.svg": text})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func fingerprints(doc *Document) string {
	var all []string
	for _, s := range doc.shapes {
		all = append(all, s.fingerprint)
	}
	return strings.Join(all, " ")
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	for inside, want := range map[string]string{
		`<rect id="a" x="1"/>`:                                        "rect#a",
		`<rect id="" x="1" y="2" cx="3" cy="4"/>`:                     "rect@x=1,y=2,cx=3",
		`<line y1="2" x1=""/>`:                                        "line@x1=,y1=2",
		`<path d="M 0 0"/>`:                                           "path",
		`<text x="1"> Flow <b>no</b> L </text>`:                       "text:flow l b",
		`<text><tspan>A</tspan> b <tspan> C<i/>d</tspan></text>`:      "text:a b c tspan:a tspan:c d i",
		`<text>` + strings.Repeat("é", 60) + `</text>`:                "text:" + strings.Repeat("é", 50),
		`<g><rect/><g id="b"><a/></g></g>`:                            "rect a g#b g",
		`<defs id="d"><rect/></defs><style/>`:                         "defs#d style",
		`<title>t</title><metadata><a/></metadata><format/>`:          "",
		`<i:a xmlns:i="http://www.inkscape.org/x"><rect/></i:a><b/>`:  "b",
		`<desc>words</desc>`:                                          "desc:words",
		`<a id="x" xml:id="y"/>`:                                      "a#y",
		`<!-- c --><?p i?><a/>`:                                       "a",
		`<e xmlns="http://purl.org/other" x="1"/>`:                    "e@x=1",
		`<rect style="fill:red;x:3"/><rect/>`:                         "rect",
		`<switch><foreignObject><p>text</p></foreignObject></switch>`: "switch foreignObject p",
		`<text>a<!-- b -->c</text>`:                                   "text:ac",
	} {
		doc := parsed(t, "<svg>"+inside+"</svg>")
		if got := fingerprints(&doc); got != want || doc.problem != "" {
			t.Errorf("%s: %q (%s), want %q", inside, got, doc.problem, want)
		}
	}
}

func TestStylesCompleteAttributes(t *testing.T) {
	t.Parallel()
	doc := parsed(t, `<svg><rect fill="red" style=" FILL : blue; stroke:#000:1 ;;fill-opacity:.5;marker-end:url(#a);stroke:#111;opacity"/></svg>`)
	var got []string
	for _, a := range doc.shapes[0].attributes {
		got = append(got, a.name+"="+a.value)
	}
	if want := "fill=red stroke=#111 fill-opacity=.5"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	for inside, want := range map[string]string{
		`<g><g/></g><g id="a"/><g/>`:                                    "_anon_g_0[g] _anon_g_1[] a[] _anon_g_3[]",
		`<g id="a"><rect id="r"/></g><g id="a"><title>T</title></g>`:    "a[title:t]",
		`<g id="a"><b/><g id="a"><c/></g><d/></g>`:                      "a[c d]",
		`<g id=""><metadata id="m"/></g>`:                               "_anon_g_0[metadata#m]",
		`<defs><g id="d"/></defs>`:                                      "",
		`<a><g id="in"/></a>`:                                           "in[]",
		`<g><s:g xmlns:s="http://sodipodi.sourceforge.net/d"/><e/></g>`: "_anon_g_0[e]",
	} {
		doc := parsed(t, "<svg>"+inside+"</svg>")
		var got []string
		for _, g := range doc.groups {
			got = append(got, fmt.Sprint(g.id, g.children))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", inside, got, want)
		}
	}
}

func TestRepairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \n```svg \n\n<a/>\n \n```\n ": "<a/>",
		"```\n <a/>":                    " <a/>",
		"```xml<a/>":                    "```xml<a/>",
		"<a/>```":                       "<a/>```",
		"<a/>\n```":                     "<a/>",
		"a & b &amp; &nbsp; &#12; &#xaF; &#x; &lt &":   "a &amp; b &amp; &amp;nbsp; &#12; &#xaF; &amp;#x; &amp;lt &amp;",
		"<rect hidden/><a b /><c  d/>":                 "<rect/><a/><c/>",
		"<rect a='1' hidden/> < a b/> <a-b c/> <a/>/>": "<rect a='1' hidden/> < a b/> <a-b c/> <a/>/>",
		"": "",
	} {
		if got := repaired(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestBrokenFilesContributeNothing(t *testing.T) {
	t.Parallel()
	for rule, text := range map[string]string{
		"an attribute without quotes": `<svg><rect x=1/></svg>`,
		"an undeclared prefix":        `<svg><use xlink:href="#a"/></svg>`,
		"a blank before":              ` <?xml version="1.0"?><svg/>`,
		"prose before":                `Here: <svg/>`,
		"text after":                  `<svg/>done`,
		"a repeated attribute":        `<svg a="1" a="2"/>`,
		"nothing":                     ``,
	} {
		doc, err := Parse(vfs.Files{"a.svg": text, "b.svg": "<svg><g id='x'/></svg>", "c.SVG": "<svg><a/></svg>"})
		if err != nil || !strings.HasPrefix(doc.problem, "a.svg: ") || doc.elements != 1 {
			t.Errorf("%s: %d elements, problem %q", rule, doc.elements, doc.problem)
		}
	}
}

func TestScoreOfValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		property, ref, got string
		want               float64
	}{
		{"x", "10", "11", 1}, {"x", "10", "15", 0.7}, {"x", "10", "15.1", 0}, {"x", "10px", "10", 0}, {"x", "10", "", 0},
		{"stroke-width", " 1_0", "1e1", 1}, {"width", "nan", "nan", 1}, {"width", "nan", "1", 0},
		{"d", "M 0 0", "", 0}, {"d", "abcd", "abce", 0.75}, {"class", "A", "a", 1}, {"class", "ab", "ac", 0.35}, {"class", "ab", "", 0},
	} {
		if got := valueSimilarity(c.property, c.ref, c.got, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %q and %q: %v, want %v", c.property, c.ref, c.got, got, c.want)
		}
	}
}

func TestScoreOfSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, got map[string]string
		want     float64
	}{
		{nil, nil, 1},
		{map[string]string{}, nil, 0},
		{map[string]string{"width": "100mm"}, map[string]string{"width": "100"}, 1},
		{map[string]string{"width": "100"}, map[string]string{"width": "104"}, 0.8},
		{map[string]string{"width": "100"}, map[string]string{"width": "105"}, 0},
		{map[string]string{"width": "100", "height": "5"}, map[string]string{"width": "100"}, 0.5},
		{map[string]string{"viewBox": "0 0 9 9"}, map[string]string{"viewBox": "0 0 9 8"}, 6.0 / 7},
	} {
		if got := sizeSimilarity(c.ref, c.got, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}

// A text takes the most similar one that is left, even where a later text would
// be equal to it.
func TestTextsAreTakenInTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, got string
		want     float64
	}{
		{"A|b", "b|a", 1},
		{"abcd|abce", "abce", 0.375},
		{"abcd|abce", "abce|zzzz", 0.375},
		{"x|y", "z", 0},
		{"", "a", 0},
		{"", "", 1},
		{"ab", "ax|ay", 0.25},
	} {
		split := func(text string) []string {
			return strings.FieldsFunc(text, func(r rune) bool { return r == '|' })
		}
		if got := textSimilarity(split(c.ref), split(c.got), nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s and %s: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}
