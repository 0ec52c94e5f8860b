package obj3d

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/obj3d"
)

// statement is a line of a file, with those that continue it.
type statement struct {
	lines   []string // as they stand
	keyword string   // empty in blank and comment lines
	words   []string // after the keyword
	comment string   // with its mark
}

// eachStatement reads lines as the format has them: a backslash at the end of one continues it, "#" begins a comment.
// The statement is another one when use has returned.
func eachStatement(lines []string, use func(*statement)) {
	var s statement
	var words []string
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && continues(lines[n-1]) {
			n++
		}
		s = statement{lines: lines[:n:n]}
		lines = lines[n:]
		words = words[:0]
		for _, line := range s.lines {
			if n > 1 {
				line = strings.TrimSuffix(strings.TrimRight(line, " \t"), `\`)
			}
			words = published.AppendFields(words, line)
		}
		s.divide(words)
		use(&s)
	}
}

func continues(line string) bool {
	if line == "" || !strings.Contains("\\ \t", line[len(line)-1:]) {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
}

// divide tells keyword, words and comment apart. In names and texts a mark may be part of a word.
func (s *statement) divide(words []string) {
	if len(words) == 0 {
		return
	}
	mark := -1
	if words[0][0] == '#' {
		mark = 0
	} else if hasNumbers(words[0]) {
		mark = slices.IndexFunc(words, func(word string) bool { return word[0] == '#' })
	}
	if mark >= 0 {
		s.comment = strings.Join(words[mark:], " ")
		words = words[:mark]
	}
	if len(words) > 0 {
		s.keyword, s.words = words[0], words[1:]
	}
	if hasNumbers(s.keyword) {
		for i, word := range s.words {
			s.words[i] = strings.TrimRight(word, ",") // a comma between numbers says no more than the blank
		}
	}
}

// hasNumbers reports whether a statement has only numbers after its keyword.
func hasNumbers(keyword string) bool {
	switch keyword {
	case "v", "vt", "vn", "f", "fo", "l", "p", "s",
		"Ka", "Kd", "Ks", "Ke", "Tf", "Ns", "Ni", "d", "Tr", "illum", "sharpness":
		return true
	}
	return false
}

// otherStatements are the keywords of the format that nothing more is known of:
// those of free-form curves and surfaces, and of display.
var otherStatements = map[string]bool{
	"vp": true, "cstype": true, "deg": true, "bmat": true, "step": true, "curv": true, "curv2": true, "surf": true,
	"parm": true, "trim": true, "hole": true, "scrv": true, "sp": true, "end": true, "con": true, "mg": true,
	"bevel": true, "c_interp": true, "d_interp": true, "lod": true, "shadow_obj": true, "trace_obj": true,
	"ctech": true, "stech": true, "call": true, "csh": true, "maplib": true, "usemap": true,
}

// listKinds are what the numbers of a corner refer to, in their order.
var listKinds = [...]string{"v", "vt", "vn"}

// isData reports whether a statement is a vertex, texture coordinate or normal, and of which list.
func (s *statement) isData() (list int, yes bool) {
	if s.keyword == "" || s.keyword[0] != 'v' {
		return 0, false
	}
	list = slices.Index(listKinds[:], s.keyword)
	return list, list >= 0 && slices.ContainsFunc(s.words, startsNumber)
}

// isShape reports whether a statement is a face, a line or points, and which.
func (s *statement) isShape() (kind int, yes bool) {
	switch s.keyword {
	case "f", "fo":
		kind = faceShape
	case "l":
		kind = polylineShape
	case "p":
		kind = pointsShape
	default:
		return 0, false
	}
	return kind, slices.ContainsFunc(s.words, startsNumber)
}

// isFace reports whether a statement is a face.
func (s *statement) isFace() bool {
	kind, yes := s.isShape()
	return yes && kind == faceShape
}

func startsNumber(word string) bool {
	digits := strings.TrimLeft(word, "+-.")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

// reference is the number in a corner of a shape: counted from 1, or from the end backwards if it is negative.
type reference struct {
	number int
	there  bool // whether the corner has that number
	valid  bool // whether it is one
}

// readCorner reads the numbers of a corner, such as 5/2/1. A corner with more than three is not valid.
func readCorner(word string) (corner [3]reference, valid bool) {
	valid = true
	for place := range corner {
		part, rest, more := strings.Cut(word, "/")
		if part != "" {
			number, err := strconv.Atoi(part)
			corner[place] = reference{number: number, there: true, valid: err == nil && number != 0}
		}
		valid = valid && (part == "" || corner[place].valid)
		if !more {
			return corner, valid && corner[0].there
		}
		word = rest
	}
	return corner, false
}

// without leaves out faces. Vertices stay, so that no number changes.
func without(name, text string, leave func() bool) string {
	if !published.HasSuffix(name, published.MeshSuffix) {
		return text
	}
	var kept []string
	eachStatement(plain.Lines(text), func(s *statement) {
		if !s.isFace() || !leave() {
			kept = append(kept, s.lines...)
		}
	})
	return plain.Text(kept)
}

// name is the words of a statement that names something.
func (s *statement) name() string { return strings.Join(s.words, " ") }
