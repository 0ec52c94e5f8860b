package protein

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/protein"
)

// vocabulary makes parts of atoms, each with the records that follow it, such as ANISOU.
func vocabulary() edit.Format {
	const atom = `^(?:ATOM  |HETATM)`
	const number = `[ \t]*(-?\d+\.\d+)`
	residueNumber := edit.HasNumber("residue number", "residue numbers", `^(?:ATOM  |HETATM|ANISOU|TER   ).{16} *(-?\d+)`)
	residueNumber.Fixed = true // its place is in columns
	occupancy := edit.HasNumber("occupancy", "occupancies", atom+`.{48}`+number)
	occupancy.Fixed = true
	return edit.Format{
		Document: "structure", Part: "atom", Parts: "atoms",
		Cut: edit.Starting(atom, `^(?:CONECT|MASTER|ENDMDL|END\s*$)`),
		Attributes: []edit.Attribute{
			edit.Has("residue name", "residue names", atom+`.{11}[ ]*(\w+)`),
			edit.Has("chain", "chains", atom+`.{15}(\w)`),
			edit.Has("atom name", "atom names", atom+`.{6} *([\w'*]+)`),
			edit.HasNumber("x coordinate", "x coordinates", atom+`.{24}`+number),
			edit.HasNumber("y coordinate", "y coordinates", atom+`.{32}`+number),
			edit.HasNumber("z coordinate", "z coordinates", atom+`.{40}`+number),
			edit.HasNumber("temperature factor", "temperature factors", atom+`.{54}`+number),
			edit.Has("element", "elements", atom+`.{70} *([A-Za-z]{1,2})`),
			residueNumber,
			occupancy,
			edit.Computed("role", "roles", role),
			edit.ComputedNumber("displacement", "displacements", displacement),
		},
	}
}

// atomOf is the atom of a part; nil if its first line is none.
func atomOf(part string) *atomLine {
	line, _, _ := strings.Cut(part, "\n")
	if !published.IsAtom(line) {
		return nil
	}
	a := readAtom(line)
	a.name, a.residue = strings.TrimSpace(a.name), strings.TrimSpace(a.residue)
	return a
}

// role says what an atom is part of: water, backbone, side chain or, in residues of one atom, ion; empty if the part is
// no atom. Caps of a chain count as residues. Calcium is an ion though its name is that of an alpha carbon.
func role(part string) string {
	a := atomOf(part)
	switch {
	case a == nil:
		return ""
	case a.residue == "HOH" || a.residue == "DOD":
		return "water"
	case a.name == a.residue:
		return "ion"
	case slices.Contains([]string{"N", "CA", "C", "O", "OXT"}, a.name):
		return "backbone"
	}
	return "side chain"
}

// displacement is the root mean square displacement of an atom along a line, √(B/8π²), in ångströms with three
// decimals; empty if its temperature factor is no number or negative.
func displacement(part string) string {
	a := atomOf(part)
	if a == nil {
		return ""
	}
	b, err := strconv.ParseFloat(a.bFactor, 64)
	if err != nil || b < 0 {
		return ""
	}
	return strconv.FormatFloat(math.Sqrt(b/8)/math.Pi, 'f', 3, 64)
}
