package quantum

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// small is a program in which every edit has something to do.
const small = `// Two sites
OPENQASM 3.0;

const uint d = 3;  // odd
const int[8] n_flags = (d + 1) / 2;
const float leak = 1.5e-2;
qubit[d] site; // data
qubit flag;
qubit[n_flags] aux;
bit[d] c;
extern log_it(uint, bit[d]);

// played twice
gate slow_x(by) a {
  rx(by) a;
  rz(-pi / 4) a;
}
// reads
// one site
def read_one(uint k) -> bit {
  slow_x(0.41) site[k + 1];
  return measure aux[n_flags - 1];
}

def clear() {
  reset site;
  reset flag;
  rz(leak) aux[0:1];
}

clear();
bit a_bit = read_one(2);
ry(pi/2) aux[1];
ry(-pi / 4) site[0:d - 1];
log_it(d * 2, c);
// end
`

// replaced is the program with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(small) }

const (
	readOne = "// reads\n// one site\ndef read_one(uint k) -> bit {\n  slow_x(0.41) site[k + 1];\n  return measure aux[n_flags - 1];\n}\n"
	clearIt = "def clear() {\n  reset site;\n  reset flag;\n  rz(leak) aux[0:1];\n}\n"
)

var forwardResults = map[string]vfs.Files{
	"module_split": {
		"declarations.qasm": `// Two sites
OPENQASM 3.0;

const uint d = 3;  // odd
const int[8] n_flags = (d + 1) / 2;
const float leak = 1.5e-2;
qubit[d] site; // data
qubit flag;
qubit[n_flags] aux;
extern log_it(uint, bit[d]);
`,
		"routines.qasm": "\n// played twice\ngate slow_x(by) a {\n  rx(by) a;\n  rz(-pi / 4) a;\n}\n" + readOne + "\n" + clearIt,
		"program.qasm": `bit[d] c;

clear();
bit a_bit = read_one(2);
ry(pi/2) aux[1];
ry(-pi / 4) site[0:d - 1];
log_it(d * 2, c);
// end
`,
		"modules.json": modulesJSON("declarations 2 4 5 6 7 8 9", "program 10", "declarations 11", "routines 14 20 25",
			"program 31 32 33 34 35"),
	},
	"notebook": nil,
	"call_order": {
		"sorted.qasm": strings.NewReplacer(
			readOne, "// @calls: none\n"+clearIt,
			clearIt, strings.Replace(readOne, "def", "// @calls: slow_x\ndef", 1)).Replace(small),
		"original_order.txt": "read_one\nclear\n",
	},
	"camel_case": {
		"camel_case.qasm": replaced("log_it", "logIt", "slow_x", "slowX", "read_one", "readOne"),
		"names.csv":       "kind,name,camel_case,uses\nextern,log_it,logIt,2\nsubroutine,read_one,readOne,2\ngate,slow_x,slowX,2\n",
	},
	"angle_table": {
		"symbolic.qasm": replaced("(-pi / 4)", "(theta_1)", "(0.41)", "(theta_2)", "(pi/2)", "(theta_3)"),
		"angles.csv":    "name,radians,degrees,uses\ntheta_1,-pi / 4,-45,2\ntheta_2,0.41,23.4913,1\ntheta_3,pi/2,90,1\n",
	},
	"register_union": {
		"pool.qasm": replaced(
			"qubit[d] site;", "qubit[6] pool; /* site: pool[0:2] */", "qubit flag;", "/* flag: pool[3:3] */",
			"qubit[n_flags] aux;", "/* aux: pool[4:5] */", "site[k + 1]", "pool[k + 1]", "aux[n_flags - 1]", "pool[4 + n_flags - 1]",
			"reset site", "reset pool[0:2]", "reset flag", "reset pool[3]", "aux[0:1]", "pool[4:5]", "aux[1]", "pool[5]",
			"site[0:d - 1]", "pool[0:d - 1]"),
		"registers.json": `[
  {
    "name": "site",
    "first": 0,
    "size": 3,
    "declaration": "qubit[d] site;"
  },
  {
    "name": "flag",
    "first": 3,
    "size": 1,
    "declaration": "qubit flag;"
  },
  {
    "name": "aux",
    "first": 4,
    "size": 2,
    "declaration": "qubit[n_flags] aux;"
  }
]
`,
		"references.csv": `was,now
site[k + 1],pool[k + 1]
aux[n_flags - 1],pool[4 + n_flags - 1]
site,pool[0:2]
flag,pool[3]
aux[0:1],pool[4:5]
aux[1],pool[5]
site[0:d - 1],pool[0:d - 1]
`,
	},
	"constant_values": {
		"resolved.qasm": replaced("const uint d = 3;  // odd\n", "", "const int[8] n_flags = (d + 1) / 2;\n", "", "[d]", "[3]",
			"n_flags", "2", "d - 1", "3 - 1", "d * 2", "3 * 2"),
		"constants.csv": "line,name,value,declaration\n4,d,3,const uint d = 3;  // odd\n5,n_flags,2,const int[8] n_flags = (d + 1) / 2;\n",
		"uses.csv":      "line,number,name\n5,1,d\n7,1,n_flags\n8,1,d\n9,1,d\n20,1,n_flags\n32,3,d\n33,1,d\n",
	},
}

