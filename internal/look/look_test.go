package look

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// colour is linear red, green and blue from 0 to 1.
type colour [3]float64

// variables are the colours of the style sheet, for light screens and dark ones.
func variables(t *testing.T) map[string]map[string]colour {
	t.Helper()
	light, dark, found := strings.Cut(Style(), "(prefers-color-scheme: dark)")
	if !found {
		t.Fatal("there is no dark mode")
	}
	dark, _, _ = strings.Cut(dark, "}\n}")
	all := map[string]map[string]colour{"light": {}, "dark": {}}
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6})`).FindAllStringSubmatch(text, -1) {
			value, err := strconv.ParseUint(m[2], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			var c colour
			for i := range c {
				c[i] = linear(float64(value>>(16-8*i)&0xff) / 255)
			}
			all[scheme][m[1]] = c
		}
	}
	if len(all["light"]) != len(all["dark"]) || len(all["light"]) < 25 {
		t.Fatalf("%d colours are light, %d dark", len(all["light"]), len(all["dark"]))
	}
	return all
}

// linear undoes the curve of sRGB.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// contrast is that of WCAG 2: from 1 to 21.
func contrast(a, b colour) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c colour) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func TestContrast(t *testing.T) {
	t.Parallel()
	for scheme, of := range variables(t) {
		least := func(least float64, front string, grounds ...string) {
			for _, ground := range grounds {
				if got := contrast(of[front], of[ground]); got < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, less than %g", scheme, front, ground, got, least)
				}
			}
		}
		grounds := []string{"paper", "band", "lost", "lost-word", "added", "added-word"}
		for g := range 7 {
			grounds = append(grounds, fmt.Sprintf("g%d", g))
		}
		least(4.5, "ink", grounds...)
		for _, text := range []string{"quiet", "link", "alarm"} {
			least(4.5, text, "paper", "band")
		}
		for n := range SeriesColours {
			least(3, Series(n), "paper")
		}
	}
}

// blindness turns colours into what readers see who lack one kind of cones (Machado, Oliveira
// and Fernandes, 2009, severity 1).
var blindness = map[string][3][3]float64{
	"all cones":    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

// lab is a colour in CIELAB (white of D65).
func lab(c colour) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(luminance(c))
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Lines that are both drawn through, and those that are both dashed, differ in colour for
// readers who lack red or green cones; so do what was lost and what was added, and the best and
// the worst scores.
func TestColoursCanBeToldApart(t *testing.T) {
	t.Parallel()
	const least = 12 // CIE 1976; 2.3 is just noticeable
	for scheme, of := range variables(t) {
		for who, matrix := range blindness {
			apart := func(a, b string, least float64) {
				t.Helper()
				var seen [2]colour
				for k, c := range []colour{of[a], of[b]} {
					for i := range 3 {
						for j := range 3 {
							seen[k][i] += matrix[i][j] * c[j]
						}
						seen[k][i] = min(max(seen[k][i], 0), 1)
					}
				}
				x, y := lab(seen[0]), lab(seen[1])
				if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < least {
					t.Errorf("%s, %s: %s and %s are %.1f apart, less than %g", scheme, who, a, b, d, least)
				}
			}
			const dashed = 3 // from here on, see look.css
			for n := range SeriesColours {
				for k := range n {
					if (n < dashed) == (k < dashed) {
						apart(Series(k), Series(n), least)
					}
				}
			}
			apart("lost-word", "added-word", 2*least)
			apart("lost", "added", least)
			apart("g0", "g6", 2*least)
			for g := range 6 {
				apart(fmt.Sprintf("g%d", g), fmt.Sprintf("g%d", g+1), 3)
			}
		}
	}
	if Series(SeriesColours) != "grey" {
		t.Error("there are more colours than can be told apart")
	}
}
