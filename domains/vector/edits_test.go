package vector

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	header = `<?xml version="1.0" encoding="UTF-8"?>
<!-- rev 2 -->
`
	root       = `<svg xmlns="http://www.w3.org/2000/svg" width="40mm">` + "\n"
	definition = "  <defs>\n    <marker id=\"m\"/>\n  </defs>\n"
	valves     = `  <g id="valves">
    <g id="V1" transform="translate(3,4)">
      <path d="M 0,0 L 2,2" style="fill:none"/>
    </g>
    <g id="V2">
      <path d="M 0,0 L 2,2" style="fill:none"/>
    </g>
  </g>
`
	note        = "  <!-- note -->\n"
	instruments = `  <g id="bubbles">
    <g class="instrument">
      <circle cx="10.5" cy="9" r="4" fill="#fff"/>
      <text x="10" y="9">TT <tspan dx="1">03</tspan></text>
    </g>
    <g class="legal instrument">
      <title>key</title>
      <text y="9" style="font-size:3px">HS</text>
      <circle r="2.25"/>
    </g>
    <g class="instrument">
      <circle r="2" style="fill:none"/>
      <text>PT &lt;1&gt;</text>
    </g>
    <rect x="9" y="9" width="1" height="2"/>
    <path d="M 1,1"/>
    <line x1="3" y1="9" x2="5%" y2="0"/>
    <rect x="4" y="-2.5" width="3mm" height="1"/>
  </g>
`
	plan = header + root + definition + valves + note + instruments + "</svg>\n"
)

var forwardResults = map[string]vfs.Files{
	"split_by_layer": {
		"base.svg":    header + root + definition + note + "</svg>\n",
		"layer_1.svg": header[:strings.Index(header, "<!--")] + root + valves + "</svg>\n",
		"layer_2.svg": header[:strings.Index(header, "<!--")] + root + instruments + "</svg>\n",
		"layers.json": "[\n  {\"file\":\"layer_1.svg\",\"place\":2},\n  {\"file\":\"layer_2.svg\",\"place\":3}\n]\n",
	},
	"measured_variable": {
		"by_variable.svg": strings.NewReplacer(`fill="#fff"/>`, `fill="#fc9272"/>`, `<circle r="2" style="fill:none"/>`, `<circle r="2" style="fill:none" fill="#fdae6b"/>`).Replace(plan),
		"fills.csv":       "instrument,tag,fill\n1,TT 03,#fff\n3,PT <1>,\n",
	},
	"label_table": {
		"coded.svg":  strings.NewReplacer(">TT <", ">T001<", ">03<", ">T002<", ">HS<", ">T003<", ">PT &lt;1&gt;<", ">T004<").Replace(plan),
		"labels.csv": "key,text\nT001,TT \nT002,03\nT003,HS\nT004,PT <1>\n",
	},
	"dimension_table": {
		"skeleton.svg": strings.NewReplacer(` cx="10.5" cy="9" r="4"`, "", ` x="10" y="9"`, "", ` y="9" style`, " style", ` r="2.25"`, "", ` r="2"`, "",
			` x="9" y="9" width="1" height="2"`, "", `x1="3" y1="9" x2="5%" y2="0"`, `x2="5%"`, ` x="4" y="-2.5" width="3mm" height="1"`, ` width="3mm"`).Replace(plan),
		"dimensions.csv": `shape,number,x,y,width,height,cx,cy,r,rx,ry,x1,y1,x2,y2
circle,1,,,,,2.625,2.25,1.00,,,,,,
text,1,2.50,2.25,,,,,,,,,,,
text,2,,2.25,,,,,,,,,,,
circle,2,,,,,,,0.5625,,,,,,
circle,3,,,,,,,0.50,,,,,,
rect,1,2.25,2.25,0.25,0.50,,,,,,,,,
line,1,,,,,,,,,,0.75,2.25,,0.00
rect,2,1.00,-0.625,,0.25,,,,,,,,,
`,
	},
	"style_classes": {
		"classes.svg": strings.NewReplacer(root, root+"  <style id=\"inline-styles\">\n.st1 {fill:none}\n.st2 {font-size:3px}\n</style>\n",
			`style="fill:none"`, `class="st1"`, `style="font-size:3px"`, `class="st2"`).Replace(plan),
	},
	"element_list": nil,
	"reading_order": {
		"sorted.svg": strings.NewReplacer(`    <rect x="9" y="9" width="1" height="2"/>
`, `    <rect x="4" y="-2.5" width="3mm" height="1"/>
`, `    <rect x="4" y="-2.5" width="3mm" height="1"/>
`, `    <rect x="9" y="9" width="1" height="2"/>
`, `      <circle cx="10.5" cy="9" r="4" fill="#fff"/>
      <text x="10" y="9">TT <tspan dx="1">03</tspan></text>
`, `      <text x="10" y="9">TT <tspan dx="1">03</tspan></text>
      <circle cx="10.5" cy="9" r="4" fill="#fff"/>
`).Replace(plan),
		"order.csv": "group,place,was\n4,4,7\n4,7,4\n5,1,2\n5,2,1\n",
	},
	"shared_parts": {
		"shared.svg": strings.NewReplacer(root, root+`  <defs id="shared">
    <g id="shared-1">
      <path d="M 0,0 L 2,2" style="fill:none"/>
    </g>
  </defs>
`, `      <path d="M 0,0 L 2,2" style="fill:none"/>
`, `      <use href="#shared-1"/>
`).Replace(plan),
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "vector1") }

