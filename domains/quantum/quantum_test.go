package quantum

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/quantum"
	"agentd/vfs"
)

const document = "steane_cycle.qasm"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "quantum1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "quantum1"),
		Generate:   rapid.Custom(drawProgram),
		RSForgives: 0.35, // what is left of the weights when every subroutine is lost
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "quantum1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "quantum1"))
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
	f := published.ReadFile("a.qasm", text)
	depth := map[int32]int{-1: -1}
	var lines []string
	for i := range f.Statements {
		s := &f.Statements[i]
		depth[int32(i)] = depth[s.Parent] + 1
		lines = append(lines, fmt.Sprintf("%s%d:%s", strings.Repeat(".", depth[int32(i)]), s.Form, expression(&f.Source, s.From, s.To)))
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
		s := published.Lex("", text)
		if got := expression(&s, 0, int32(len(s.Tokens))); got != want {
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
