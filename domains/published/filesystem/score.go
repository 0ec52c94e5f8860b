package filesystem

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
)

// Stats counts the parts of a document.
func Stats(t Tree) domains.Stats {
	var directories, files, executables int
	var size float64
	for _, l := range t.of {
		switch {
		case l.directory():
			directories++
		case l.executable():
			executables++
		default:
			files++
		}
		size += l.size
	}
	return domains.Stats{Elements: len(t.of), Counts: []domains.Count{
		{Name: "Entries", Value: strconv.Itoa(len(t.of))},
		{Name: "Directories", Value: strconv.Itoa(directories)},
		{Name: "Files", Value: strconv.Itoa(files)},
		{Name: "Executables", Value: strconv.Itoa(executables)},
		{Name: "Total Size", Value: grouped(size) + " B"},
	}}
}

// grouped is a whole number with a comma between groups of three digits.
func grouped(number float64) string {
	text := fmt.Sprintf("%.0f", number)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Score is coverage · (0.30 paths + 0.25 types + 0.25 sizes + 0.20 modes), where coverage is the share of the
// reference's paths that are still there and paths the share of common paths among all.
func Score(reference, candidate Tree) domains.Reading {
	common, sameType, sameMode, sized := 0, 0, 0, 0
	quotients := 0.0
	for _, path := range reference.paths {
		ref := reference.of[path]
		got, ok := candidate.of[path]
		if !ok {
			continue
		}
		common++
		if ref.mode == got.mode {
			sameMode++
		}
		if ref.directory() == got.directory() && ref.executable() == got.executable() {
			sameType++
		}
		if ref.sized && got.sized {
			sized++
			quotients += quotient(ref.size, got.size)
		}
	}
	all := len(reference.of) + len(candidate.of) - common
	parts := map[string]float64{
		"coverage": share(common, len(reference.of)),
		"paths":    share(common, all),
		"types":    0,
		"sizes":    1,
		"modes":    0,
	}
	if len(reference.of) == 0 && len(candidate.of) > 0 {
		parts["coverage"] = 0
	}
	if common > 0 {
		parts["types"], parts["modes"] = share(sameType, common), share(sameMode, common)
	}
	if sized > 0 {
		parts["sizes"] = quotients / float64(sized)
	}
	// The conversions keep products and sums from being fused on some machines.
	return domains.Reading{
		RS: parts["coverage"] * (float64(0.30*parts["paths"]) + float64(0.25*parts["types"]) +
			float64(0.25*parts["sizes"]) + float64(0.20*parts["modes"])),
		Components: parts,
		Elements:   domains.Elements{Reference: len(reference.of), Candidate: len(candidate.of)},
	}
}

// share is a part of a whole, 1 where there is nothing to have a part of.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func quotient(a, b float64) float64 {
	if a == b {
		return 1
	}
	return min(a, b) / max(a, b)
}

// directory reports whether the published score takes a mode for that of a directory.
func (l *listed) directory() bool { return strings.HasPrefix(l.mode, "040") }

func (l *listed) executable() bool { return l.mode == "100755" }
