package crystal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// cell is the matrix that takes fractional coordinates to Cartesian ones in
// ångströms, with a along x and b in the plane of x and y.
type cell [3][3]float64

// readCell computes the matrix from lengths and angles (International Tables B,
// section 3.3.1).
func readCell(d document) (cell, error) {
	var values [6]float64
	for i, tag := range cellTags {
		p := d.item(tag)
		if p == nil {
			return cell{}, fmt.Errorf("%s is missing", tag)
		}
		n := numberOf(p.value.text())
		if !n.known {
			return cell{}, fmt.Errorf("%s is no number", tag)
		}
		values[i] = n.value
	}
	a, b, c := values[0], values[1], values[2]
	cosA, cosB, cosC := cosine(values[3]), cosine(values[4]), cosine(values[5])
	sinC := math.Sqrt(1 - cosC*cosC)
	y := (cosA - cosB*cosC) / sinC
	z := math.Sqrt(1 - cosB*cosB - y*y)
	if math.IsNaN(z) || z == 0 || math.IsInf(y, 0) {
		return cell{}, fmt.Errorf("there is no cell with the angles %v", values[3:])
	}
	return cell{{a, b * cosC, c * cosB}, {0, b * sinC, c * y}, {0, 0, c * z}}, nil
}

// cosine of an angle in degrees, exact for a right one.
func cosine(degrees float64) float64 {
	if degrees == 90 {
		return 0
	}
	return math.Cos(degrees * math.Pi / 180)
}

func (m cell) cartesian(x [3]float64) [3]float64 {
	var y [3]float64
	for i := range y {
		y[i] = float64(m[i][0]*x[0]) + float64(m[i][1]*x[1]) + float64(m[i][2]*x[2])
	}
	return y
}

// decimals writes a number with a number of decimals, zero without a sign.
func decimals(x float64, n int) string {
	text := strconv.FormatFloat(x, 'f', n, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// positions are the fractional coordinates of the sites of a loop.
func (l *loop) positions() ([][3]float64, error) {
	all := make([][3]float64, len(l.rows))
	for i, tag := range siteTags[2:5] {
		column := l.column(tag)
		if column < 0 {
			return nil, fmt.Errorf("%s is missing", tag)
		}
		for k, text := range l.texts(column) {
			n := numberOf(text)
			if !n.known || math.Abs(n.value) > 1000 {
				return nil, fmt.Errorf("%s of atom site %d is %q", tag, k+1, text)
			}
			all[k][i] = n.value
		}
	}
	return all, nil
}
