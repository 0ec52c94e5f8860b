package crystal

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/vfs"
)

// fromCell are the attributes of atom sites that follow from the cell of a document; none if it has no cell.
func fromCell(text string) []edit.Attribute {
	b, err := parse(vfs.Files{"any.cif": text})
	if err != nil {
		return nil
	}
	m, ok := matrixOf(structureOf(b).cell)
	if !ok {
		return nil
	}
	return []edit.Attribute{edit.Computed("position", "positions", m.position)}
}

// matrix takes fractional coordinates to Cartesian ones in ångströms, with a along x and b in the plane of x and y.
type matrix [3][3]float64

// matrixOf computes the matrix from lengths in ångströms and angles in degrees (International Tables B, section 3.3.1).
// It is false if there is no such cell.
func matrixOf(values [6]number) (matrix, bool) {
	for _, n := range values {
		if !n.known {
			return matrix{}, false
		}
	}
	a, b, c := values[0].value, values[1].value, values[2].value
	cosA, cosB, cosC := cosine(values[3].value), cosine(values[4].value), cosine(values[5].value)
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

var coordinates = regexp.MustCompile(`(?m)^[ \t]*` + atomStart + `(` + coordinate + `)(` + coordinate + `)(\S+)`)

// position is where an atom site is: its Cartesian coordinates in ångströms, with four decimals; empty if a coordinate
// is no number.
func (m matrix) position(part string) string {
	found := coordinates.FindStringSubmatch(part)
	if found == nil {
		return ""
	}
	var x [3]float64
	for i := range x {
		n := numberOf(strings.TrimSpace(found[1+i]))
		if !n.known {
			return ""
		}
		x[i] = n.value
	}
	var all []string
	for _, row := range m {
		sum := float64(row[0]*x[0]) + float64(row[1]*x[1]) + float64(row[2]*x[2])
		all = append(all, strings.Replace(strconv.FormatFloat(sum, 'f', 4, 64), "-0.0000", "0.0000", 1))
	}
	return strings.Join(all, " ")
}
