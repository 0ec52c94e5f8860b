package quantum

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawProgram draws a program for a few qubits, with the habits of those who write
// such programs.
func drawProgram(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.add(d.one("title", "", "// Bell pairs, v2\n", "/* Parity check,\n * old code base */\n", "///////\n// Layout\n//   q0 q1\n\n"))
	d.add(d.one("version", "OPENQASM 3.0;\n", "OPENQASM 3;\n", ""))
	d.add(d.one("include", "", "include \"stdgates.inc\";\n", "include 'stdgates.inc';  // gates\n"))
	d.declarations()
	d.add(d.one("gate", "", "gate twist(phi) a, b {\n  cx a, b;\n  rz(phi / 2) b;\n}\n", "gate sx_twice t { sx t; sx t; }\n", "\n// not used\ngate idle_pair a, b {}\n"))
	names := []string{"prepare", "check_pair", "read_out", "flip_all"}[:1+d.upTo(3, "subroutines")]
	for n, name := range names {
		d.subroutine(name, names[:n])
	}
	d.program(names)
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text strings.Builder
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(2, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) comment() string {
	return d.one("comment", "", "", "", " // cal of 3 May", "  /* see log */")
}

func (d *drawer) declarations() {
	d.add(d.one("distance", "const uint dist = 5;", "const int[16] dist = 7;  // odd", "  const uint dist=3;") + "\n")
	d.add(d.one("derived", "", "const uint n_pairs = dist - 1;\n", "const uint n_pairs = (dist + 1) / 2 * 2;\n\n"))
	d.add(d.one("angle", "", "const float leak = 1.25e-2;\n", "const angle leak = pi/16; // rad\n"))
	d.add(d.one("site", "qubit[dist] site;", "qubit[8] site;", "qubit [2*dist] site;", "qreg site[6];") + d.comment() + "\n")
	d.add(d.one("flag", "qubit flag;\n", "qubit[ 2 ] flag; bit seen;\n", "// hook errors\nqubit flag;\n"))
	d.add(d.one("bits", "", "bit[dist] c;\n", "creg c[4];\n\n", "output bit c;\n", "input float[64] strength;\n"))
	d.add(d.one("extern", "", "extern decode_round(uint, bit[dist]) -> bit;\n", "extern log_event(int[8], bit);"+d.comment()+"\n"))
}

func (d *drawer) subroutine(name string, before []string) {
	d.add(d.one("before", "", "\n", "\n// "+name+" it\n", "// ---- next ----\n\n"))
	d.add("def " + name + d.one("arguments", "()", "(uint r)", "( int[8] r, bit raised )", "(qubit q, angle[20] by)"))
	d.add(d.one("returns", "", " -> bit", " -> bit[dist]"))
	d.add(d.one("brace", " {\n", "\n{\n", "{ "))
	for n := range d.upTo(5, "statements") {
		d.statement(fmt.Sprintf("%c%d", 'u'+n%4, n), before)
	}
	d.add("}" + d.one("after", "\n", "\n\n", " // done\n"))
}

// statement draws one of a body; name is free for what it declares.
func (d *drawer) statement(name string, before []string) {
	indent := d.one("indent", "  ", "    ", "\t", "")
	d.add(indent)
	switch d.upTo(9, "statement") {
	case 0, 1:
		d.add(d.gate())
	case 2:
		d.add("bit " + name + ";\n" + indent + d.one("measure", name+" = measure "+d.qubit(), "measure "+d.qubit()+" -> "+name))
	case 3:
		d.add("for uint " + name + " in " + d.one("range", "[0:dist-1]", "[0 : 2 : 4]", "{1, 3, 2}") + " {\n" + indent + "  x site[" + name + "];\n" + indent + "}\n")
		return
	case 4:
		d.add("if (" + d.one("condition", "true", "!(flag_up == 1)", "2 < 3 && true") + ") " + d.one("branch", "z "+d.qubit()+";\n", "{ "+d.gate()+"; } else { "+d.gate()+"; }\n"))
		return
	case 5:
		d.add("reset " + d.qubit())
	case 6:
		d.add(d.one("pause", "delay[100ns] site[0]", "barrier site, flag", "uint["+"8] "+name+" = 0x1F"))
	case 7:
		if len(before) > 0 {
			d.add(before[len(before)-1] + d.one("call", "()", "(1)", "(2, 0)"))
		} else {
			d.add("let " + name + " = site[0:1]")
		}
	case 8:
		d.add("// " + d.one("remark", "flag first", "cx site[0], site[1];", "TODO (ab)") + "\n")
		return
	case 9:
		d.add("return " + d.one("value", "1", "measure site[1]", "true"))
	}
	d.add(";" + d.comment() + "\n")
}

func (d *drawer) gate() string {
	angle := d.one("angle", "pi/2", "-pi / 4", "0.350", "leak", "3*pi/8", "2*dist", ".5")
	return d.one("gate", "h "+d.qubit(), "cx "+d.qubit()+", "+d.qubit(), "rz("+angle+") "+d.qubit(),
		"ctrl @ ry("+angle+")  site[0] ,flag", "swap site[0],site[1]", "u3("+angle+", 0, pi) site[1]", "inv @ s "+d.qubit())
}

func (d *drawer) qubit() string {
	return d.one("qubit", "site[0]", "site[1]", "site[dist - 1]", "flag", "site", "flag[0]", "site[0:1]")
}

func (d *drawer) program(names []string) {
	d.add(d.one("main", "", "\n// main\n", "\n\n"))
	d.add("rx(" + d.one("first", "pi/3", "0.41", "-1.5707963") + ") site[0];\n")
	for range 1 + d.upTo(3, "operations") {
		d.statement("w", names)
		if d.sometimes("twice on a line") {
			d.add("x site[1]; " + d.gate() + ";\n")
		}
	}
	if d.sometimes("loop") {
		d.add("for int k in [1:dist] {\n  " + names[len(names)-1] + "();\n}\n")
	}
	d.add("bit result = measure site[0];" + d.one("end", "\n", "", "\n// end of program\n", "\n\n"))
}
