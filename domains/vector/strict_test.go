package vector

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="120mm" height="80mm" viewBox="0 0 480 320">
  <title>Pump house</title>
  <!-- levels in metres -->
  <metadata>
    <licence href="by-sa"/>
  </metadata>
  <style>
/* walls */
.wall {fill:none;stroke:#333}
.pipe {stroke:blue;stroke-width:2px}
</style>
  <defs>
    <linearGradient id="sky"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#88aaff"/></linearGradient>
    <marker id="arrow" orient="auto"><path d="M0,0 L6,3 L0,6 Z"/></marker>
  </defs>
  <g id="house" inkscape:label="House &amp; yard">
    <rect id="room" class="wall thin" x="10" y="20.50" width="200" height="100" rx="4"/>
    <rect x="230" y="20" width="80" height="40" style="fill:#ffffe0; stroke-width:1px;display:inline"/>
    <text id="name" x="20" y="40">Pump house</text>
  </g>
  <g id="pipes" transform="translate(10,20) rotate(90)">
    <path id="p1" class="pipe" d="M 10,10 L 20,20 30,30 C 1,2 3,4 5,6 Z m 1 1 h 4" marker-end="url(#arrow)"/>
    <path class="pipe" d="M 40,10 V 90"/>
    <polyline points="1,2 3,4 5.5,6" fill="none"/>
    <use xlink:href="#p1" x="30"/>
    <text x="300" y="60">flow <tspan font-weight="bold">12</tspan> <tspan id="unit">l/s</tspan><tspan x="300" y="75">max. 15</tspan></text>
  </g>
</svg>
`

const sampleFile = "pump_house.svg"

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

// between returns the part of the sample from one text up to another.
func between(from, to string) string {
	_, rest, _ := strings.Cut(sample, from)
	inside, _, _ := strings.Cut(rest, to)
	return from + inside
}

var (
	room   = between(`    <rect id="room"`, "    <rect x")
	window = between(`    <rect x="230"`, "    <text")
	name   = between(`    <text id="name"`, "  </g>")
	house  = between(`  <g id="house"`, `  <g id="pipes"`)
	pipes  = between(`  <g id="pipes"`, "</svg>")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a shape that was lost":                 {window, ""},
		"a shape that was repeated":             {window, window + window},
		"an invented shape":                     {name, name + `<rect width="480" height="320"/>`},
		"two shapes exchanged":                  {room + window, window + room},
		"two groups exchanged":                  {house + pipes, pipes + house},
		"a shape in another group":              {name + "  </g>\n" + between(`  <g id="pipes"`, "    <path id"), "  </g>\n" + between(`  <g id="pipes"`, "    <path id") + name},
		"a group around shapes":                 {room + window, "<g>" + room + window + "</g>"},
		"a group whose shapes were kept":        {`<g id="house" inkscape:label="House &amp; yard">`, "<a>"},
		"half a unit":                           {`x="10" y`, `x="10.5" y`},
		"the size of a shape":                   {`width="200"`, `width="210"`},
		"a colour in a style":                   {"#ffffe0", "#ffcdd2"},
		"a property that was lost":              {";display:inline", ""},
		"a property that was added":             {"display:inline", "display:inline;opacity:.5"},
		"a unit":                                {`width="120mm"`, `width="120"`},
		"a class":                               {"wall thin", "wall"},
		"an id":                                 {`id="room"`, `id="room1"`},
		"the size of the drawing":               {"0 0 480 320", "0 0 960 640"},
		"a segment of a path":                   {"30,30 C", "C"},
		"a subpath":                             {" m 1 1 h 4", ""},
		"a relative segment":                    {"m 1 1 h 4", "m 1 1 H 4"},
		"a later path without an id":            {"V 90", "V 95"},
		"a point":                               {"5.5,6", "5.5,7"},
		"a transformation":                      {"rotate(90)", "rotate(-90)"},
		"a marker's use":                        {` marker-end="url(#arrow)"`, ""},
		"a marker's shape":                      {"M0,0 L6,3", "M0,0 L6,4"},
		"a stop of a gradient":                  {"#88aaff", "#88aaee"},
		"stops of a gradient exchanged":         {between(`<stop offset="0"`, "</linear"), between(`<stop offset="1"`, "</linear") + between(`<stop offset="0"`, `<stop offset="1"`)},
		"a definition that was lost":            {between("    <marker", "  </defs>"), ""},
		"the target of a use":                   {`"#p1"`, `"#p2"`},
		"a rule of the style sheet":             {"stroke:#333", "stroke:#444"},
		"a rule that was lost":                  {".pipe {stroke:blue;stroke-width:2px}\n", ""},
		"rules exchanged":                       {between(".wall", ".pipe") + between(".pipe", "</style>"), between(".pipe", "</style>") + between(".wall", ".pipe")},
		"the words of a label":                  {">Pump house</text>", ">Bump house</text>"},
		"letter case of a label":                {">Pump house</text>", ">PUMP HOUSE</text>"},
		"the words of a span":                   {"max. 15", "max. 16"},
		"a blank between spans":                 {`</tspan> <tspan id="unit"`, `</tspan><tspan id="unit"`},
		"a blank before a span":                 {"flow <", "flow<"},
		"a span that was lost":                  {`<tspan x="300" y="75">max. 15</tspan>`, ""},
		"the title":                             {"<title>Pump house", "<title>Pump room"},
		"the name of a layer":                   {"House &amp; yard", "House"},
		"metadata":                              {"by-sa", "by"},
		"a comment that was lost":               {"  <!-- levels in metres -->\n", ""},
		"a comment that was added":              {house, "<!-- new -->" + house},
		"a comment in the style sheet":          {"/* walls */\n", ""},
		"text inside of the drawing":            {house, "more\n" + house},
		"a lost namespace":                      {` xmlns="http://www.w3.org/2000/svg"`, ""},
		"an attribute that stands twice":        {`rx="4"`, `rx="4" rx="5"`},
		"a truncated file":                      {"V 90" + sample[strings.Index(sample, "V 90")+len("V 90"):], "V 9"},
		"the drawing a second time in the file": {"</svg>\n", "</svg>\n" + sample[strings.Index(sample, "<svg"):]},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.35 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	prefixed := strings.NewReplacer("</", "</s:", "<!", "<!", "<?", "<?", "<", "<s:", `xmlns="`, `xmlns:s="`).Replace(sample)
	for rule, edit := range map[string][2]string{
		"numbers with other zeros":                   {`"20.50"`, `"020.5"`},
		"a number with an exponent":                  {`width="200"`, `width="2e2"`},
		"pixels, which are the unit":                 {`width="80"`, `width="80px"`},
		"the short form of a colour":                 {"#ffffff", "#FFF"},
		"the name of a colour":                       {"stroke:blue", "stroke:#0000FF"},
		"a colour in decimal":                        {"#ffffe0", "rgb(255, 255,224)"},
		"commas or blanks between points":            {"1,2 3,4 5.5,6", "1 2 3 4,5.5 6"},
		"path data without blanks":                   {"M 10,10 L 20,20 30,30 C 1,2 3,4 5,6 Z m 1 1 h 4", "M10 10L20 20L30 30C1 2 3 4 5 6Zm1,1h4"},
		"lines that follow a move":                   {"M 10,10 L 20,20", "M 10,10 20,20"},
		"blanks in a transformation":                 {"translate(10,20) rotate(90)", "translate(10 20)rotate( 90 )"},
		"blanks and line ends in a style":            {"fill:#ffffe0; stroke-width:1px", " fill : #ffffe0 ;\n stroke-width: 1px"},
		"the order of properties":                    {"fill:#ffffe0; stroke-width:1px;display:inline", "display:inline;stroke-width:1px;fill:#ffffe0;"},
		"a property as an attribute":                 {`style="fill:#ffffe0; stroke-width:1px;`, `fill="#ffffe0" stroke-width="1" style="`},
		"the order of attributes":                    {`x="20" y="40"`, `y='40' x='20'`},
		"the order of classes":                       {"wall thin", "thin  wall"},
		"href, which needs no prefix since SVG 2":    {"xlink:href", "href"},
		"quotes around an address":                   {"url(#arrow)", "url('#arrow')"},
		"another prefix of the editor":               {sample, strings.NewReplacer("xmlns:inkscape", "xmlns:ink", "inkscape:label", "ink:label").Replace(sample)},
		"a prefix for SVG itself":                    {sample, prefixed},
		"an unused prefix":                           {` xmlns:xlink="http://www.w3.org/1999/xlink"`, ` xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:cc="http://creativecommons.org/ns#"`},
		"a prefix that is not declared but known":    {` xmlns:xlink="http://www.w3.org/1999/xlink"`, ""},
		"layout of a style sheet":                    {".wall {fill:none;stroke:#333}", ".wall{\n  fill: none;\n  stroke: #333;\n}"},
		"the order of definitions":                   {between("    <linear", "    <marker") + between("    <marker", "  </defs>"), between("    <marker", "  </defs>") + between("    <linear", "    <marker")},
		"CDATA":                                      {"/* walls */", "<![CDATA[/* walls */]]>"},
		"character references":                       {"max. 15", "max.&#32;&#x31;5"},
		"a bare ampersand":                           {"&amp;", "&"},
		"a span with a place of its own on its line": {`<tspan x="300" y="75">max. 15`, "\n    " + `<tspan x="300" y="75">max. 15`},
		"a program's signature":                      {"<!-- Created with Inkscape (http://www.inkscape.org/) -->\n", ""},
		"no indentation":                             {"\n  ", "\n"},
		"no line ends":                               {"\n", " "},
		"CRLF":                                       {"\n", "\r\n"},
		"a byte order mark":                          {"<?xml", "\ufeff<?xml"},
		"a code fence":                               {sample, "```svg\n" + sample + "```\n"},
		"prose around the drawing":                   {sample, "Here is the drawing:\n\n" + sample + "\nLet me know!\n"},
		"no XML declaration":                         {`<?xml version="1.0" encoding="UTF-8"?>` + "\n", ""},
		"a document type":                            {"<svg", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + "\n<svg"},
		"an attribute without quotes":                {`rx="4"`, "rx=4 "},
		"an end tag where nothing else was lost":     {"Pump house</text>", "Pump house"},
		"a lost end of the root":                     {"</svg>\n", ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[0], edit[1])
			if differences := New().Differences(vfs.Files{sampleFile: sample}, candidate); len(differences) > 0 {
				t.Error(differences)
			}
		})
	}
}

