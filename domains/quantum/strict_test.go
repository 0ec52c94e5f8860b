package quantum

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// sample is a program with what the published score does not look at.
const sample = `// Parity memory, two sites
OPENQASM 3.0;
include "stdgates.inc";
#pragma lab order ab

const uint d = 3;
const uint checks = d - 1;
const float leak = 0.0125; // rad
qubit[d] data;
qubit[checks] helper;
qubit flag;
bit[checks] syn;
input angle[20] tilt;
extern decode(uint, bit[checks]) -> bit[d];

/* played as
   two pulses */
gate twist(phi) a, b {
  cx a, b;
  rz(phi / 2) b;
}

// Flagged check.
def check(uint i, bit raised) -> bit[checks] {
  bit seen;
  reset helper[i];
  cx data[i], helper[i]; // first
  twist(pi / 4) data[i + 1], helper[i];
  ctrl @ x data[0], flag;
  // now look
  seen = measure helper[i];
  if (seen && !raised) {
    x data[i];
  } else {
    z data[0];
    delay[100ns] data;
  }
  for uint k in [0:d - 1] {
    h data[k];
  }
  return seen;
}

def idle() {
  barrier data, flag;
}

let pair = data[0:1];
check(0, 1);
h pair;
int tries = 0;
while (tries < 4) {
  tries += 1;
  idle();
}
rx(0.41) flag;
syn[0] = measure data[0];
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"memory.qasm": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"the version":                         {"OPENQASM 3.0", "OPENQASM 3.1"},
		"an include":                          {"stdgates", "qelib1"},
		"a pragma":                            {"order ab", "order ba"},
		"a constant":                          {"d = 3", "d = 5"},
		"a constant's type":                   {"float leak", "angle leak"},
		"a size":                              {"qubit[d] data", "qubit[d + 1] data"},
		"a register that became a bit":        {"qubit flag", "bit flag"},
		"an input that became an output":      {"input angle", "output angle"},
		"an extern's parameter":               {"decode(uint, ", "decode("},
		"an extern's order of parameters":     {"uint, bit[checks]", "bit[checks], uint"},
		"a gate's body":                       {"rz(phi / 2) b", "rz(phi / 2) a"},
		"a gate's qubits":                     {"(phi) a, b", "(phi) b, a"},
		"a gate definition that is lost":      {"gate twist(phi) a, b {\n  cx a, b;\n  rz(phi / 2) b;\n}\n", ""},
		"the order of arguments":              {"uint i, bit raised", "bit raised, uint i"},
		"a return type":                       {"-> bit[checks] {", "-> bit {"},
		"a gate":                              {"cx data[i]", "cz data[i]"},
		"control and target":                  {"data[i], helper[i]", "helper[i], data[i]"},
		"an index":                            {"data[i + 1]", "data[i - 1]"},
		"an angle":                            {"pi / 4", "pi / 8"},
		"a modifier":                          {"ctrl @ x", "negctrl @ x"},
		"a gate that is doubled":              {"  h data[k];\n", "  h data[k];\n  h data[k];\n"},
		"a gate that is lost":                 {"  reset helper[i];\n", ""},
		"two gates that changed places":       {"  reset helper[i];\n  cx data[i], helper[i]; // first\n", "  cx data[i], helper[i]; // first\n  reset helper[i];\n"},
		"a condition":                         {"!raised", "raised"},
		"the bound of a loop":                 {"[0:d - 1]", "[0:d - 2]"},
		"a statement that left its branch":    {"    delay[100ns] data;\n  }\n", "  }\n  delay[100ns] data;\n"},
		"branches that changed places":        {"    x data[i];\n  } else {\n    z data[0];", "    z data[0];\n  } else {\n    x data[i];"},
		"a duration":                          {"100ns", "100us"},
		"a measurement's target":              {"seen = measure helper[i];", "measure helper[i];"},
		"a return value":                      {"return seen", "return raised"},
		"a subroutine that is renamed":        {"idle()", "rest()"},
		"a subroutine that is repeated":       {"let pair", "def idle() {\n  barrier data, flag;\n}\nlet pair"},
		"a subroutine that is added":          {"let pair", "def idle2() {\n}\nlet pair"},
		"an operation of the program":         {"h pair", "x pair"},
		"the order of the program":            {"check(0, 1);\nh pair;\n", "h pair;\ncheck(0, 1);\n"},
		"a first value":                       {"tries = 0", "tries = 1"},
		"an operator of an assignment":        {"tries += 1", "tries -= 1"},
		"a loop that is an if":                {"while (tries", "if (tries"},
		"an alias":                            {"data[0:1]", "data[0:2]"},
		"a brace that is lost":                {"    h data[k];\n  }\n", "    h data[k];\n"},
		"a brace too many":                    {"let pair", "}\nlet pair"},
		"a comment that is lost":              {"// Flagged check.\n", ""},
		"a comment after a constant":          {"// rad", "// deg"},
		"a comment in a body":                 {"now look", "look now"},
		"a sign in a comment":                 {"// now look", "// -now look"},
		"a line of a block comment":           {"two pulses", "three pulses"},
		"a comment that came to another":      {"// Flagged check.\ndef check", "def check"},
		"an operation that is commented out":  {"rx(0.41) flag", "// rx(0.41) flag"},
		"prose":                               {"let pair", "Here is the program you asked for:\nlet pair"},
		"a line that is no statement":         {"let pair", "cx data[0] flag;\nlet pair"},
		"another spelling of the letter case": {"cx data[i]", "CX data[i]"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"memory.qasm": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.4 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"blanks":                           {" = ", "  =\t"},
		"blanks in an expression":          {"d - 1", "d-1"},
		"indentation":                      {"\n  ", "\n        "},
		"a brace on its own line":          {" {\n", "\n{\n"},
		"a statement over two lines":       {"barrier data, flag", "barrier\n    data,\n    flag"},
		"several statements on a line":     {"h pair;\nint", "h pair; int"},
		"a missing semicolon":              {"  reset helper[i];\n", "  reset helper[i]\n"},
		"a missing semicolon at the end":   {"return seen;", "return seen"},
		"a semicolon too many":             {"  }\n  return", "  };\n  return"},
		"an old measurement":               {"seen = measure helper[i]", "measure helper[i] -> seen"},
		"an old register":                  {"qubit[d] data", "qreg data[d]"},
		"an old bit register":              {"bit[checks] syn", "creg syn[checks]"},
		"a size of one":                    {"qubit flag", "qubit[1] flag"},
		"a size as its expression":         {"-> bit[checks] {", "-> bit[d - 1] {"},
		"idle brackets":                    {"phi / 2", "(phi) / (2)"},
		"brackets around all of it":        {"d = 3", "d = (3)"},
		"idle zeros":                       {"0.41", "0.410"},
		"an exponent":                      {"0.0125", "1.25e-2"},
		"the Greek letter":                 {"pi / 4", "π / 4"},
		"a branch without braces":          {"else {\n    z data[0];\n    delay[100ns] data;\n  }\n  for", "else {\n    z data[0];\n    delay[100ns] data; }\n  for"},
		"a loop of one without braces":     {"[0:d - 1] {\n    h data[k];\n  }\n", "[0:d - 1]\n    h data[k];\n"},
		"quotes of another kind":           {`"stdgates.inc"`, `'stdgates.inc'`},
		"a version without its zero":       {"OPENQASM 3.0", "OPENQASM 3"},
		"the order of constants":           {"const uint d = 3;\nconst uint checks = d - 1;\n", "const uint checks = d - 1;\nconst uint d = 3;\n"},
		"the order of definitions":         {"def idle() {\n  barrier data, flag;\n}\n\nlet", "let"},
		"a comment that is added":          {"def idle", "// nothing happens\ndef idle"},
		"a definition commented out":       {"let pair", "/* def ghost() { x data[0]; } */\nlet pair"},
		"another mark of a comment":        {"// Flagged check.", "/* Flagged check. */"},
		"a comment's decoration":           {"// now look", "// --- now look ---"},
		"blank lines":                      {"\n\n", "\n\n\n"},
		"a code fence":                     {"// Parity memory", "```qasm\n// Parity memory"},
		"a byte order mark":                {"// Parity memory", "\ufeff// Parity memory"},
		"CRLF":                             {"\n", "\r\n"},
		"a comment's place within a block": {"  // now look\n  seen = measure helper[i];\n", "  seen = measure helper[i]; // now look\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[0], edit[1])
			if rule == "the order of definitions" {
				candidate["memory.qasm"] = strings.Replace(candidate["memory.qasm"], "extern", "def idle() {\n  barrier data, flag;\n}\nextern", 1)
			}
			if score := New().Compare(vfs.Files{"memory.qasm": sample}, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"memory.qasm": sample}, candidate))
			}
		})
	}
}

