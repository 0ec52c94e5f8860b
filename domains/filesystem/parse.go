package filesystem

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// listed is what the published evaluator keeps of a path.
type listed struct {
	mode  string
	size  float64
	sized bool // false where the listing has a dash
}

// tree is the published evaluator's reading of a listing.
type tree struct {
	paths []string // in the order they are first met
	of    map[string]listed
}

// parse reads a document as the published evaluator does: of the files that
// are named as listings, the lines of the exact form, the last of each path.
func parse(files vfs.Files) (tree, error) {
	t := tree{of: map[string]listed{}}
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

// parseLine takes six digits, a dash or digits, and the path. A comment is no
// such line.
func parseLine(line string) (path string, l listed, ok bool) {
	mode, size, path := columns(line)
	if utf8.RuneCountInString(mode) != 6 || !isDigits(mode) || path == "" {
		return "", l, false
	}
	l.mode = mode
	if l.sized = size != "-"; l.sized {
		number, _ := pytext.Float(size)
		l.size = min(number, math.MaxFloat64)
	}
	return path, l, !l.sized || isDigits(size)
}

// columns divides a line, without blanks around it, at the first two runs of
// blanks.
func columns(line string) (mode, size, path string) {
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

// isDigits reports whether a text is decimal digits of any script.
func isDigits(text string) bool { return text != "" && strings.TrimFunc(text, unicode.IsDigit) == "" }

// directory reports whether the published score takes a mode for that of a
// directory.
func (l *listed) directory() bool { return strings.HasPrefix(l.mode, "040") }

func (l *listed) executable() bool { return l.mode == "100755" }
