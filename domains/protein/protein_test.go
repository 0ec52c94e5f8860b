package protein

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/protein"
	"agentd/vfs"
)

const environment = "protein1"

// documentFile is the file of most documents in these tests.
const documentFile = "pk7_dimer.pdb"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, environment),
		Generate: rapid.Custom(drawStructure),
		// A minor conformer costs RS nothing.
		RSForgives: 0.03,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// residueAtoms are the atoms of residues to draw structures of.
var residueAtoms = map[string]string{
	"GLY": "N CA C O", "ALA": "N CA C O CB", "SER": "N CA C O CB OG", "CYS": "N CA C O CB SG",
	"VAL": "N CA C O CB CG1 CG2", "TRP": "N CA C O", "AIB": "N CA C O CB1 CB2", "MSE": "N CA C O SE",
}

// drawStructure draws structures of one or two chains, with waters, ions and the
// oddities of real files, in the usual columns.
func drawStructure(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	chains := [][]string{d.residues()}
	if d.sometimes("second chain") {
		chains = append(chains, d.residues())
	}
	d.annotation(chains)
	models := 1
	if d.sometimes("models") {
		models = 2
	}
	for model := range models {
		if models > 1 {
			d.line("MODEL     %4d", model+1)
		}
		d.serial = 0
		for n, residues := range chains {
			d.chain("AB"[n:n+1], residues)
		}
		d.heteros()
		if models > 1 {
			d.line("ENDMDL")
		}
	}
	d.ending()
	return vfs.Files{d.one("file", documentFile, "model.pdb"): d.text.String()}
}

type drawer struct {
	*rapid.T
	text   strings.Builder
	serial int
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	if d.sometimes("padded") {
		line = fmt.Sprintf("%-80s", line)
	}
	d.text.WriteString(line + "\n")
}

func (d *drawer) residues() []string {
	names := []string{"GLY", "ALA", "SER", "CYS", "VAL", "TRP", "AIB", "MSE"}
	return rapid.SliceOfN(rapid.SampledFrom(names), 1, 16).Draw(d.T, "residues")
}

func (d *drawer) annotation(chains [][]string) {
	if !d.sometimes("without header") {
		d.line("HEADER    %-40s%9s   %4s", d.one("class", "PEPTIDE", "DE NOVO PROTEIN", ""), "03-OCT-19", d.one("id", "XXXX", "6ZZZ"))
		d.line("TITLE     %s", d.one("title", "A short helix", "TRIAL 4, NOT FINISHED"))
		d.line("TITLE    2 %s", d.one("more", "IN P 1", "(SEE NOTEBOOK 12)"))
	}
	if d.sometimes("molecules") {
		d.line("COMPND    MOL_ID: 1;")
		d.line("COMPND   2 CHAIN: A, B")
		d.line("KEYWDS    PEPTIDE, %s", d.one("keyword", "TRIAL", "310-HELIX"))
	}
	for range d.upTo(2, "remarks") {
		d.line("REMARK %3d %s", d.upTo(999, "remark"), d.one("text", "RESOLUTION.    1.20 ANGSTROMS.", "LYS B 4 BUILT TO CB", ""))
	}
	if d.sometimes("foreign line") {
		d.line("%s", d.one("line", "", "built by hand, see the log", "USER  tidied"))
	}
	for n, residues := range chains {
		for _, line := range sequenceLines("AB"[n:n+1], residues) {
			d.line("%s", line)
		}
	}
	if last := len(chains[0]); last > 2 && d.sometimes("helix") {
		d.line("HELIX    1   1 %3s A %4d  %3s A %4d  1%30s%5d", chains[0][0], 1, chains[0][last-1], last, "", last)
	} else if last > 1 && d.sometimes("strand") {
		d.line("SHEET    1   A 2 %3s A   1  %3s A%4d  0", chains[0][0], chains[0][1], 2)
	}
	if d.sometimes("bond") {
		d.line("SSBOND   1 CYS A %4d    CYS A %4d                          1555   1555  2.0%d", d.upTo(9, "first"), d.upTo(9, "second"), d.upTo(9, "length"))
	}
	d.line("CRYST1   20.000   25.000   40.000  90.00  90.00  90.00 P 21 21 21    4")
	for n, scale := range []float64{0.05, 0.04, 0.025} {
		var row [3]float64
		row[n] = scale
		d.line("SCALE%d    %10.6f%10.6f%10.6f        0.00000", n+1, row[0], row[1], row[2])
	}
}

