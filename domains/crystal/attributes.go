package crystal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/crystal"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// atomStart is the label of an atom, with its element or without; coordinate is a coordinate.
const (
	atomStart  = `[A-Z]\w*'*[ \t]+(?:[A-Z][a-z]?[-+\d]*[ \t]+)?`
	coordinate = `-?\d*\.\d+(?:\(\d+\))?[ \t]+`
)

// vocabulary makes parts of the atom sites; of data items with their loops where there are none.
func vocabulary() edit.Format {
	format := edit.Format{
		Document: "structure", Part: "atom site", Parts: "atom sites", Named: named, Remark: "# computed: {}",
		Cut: edit.Headed(`^[ \t]*#`, edit.Starting(`^[ \t]*`+atomStart+coordinate+coordinate+coordinate, `^[ \t]*(?:_|loop_|#END|$)`)),
		Attributes: []edit.Attribute{
			edit.Key("element symbol", "element symbols", `^[ \t]*([A-Z][a-z]?)`),
			edit.Key("label", "labels", `^[ \t]*(\S+)`),
			edit.Key("x coordinate", "x coordinates", `^[ \t]*`+atomStart+`(\S+)`),
			edit.Key("y coordinate", "y coordinates", `^[ \t]*`+atomStart+coordinate+`(\S+)`),
			edit.Key("z coordinate", "z coordinates", `^[ \t]*`+atomStart+coordinate+coordinate+`(\S+)`),
			edit.Has("displacement parameter", "displacement parameters", `^[ \t]*`+atomStart+coordinate+coordinate+coordinate+`(\d\S*)`),
			edit.Has("calculation flag", "calculation flags", `[ \t](calc|d|dum|R|c)\b`),
			edit.Has("displacement type", "displacement types", `[ \t](U[a-z]{3})\b`),
		},
		Finer: &edit.Format{
			Document: "structure", Part: "data item", Parts: "data items",
			Cut: edit.Inline(`^[ \t]*(?:loop_\s+(?:_\S+\s+)+|_\S+)`, `^;(?s:.*?)\n;`, ""),
			Attributes: []edit.Attribute{
				edit.Key("category", "categories", `_([a-z]+)[_.]`),
				edit.Key("second word of the name", "second words of names", `_[a-z]+[_.]([A-Za-z]+)`),
				edit.Key("name", "names", `(_\S+)`),
				edit.HasNumber("number", "numbers", `\A[ \t]*_\S+\s+(-?\d+(?:\.\d+)?)\s*\z`),
				edit.Has("quoted text", "quoted texts", `[ \t\n]'([^'\n]+)'`),
			},
		},
	}
	sites := format
	format.Adapt = func(_, text string) edit.Format {
		adapted := sites
		adapted.Attributes = append(slices.Clip(sites.Attributes), fromCell(text)...)
		return adapted
	}
	return format
}

// rowsOf is what the rows of a loop are called, with what its tags begin with: rows of _geom_bond.
const rowsOf = "rows of "

// named is the format whose parts are the rows of a loop, with its tags as attributes.
func named(parts string) (edit.Format, bool) {
	tags, ok := strings.CutPrefix(parts, rowsOf)
	f := edit.Format{Document: "structure", Part: "row of " + tags, Parts: parts, Cut: func(text string) edit.Pieces {
		_, pieces := cutLoop(text, tags)
		return pieces
	}}
	adapted := f
	f.Adapt = func(_, text string) edit.Format {
		adapted := adapted
		names, pieces := cutLoop(text, tags)
		for k, name := range names {
			adapted.Attributes = append(adapted.Attributes, columnOf(name, k, pieces.Parts))
		}
		if slices.Contains(names, published.SiteTags[2]) {
			adapted.Attributes = append(adapted.Attributes, fromCell(text)...)
		}
		return adapted
	}
	return f, ok
}

var (
	loopHeader = lazyregexp.New(`(?m)^[ \t]*loop_\s+((?:_\S+\s+)+)`)
	loopEnd    = lazyregexp.New(`(?m)^[ \t]*(?:_|loop_|data_|#END|#=|$)`)
	cutRows    = edit.Starting(`^[ \t]*[^\s#;]`, "")
)