// modulesJSON are the rows of modules.json, given as a module and its lines.
func modulesJSON(runs ...string) string {
	var rows []string
	for _, run := range runs {
		words := strings.Fields(run)
		for _, line := range words[1:] {
			rows = append(rows, "  {\n    \"line\": "+line+",\n    \"module\": \""+words[0]+".qasm\"\n  }")
		}
	}
	return "[\n" + strings.Join(rows, ",\n") + "\n]\n"
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "quantum1") }

const document = "steane_cycle.qasm"

func TestEditResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: small}, forwardResults, domaintest.ToTheLetter)
}

func TestNotebook(t *testing.T) {
	t.Parallel()
	const text = "// Two\n\n//  sites\nOPENQASM 3;\ninclude \"a.inc\"; // ours\ndef f() {\n\n}\nqubit q; h q;\n\n// end\n"
	const want = "# steane_cycle.qasm\n" +
		"\n## 1. version\n\n> // Two\n>\n> //  sites\n\n```qasm\nOPENQASM 3;\n```\n" +
		"\n## 2. include a.inc\n\n```qasm\ninclude \"a.inc\"; // ours\n```\n" +
		"\n## 3. subroutine f\n\n```qasm\ndef f() {\n\n}\n```\n" +
		"\n## 4. register q\n\n```qasm\nqubit q; h q;\n```\n" +
		"\n## end\n\n>\n> // end\n"
	edit := domaintest.Edit(t, demonstration(t), "notebook")
	got, err := edit.Forward(vfs.Files{document: text})
	if err != nil || got["notebook.md"] != want {
		t.Fatalf("forward: %v\n%s", err, got["notebook.md"])
	}
	again, err := edit.Backward(got)
	if err != nil || again[document] != text {
		t.Errorf("backward: %v\n%s", err, again[document])
	}
}

func TestDegrees(t *testing.T) {
	t.Parallel()
	for radians, want := range map[string]string{
		"pi": "180", "π/2": "90", "-pi / 8": "-22.5", "3*pi/8": "67.5", "0.5 * pi": "90", "0": "0", "-0.0": "0", "1.": "57.2958",
		".25": "14.3239", "pi/3": "60", "2*pi/7": "51.4286", "theta": "none", "pi*2": "none", "1e-3": "none", "pi/0": "none",
		"phi/2": "none", "2*pi*k": "none", "100ns": "none",
	} {
		got := "none"
		if value, ok := degrees(radians); ok {
			got = fourDecimals(value)
		}
		if got != want {
			t.Errorf("%s is %s degrees, want %s", radians, got, want)
		}
	}
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int64{
		"3": 3, "2 * (a + 1) - 3": 9, "a / 2": 2, "a % 3": 2, "-a + 7": 2, "-1": -1, "2.5": -1, "b": -1, "a / 0": -1, "a a": -1,
		"2000000000 * 2": -1, "(a": -1, strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000): -1,
	} {
		f := readFile("", "const uint a = 5; const uint x = "+value+";")
		got := int64(-1)
		for _, i := range f.integers() {
			if i.name == "x" {
				got = i.value
			}
		}
		if got != want {
			t.Errorf("%.40s is %d, want %d", value, got, want)
		}
	}
}

