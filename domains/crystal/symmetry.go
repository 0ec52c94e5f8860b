package crystal

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// operation is a symmetry operation: a rotation and a shift in 24ths of the
// cell's edges.
type operation struct {
	rotation [3][3]int
	shift    [3]int
}

const whole = 24

// readOperation reads an operation such as "x+1/2, -y, z-x".
func readOperation(text string) (operation, bool) {
	var o operation
	parts := strings.Split(strings.ToLower(strings.Join(strings.Fields(text), "")), ",")
	if len(parts) != 3 {
		return o, false
	}
	for i, part := range parts {
		for _, term := range signedTerm.FindAllStringSubmatch(part, -1) {
			sign := 1
			if term[1] == "-" {
				sign = -1
			}
			if axis := strings.Index("xyz", term[2]); axis >= 0 && len(term[2]) == 1 {
				o.rotation[i][axis] += sign
				continue
			}
			shift, ok := in24ths(term[2])
			if !ok {
				return o, false
			}
			o.shift[i] += sign * shift
		}
	}
	return o, true
}

// signedTerm is a part of a sum.
var signedTerm = regexp.MustCompile(`([+-]?)([^+-]*)`)

// in24ths reads a fraction or decimal number that is a multiple of 1/24.
func in24ths(text string) (int, bool) {
	const most = 1000
	above, below, divided := strings.Cut(text, "/")
	numerator, err := strconv.ParseFloat(above, 64)
	denominator := 1.0
	if divided && err == nil {
		denominator, err = strconv.ParseFloat(below, 64)
	}
	parts := numerator * whole / denominator
	if err != nil || denominator == 0 || numerator < 0 || parts > most || parts != float64(int(parts)) {
		return 0, false
	}
	return int(parts), true
}

// String is an operation as "-x+y, z+1/2, …": the axes in order, then the shift.
func (o operation) String() string {
	parts := make([]string, 3)
	for i := range parts {
		for axis, n := range o.rotation[i] {
			for range max(n, -n) {
				parts[i] += sign(n) + "xyz"[axis:axis+1]
			}
		}
		if shift := o.shift[i]; shift != 0 || parts[i] == "" {
			parts[i] += sign(shift) + fraction(max(shift, -shift))
		}
		parts[i] = strings.TrimPrefix(parts[i], "+")
	}
	return strings.Join(parts, ", ")
}

func sign(n int) string {
	if n < 0 {
		return "-"
	}
	return "+"
}

// fraction is a number of 24ths in lowest terms.
func fraction(parts int) string {
	a, b := parts, whole
	for b != 0 {
		a, b = b, a%b
	}
	if a == whole {
		return strconv.Itoa(parts / whole)
	}
	return fmt.Sprintf("%d/%d", parts/a, whole/a)
}
