package starcatalog

import "agentd/domains/internal/ratio"

// metadataSimilarity compares the first resources: their descriptions,
// coordinate systems, and the descriptions of their first tables.
func metadataSimilarity(reference, candidate *document) float64 {
	if s, empty := eitherEmpty(len(reference.resources), len(candidate.resources)); empty {
		return s
	}
	ref, got := reference.resources[0], candidate.resources[0]
	sum, n := 0.0, 0
	if ref.description != "" || got.description != "" {
		n++
		sum += descriptionSimilarity(ref.description, got.description)
	}
	refSystem, refHas := reference.system()
	gotSystem, gotHas := candidate.system()
	if refHas || gotHas {
		n++
		if refHas && gotHas {
			sum += refSystem.similarity(gotSystem)
		}
	}
	if len(ref.tables) > 0 && len(got.tables) > 0 {
		was, is := ref.tables[0].description, got.tables[0].description
		if was != "" || is != "" {
			n++
			sum += descriptionSimilarity(was, is)
		}
	}
	return mean(sum, n, 1)
}

func descriptionSimilarity(ref, got string) float64 {
	switch {
	case ref == got:
		return 1
	case ref == "" || got == "":
		return 0
	}
	return ratio.Of(ref, got)
}

// system is the first coordinate system of the first resource. It takes those
// of the others in that it has not.
func (d *document) system() (system, bool) {
	for _, r := range d.resources {
		if len(r.systems) > 0 {
			return r.systems[0], true
		}
	}
	return system{}, false
}

func (s system) similarity(other system) float64 {
	equal := 0
	for _, same := range []bool{s.name == other.name, s.epoch == other.epoch, s.id == other.id} {
		if same {
			equal++
		}
	}
	const attributes = 3
	return float64(equal) / attributes
}
