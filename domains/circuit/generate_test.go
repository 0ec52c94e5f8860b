package circuit

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawNetlist draws the netlist of a small bench: cells, what drives and measures
// them, and the habits of those who write netlists.
func drawNetlist(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.add(d.one("title", "* Preamp bench", "*LNA rev B (Pavia)", "* --- filter, 2nd try ---") + "\n")
	d.add(d.one("opening", "", "\n", "* bias as measured; \"warm\"\n", "// from the old bench\n"))
	d.parameters()
	cells := []string{"BIAS", "gain_cell", "Filt.2"}[:1+d.upTo(2, "cells")]
	for _, name := range cells {
		d.cell(name)
	}
	if d.sometimes("model") {
		d.add(".model Q2N PNP(IS=1e-14 BF=180\n+ VAF=40)\n")
	}
	d.sources()
	for n := range 1 + d.upTo(3, "instances") {
		d.add(fmt.Sprintf("X%d n%d %s vdd %s%s\n", n+1, n, d.one("net", "out", "Mid", "n7", "vref"), rapid.SampledFrom(cells).Draw(t, "cell"), d.comment()))
	}
	d.parts("top", d.upTo(4, "top level"))
	d.commands()
	if d.sometimes("control block") {
		d.add(".control\nrun\n* look at the knee\n" + d.one("plot", "plot v(out) v(mid)+2\n", "echo \"Done (1)\"\nprint gmax\n") + ".endc\n")
	}
	d.add(d.one("end", ".end\n", ".END\n", ""))
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

func (d *drawer) comment() string { return d.one("comment", "", "", "", " ; was 47", " ;; see (wiki)") }

func (d *drawer) parameters() {
	for _, name := range []string{"vdd", "gain", "TAU"}[:d.upTo(3, "parameters")] {
		d.add(".param " + name + d.one("equals", "=", " = ") + d.quantity() + "\n")
	}
	d.add(d.one("more", "", ".global vref\n", ".include models.lib\n", ".options reltol=1e-4 noacct\n"))
}

func (d *drawer) cell(name string) {
	ports := d.one("ports", "inp out vdd", "b A c", "z3 z1 z2")
	d.add(d.one("before", "", "\n", "* one of three\n") + d.one("subckt", ".subckt ", ".SUBCKT  ") + name + " " + ports)
	d.add(d.one("default", "", " gain=10") + "\n")
	d.parts(strings.Fields(ports)[0], 1+d.upTo(5, "parts"))
	d.add(d.one("ends", ".ends\n", ".ends "+name+"\n"))
}

// parts draws element lines of a cell or of the top level.
func (d *drawer) parts(first string, most int) {
	for n := range most {
		a, b := d.node(first), d.node(first)
		indent := d.one("indent", "", "  ", "\t")
		d.add(indent)
		switch d.upTo(7, "device") {
		case 0, 1:
			d.add(fmt.Sprintf("R%d %s %s %s%s", n, a, b, d.quantity(), d.one("tempco", "", " tc1=1e-4")))
		case 2:
			d.add(fmt.Sprintf("c_%d  %s  %s %s%s", n, a, b, d.one("C", "", "C=", "c = "), d.quantity()))
		case 3:
			d.add(fmt.Sprintf("L%d %s %s %s", n, a, b, d.one("inductance", "4.7u", "1mH", "15n", "{TAU}")))
		case 4:
			d.add(fmt.Sprintf("Q%d %s %s 0 Q2N", n, a, b))
		case 5:
			d.add(fmt.Sprintf("M%d %s %s 0 0 NCH\n+ W=%s L=0.18u", n, a, b, d.one("width", "2u", "{4*TAU}")))
		case 6:
			d.add(fmt.Sprintf("E%d %s 0 %s %s 2.5\n", n, a, b, first))
			continue
		case 7:
			d.add(fmt.Sprintf("B%d %s 0 V=V(%s,%s)*2", n, a, b, first))
		}
		d.add(d.comment() + "\n")
		if d.upTo(5, "remark") == 0 {
			d.add("*** trimmed " + a + " ***\n")
		}
	}
}

func (d *drawer) node(first string) string {
	return d.one("node", "0", first, "mid", "Sum", "x4", "7", "vref", "fb_n")
}

func (d *drawer) quantity() string {
	return d.one("quantity", "4k7", "10k", "2.20K", "1Meg", "22", "3.3", "100n", "47pF", "0.1u", "1e-9", "{2*TAU}", "'gain*5'", "1G", "470uF", "0")
}

func (d *drawer) sources() {
	d.add("Vdd vdd 0 " + d.one("supply", "DC 3.3", "{vdd}", "5", "PWL(0 0 1m 5\n+ 2m 5)") + "\n")
	if d.sometimes("stimulus") {
		d.add("vin n0 0 " + d.one("stimulus", "AC 1 SIN(0 1m 1k)", "pulse 0 1.8 0ns 100ps 100ps 5n 30n", "PULSE(0 1 0 1n 1n)") + d.comment() + "\n")
		d.add("Iload out 0 " + d.one("load", "1m", "DC 0 AC 1") + "\n")
	}
}

func (d *drawer) commands() {
	d.add(d.one("analysis", "", ".op\n", ".tran 1u 10m\n.ac dec 10 1 1Meg\n", ".TRAN 10p 60n ; long\n"))
	d.add(d.one("measurement", "", ".meas ac gmax MAX vdb(out)\n", ".save v(out) i(Vdd)\n", ".ic v(mid)=0\n"))
}