// cutLoop cuts the rows of the first loop whose first tag begins so, a line each, and returns its tags.
func cutLoop(text, begins string) ([]string, edit.Pieces) {
	for _, at := range loopHeader.FindAllStringSubmatchIndex(text, -1) {
		tags := strings.Fields(text[at[2]:at[3]])
		if !strings.HasPrefix(tags[0], begins) {
			continue
		}
		rest := text[at[1]:]
		end := len(rest)
		if found := loopEnd.FindStringIndex(rest); found != nil {
			end = found[0]
		}
		p := cutRows(rest[:end])
		p.Before, p.After = text[:at[1]]+p.Before, p.After+rest[end:]
		return tags, p
	}
	return nil, edit.Pieces{Before: text}
}

// columnOf is the attribute of the values in a column of a loop: numbers without their uncertainty if all are numbers.
func columnOf(tag string, column int, rows []string) edit.Attribute {
	const value = `(?:'[^'\n]*'|"[^"\n]*"|[^\s'"]\S*)`
	before := fmt.Sprintf(`\A[ \t]*(?:%s[ \t]+){%d}`, value, column)
	number := edit.HasNumber(tag, tag+" values", before+`(-?\d+(?:\.\d+)?)(?:\(\d+\))?(?:\s|\z)`)
	if !slices.ContainsFunc(rows, func(row string) bool { return !number.Find.MatchString(row) }) {
		return number
	}
	return edit.Has(tag, tag+" values", before+`(`+value+`)`)
}

// fromCell are the attributes of atom sites that follow from the cell of a document; none if it has no cell.
func fromCell(text string) []edit.Attribute {
	b, err := published.Parse(vfs.Files{"any.cif": text})
	if err != nil {
		return nil
	}
	m, ok := matrixOf(published.StructureOf(b).Cell)
	if !ok {
		return nil
	}
	return []edit.Attribute{edit.Computed("position", "positions", m.position)}
}

// matrix takes fractional coordinates to Cartesian ones in ångströms, with a along x and b in the plane of x and y.
type matrix [3][3]float64

// matrixOf computes the matrix from lengths in ångströms and angles in degrees (International Tables B, section 3.3.1).
// It is false if there is no such cell.
func matrixOf(values [6]published.Number) (matrix, bool) {
	for _, n := range values {
		if !n.Known {
			return matrix{}, false
		}
	}
	a, b, c := values[0].Value, values[1].Value, values[2].Value
	cosA, cosB, cosC := cosine(values[3].Value), cosine(values[4].Value), cosine(values[5].Value)
	sinC := math.Sqrt(1 - cosC*cosC)
	y := (cosA - cosB*cosC) / sinC
	z := math.Sqrt(1 - cosB*cosB - y*y)
	return matrix{{a, b * cosC, c * cosB}, {0, b * sinC, c * y}, {0, 0, c * z}}, z > 0 && !math.IsInf(y, 0)
}

// cosine of an angle in degrees, exact for a right one.
func cosine(degrees float64) float64 {
	if degrees == 90 {
		return 0
	}
	return math.Cos(degrees * math.Pi / 180)
}

var coordinates = lazyregexp.New(`(?m)^[ \t]*` + atomStart + `(` + coordinate + `)(` + coordinate + `)(\S+)`)

// position is where an atom site is: its Cartesian coordinates in ångströms, with four decimals; empty if a coordinate
// is no number.
func (m matrix) position(part string) string {
	found := coordinates.FindStringSubmatch(part)
	if found == nil {
		return ""
	}
	var x [3]float64
	for i := range x {
		n := published.NumberOf(strings.TrimSpace(found[1+i]))
		if !n.Known {
			return ""
		}
		x[i] = n.Value
	}
	var all []string
	for _, row := range m {
		sum := float64(row[0]*x[0]) + float64(row[1]*x[1]) + float64(row[2]*x[2])
		all = append(all, strings.Replace(strconv.FormatFloat(sum, 'f', 4, 64), "-0.0000", "0.0000", 1))
	}
	return strings.Join(all, " ")
}
