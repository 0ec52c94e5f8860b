package circuit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// sample is a netlist with what the published score does not look at.
const sample = `* LNA bench, rev B
.include ../lib/BFP.lib
.param vdd=3.3 ib=2.5m ; supply
.param lx={4*ib}
.global vref

* --- core ---
.subckt LNA in out vdd gain=10
Q1 out b 0 BFP420 ; cold finger
Rb b vdd {gain*4.7k}
Cin in b 47pF
M2 d g s b NCH W=2u L='lx'
.model BFP420 NPN(IS=0.2f BF=72
+ VAF=28)
.ends LNA

Vdd vdd 0 DC 3.3
Vin n1 0 AC 1 PULSE(0 1.8 0ns 100p 100p 5n 30n)
X1 n1 out vdd LNA gain=12
Rl out 0 50 ; termination
E1 mon 0 out 0 2
B1 lim 0 V=V(out, mon) * 2
.options reltol=1e-4 noacct
.ic v(out)=0 v(mon)=1
.tran 10p 60n
.control
run
* knee
Plot v(out) v(mon)+2
echo "Done"
.endc
.end
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"lna.cir": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"the title":                          {"rev B", "rev C"},
		"a comment that was lost":            {"* --- core ---\n", ""},
		"a comment after an element":         {" ; cold finger", ""},
		"a comment after a parameter":        {"; supply", "; battery"},
		"a comment between control lines":    {"* knee\n", ""},
		"a comment that was added":           {"* knee", "* knee\n* checked"},
		"an exchange of two nodes":           {"Q1 out b", "Q1 b out"},
		"a transistor's width":               {"W=2u", "W=20u"},
		"a value at top level":               {"Rl out 0 50", "Rl out 0 75"},
		"a value in a cell":                  {"47pF", "47nF"},
		"milli for mega":                     {"4.7k", "4.7m"},
		"an expression":                      {"{4*ib}", "{5*ib}"},
		"a parameter":                        {"ib=2.5m", "ib=25m"},
		"a parameter that was added":         {"lx=", "ly=1 lx="},
		"a default of a subcircuit":          {"vdd gain=10", "vdd gain=20"},
		"a parameter of an instance":         {"gain=12", "gain=10"},
		"the cell of an instance":            {"vdd LNA", "vdd LNB"},
		"the order of ports":                 {"LNA in out", "LNA out in"},
		"a model's parameter":                {"VAF=28", "VAF=38"},
		"a model's type":                     {"NPN(", "PNP("},
		"a pulse's rise time":                {"0ns 100p", "0ns 200p"},
		"an AC value":                        {"AC 1 ", ""},
		"a controlling node":                 {"E1 mon 0 out 0", "E1 mon 0 0 out"},
		"a behavioural expression":           {"V(out, mon)", "V(mon, out)"},
		"an initial condition":               {"v(mon)=1", "v(mon)=2"},
		"an option":                          {" noacct", ""},
		"a global net":                       {".global vref", ".global vref vcm"},
		"an analysis":                        {"60n", "600n"},
		"a repeated analysis":                {".tran 10p 60n\n", ".tran 10p 60n\n.tran 10p 60n\n"},
		"a library's letter case":            {"BFP.lib", "bfp.lib"},
		"the order of control lines":         {"run\n* knee\nPlot v(out) v(mon)+2\n", "Plot v(out) v(mon)+2\n* knee\nrun\n"},
		"letter case in an echo":             {"\"Done\"", "\"DONE\""},
		"a source with a name that is taken": {"Rl out", "Vdd vdd 0 DC 5\nRl out"},
		"an element that left its cell":      {"Cin in b 47pF\n", ""},
		"a cell that is not closed":          {".ends LNA\n", ""},
		"another name after .ends":           {".ends LNA", ".ends LNB"},
		"a control block that is not closed": {".endc\n", ""},
		"a brace that is lost":               {"{gain*4.7k}", "{gain*4.7k"},
		"an element that is commented out":   {"Rl out", "*Rl out"},
		"elements after the end":             {".tran", ".end\n.tran"},
		"a line without its plus":            {"\n+ VAF", "\nVAF"},
		"prose":                              {".tran", "Here is the netlist you asked for:\n.tran"},
		"a digit in front":                   {".tran", "1R a b 5\n.tran"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"lna.cir": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"blanks":                           {" 0 ", "\t 0  "},
		"letter case":                      {"Q1 out b 0 BFP420", "q1 OUT B 0 bfp420"},
		"a scale factor":                   {"47pF", "0.047n"},
		"idle zeros":                       {"1.8", "1.80"},
		"a number in exponents":            {"60n", "6e-8"},
		"a value after its letter":         {"Rl out 0 50", "Rl out 0 R=50"},
		"quotes for braces":                {"{4*ib}", "'4 * ib'"},
		"a braced number":                  {"W=2u", "W={2u}"},
		"commas and no parentheses":        {"PULSE(0 1.8 0ns 100p 100p 5n 30n)", "pulse 0,1.8, 0 100p 100p 5n 30n"},
		"a sine's long name":               {"AC 1", "AC 1.0"},
		"a model without parentheses":      {"NPN(IS=0.2f BF=72\n+ VAF=28)", "npn is = 0.2f VAF=28 BF=72"},
		"a continued line":                 {"M2 d g s b NCH W=2u", "M2 d g s b\n+NCH\n  + W=2u"},
		"a comment within a continuation":  {"BF=72\n+", "BF=72\n\n+"},
		"the order of elements":            {"Q1 out b 0 BFP420 ; cold finger\nRb b vdd {gain*4.7k}\n", "Rb b vdd {gain*4.7k}\nQ1 out b 0 BFP420 ; cold finger\n"},
		"a parameter on a line of its own": {".param vdd=3.3 ib=2.5m ; supply", ".param vdd=3.3 ; supply\n.param ib=2.5m"},
		"another mark of a comment":        {" ; cold finger", " $ cold finger"},
		"slashes for a star":               {"* --- core", "// --- core"},
		"a comment's decoration":           {"* --- core ---", "**** --- core --- ****"},
		"a title without a star":           {"* LNA bench, rev B", "LNA bench, rev B"},
		"a title command":                  {"* LNA bench, rev B", ".title LNA bench, rev B"},
		".ends without a name":             {".ends LNA", ".ends"},
		"no .end":                          {".end\n", ".ends LNA\n.subckt LNA2"},
		"another name of a command":        {".options", ".opt"},
		"the order of initial conditions":  {"v(out)=0 v(mon)=1", "v(mon)=1 v(out)=0"},
		"letter case in a control line":    {"Plot v(out)", "plot V(OUT)"},
		"indentation":                      {"\nRb", "\n   Rb"},
		"blank lines":                      {"\n\n", "\n"},
		"a code fence":                     {"* LNA bench", "```spice\n* LNA bench"},
		"a byte order mark":                {"* LNA bench", "\ufeff* LNA bench"},
		"CRLF":                             {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[0], edit[1])
			if rule == "no .end" {
				candidate = vfs.Files{"lna.cir": strings.TrimSuffix(sample, ".end\n")}
			}
			if score := New().Compare(vfs.Files{"lna.cir": sample}, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"lna.cir": sample}, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head, rest, _ := strings.Cut(sample, ".subckt")
	cell, rest, _ := strings.Cut(rest, "\n\n")
	cell = ".subckt" + cell + "\n"
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another extension":                            {vfs.Files{"lna.sp": sample}, true},
		"a library and its include":                    {vfs.Files{"lna.cir": head + ".inc \"cells.cir\"\n" + rest, "cells.cir": cell}, true},
		"a library with a heading":                     {vfs.Files{"lna.cir": head + ".include cells.cir\n" + rest, "cells.cir": "* cells\n" + cell}, true},
		"an include of what is absent":                 {vfs.Files{"lna.cir": head + ".include cell.cir\n" + rest, "cells.cir": cell}, false},
		"a library with a heading, without an include": {vfs.Files{"lna.cir": head + rest, "z_cells.cir": "* cells\n" + cell}, true},
		"another comment in a library":                 {vfs.Files{"lna.cir": head + rest, "z_cells.cir": "* cells\n* as checked\n" + cell}, false},
		"a library without an include":                 {vfs.Files{"lna.cir": head + rest, "cells.cir": cell}, true},
		"a file of another kind":                       {vfs.Files{"lna.cir": sample, "notes.md": "The cells are checked.\n"}, false},
		"the same file twice":                          {vfs.Files{"a.cir": sample, "b.cir": sample}, false},
		"an empty file beside it":                      {vfs.Files{"lna.cir": sample, "empty.cir": ""}, true},
	} {
		score := New().Compare(vfs.Files{"lna.cir": sample}, c.files)
		if (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"lna.cir": sample}, c.files))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "circuit1")
	one := vfs.Files{document: strings.Replace(seed[document], "C31 b out 470p", "C31 b out 390p", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong value leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "capacitor c31 in mfblp, value", Was: "470p", Is: "390p",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

// The first line of a netlist is its title; that of a library need not be.
func TestTheFirstLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RC low pass filter\nR1 a 0 1k\n.end\n": "comment: rc low pass filter",
		"* RC low pass filter\nR1 a 0 1k\n":     "comment: rc low pass filter",
		".title RC low pass\nR1 a 0 1k\n":       "comment: rc low pass",
		"Low-pass, 2nd try\nR1 a 0 1k\n":        "comment: low-pass, 2nd try",
		"Rs a 0 rval\nR1 a 0 1k\n":              "element: rs",
		".subckt s a\nR1 a 0 1k\n.ends\n":       "subcircuit: s",
	} {
		first := New().Elements(vfs.Files{"a.cir": text})[0]
		if got := first.Kind + ": " + first.Fields[0].Value; got != want {
			t.Errorf("%q begins with %s, want %s", text, got, want)
		}
	}
}

func TestWithoutLeavesOutContinuationLines(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.cir": "* t\nV1 a 0 PWL(0 0\n* up\n+ 1 1)\n* load\nR1 a 0 1\n.end\nR2 a 0 1\n"}
	left := New().Without(files, func(n int) bool { return n == 0 })
	if diff := cmp.Diff(vfs.Files{"a.cir": "* t\n* load\nR1 a 0 1\n.end\nR2 a 0 1\n"}, left); diff != "" {
		t.Error(diff)
	}
}