const documentFile = "pasteuriser_pid.svg"

func TestForwardResults(t *testing.T) {
	t.Parallel()
	// Attributes may come back in another order.
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: plan}, forwardResults, domaintest.InMeaning)
}

func TestElementList(t *testing.T) {
	t.Parallel()
	edit := domaintest.Edit(t, demonstration(t), "element_list")
	document := vfs.Files{documentFile: header + root + `  <text id="a" x="1">b <tspan>c</tspan> &amp; d<!-- e --> f</text>
  <g/>
</svg>
`}
	got, err := edit.Forward(document)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[
  {"element":1,"parent":0,"comment":" rev 2 "},
  {"element":2,"parent":0,"name":"svg","attributes":{"xmlns":"http://www.w3.org/2000/svg","width":"40mm"}},
  {"element":3,"parent":2,"name":"text","attributes":{"id":"a","x":"1"},"text":"b "},
  {"element":4,"parent":3,"name":"tspan","text":"c","tail":" & d"},
  {"element":5,"parent":3,"comment":" e ","tail":" f"},
  {"element":6,"parent":2,"name":"g"}
]
`
	if got["elements.json"] != want || len(got) != 1 {
		t.Errorf("%s", got["elements.json"])
	}
	back, err := edit.Backward(got)
	if err != nil || back[documentFile] != document[documentFile] {
		t.Errorf("%s (%v)", back[documentFile], err)
	}
}

func TestForwardTakesADocumentOfSeveralFiles(t *testing.T) {
	t.Parallel()
	parts := vfs.Files{"a.svg": header + root + definition + valves + note + "</svg>\n", "b.svg": root + instruments + "</svg>\n"}
	document := vfs.Files{documentFile: plan}
	for _, edit := range demonstration(t).Edits() {
		got, err := edit.Forward(parts)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		back, err := edit.Backward(got)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		if differences := New().Differences(document, back); len(differences) > 0 {
			t.Errorf("%s: %v", edit.Name, differences)
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"split_by_layer", vfs.Files{"base.svg": plan}, "layers.json is missing"},
		{"split_by_layer", vfs.Files{"base.svg": plan, "layers.json": `[{"file":"layer_1.svg"}]`}, "layer_1.svg is missing"},
		{"measured_variable", vfs.Files{"by_variable.svg": plan, "fills.csv": "instrument,fill\n4,red\n"}, "fills.csv: no instrument 4 with a circle"},
		{"label_table", vfs.Files{"coded.svg": plan, "labels.csv": "key\nT001\n"}, `no column "text"`},
		{"dimension_table", vfs.Files{"skeleton.svg": plan, "dimensions.csv": "shape,number,x,y,width,height,cx,cy,r,rx,ry,x1,y1,x2,y2\nrect,9,1,,,,,,,,,,,,\n"}, "dimensions.csv: there is no rect 9"},
		{"style_classes", vfs.Files{"classes.svg": plan}, "classes.svg has no style with the id inline-styles"},
		{"element_list", vfs.Files{"elements.json": `[{"element":1,"parent":7,"name":"svg"}]`}, "element 1 stands in 7"},
		{"element_list", vfs.Files{"elements.json": "[]"}, "elements.json has no element"},
		{"reading_order", vfs.Files{"sorted.svg": plan, "order.csv": "group,place,was\n1,1,9\n"}, "order.csv: group 1: place 1 cannot have been 9"},
		{"reading_order", vfs.Files{"sorted.svg": plan, "order.csv": "group,place,was\n1,1,2\n"}, "order.csv: group 1: place 1 is named on one side only"},
		{"shared_parts", vfs.Files{"shared.svg": "no drawing"}, "shared.svg has no element"},
		{"shared_parts", vfs.Files{"shared.svg": plan}, "shared.svg has no defs with the id shared"},
	} {
		if _, err := domaintest.Edit(t, d, c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
	for edit, text := range map[string]string{
		"style_classes": `<svg><rect class="st3" style="fill:red"/></svg>`,
		"shared_parts":  `<svg><defs id="shared"/></svg>`,
	} {
		if _, err := domaintest.Edit(t, d, edit).Forward(vfs.Files{"a.svg": text}); err == nil {
			t.Errorf("%s: no error", edit)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	document := vfs.Files{documentFile: plan}
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(document)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				damaged[name] = strings.NewReplacer("M 1,1", "M 1,2", "10.5", "10.25", "HS", "HZ").Replace(text)
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			if score := d.Compare(document, back); score.Strict >= 1 || score.Strict < 0.8 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(document, back))
			}
		})
	}
}

// Other parameters make other files of the same drawing.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"plan.svg": plan}, domaintest.InMeaning, []domaintest.Made{
		{
			Edit: "fill_by_label", Parameters: `{"document": "plan.svg", "to": "f.svg", "class": "legal", "label": "name", "colours": {"H": "red", "P": "blue"}, "table": "t.csv"}`,
			Want: vfs.Files{
				"f.svg": strings.Replace(plan, `<circle r="2.25"/>`, `<circle r="2.25" fill="red"/>`, 1),
				"t.csv": "legal,name,fill\n1,HS,\n",
			},
		},
		{
			Edit: "code_labels", Parameters: `{"document": "plan.svg", "to": "c.svg", "first": "w8", "table": "t.csv"}`,
			Want: vfs.Files{
				"c.svg": strings.NewReplacer(">TT <", ">w8<", ">03<", ">w9<", ">HS<", ">w10<", ">PT &lt;1&gt;<", ">w11<").Replace(plan),
				"t.csv": "key,text\nw8,TT \nw9,03\nw10,HS\nw11,PT <1>\n",
			},
		},
		{
			Edit: "style_classes", Parameters: `{"document": "plan.svg", "to": "c.svg", "sheet": "looks", "first": "look-05"}`,
			Want: vfs.Files{
				"c.svg": strings.NewReplacer(root, root+"  <style id=\"looks\">\n.look-05 {fill:none}\n.look-06 {font-size:3px}\n</style>\n",
					`style="fill:none"`, `class="look-05"`, `style="font-size:3px"`, `class="look-06"`).Replace(plan),
			},
		},
		{
			Edit: "share_groups", Parameters: `{"document": "plan.svg", "to": "s.svg", "id": "symbol"}`,
			Want: vfs.Files{
				"s.svg": strings.ReplaceAll(strings.ReplaceAll(forwardResults["shared_parts"]["shared.svg"], `"shared`, `"symbol`), "#shared", "#symbol"),
			},
		},
	}...)
	if made, err := domaintest.Edit(t, New(), "scale_dimensions").With(`{"document": "a.svg", "to": "b.svg", "unit": 0, "table": "t.csv"}`); err != nil {
		t.Error(err)
	} else if got, err := made.Forward(vfs.Files{"a.svg": plan}); err == nil {
		t.Errorf("a unit of nothing makes %v", got)
	}
}
