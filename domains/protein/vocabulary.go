package protein

import "agentd/domains/edit"

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
