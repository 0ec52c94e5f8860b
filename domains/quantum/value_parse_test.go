package quantum

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
)

// found is what is read of a text, a line for each thing.
func found(t *testing.T, text string) string {
	t.Helper()
	p, err := parse(vfs.Files{"a.qasm": text})
	if err != nil {
		t.Fatal(err)
	}
	return p.outline()
}

func (p *program) outline() string {
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
		if p, err := parseGrammar(text); err == nil {
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
	p, err := parse(vfs.Files{"b.qasm": "const int a = 2;", "a.qasm": "const int a = 1; const int c = 3;"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]declaration{{name: "a", text: "2"}, {name: "c", text: "3"}}, p.constants, cmp.AllowUnexported(declaration{})); diff != "" {
		t.Error(diff)
	}
}

func TestValueOfWhatHasNoDeclarations(t *testing.T) {
	t.Parallel()
	for candidate, want := range map[string]float64{
		"h q;": 1, "x q;": 1, // both follow the grammar
		"`h q;": 0.444444, "// said\n h q; ;": 0.4, "": 0,
	} {
		score := New().Compare(vfs.Files{"a.qasm": "h q;\n"}, vfs.Files{"a.qasm": candidate})
		if score.RS != want {
			t.Errorf("%q: Value is %v, want %v", candidate, score.RS, want)
		}
	}
}

// outline is the statements of a text, with their forms and depth.
func outline(text string) string {
	f := readFile("a.qasm", text)
	depth := map[int32]int{-1: -1}
	var lines []string
	for i := range f.statements {
		s := &f.statements[i]
		depth[int32(i)] = depth[s.parent] + 1
		lines = append(lines, fmt.Sprintf("%s%d:%s", strings.Repeat(".", depth[int32(i)]), s.form, expression(&f.source, s.from, s.to)))
	}
	return strings.Join(lines, " ")
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"h q;x q;":                                      "10:h q 10:x q",
		"if (a) x q; else y q; z q;":                    "11:if(a) .10:x q 12:else .10:y q 10:z q",
		"if (a) { if (b) x q; } z q;":                   "11:if(a) .11:if(b) ..10:x q 10:z q",
		"for int i in [0:2] x q; z q;":                  "11:for int i in[0:2] .10:x q 10:z q",
		"for int i in {1, 2} { x q; }":                  "11:for int i in{1,2} .10:x q",
		"for int i in list { x q; } z q;":               "11:for int i in list .10:x q 10:z q",
		"array[int, 2] a = {1, 2}; x q;":                "8:array[int,2]a={1,2} 10:x q",
		"switch (a) { case 1, 2 { x q; } default { } }": "13:switch(a) .13:case 1,2 ..10:x q .13:default",
		"box [2us] { x q; }":                            "13:box[2us] .10:x q",
		"rx(pi)\n  q[0];":                               "10:rx(pi)q[0]",
		"f()\nx q;":                                     "10:f() 10:x q",
		"bit a\nbit b":                                  "8:bit a 8:bit b",
		"def f() { x q;\ndef g() { y q; }":              "7:def f() .10:x q 7:def g() .10:y q",
		"#pragma a; b\nx q;":                            "14:#pragma a; b 10:x q",
		"@crosstalk\nx q;":                              "14:@crosstalk 10:x q",
		"ctrl(2) @ inv @ rx(a) q, p;":                   "10:ctrl(2)@inv@rx(a)q,p",
		"a[0] = b ** 2;":                                "10:a[0]=b**2",
		"the quick brown fox\nx q;":                     "0:the quick brown fox 10:x q",
		"}":                                             "0:}",
		"/* never closed\nx q;":                         "0:/*never closed 10:x q",
		"delay[100 ns] q;":                              "10:delay[100ns]q",
		"gphase(pi / 4);":                               "10:gphase(pi/4)",
		"measure q[0] -> c[0]; c = measure q;":          "10:measure q[0]->c[0] 10:c=measure q",
		"x $0; reset $12;":                              "10:x $0 10:reset $12",
		"const duration t = 3.5µs; stretch slack":       "3:const duration t=3.5us 8:stretch slack",
	} {
		if got := outline(text); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestSpelling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a + b": "a+b", "(a)": "a", "((a + b))": "a+b", "(a + b) * 2": "(a+b)*2", "f((a))": "f(a)", "f(a)": "f(a)",
		"a[(i + 1)]": "a[i+1]", "g((a + b), c)": "g(a+b,c)", "measure q": "measure q", "1_000": "1000", "0.50": "0.5",
		"2.5e-1": "0.25", "0XFF": "0xff", "100.0ns": "100ns", "'01'": `"01"`, "π/2": "pi/2", "-(a)": "-a", "(": "(", ")(": ")(",
	} {
		s := lex("", text)
		if got := expression(&s, 0, int32(len(s.tokens))); got != want {
			t.Errorf("%q is spelled %q, want %q", text, got, want)
		}
	}
}

func TestCommentsBelongToStatements(t *testing.T) {
	t.Parallel()
	const text = "// top\n\n// above\n// two\nqubit q; // after\n// free\n\ndef f() {\n  // within\n} // ends\nx q; /* a */ y q; /* b */\n// last\n"
	var got []string
	for _, e := range New().Elements(vfs.Files{"a.qasm": text}) {
		if e.Kind == commentElement {
			got = append(got, e.Fields[0].Value+": "+e.Fields[1].Value)
		}
	}
	want := []string{
		"top: ", "above: register q", "two: register q", "after: register q", "free: ", "within: subroutine f",
		"ends: subroutine f", "a: the program", "b: the program", "last: ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestProblemNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"a.qasm": sample}
	for _, text := range []string{"", "I have merged the files.\n", strings.Repeat("(", 10_000)} {
		score := New().Compare(reference, vfs.Files{"a.qasm": text})
		if score.Problem != domains.ErrNothingFound.Error()+" subroutine" {
			t.Errorf("%.20q: problem %q", text, score.Problem)
		}
	}
}