// sequenceLines are the SEQRES lines of a chain.
func sequenceLines(chain string, residues []string) []string {
	const most = 13 // residues on a line
	var lines []string
	for n, some := range slices.Collect(slices.Chunk(residues, most)) {
		line := fmt.Sprintf("SEQRES %3d %1s %4d ", n+1, chain, len(residues))
		for _, residue := range some {
			line += fmt.Sprintf(" %3s", residue)
		}
		lines = append(lines, line)
	}
	return lines
}

func (d *drawer) chain(name string, residues []string) {
	first := d.upTo(6, "first number") - 3
	for n, residue := range residues {
		record := "ATOM"
		if residue == "AIB" || residue == "MSE" {
			record = "HETATM"
		}
		insertion := " "
		if n > 0 && d.sometimes("insertion") {
			insertion = "A"
		}
		for _, atom := range strings.Fields(residueAtoms[residue]) {
			element := atom[:1]
			if atom == "SE" {
				element = "SE"
			}
			locations := []string{" "}
			if atom == "CB" && d.sometimes("locations") {
				locations = []string{"A", "B"}
			}
			for _, location := range locations {
				d.atom(record, atom, location, residue, name, first+n, insertion, element)
			}
		}
	}
	d.serial++
	d.line("TER   %5d      %3s %s%4d", d.serial, residues[len(residues)-1], name, first+len(residues)-1)
}

func (d *drawer) atom(record, name, location, residue, chain string, number int, insertion, element string) {
	d.serial++
	if len(name) < 4 && len(element) < 2 {
		name = " " + name
	}
	place := func(label string) float64 { return float64(d.upTo(90_000, label)-30_000) / 1000 }
	occupancy := 1.0
	if location != " " {
		occupancy = 0.5
	}
	site := fmt.Sprintf("%5d %-4s%s%3s %s%4d%s", d.serial, name, location, residue, chain, number, insertion)
	d.line("%-6s%s   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s%s", record, site, place("x"), place("y"), place("z"),
		occupancy, float64(d.upTo(6000, "B"))/100, element, d.one("charge", "", "", "", "1+"))
	if d.sometimes("anisotropic") {
		d.line("ANISOU%s %7d%7d%7d%7d%7d%7d      %2s", site, d.upTo(2000, "U11"), 1500, 1200, -d.upTo(90, "U12"), 12, 0, element)
	}
}

func (d *drawer) heteros() {
	for n := range d.upTo(3, "waters") {
		d.atom("HETATM", "O", " ", "HOH", "A", 201+n, " ", "O")
	}
	if d.sometimes("ion") {
		d.atom("HETATM", "CL", " ", " CL", "B", 301, " ", "CL")
	}
}

func (d *drawer) ending() {
	if d.sometimes("connections") {
		d.line("CONECT    1    2    4")
	}
	if !d.sometimes("without end") {
		d.line("END")
	}
}

func TestLooseAtomLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		" ATOM      3  C   GLY A   1      -3.815 -10.534   1.870  1.00  8.53           C": "ATOM 3 C GLY A 1 -3.815 -10.534 1.870 1.00 8.53 C",
		"ATOM 3 C GLY A 1 -3.815 -10.534 1.870 1.00 8.53 C":                               "ATOM 3 C GLY A 1 -3.815 -10.534 1.870 1.00 8.53 C",
		"ATOM      3 C   GLY A  12A     -3.815 -10.534   1.870  1.00  8.53           C":   "ATOM 3 C GLY A 12 -3.815 -10.534 1.870 1.00 8.53 C",
		"ATOM      3  C   GLY A   1    -3.815-110.534 1.870 1.00 8.53 O1-":                "ATOM 3  C GLY A 1 -3.815 -110.534 1.870 1.00 8.53 O",
	} {
		if !published.IsAtom(line) {
			t.Errorf("%q is no atom", line)
			continue
		}
		a := readAtom(line)
		got := strings.Join([]string{a.record, a.serial, a.name, a.residue, a.chain, a.number, a.x, a.y, a.z, a.occupancy, a.bFactor, a.element}, " ")
		if got != want {
			t.Errorf("%q is read as %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{"ATOM", "atom      3  C   GLY A   1      -3.815", "HETATMS 1 2 3 4.0", "The ATOM 1 N GLY 2.0"} {
		if published.IsAtom(line) {
			t.Errorf("%q is taken for an atom", line)
		}
	}
}
