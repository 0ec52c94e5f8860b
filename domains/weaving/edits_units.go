package weaving

import (
	"errors"
	"fmt"
	"iter"
	"math/big"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// length is an entry that was converted.
type length struct {
	Section     string `json:"section"`
	Key         string `json:"key"`
	Centimeters string `json:"centimeters"`
}

// inInches converts the systems, warp and weft, that are in centimetres.
func inInches(p struct{ Document, To, List string }) exact.Steps {
	change := func(f *file) (plain.Array[length], error) {
		lengths := []length{}
		converted := false
		for _, system := range []string{"WARP", "WEFT"} {
			unit := f.setting(system, "Units")
			if unit == nil || !strings.EqualFold(unit.value, "centimeters") {
				continue
			}
			unit.value = "inches"
			converted = true
			for section, l := range f.lengths(system) {
				inches, err := inchesOf(l.value)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", section, l.key, err)
				}
				lengths = append(lengths, length{section, l.key, l.value})
				l.value = inches
			}
		}
		if !converted {
			return nil, errors.New("neither warp nor weft is in centimeters")
		}
		return lengths, nil
	}
	return exact.Keeping(&drafts, p.Document, p.To, p.List, change, func(f *file, lengths plain.Array[length]) error {
		was := map[length]string{} // without its value
		systems := map[string]bool{}
		for _, l := range lengths {
			was[length{Section: l.Section, Key: l.Key}] = l.Centimeters
			system, _, _ := strings.Cut(l.Section, " ")
			systems[system] = true
		}
		for _, system := range []string{"WARP", "WEFT"} {
			if unit := f.setting(system, "Units"); unit != nil && systems[system] {
				unit.value = "centimeters"
			}
			for section, l := range f.lengths(system) {
				if old, known := was[length{Section: section, Key: l.key}]; known {
					l.value = old
				}
			}
		}
		return nil
	})
}

// lengths are the entries of warp or weft that are lengths, each with its section.
func (f *file) lengths(system string) iter.Seq2[string, *line] {
	return func(yield func(string, *line) bool) {
		for _, name := range []string{system, system + " SPACING", system + " THICKNESS"} {
			for _, l := range f.section(name).entries() {
				isLength := name != system || strings.EqualFold(l.key, "Spacing") || strings.EqualFold(l.key, "Thickness")
				if isLength && !yield(name, l) {
					return
				}
			}
		}
	}
}

// inchesOf has four decimals, rounded half up.
func inchesOf(centimeters string) (string, error) {
	number := plain.Number(centimeters)
	value, ok := new(big.Rat).SetString(number)
	if !ok || strings.Trim(number, "0123456789.") != "" {
		return "", fmt.Errorf("%q is not a length", centimeters)
	}
	return value.Quo(value, big.NewRat(254, 100)).FloatString(4), nil
}
