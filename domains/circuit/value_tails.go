package circuit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// The classes of characters in the rest of a line.
const (
	spaceClass uint8 = 1 << iota
	wordClass
	partClass // of a parameter's value
)

var asciiClasses = func() (classes [128]uint8) {
	for c := range rune(128) {
		classes[c] = findClass(c)
	}
	return classes
}()

func classOf(c rune) uint8 {
	if c < 128 {
		return asciiClasses[c]
	}
	return findClass(c)
}

func findClass(c rune) uint8 {
	switch {
	case pytext.IsSpace(c):
		return spaceClass | partClass
	case pytext.IsWord(c):
		return wordClass | partClass
	case strings.ContainsRune("{}()-+*/%.,'\"", c):
		return partClass
	}
	return 0
}

// findTails finds where the rest of the line is nothing but parameters, a comment
// after a semicolon, a backslash and blanks. It runs the states of that pattern
// from the end to the beginning, so that it takes linear time: each says whether
// the text from the place in hand on can be read from that state.
func (r *formReader) findTails() {
	r.tails = slices.Grow(r.tails[:0], len(r.text)+1)[:len(r.text)+1]
	clear(r.tails)
	var s tailStates
	s.blank, s.end, s.comment, s.between = true, true, true, true
	s.inKey, s.afterKey, s.inValue = s.bare(r.kind), s.bare(r.kind), true
	r.tails[len(r.text)] = true
	for i := len(r.text); i > 0; {
		c, size := utf8.DecodeLastRuneInString(r.text[:i])
		i -= size
		s = s.before(c, r.kind)
		r.tails[i] = s.between
	}
}

// tailStates are what can follow at a place in the rest of a line.
type tailStates struct {
	blank    bool // blanks to the end
	end      bool // perhaps a backslash, then blanks
	spaced   bool // blanks, then a semicolon
	comment  bool // perhaps a comment, then the end
	between  bool // parameters, or the comment and the end
	keySoon  bool // blanks, then a parameter's name
	inKey    bool // the rest of a parameter's name
	afterKey bool // an equals sign, or what follows a parameter without a value
	valued   bool // blanks, then a value
	inValue  bool // the rest of a value
}

// bare reports whether a parameter may lack a value.
func (tailStates) bare(kind valueForm) bool { return kind != sourceValue && kind != instanceValue }

// before returns the states one character earlier.
func (s tailStates) before(c rune, kind valueForm) tailStates {
	class := classOf(c)
	space, word, part := class&spaceClass != 0, class&wordClass != 0, class&partClass != 0
	var t tailStates
	t.blank = space && s.blank
	t.end = t.blank || c == '\\' && s.blank
	t.spaced = space && s.spaced || c == ';'
	t.comment = t.end || space && s.spaced
	t.keySoon = space && s.keySoon || word && s.inKey
	t.between = t.comment
	if kind != factorValue {
		t.between = t.between || space && s.keySoon
	}
	t.valued = space && s.valued || part && s.inValue
	t.afterKey = space && s.afterKey || c == '=' && (s.valued || kind == instanceValue)
	if s.bare(kind) {
		t.afterKey = t.afterKey || t.between
	}
	t.inKey = word && s.inKey || t.afterKey
	t.inValue = part && s.inValue || t.between
	return t
}