// A drawing may be divided over files of any name.
func TestStrictTakesADrawingOfSeveralFiles(t *testing.T) {
	t.Parallel()
	root := between("<svg", "\n  <title")
	for rule, files := range map[string]vfs.Files{
		"renamed":     {"other.svg": sample},
		"two layers":  {"b.svg": strings.Replace(sample, pipes, "", 1), "a.svg": root + pipes + "</svg>"},
		"part of one": {"b.svg": strings.Replace(sample, name, "", 1), "c.svg": root + `<g id="house">` + name + "</g></svg>"},
	} {
		differences := New().Differences(vfs.Files{sampleFile: sample}, files)
		if rule == "part of one" { // the label was below the pipes
			differences = withoutMoves(differences)
		}
		if len(differences) > 0 {
			t.Errorf("%s: %v", rule, differences)
		}
		if back := withoutMoves(New().Differences(files, vfs.Files{sampleFile: sample})); len(back) > 0 {
			t.Errorf("%s, the other way round: %v", rule, back)
		}
	}
	twice := vfs.Files{"a.svg": sample, "b.svg": sample}
	if score := New().Compare(vfs.Files{sampleFile: sample}, twice); score.Strict > 0.7 {
		t.Errorf("shapes that are in both files: Strict %v", score.Strict)
	}
}

