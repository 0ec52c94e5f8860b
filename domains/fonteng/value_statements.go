package fonteng

import "strings"

// block is a feature, lookup, table or group of names that is being read, or
// the file. Its statements are in the canonical text that is compared.
type block struct {
	keyword  string // "feature", "lookup", ...; empty for the file
	name     string
	header   string // what comes before the brace
	closing  string // what comes after the last brace
	indent   string // of its statements
	tag      string // of the feature in which it is, padded
	vertical bool   // a lone number is an advance in height
	// statement reads one statement, the first token of which is current.
	statement  func(p *parser)
	outside    *block
	depth      int
	statements []statement
	anchors    map[string]bool
	values     map[string]valueRecord
	axes       []string            // that a STAT table has defined
	baselines  map[string][]string // of a BASE table, by axis
}

// statement is a statement in canonical text.
type statement struct {
	text       string
	broken     string  // why the published program cannot print it, if it cannot
	single     *single // of a substitution of single glyphs
	isMultiple bool    // a substitution of one glyph by several or none
	inContext  bool    // a rule with marks or a context
}

// single is a substitution that may have to be spelled out for each glyph.
type single struct {
	pattern  pattern
	from, to *glyphs
}

const shift = "    "

// text is the canonical text of a block, and why it cannot be printed.
func (b *block) text() (text, broken string) {
	outer := strings.TrimSuffix(b.indent, shift)
	var t strings.Builder
	if b.keyword == "names" {
		t.WriteString(outer) // a second time
	}
	t.WriteString(b.header)
	t.WriteString(" {\n")
	for i := range b.statements {
		s := &b.statements[i]
		if s.broken != "" {
			broken = s.broken
		}
		t.WriteString(b.indent)
		t.WriteString(s.text)
		t.WriteString("\n")
	}
	t.WriteString(outer)
	t.WriteString("}")
	t.WriteString(b.closing)
	t.WriteString(";\n")
	return t.String(), broken
}

// spelled returns the statements with each substitution of single glyphs
// written glyph by glyph, if the block has some of single glyphs and some of one
// glyph by several: these belong into one lookup, which must be of one type. The
// last of either kind decides for its kind.
func (b *block) spelled() []statement {
	hasSingle, hasMultiple := false, false
	for i := range b.statements {
		switch s := &b.statements[i]; {
		case s.single != nil:
			hasSingle = !s.inContext
		case s.isMultiple:
			hasMultiple = !s.inContext
		}
	}
	if !hasSingle || !hasMultiple {
		return b.statements
	}
	var spelled []statement
	for _, s := range b.statements {
		if s.single == nil {
			spelled = append(spelled, s)
			continue
		}
		from, to := s.single.from.names(), s.single.to.names()
		for i, name := range from {
			into := to[min(i, len(to)-1)]
			text := "sub " + s.single.pattern.around(escaped(name), s.inContext) + " by " + escaped(into) + ";"
			spelled = append(spelled, statement{text: text, isMultiple: true, inContext: s.inContext})
		}
	}
	return spelled
}
