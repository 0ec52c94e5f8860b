package audiosyn

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawPiece draws a small piece: instruments, tables, notes that carry, and the
// habits of those who write them.
func drawPiece(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.add(d.one("begin", "<CsoundSynthesizer>\n", "<CsoundSynthesizer>\n\n"))
	d.add(d.one("options", "", "<CsOptions>-odac</CsOptions>\n", "<CsOptions>\n-o bells.wav -W -d ; offline\n</CsOptions>\n", "<CsOptions>\n</CsOptions>\n"))
	d.add("<CsInstruments>\n")
	d.settings()
	d.opcode()
	d.add(d.one("above", "", "; struck or plucked\n", "/* struck\n   or plucked */\n", "\n;======\n; strings\n;======\n"))
	for n, name := range []string{"1", "Pad", "12, 13"}[:1+d.upTo(2, "instruments")] {
		d.instrument(name, n == 0)
	}
	d.add("</CsInstruments>\n" + d.one("score", "<CsScore>\n", "<CSSCORE>\n"))
	d.tables()
	for n := range 1 + d.upTo(1, "sections") {
		if n > 0 {
			d.add(d.one("s", "s\n", "s ; coda\n"))
		}
		d.notes()
	}
	d.add(d.one("end", "e\n", "", "e\n\n") + "</CsScore>\n")
	d.add(d.one("license", "", "<CsLicense>\nCC BY-SA\n</CsLicense>\n") + "</CsoundSynthesizer>\n")
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text strings.Builder
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) comment() string {
	return d.one("comment", "", "", "", " ; was 0.4", "\t;;G", " // too loud?")
}

func (d *drawer) settings() {
	d.add(d.one("sr", "sr = 44100\n", "sr=48000 ; USB\n", "\nsr\t=\t96000\nkr = 4800\n"))
	d.add(d.one("more", "", "ksmps = 32\nnchnls = 2\n0dbfs = 1\n", "nchnls = 1\n"))
	d.add(d.one("macro", "", "#define LEVEL #0.5#\n", "#define MIX(a) #garev += $a\n  * 0.2#\n"))
	d.add(d.one("global", "", "garev init 0\n", "gisaw ftgen 10, 0, 1024, 7, 0, 1024, 1\n", "#include \"my.udo\"\n"))
}

func (d *drawer) opcode() {
	d.add(d.one("opcode", "", "opcode Pan2, aa, ak\nasig, kp xin\nxout asig*kp, asig*(1-kp)\nendop\n"))
}

func (d *drawer) instrument(name string, pitched bool) {
	indent := d.one("indent", "", "  ", "\t")
	d.add(indent + "instr " + name + d.comment() + "\n")
	frequency := "p5*2"
	if pitched {
		frequency = "cpspch(p5)"
	}
	d.add(indent + d.one("frequency", "ifrq = ", "ifrq\t=\t") + frequency + d.comment() + "\n")
	for range d.upTo(3, "statements") {
		d.add(indent + d.one("statement",
			"asig oscili p4, ifrq, 1", "asig  pluck  p4, ifrq, ifrq, 0, 1", "asig = asig * 0.5 + rnd(1)", "kenv linseg 0, .01, 1, \\\n  p3-.01, 0",
			"anoise rand p4", "if (kenv > 0.5) then\n  asig = 0\nendif", "printks \"level; %f\\n\", 1, kenv", "", "; why?",
			"aL, aR reverbsc asig, asig, 0.8, 9000", "asig += rand(0.1)", "kx chnget \"pos\"") + d.comment() + "\n")
	}
	d.add(indent + "out asig\n" + indent + "endin\n" + d.one("after", "", "\n", "; next\n"))
}

func (d *drawer) tables() {
	d.add(d.one("heading", "", "; --- tables ---\n", "\n"))
	for n := range 1 + d.upTo(2, "tables") {
		d.add("f" + strconv.Itoa(n+1) + " 0 " + d.one("table", "16384 10 1", "1024  7 0 512 1 512 0", "0 1 \"bell 1.wav\" 0 4 1", "8192 -2 .5 1.0 0") + d.comment() + "\n")
	}
}

// notes draws the notes of a section. The first leaves the second something to
// carry.
func (d *drawer) notes() {
	d.add("i1 0 2.50 0.30 8.00 0.1\ni1\t" + d.one("second", "+", "1", "0.75") + " . .5 . .\n")
	known := map[string]bool{"1": true}
	for range d.upTo(6, "notes") {
		name := d.one("instrument", "1", "1", "1.1", "12", "\"Pad\"")
		carry := known[strings.TrimSuffix(name, ".1")]
		known[strings.TrimSuffix(name, ".1")] = true
		start := fmt.Sprint(float64(d.upTo(300, "start")) / 20)
		if carry {
			start = d.one("when", start, start, "+", "^+1.25")
		}
		value := func(label string, among ...string) string {
			if carry {
				among = append(among, ".", ".")
			}
			return d.one(label, among...)
		}
		d.add(d.one("i", "i", "i", "i ") + name + d.one("blank", " ", "  ", "\t") + start + " " + value("duration", "1", ".5", "2.250", "0"))
		if d.upTo(4, "p4") > 0 {
			d.add(" " + value("amplitude", "0.05", ".2", "0.60", "[2^-3 * 0.5]", "$LEVEL") + " " + value("pitch", "8.00", "7.11", "9.0450", "440"))
		}
		d.add(d.comment() + "\n")
		d.add(d.one("between", "", "", "\n", "; bar 2, softer\n", "\t;---\n"))
	}
}
