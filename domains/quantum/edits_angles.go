package quantum

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// anglePattern is an angle in numbers: a decimal, or a multiple of pi divided by a
// number.
var anglePattern = regexp.MustCompile(`^(-?)\s*(?:(\d+(?:\.\d*)?|\.\d+)|(?:(\d+(?:\.\d*)?)\s*\*\s*)?(?:pi|π)(?:\s*/\s*(\d+(?:\.\d*)?))?)$`)

// degrees reads an angle in radians. ok is false if it is not in numbers.
func degrees(radians string) (value float64, ok bool) {
	m := anglePattern.FindStringSubmatch(radians)
	if m == nil {
		return 0, false
	}
	number := func(text string) float64 {
		if text == "" {
			return 1
		}
		x, _ := strconv.ParseFloat(text, 64)
		return x
	}
	if m[2] != "" {
		value = number(m[2]) * 180 / math.Pi
	} else {
		value = number(m[3]) * 180 / number(m[4])
	}
	if m[1] == "-" {
		value = -value
	}
	return value, !math.IsInf(value, 0) && !math.IsNaN(value)
}

// fourDecimals writes a number with at most so many.
func fourDecimals(value float64) string {
	text := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(value, 'f', 4, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// angles calls do for each angle of a gate, in order.
func (f *file) angles(do func(p part)) {
	for i := range f.statements {
		s := &f.statements[i]
		for _, part := range f.partsOf(s) {
			if s.form == operation && part.name == "angle" {
				do(part)
			}
		}
	}
}

// nameAngles puts a name in the place of every angle in numbers.
func nameAngles(p struct {
	Document, To string
	First        string // name, such as theta_1
	Table        string
}) exact.Steps {
	type angle struct {
		radians string
		degrees float64
		uses    int
		name    string
	}
	forward := func(f *file) (vfs.Files, error) {
		known := map[string]*angle{}
		var all []*angle
		f.angles(func(p part) {
			text := f.textOf(p)
			value, ok := degrees(text)
			if !ok {
				return
			}
			if known[text] == nil {
				known[text] = &angle{radians: text, degrees: value}
				all = append(all, known[text])
			}
			known[text].uses++
		})
		if len(all) == 0 {
			return nil, errors.New("no angle in numbers")
		}
		slices.SortFunc(all, func(a, b *angle) int {
			return cmp.Or(cmp.Compare(a.degrees, b.degrees), strings.Compare(a.radians, b.radians))
		})
		next := exact.Counting(p.First)
		table := [][]string{{"name", "radians", "degrees", "uses"}}
		for n, a := range all {
			a.name = next("", n)
			if err := f.unused(a.name); err != nil {
				return nil, err
			}
			table = append(table, []string{a.name, a.radians, fourDecimals(a.degrees), strconv.Itoa(a.uses)})
		}
		var changes []splice
		f.angles(func(p part) {
			if a := known[f.textOf(p)]; a != nil {
				changes = append(changes, splice{f.tokens[p.from].start, f.tokens[p.to-1].end, a.name})
			}
		})
		return vfs.Files{p.To: f.spliced(changes), p.Table: plain.WriteCSV(table)}, nil
	}
	return rewrite(p.Document, p.To, forward, func(f *file, files vfs.Files) (string, error) {
		radians, err := exact.ReadRegister(files, p.Table, "name", "radians")
		text, _ := f.renamed(radians)
		return text, err
	})
}
