package molecule

import (
	"slices"

	"agentd/domains/edit"
)

// vocabulary makes parts of records, which end with four dollar signs; of the atom lines of the
// first one where there are few.
func vocabulary() edit.Format {
	format := edit.Format{
		Document: "structure file", Part: "molecule", Parts: "molecules",
		Cut: edit.Records(`^\$\$\$\$`),
		Attributes: []edit.Attribute{
			edit.Has("name", "names", `\A([^\r\n]+)`),
			edit.HasNumber("atom count", "atom counts", `^ *(\d{1,3}) *\d{1,3}[ \d]*V[23]000`),
			edit.Has("program", "programs", `\A[^\n]*\n([^\r\n]+)`),
			edit.Has("property", "properties", `^> +<[^>\n]+>[^\n]*\n([^\r\n]+)`),
			edit.Has("field name", "field names", `^> +<([^>\r\n]+)>`),
			edit.Key("element", "elements", `^(?: *-?\d+\.\d+){3} ([A-Z][a-z]?)\b`),
			edit.Key("charge", "charges", `^M  CHG([ \d-]+)`),
			edit.Computed("skeleton", "skeletons", drawnFormula),
			edit.ComputedNumber("ring count", "ring counts", rings),
		},
		Finer: &edit.Format{
			Document: "structure file", Part: "molecule-1 atom line", Parts: "molecule-1 atom lines",
			Cut: edit.Within(`V2000\s*$`, `^.{0,30}$`, edit.Starting(`\S`, "")),
			Attributes: []edit.Attribute{
				edit.Has("element symbol", "element symbols", `^ *\S+ +\S+ +\S+ +([A-Z][a-z]?)\b`),
				edit.HasNumber("x coordinate", "x coordinates", `^ *(\S+)`),
				edit.HasNumber("y coordinate", "y coordinates", `^ *\S+ +(\S+)`),
			},
		},
	}
	records := format
	format.Adapt = func(_, text string) edit.Format {
		adapted := records
		adapted.Attributes = append(slices.Clip(records.Attributes), dataFields(adapted.Cut(text).Parts)...)
		return adapted
	}
	return format
}
