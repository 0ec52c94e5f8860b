package circuit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the document of the built-in environment.
const document = "hydrophone_rx.cir"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "circuit1") }

// bench is a small netlist in which every edit has something to do.
const bench = `* Buffer bench
.param vdd=5
.global vref

.subckt STAGE in out vdd
* bias
R1 vdd Base 47k ; was 33k
R2 base 0 2.20Meg
Q1 out base e BC847C
Re e 0 {vdd*100}
Ce E 0 22uF
B1 mon 0 V=V(base,in)*2
.ends STAGE
.subckt buf b a
X1 a m b stage
Cin a m 4.7p
Rm m 0 5k6
L1 m b 1000n
.ends

Vdd vdd 0 DC {vdd}
Vin a 0 AC 1 PWL(0 0
+ 1m 1)
X1 out a BUF
Rl out 0 R=8.2
Cl out 0 100n
.options reltol=1e-4
.tran 1u 10m
.meas tran top MAX v(out)
.control
run
* look
plot v(out)
.endc
.end
`

// replaced is the bench with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(bench) }

const (
	stageCell = `.subckt STAGE in out vdd
* bias
R1 vdd Base 47k ; was 33k
R2 base 0 2.20Meg
Q1 out base e BC847C
Re e 0 {vdd*100}
Ce E 0 22uF
B1 mon 0 V=V(base,in)*2
.ends STAGE
`
	bufCell = `.subckt buf b a
X1 a m b stage
Cin a m 4.7p
Rm m 0 5k6
L1 m b 1000n
.ends
`
	stimuli = "Vdd vdd 0 DC {vdd}\nVin a 0 AC 1 PWL(0 0\n+ 1m 1)\n"
	control = ".control\nrun\n* look\nplot v(out)\n.endc\n"
)

var forwardResults = map[string]vfs.Files{
	"cell_library": {
		"main.cir":        replaced(stageCell, ".include cells.cir\n", bufCell, ""),
		"cells.cir":       bufCell + "\n" + stageCell,
		"cell_places.csv": "line,cell\n5,stage\n14,buf\n",
	},
	"bench_split": {
		"circuit_only.cir": replaced(
			stimuli, "", ".options reltol=1e-4\n", "", ".tran 1u 10m\n", "", ".meas tran top MAX v(out)\n", "", control, ""),
		"bench.cir": "* stimuli\n" + stimuli + "\n* settings\n.options reltol=1e-4\n\n* analyses\n.tran 1u 10m\n" +
			"\n* measurements\n.meas tran top MAX v(out)\n\n* control\n" + control,
		"bench_places.csv": `line,section
21,stimuli
22,stimuli
27,settings
28,analyses
29,measurements
30,control
`,
	},
	"netlist_json": nil,
	"port_order": {
		"sorted_ports.cir": replaced("buf b a", "buf a b", "X1 out a BUF", "X1 a out BUF"),
		"ports.json": `{
  "buf": [
    "b",
    "a"
  ],
  "stage": [
    "in",
    "out",
    "vdd"
  ]
}
`,
	},
	"bill_of_materials": {
		"references.cir": replaced("47k", "@R1", "2.20Meg", "@R2", "22uF", "@Ce", "4.7p", "@Cin", "1000n", "@L1", "8.2", "@Rl", "100n", "@Cl"),
		"bom.csv": `kind,base_value,unit,cell,reference,written
capacitor,4.7e-12,farad,buf,Cin,4.7p
capacitor,1e-7,farad,,Cl,100n
capacitor,2.2e-5,farad,stage,Ce,22uF
inductor,1e-6,henry,buf,L1,1000n
resistor,8.2e0,ohm,,Rl,8.2
resistor,4.7e4,ohm,stage,R1,47k
resistor,2.2e6,ohm,stage,R2,2.20Meg
`,
	},
	"internal_nets": {
		"numbered.cir": replaced("Base 47k", "n1 47k", "R2 base", "R2 n1", "out base e BC", "out n1 n2 BC", "Re e", "Re n2", "Ce E", "Ce n2",
			"B1 mon", "B1 n3", "V(base,in)", "V(n1,in)", "X1 a m b", "X1 a n1 b", "Cin a m", "Cin a n1", "Rm m", "Rm n1", "L1 m", "L1 n1"),
		"nets.csv": `cell,number,net,pins
stage,n1,Base,3
stage,n2,e,3
stage,n3,mon,1
buf,n1,m,4
`,
	},
	"impedance_scaling": {
		"scaled.cir": replaced("47k", "188k", "2.20Meg", "8.8meg", "22uF", "5.5u", "4.7p", "1.175p", "1000n", "4u"),
		"scaling.csv": `cell,reference,old,new
stage,R1,47k,188k
stage,R2,2.20Meg,8.8meg
stage,Ce,22uF,5.5u
buf,Cin,4.7p,1.175p
buf,L1,1000n,4u
`,
	},
	"value_limits": {
		"within_limits.cir": replaced("R2 base 0 2.20Meg\n", "", "Ce E 0 22uF\n", "", "Cin a m 4.7p\n", "", "Rl out 0 R=8.2\n", ""),
		"review.cir": `* 4 of 7 parts beyond the limits
* top level
Rl out 0 R=8.2
* in buf
Cin a m 4.7p
* in stage
R2 base 0 2.20Meg
Ce E 0 22uF
`,
		"review_places.csv": `line,cell,reference,limit
8,stage,R2,high
11,stage,Ce,high
16,buf,Cin,low
25,,Rl,low
`,
	},
}

func TestEditResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: bench}, forwardResults, domaintest.InMeaning)
}

func TestNetlistInJSON(t *testing.T) {
	t.Parallel()
	const text = `* Supply
.tran 1u 10m ; long

V1 a 0 PWL(0 0
+ 1m 5) ; from the bench
E1 b 0 a 0 2
.control
run
.endc
`
	const want = `[
  {
    "kind": "comment",
    "text": "Supply"
  },
  {
    "kind": "command",
    "name": ".tran",
    "arguments": "1u 10m",
    "comment": "; long"
  },
  {
    "kind": "blank"
  },
  {
    "kind": "element",
    "device": "voltage source",
    "name": "V1",
    "nodes": [
      "a",
      "0"
    ],
    "value": "PWL(0 0 1m 5)",
    "comment": "; from the bench"
  },
  {
    "kind": "element",
    "device": "voltage-controlled voltage source",
    "name": "E1",
    "nodes": [
      "b",
      "0",
      "a",
      "0"
    ],
    "value": "2"
  },
  {
    "kind": "command",
    "name": ".control"
  },
  {
    "kind": "control",
    "text": "run"
  },
  {
    "kind": "command",
    "name": ".endc"
  }
]
`
	edit := domaintest.Edit(t, demonstration(t), "netlist_json")
	got, err := edit.Forward(vfs.Files{document: text})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vfs.Files{"netlist.json": want}, got); diff != "" {
		t.Errorf("forward: %s", diff)
	}
	again, err := edit.Backward(got)
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.Replace(text, "\n+ 1m", " 1m", 1)
	if diff := cmp.Diff(vfs.Files{document: joined}, again); diff != "" {
		t.Errorf("backward: %s", diff)
	}
}

func TestOraclesRefuseWhatTheyCannotWorkOn(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ edit, text string }{
		"no subcircuit to move":       {"cell_library", "* t\nR1 a 0 1\n"},
		"no subcircuit to sort":       {"port_order", "* t\nR1 a 0 1\n"},
		"a subcircuit defined twice":  {"port_order", "* t\n.subckt s a b\nR1 a b 1\n.ends\n.subckt S b a\n.ends\n"},
		"a port named twice":          {"port_order", "* t\n.subckt s a A\nR1 a 0 1\n.ends\n"},
		"an instance without a node":  {"port_order", "* t\n.subckt s b a\nR1 a b 1\n.ends\nX1 a s\n"},
		"a port with a number's name": {"internal_nets", "* t\n.subckt s n1\nR1 n1 x 1\n.ends\n"},
	} {
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: c.text}); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	const text = "* t\n.subckt s a\nR1 a x 40\nC1 x 0 1n\n.ends\nX1 b s\n"
	files := vfs.Files{"amp.cir": text}
	domaintest.Parameters(t, New(), files, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "scale_impedance", Parameters: `{"document": "amp.cir", "to": "s.cir", "factor": 5, "table": "s.csv"}`,
			Want: vfs.Files{
				"s.cir": strings.NewReplacer("40", "200", "1n", "200p").Replace(text),
				"s.csv": "cell,reference,old,new\ns,R1,40,200\ns,C1,1n,200p\n",
			},
		},
		domaintest.Made{
			Edit: "split_by_limits", Parameters: `{"document": "amp.cir", "to": "k.cir", "review": "r.cir", "table": "t.csv",
				"limits": {"resistor": {"least": "47", "most": "1Meg"}}}`,
			Want: vfs.Files{
				"k.cir": strings.Replace(text, "R1 a x 40\n", "", 1),
				"r.cir": "* 1 of 2 parts beyond the limits\n* in s\nR1 a x 40\n",
				"t.csv": "line,cell,reference,limit\n3,s,R1,low\n",
			},
		},
		domaintest.Made{
			Edit: "number_nets", Parameters: `{"document": "amp.cir", "to": "n.cir", "first": "net07", "table": "n.csv"}`,
			Want: vfs.Files{
				"n.cir": strings.NewReplacer("a x", "a net07", "x 0", "net07 0").Replace(text),
				"n.csv": "cell,number,net,pins\ns,net07,x,2\n",
			},
		},
	)
	domaintest.Refuses(t, New(), "scale_impedance",
		`{"document": "amp.cir", "to": "s.cir", "factor": 3, "table": "s.csv"}`, "the factor must divide a power of ten")
	domaintest.Refuses(t, New(), "split_by_limits",
		`{"document": "", "to": "", "review": "", "table": "", "limits": {"resistor": {"least": "low", "most": "1k"}}}`,
		"the limits of a resistor are no values")
}
