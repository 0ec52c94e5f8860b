// Package filesystem is the published reading and score of the domain filesystem.
//
// Let R and C be the maps of reference and candidate, M = the paths they share.
//
//   - path_coverage = |M| / |R ∪ C| (both empty → 1; exactly one empty → 0).
//   - type_accuracy = share of M whose type is equal; M empty → 0.
//   - mode_accuracy = share of M whose mode string is equal; M empty → 0.
//   - size_accuracy = mean over the paths of M for which both sizes are numbers of min/max (0 and 0 → 1; exactly one 0
//     → 0). No such path → 1.
//   - coverage_factor = |M| / |R|; with R empty: 1 if C is empty too, else 0.
//
// score = coverage_factor × (0.30·path_coverage + 0.25·type_accuracy + 0.25·size_accuracy + 0.20·mode_accuracy)
//
// No rounding, no thresholds, no difflib, no fuzzy matching. Details reported: the four components, ref_entry_count,
// gen_entry_count.
//
// Special cases: empty reference against empty candidate scores 0.55 (0.30 + 0.25), not 1; a reference must therefore
// hold at least one entry.
//
// R, or ratio, is that of package ratio, with the reference first.
package filesystem

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// listed is what the published evaluator keeps of a path.
type listed struct {
	mode  string
	size  float64
	sized bool // false where the listing has a dash
}

// Tree is the published evaluator's reading of a listing.
type Tree struct {
	paths []string // in the order they are first met
	of    map[string]listed
}

// Parse reads a document as the published evaluator does: of the files that
// are named as listings, the lines of the exact form, the last of each path.
func Parse(files vfs.Files) (Tree, error) {
	t := Tree{of: map[string]listed{}}
	for _, name := range files.Names() {
		if !strings.HasSuffix(name, ".txt") {
			continue
		}
		for line := range strings.SplitSeq(files[name], "\n") {
			if path, l, ok := parseLine(pytext.Strip(line)); ok {
				if _, known := t.of[path]; !known {
					t.paths = append(t.paths, path)
				}
				t.of[path] = l
			}
		}
	}
	return t, nil
}

// parseLine takes six digits, a dash or digits, and the path. A comment is no such line.
func parseLine(line string) (path string, l listed, ok bool) {
	mode, size, path := Columns(line)
	if utf8.RuneCountInString(mode) != 6 || !IsDigits(mode) || path == "" {
		return "", l, false
	}
	l.mode = mode
	if l.sized = size != "-"; l.sized {
		number, _ := pytext.Float(size)
		l.size = min(number, math.MaxFloat64)
	}
	return path, l, !l.sized || IsDigits(size)
}

// Columns divides a line, without blanks around it, at the first two runs of blanks.
func Columns(line string) (mode, size, path string) {
	mode, line = cut(line)
	size, path = cut(line)
	return mode, size, path
}

// cut returns a line up to its first blank, and what follows the blanks.
func cut(line string) (column, rest string) {
	if i := strings.IndexFunc(line, pytext.IsSpace); i >= 0 {
		return line[:i], pytext.StripLeft(line[i:])
	}
	return line, ""
}

// IsDigits reports whether a text is decimal digits of any script.
func IsDigits(text string) bool { return text != "" && strings.TrimFunc(text, unicode.IsDigit) == "" }

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
			quotients += sets.Quotient(ref.size, got.size)
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

// directory reports whether the published score takes a mode for that of a directory.
func (l *listed) directory() bool { return strings.HasPrefix(l.mode, "040") }

func (l *listed) executable() bool { return l.mode == "100755" }
