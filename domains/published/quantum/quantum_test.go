package quantum

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// found is what is read of a text, a line for each thing.
func found(t *testing.T, text string) string {
	t.Helper()
	p, err := Parse(vfs.Files{"a.qasm": text})
	if err != nil {
		t.Fatal(err)
	}
	return p.outline()
}

func (p *Program) outline() string {
	var lines []string
	for _, c := range p.constants {
		lines = append(lines, c.name+" = "+c.text)
	}
	for _, r := range p.registers {
		lines = append(lines, r.name+"["+r.text+"]")
	}
	for _, e := range p.externs {
		lines = append(lines, "extern "+e.name+"("+e.text+") "+e.more)
	}
	for _, g := range p.gates {
		lines = append(lines, fmt.Sprintf("gate %s %s {%s}", g.name, g.more, g.text))
	}
	for _, s := range p.subroutines {
		lines = append(lines, fmt.Sprintf("def %s(%s) %s {%s} %v", s.name, s.args, s.returns, s.body, s.operations))
	}
	return strings.Join(lines, "; ")
}

func TestFallbackReader(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"const uint d = 5;":                        "d = 5",
		"const uint d=5 ;const\nint e\n= d - 1;":   "d = 5; e = d - 1",
		"const uint[16] n = 4;":                    "", // a sized type is not seen
		"const uint d = 1; const uint d = 2;":      "d = 2",
		"const uint d = ;":                         "d = ",
		"const uint d =;":                          "",
		"// const uint d = 5;":                     "",
		"/* const uint d = 5; */":                  "d = 5",
		"x; // const uint d = 5;":                  "",
		"qubit[ n - 1 ] q;\nqubit p;":              "q[n - 1]; p[1]",
		"qubit p; qubit[2] q;":                     "q[2]; p[1]", // those with a size first
		"qubit[] q;":                               "",
		"qubit p, q;":                              "",
		"def f(qubit[2] q) {}":                     "q[2]; def f(q:qubit[2])  {} []",
		"extern f();":                              "extern f() ",
		"extern f(uint , bit[2],) -> bit[2] ;":     "extern f(uint, bit[2]) bit[2]",
		"extern f() ->;":                           "",
		"def f() { h q; }":                         "def f()  {h q;} [h]",
		"def f(uint a, bit[n]  b) -> bit[2]\n{}":   "def f(a:uint, b:bit[n]) bit[2] {} []",
		"def f(bit[n-1] b) {}":                     "def f()  {} []",
		"def f() -> bit[n-1] {}":                   "",
		"def f() -> {}":                            "def f()  {} []",
		"def f() { if (a) { cx a, b; } reset s; }": "def f()  {if (a) { cx a, b; } reset s;} [cx reset s]",
		"def f() { h q;":                           "def f()  {h q} [h]", // the last character is lost
		"def f() { def g() { x q; } ":              "def f()  {def g() { x q; }} [x]; def g()  {x q;} [x]",
		"def f() { h q; } def f() { x q; }":        "def f()  {x q;} [x]",
		"def é() { cp q; rzz q; MEASURE h_; }":     "def é()  {cp q; rzz q; MEASURE h_;} []",
		"undef f() {}":                             "def f()  {} []", // words are looked for anywhere
	} {
		if got := found(t, "`"+text); got != want { // the grammar knows no backtick
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestGrammar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"const uint[16] n = 0x1_0;":                                   "n = 16",
		"const float f = 1e-7; const float g=.5":                      refused,
		"const float f = 1e-7; const float g=5.;":                     "f = 1e-07; g = 5.0",
		"const duration d = 10 µs;":                                   "d = 10.0us",
		"{ const int hidden = 1; } h q;":                              "",
		"qubit[n+1] q; qreg r[2]; qubit p; creg c[3];":                "q[n + 1]; r[2]; p[1]",
		"extern f(creg[3], readonly array[int, #dim=2]) -> bit[d-1];": "extern f(bit[3], readonly array[int, #dim=2]) bit[d - 1]",
		"gate g(a,b) q, r { cx q, r; inv @ rz(a/2) q; }":              "gate g ['q', 'r'] {cx q, r;\ninv @ rz(a / 2) q;}",
		"def f(qubit[2] q, int[8] a, mutable array[bit, 2] b) {}":     "def f(q:, a:int[8], b:array[bit, 2])  {} []",
		"def f() -> bit { measure q -> c[0]; return measure q; }":     "def f() bit {c[0] = measure q;\nreturn measure q;} [measure]",
		"def f() { if (a) x q; else { if (b) y q; else {} } }":        "def f()  {if (a) {\n  x q;\n} else if (b) {\n  y q;\n}} []",
		"def f() { for int i in [0 : 2] { reset q; } { h q; } }":      "def f()  {for int i in [0:2] {\n  reset q;\n}\n{\n  h q;\n}} [reset]",
		"def f() { // h q;\n@a b  \n h[10ns] q; barrier; }":           "def f()  {@a b  \nh q;\nbarrier;} [h]",
		"def f() { x = -sizeof(a); h q; }":                            "def f()  {\nh q;} [h]",
		"def f() { if (a) { return durationof({h q;}); } }":           "def f()  {if (a) {\n  return durationof({\n  h q;\n});\n}} []",
		"def f() { x = ((a - b) - (c - d)) ** (-e) ** 2 + c[(1)]; }":  "def f()  {x = (a - b - (c - d)) ** ((-e) ** 2) + c[1];} []",
		"def f() { switch (a) { case 1, 2 { h q; } default {} } }":    "def f()  {switch (a) {\n  case 1, 2 {\n    h q;\n  }\n  default {\n  }\n}} []",
		"h q;":                                "",
		"OPENQASM 3;":                         "",
		"":                                    refused,
		"// nothing":                          refused,
		"h q; ;":                              refused,
		"gate g q { measure q; }":             refused,
		"return;":                             refused,
		"if (a) qubit q;":                     refused,
		"int[0] a;":                           refused,
		"uint[-n] a;":                         refused,
		"def f(creg c[4]) {}":                 refused,
		"def f() { break; }":                  refused,
		"qubit angle;":                        refused,
		"x = a ? b : c;":                      refused,
		"inv @s q;":                           refused,
		"gphase(1, 2) q;":                     refused,
		"switch (a) { default {} case 1 {} }": refused,
		"x = " + strings.Repeat("(", 300) + "a" + strings.Repeat(")", 300) + ";": refused,
	} {
		got := refused
		if p, err := ParseGrammar(text); err == nil {
			got = p.outline()
		}
		if got != want {
			t.Errorf("%q:\n%q, want\n%q", text, got, want)
		}
	}
}

const refused = "refused"

func TestFilesAreReadInNameOrder(t *testing.T) {
	t.Parallel()
	p, err := Parse(vfs.Files{"b.qasm": "const int a = 2;", "a.qasm": "const int a = 1; const int c = 3;"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]declaration{{name: "a", text: "2"}, {name: "c", text: "3"}}, p.constants, cmp.AllowUnexported(declaration{})); diff != "" {
		t.Error(diff)
	}
}
