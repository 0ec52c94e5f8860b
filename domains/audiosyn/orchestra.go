package audiosyn

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

type codeKind uint8

const (
	noCode      codeKind = iota // blank, or nothing but comments
	codeLine                    // a statement
	instrHead                   // the line that begins an instrument
	opcodeHead                  // the line that begins a user-defined opcode
	blockEnd                    // endin or endop
	settingLine                 // sr = 48000 and the like
	macroCode                   // #define
)

// statement is a statement of an orchestra, which may go on over several lines.
type statement struct {
	kind        codeKind
	first, last int32 // the lines
	block       int32 // in which it stands
	above       bool  // a comment above the block
	code        string
	comments    []string
}

// block is an instrument or a user-defined opcode, or (the first) all that stands
// outside of them.
type block struct {
	name   string // such as "instr 1"
	head   string // the code that begins it
	closed bool
	rank   int // the number of an instrument, 0 outside of instruments
}

// orchestra is the orchestra lines of a file.
type orchestra struct {
	statements []statement
	blocks     []block
}

// readOrchestra divides the orchestra lines of a file into statements and blocks.
func readOrchestra(lines []line) orchestra {
	o := orchestra{statements: statementsOf(lines), blocks: []block{{closed: true}}}
	open := int32(0)
	for i := range o.statements {
		s := &o.statements[i]
		s.classify(open == 0)
		switch s.kind {
		case instrHead, opcodeHead:
			open = int32(len(o.blocks))
			o.blocks = plain.Append(o.blocks, newBlock(s))
			o.adopt(i, open)
		case blockEnd:
			if o.blocks[open].closed { // outside of any
				s.kind = codeLine
				break
			}
			o.blocks[open].closed = true
			s.block = open
			open = 0
			continue
		}
		s.block = open
	}
	return o
}

// adopt gives a block the comments right above it.
func (o *orchestra) adopt(head int, name int32) {
	for i := head - 1; i >= 0; i-- {
		s := &o.statements[i]
		if s.kind != noCode || s.block != 0 || s.above {
			return
		}
		s.block, s.above = name, true
	}
}

// lastRank is that of instruments that have names, and beyond all numbers.
const lastRank = 1 << 30

func newBlock(s *statement) block {
	words := strings.Fields(s.code)
	b := block{head: s.code, name: words[0]}
	if s.kind == opcodeHead {
		if len(words) > 1 {
			b.name += " " + short(strings.TrimRight(words[1], ","))
		}
		return b
	}
	b.name += " " + short(strings.Join(instrumentNames(s.code), ", "))
	b.rank = lastRank
	if d, ok := readDecimal(strings.Trim(strings.Join(words[1:], ""), ", ")); ok && float(d) >= 1 {
		b.rank = int(min(float(d), lastRank))
	}
	return b
}

// instrumentNames are the numbers or names after instr.
func instrumentNames(code string) []string {
	return strings.FieldsFunc(code[len("instr"):], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// statementsOf joins the lines that belong to one statement.
func statementsOf(lines []line) []statement {
	all := make([]statement, 0, lists.Count(lines, (*line).inOrchestra))
	var scan scanner
	var parts []string // of a statement that goes on
	for i := range lines {
		if !lines[i].inOrchestra() {
			continue
		}
		code, comments := scan.scan(lines[i].text)
		if parts == nil {
			all = append(all, statement{first: int32(i)})
		}
		s := &all[len(all)-1]
		s.last = int32(i)
		s.comments = append(s.comments, comments...)
		code = strings.Trim(code, " \t\r\f\v")
		text, goesOn := strings.CutSuffix(code, `\`)
		if goesOn || scan.braces || parts == nil && openMacro(code) ||
			parts != nil && openMacro(parts[0]) && !strings.Contains(code, "#") {
			parts = plain.Append(parts, text)
			continue
		}
		if parts != nil {
			code = strings.Join(append(parts, code), " ")
			parts = nil
		}
		s.code = code
	}
	if parts != nil {
		all[len(all)-1].code = strings.Join(parts, " ")
	}
	return all
}

// openMacro reports whether a line begins a macro that goes on.
func openMacro(code string) bool {
	return strings.HasPrefix(code, "#define") && strings.Count(code, "#") == 2
}

// classify finds out what a statement is; outside is whether it stands in no
// block.
func (s *statement) classify(outside bool) {
	word := firstWord(s.code)
	switch {
	case s.code == "":
		s.kind = noCode
	case word == "instr" && len(s.code) > len(word) && isBlank(s.code[len(word)]):
		s.kind = instrHead
	case word == "opcode" && len(s.code) > len(word) && isBlank(s.code[len(word)]):
		s.kind = opcodeHead
	case s.code == "endin" || s.code == "endop":
		s.kind = blockEnd
	case word == "#define":
		s.kind = macroCode
	case outside && slices.Contains(settings, word) && strings.HasPrefix(strings.TrimLeft(s.code[len(word):], " \t"), "="):
		s.kind = settingLine
	default:
		s.kind = codeLine
	}
}

var settings = []string{"sr", "kr", "ksmps", "nchnls", "nchnls_i", "0dbfs", "A4"}

// firstWord is the run of word characters, or of #define, that a text begins with.
func firstWord(code string) string {
	n := 0
	for n < len(code) && (isWordByte(code[n]) || n == 0 && code[n] == '#') {
		n++
	}
	return code[:n]
}

// order lists the blocks as Csound plays them: numbered instruments by number,
// those with names after them in the order of the file.
func (o *orchestra) order() []int {
	return lists.Order(len(o.blocks), func(a, b int) int { return cmp.Compare(o.blocks[a].rank, o.blocks[b].rank) })
}