func TestOraclesRefuseWhatTheyCannotWorkOn(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for rule, c := range map[string]struct{ edit, text string }{
		"no subroutine to sort":         {"call_order", "qubit q;\n"},
		"a subroutine defined twice":    {"call_order", "def f() {}\ndef f() {}\n"},
		"subroutines on a line":         {"call_order", "def f() {} def g() {}\n"},
		"an operation on its line":      {"call_order", "h q; def f() {}\n"},
		"calls that are listed":         {"call_order", "// @calls: g\ndef f() {}\n"},
		"a camel-case name in use":      {"camel_case", "qubit doIt;\ndef do_it() {}\n"},
		"two names that would be one":   {"camel_case", "def do_it() {}\ndef _do_it() {}\ndef do__it() {}\ndef do_It() {}\nqubit do_It;\nqubit doIt;\n"},
		"no angle":                      {"angle_table", "rx(a) q;\n"},
		"a name of an angle in use":     {"angle_table", "rx(pi) theta_1;\n"},
		"no register":                   {"register_union", "h $0;\n"},
		"a register of unknown size":    {"register_union", "qubit[n] q;\n"},
		"a register of no qubits":       {"register_union", "qubit[0] q;\n"},
		"a register that is hidden":     {"register_union", "qubit q;\ndef f(qubit q) {}\n"},
		"a pool already":                {"register_union", "qubit q;\nqubit pool;\n"},
		"an index from the end":         {"register_union", "qubit[2] q;\nh q[-1];\n"},
		"an index that is a comparison": {"register_union", "qubit[2] q;\nh q[a == b];\n"},
		"no end of an index":            {"register_union", "qubit[2] q;\nh q[1"},
		"no constant":                   {"constant_values", "const float a = 2.5;\n"},
		"a constant beside another":     {"constant_values", "const int a = 2; const int b = 3;\n"},
		"a constant that is hidden":     {"constant_values", "const int a = 2;\nfor int a in [0:1] {}\n"},
		"a constant within a comment":   {"constant_values", "/* x\n */ const int a = 2;\n"},
		"a value beside a point":        {"constant_values", "const int a = 2;\nb = a.5;\n"},
	} {
		if got, err := domaintest.Edit(t, d, c.edit).Forward(vfs.Files{document: c.text}); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

// Other parameters make other files of the same program.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"a.qasm": small}, domaintest.ToTheLetter, []domaintest.Made{
		{
			Edit: "sort_routines", Parameters: `{"document": "a.qasm", "to": "s.qasm", "mark": "// needs", "list": "names.txt"}`,
			Want: vfs.Files{
				"s.qasm":    strings.ReplaceAll(forwardResults["call_order"]["sorted.qasm"], "// @calls:", "// needs"),
				"names.txt": "read_one\nclear\n",
			},
		},
		{
			Edit: "name_angles", Parameters: `{"document": "a.qasm", "to": "s.qasm", "first": "turn09", "table": "t.csv"}`,
			Want: vfs.Files{
				"s.qasm": replaced("(-pi / 4)", "(turn09)", "(0.41)", "(turn10)", "(pi/2)", "(turn11)"),
				"t.csv":  "name,radians,degrees,uses\nturn09,-pi / 4,-45,2\nturn10,0.41,23.4913,1\nturn11,pi/2,90,1\n",
			},
		},
		{
			Edit: "unite_registers", Parameters: `{"document": "a.qasm", "to": "u.qasm", "register": "all_q", "list": "r.json", "table": "t.csv"}`,
			Want: vfs.Files{
				"u.qasm": strings.ReplaceAll(forwardResults["register_union"]["pool.qasm"], "pool", "all_q"),
				"r.json": forwardResults["register_union"]["registers.json"],
				"t.csv":  strings.ReplaceAll(forwardResults["register_union"]["references.csv"], "pool", "all_q"),
			},
		},
	}...)
}