func TestSizesOfNumbersAreTheirValues(t *testing.T) {
	t.Parallel()
	program := func(size string) vfs.Files {
		return vfs.Files{document: "OPENQASM 3.0;\nconst int n = 4;\nqubit[" + size + "] q;\ndef f(qubit[" + size + "] r) -> bit[" + size + "] {\n  return measure r;\n}\n"}
	}
	for size, same := range map[string]bool{
		"2*2": true, "(1 + 3)": true, "8 / 2": true, "-2 + 6": true, "2*3": false, "n": false, "2*": false,
	} {
		if score := New().Compare(program("4"), program(size)); (score.Strict == 1) != same {
			t.Errorf("%s for 4: Strict %v: %v", size, score.Strict, New().Differences(program("4"), program(size)))
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head, rest, _ := strings.Cut(sample, "/* played")
	definitions, main, _ := strings.Cut(rest, "let pair")
	definitions, main = "/* played"+definitions, "let pair"+main
	const again = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n"
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another name":                  {vfs.Files{"memory.txt": sample}, true},
		"three files":                   {vfs.Files{"a.qasm": head, "b.qasm": definitions, "c.qasm": main}, true},
		"a version for each":            {vfs.Files{"a.qasm": head, "b.qasm": again + definitions, "c.qasm": again + main}, true},
		"an include of another":         {vfs.Files{"a.qasm": head, "b.qasm": "include \"a.qasm\";\n" + definitions, "c.qasm": main}, true},
		"an include of what is absent":  {vfs.Files{"a.qasm": head, "b.qasm": "include \"x.qasm\";\n" + definitions, "c.qasm": main}, false},
		"a file that is missing":        {vfs.Files{"a.qasm": head, "c.qasm": main}, false},
		"the same file twice":           {vfs.Files{"a.qasm": sample, "b.qasm": sample}, false},
		"a file of another kind beside": {vfs.Files{"a.qasm": sample, "notes.md": "All checks are fine.\n"}, false},
		"an empty file beside it":       {vfs.Files{"a.qasm": sample, "empty.qasm": ""}, true},
	} {
		score := New().Compare(vfs.Files{"memory.qasm": sample}, c.files)
		if (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"memory.qasm": sample}, c.files))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "quantum1")
	one := vfs.Files{document: strings.Replace(seed[document], "rz(pi/4) ion[2]", "rz(pi/8) ion[2]", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong angle leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "rz 1 in subroutine inject_t, angle 1", Was: "pi/4", Is: "pi/8",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

// A lost subroutine is one difference, not one for each of its lines.
func TestALostSubroutineIsOneDifference(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"memory.qasm": sample}
	left := change(t, "def idle() {\n  barrier data, flag;\n}\n", "")
	want := []domains.Difference{{Kind: domains.Lost, Where: "subroutine idle", Was: "idle | nothing"}}
	if diff := cmp.Diff(want, New().Differences(files, left)); diff != "" {
		t.Error(diff)
	}
	if score := New().Compare(files, left); score.Strict != 0.5 {
		t.Errorf("Strict is %v, want half", score.Strict)
	}
}

func TestWithoutLeavesOutWhatBelongsToASubroutine(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.qasm": "// all\n\n// up\n// and down\ndef a() {\n  x q;\n} // ends\n\ndef b() { h q; }\nqubit q; def c() { }\n// last\n"}
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, "// all\n\ndef b() { h q; }\nqubit q; def c() { }\n// last\n"},
		{1, "// all\n\n// up\n// and down\ndef a() {\n  x q;\n} // ends\n\nqubit q; def c() { }\n// last\n"},
		{2, "// all\n\n// up\n// and down\ndef a() {\n  x q;\n} // ends\n\ndef b() { h q; }\nqubit q;\n// last\n"},
	} {
		left := New().Without(files, func(n int) bool { return n == c.n })
		if diff := cmp.Diff(vfs.Files{"a.qasm": c.want}, left); diff != "" {
			t.Errorf("without %d: %s", c.n, diff)
		}
	}
}

func TestWithoutLeavesOutOperationsWhereThereIsNoSubroutine(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.qasm": "qubit[2] q;\nh q[0];\nif (c) {\n  x q[1];\n}\ncx q[0], q[1];\n"}
	left := New().Without(files, func(n int) bool { return n == 1 })
	if diff := cmp.Diff(vfs.Files{"a.qasm": "qubit[2] q;\nh q[0];\ncx q[0], q[1];\n"}, left); diff != "" {
		t.Error(diff)
	}
	stats, err := New().Statistics(files)
	if err != nil || stats.Elements != 3 {
		t.Errorf("%d operations, %v, want 3", stats.Elements, err)
	}
}
