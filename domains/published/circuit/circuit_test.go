package circuit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
)

// The forms that the published reader takes element lines for.
func TestElementForms(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"R1 a b 10k":                           "r1 [a b] 10k",
		"R1 a b R=10k tc=1":                    "r1 [a b] 10k",
		"R1 a b R = 4k7":                       "r1 [a b] 4k7",
		"R1 a b {x + y} m=2":                   "r1 [a b] {x + y}",
		"R1 a b 'x' ; it's":                    "r1 [a b] 'x'",
		"R1 a b":                               "r1 [a b] ",
		"Ripple carry adder":                   "ripple [carry adder] ",
		"C1 a b 10p ic=0 ; load":               "c1 [a b] 10p",
		"Q1 c b e 2N3904":                      "q1 [c b e] 2n3904",
		"Q1 c b e 2N3904 2":                    "q1 [c b e 2n3904] 2",
		"M1 d g s b NCH W=1u L={2*x}":          "m1 [d g s b] nch",
		"M1 d g s NCH":                         "m1 [d g s] nch",
		"D1 a k DMOD off":                      "d1 [a k] dmod",
		"X1 a b c cell W=2u L = 3u":            "x1 [a b c] cell",
		"X1 a b cell ; m=2":                    "x1 [a b] cell",
		"V1 a 0 AC 1 SIN(0 1 1k) Rser=3 Cp=4 ": "v1 [a 0] ac 1 sin(0 1 1k)",
		"V1 a 0":                               "v1 [a 0] ",
		"I1 a 0 5m ; load":                     "i1 [a 0] 5m",
		"E1 a b c d 2 ; gain":                  "e1 [a b] c d 2 ; gain",
		"B1 a b V=V(c)*2 ic=0":                 "b1 [a b] v=v(c)*2",
		"B1 a b I = a>=1":                      "b1 [a b] i = a>=1",
		"K1 L1 L2 0.98":                        "k1 [l1 l2] 0.98",
		"T1 a 0 b 0 Z0=50 TD=1n":               "t1 [a 0 b 0] ",
		"S1 a b c d SW on":                     "s1 [a b c d] sw on",
		"R-1 a b 1":                            "r",
		"R1 a b 10k @":                         "r",
		"X1 a":                                 "x",
		"K1 L1 L2 high":                        "k",
	} {
		c, ok := readElement(line + "\n")
		got := c.name
		if ok {
			got += " [" + strings.Join(c.nodes, " ") + "] " + c.value
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestParametersAreScanned(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]parameter{
		".param vdd=1.8 l={2*u} m = 3k":   {{"vdd", "1.8"}, {"l", "{2*u}"}, {"m", "3k"}},
		".param eta=1":                    {{"param", "eta"}},
		".param a='2*x' b=20*l c=\"1 2\"": {{"b", "20"}, {"c", "\"1 2\""}},
		".param\ta\t5":                    {},
	} {
		if diff := cmp.Diff(want, parametersOf(line), cmp.AllowUnexported(parameter{})); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// What the published reader makes of a file, by the number of its elements: -1 if
// it gives up.
func TestPublishedReading(t *testing.T) {
	t.Parallel()
	const givesUp, crashes = -1, -2
	for rule, c := range map[string]struct {
		text string
		want int // elements, or gives up, or crashes
	}{
		"a plain file":                      {"* t\nR1 a b 1\n.end\n", 1},
		"a missing end":                     {"* t\nR1 a b 1\n", 1},
		"a title without a star":            {"4-bit adder\nR1 a b 1\n.end\n", givesUp},
		"what stands after the end":         {"* t\nR1 a b 1\n.end\n} ``` R2 a b 1\n", 1},
		"an .ends at top level":             {"* t\nR1 a b 1\n.ends\nR2 a b 1\n.end\n", 1},
		"a missing .ends":                   {"* t\n.subckt a b\nR1 a b 1\n.end\n", givesUp},
		"a missing .endc":                   {"* t\nR1 a b 1\n.control\nrun\n.end\n", givesUp},
		"a line within brackets":            {"* t\nV1 a b PWL(0 0\n1 1)\n.end\n", 1},
		"a bracket that is not closed":      {"* t\nV1 a b PWL(0 0\n.end\n", givesUp},
		"brackets that do not match":        {"* t\nV1 a b PWL(0}\n.end\n", givesUp},
		"a bracket in a comment":            {"* t (\nR1 a b 1 ; {\n.end\n", 1},
		"a continuation of a blank line":    {"* t\nR1 a b 1\n\n+ tc=1\n.end\n", crashes},
		"a code fence":                      {"```\n* t\nR1 a b 1\n```\n", givesUp},
		"a dollar comment":                  {"* t\nR1 a b 1 $ x\n.end\n", crashes},
		"an instance that is passed over":   {"* t\nX1 a\nR1 a b 1\n.end\n", 2},
		"an element of a nested subcircuit": {"* t\n.subckt a b\n.subckt c d\nR1 d b 1\n.ends\n.ends\n.end\n", 1},
	} {
		n, err := Parse(vfs.Files{"a.cir": c.text})
		got := n.elements
		switch {
		case errors.Is(err, domains.ErrCrash):
			got = crashes
		case n.problem != "":
			got = givesUp
		}
		if got != c.want {
			t.Errorf("%s: %d elements, want %d (%s)", rule, got, c.want, n.problem)
		}
	}
}

func TestAFileThatFailsContributesNothing(t *testing.T) {
	t.Parallel()
	n, err := Parse(vfs.Files{"a.cir": "* t\nV1 a 0 1\n.tran 1 2\n", "b.md": "- done as asked\n", "c.cir": "* t\nV1 a 0 2\n.tran 1 3\n"})
	if err != nil || len(n.sources) != 2 || len(n.directives) != 2 || n.problem != "" {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestOfRepeatedNamesTheFirstIsMeant(t *testing.T) {
	t.Parallel()
	n, _ := Parse(vfs.Files{"a.cir": "* t\nV1 a 0 1\nv1 b 0 2\n.subckt s a\nR1 a 0 1\n.ends\n.subckt s b\nR1 b 0 2\n.ends\n"})
	want := Netlist{
		subcircuits: []subcircuit{{"s", []string{"a"}, []component{{"r1", []string{"a", "0"}, "1"}}}},
		sources:     []component{{"v1", []string{"a", "0"}, "1"}, {"v1", []string{"a", "0"}, "1"}},
		elements:    4,
	}
	if diff := cmp.Diff(want, n, cmp.AllowUnexported(Netlist{}, subcircuit{}, component{}, parameter{})); diff != "" {
		t.Error(diff)
	}
}
