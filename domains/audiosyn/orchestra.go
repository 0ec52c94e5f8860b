package audiosyn

import (
	"cmp"
	"hash/fnv"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
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

// block is an instrument or a user-defined opcode, or (the first) all that stands outside of them.
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
		if label, end, ok := cutLabel(code); ok {
			s.code = label
			all = append(all, statement{first: int32(i), last: int32(i), code: end})
		}
	}
	if parts != nil {
		all[len(all)-1].code = strings.Join(parts, " ")
	}
	return all
}

// labelledEnd is the end of a block with a label before it on its line.
var labelledEnd = lazyregexp.New(`^(\w+:)\s*(endin|endop)$`)

// cutLabel divides a line at the label before the end of a block.
func cutLabel(code string) (label, end string, ok bool) {
	m := labelledEnd.FindStringSubmatch(code)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// openMacro reports whether a line begins a macro that goes on.
func openMacro(code string) bool {
	return strings.HasPrefix(code, "#define") && strings.Count(code, "#") == 2
}

// classify finds out what a statement is; outside is whether it stands in no block.
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

// mostImplied is how many p-fields a score may leave to those before them without a dot.
const mostImplied = 1 << 18

// carrier resolves the p-fields that an event takes from the one before it, of the
// same instrument in the same section of the score.
type carrier struct {
	last    map[string]*[]string // by instrument
	implied int
}

func newCarrier() *carrier { return &carrier{last: map[string]*[]string{}} }

// endSection forgets all events.
func (c *carrier) endSection() { clear(c.last) }

// resolve returns the p-fields of an event in their normal form.
func (c *carrier) resolve(code string, words []span) []string {
	fields := words[1:]
	name := normal(fields[0].of(code))
	last := c.last[wholeNumber(name)]
	if last == nil {
		last = new([]string)
		c.last[wholeNumber(name)] = last
	}
	all := []string{name}
	stopped := false
	for n, f := range fields[1:] {
		word := f.of(code)
		if stopped = word == "!"; stopped {
			break
		}
		all = append(all, carried(word, n+1, *last))
	}
	if more := len(*last) - len(all); !stopped && more > 0 && c.implied+more <= mostImplied {
		c.implied += more
		all = append(all, (*last)[len(all):]...)
	}
	*last = all
	return all
}

// remember makes p-fields those of the last event of its instrument.
func (c *carrier) remember(fields []string) { *c.last[wholeNumber(fields[0])] = fields }

// carried is the value of a p-field, given the event before.
func carried(word string, n int, before []string) string {
	if n >= len(before) {
		return normal(word)
	}
	switch {
	case word == ".":
		return before[n]
	case n == 1 && word == "+" && len(before) > 2:
		if sum, ok := added(before[1], before[2]); ok {
			return sum
		}
	case n == 1 && strings.HasPrefix(word, "^"):
		if sum, ok := added(before[1], word[1:]); ok {
			return sum
		}
	}
	return normal(word)
}

// wholeNumber is an instrument's number without its fraction, by which tied notes are told apart.
func wholeNumber(name string) string {
	whole, fraction, found := strings.Cut(name, ".")
	if found && strings.Trim(whole+fraction, "0123456789") == "" {
		return whole
	}
	return name
}

func added(a, b string) (string, bool) {
	x, known := readDecimal(a)
	y, too := readDecimal(b)
	if !known || !too {
		return "", false
	}
	return decimal(x.Add(x, y)), true
}

// readDecimal reads a number of at most nine digits before the point and eight after it.
func readDecimal(text string) (*big.Rat, bool) {
	digits := strings.TrimLeft(text, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(text)-len(digits) > 1 || len(whole) > 9 || len(fraction) > 8 || whole+fraction == "" ||
		strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// decimal writes a number without idle zeros.
func decimal(number *big.Rat) string {
	const most = 12 // places, more than numbers have that are reckoned with
	return strings.TrimSuffix(strings.TrimRight(number.FloatString(most), "0"), ".")
}

func float(number *big.Rat) float64 {
	f, _ := number.Float64()
	return f
}

// short is a value as it stands, or the beginning and a digest of one so long that many events could not carry it.
func short(value string) string {
	const longest, kept = 80, 40
	if len(value) <= longest {
		return value
	}
	digest := fnv.New64a()
	digest.Write([]byte(value))
	return value[:kept] + "… " + strconv.FormatUint(digest.Sum64(), 16)
}