func withoutMoves(all []domains.Difference) []domains.Difference {
	var rest []domains.Difference
	for _, d := range all {
		if d.Kind != domains.Moved {
			rest = append(rest, d)
		}
	}
	return rest
}

// Damage costs in proportion, and is one change where a person would say so.
func TestDamageCostsInProportion(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		least   float64
		changes int
	}{
		"one number":           {`x="230"`, `x="231"`, 0.98, 1},
		"one subpath":          {"m 1 1 h 4", "m 1 2 h 4", 0.97, 1},
		"a group that is lost": {`<g id="pipes" transform="translate(10,20) rotate(90)">`, "<svg>", 0.85, 2},
		"a group renamed":      {`<g id="house"`, `<g id="home"`, 0.97, 1},
		"one rule":             {"stroke:#333", "stroke:#444", 0.97, 1},
	} {
		candidate := change(t, c.was, c.is)
		score := New().Compare(vfs.Files{sampleFile: sample}, candidate)
		differences := New().Differences(vfs.Files{sampleFile: sample}, candidate)
		if score.Strict >= 1 || score.Strict < c.least || len(differences) != c.changes {
			t.Errorf("%s: Strict %v, want at least %v; %v", rule, score.Strict, c.least, differences)
		}
	}
}

func TestDifferencesNameTheShape(t *testing.T) {
	t.Parallel()
	candidate := change(t, `width="80" height="40"`, `width="90" height="40"`)
	differences := New().Differences(vfs.Files{sampleFile: sample}, candidate)
	if len(differences) != 1 || differences[0].String() != "rect at 230, 20, width: 80 -> 90" {
		t.Error(differences)
	}
}
