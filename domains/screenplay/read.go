package screenplay

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/screenplay"
	"agentd/internal/lazyregexp"
)

// The kinds of blocks, which are those of elements.
const (
	heading   = "heading"
	character = "character" // an entry of the cast
	counted   = "speech"
	direction = "direction" // a stage direction of its own
	prose     = "line"      // the scene, and what is nothing else
)

// section is a part of a play.
type section uint8

const (
	front section = iota // above the first heading
	cast
	scene
	dialogue
)

// sectionNames are the words of the headings that begin sections.
var sectionNames = [...]string{cast: "CHARACTERS", scene: "SCENE", dialogue: "DIALOGUE"}

// block is a part of a play.
type block struct {
	kind  string
	in    section  // for a heading, the section that it begins or stands in
	lines []string // as written, without blanks around them
	label          // of a speech or a character; its name is a heading's title
	rest  string   // what stands after the label on its line
	from  int      // the number of its first line, from 0
}

// text returns the lines of a block without its label.
func (b *block) text() []string {
	if b.kind != counted && b.kind != character {
		return b.lines
	}
	return append([]string{b.rest}, b.lines[1:]...)
}

// play is a play as people read it.
type play struct{ blocks []block }

// reader reads a play line by line.
type reader struct {
	play
	lines []string // without blanks around them
	in    section
	known map[string]bool // names of characters and speakers, as written and folded
	open  bool            // the last block goes on
	// isFountain says that names of speakers stand alone on their lines; isHead, that the title page goes on.
	isFountain, isHead bool
}

// read reads the lines of a play, tolerantly. It keeps them, and takes the blanks around them away.
func read(lines []string) play {
	r := reader{lines: lines, known: map[string]bool{}, isFountain: isFountain(lines)}
	r.isHead = r.isFountain && len(lines) > 0 && titleEntry.MatchString(lines[0])
	for at := range lines {
		lines[at] = pytext.Strip(lines[at])
		if lines[at] == "" {
			r.isHead = false
			r.close()
			continue
		}
		r.line(at)
	}
	r.close()
	return r.play
}

// readText reads a play of one file.
func readText(text string) play { return read(plain.Lines(text)) }

// line takes a line that is not blank.
func (r *reader) line(at int) {
	line := r.lines[at]
	if title, in, rest, ok := cutHeading(line); ok {
		r.heading(title, in, pytext.StripRight(strings.TrimSuffix(line, rest)), at)
		if rest != "" {
			r.lines[at] = rest
			r.line(at)
		}
		return
	}
	switch {
	case r.isFountain:
		r.fountainLine(line, at)
	case r.in == cast && r.castLine(line, at):
	case r.in == front && strings.HasPrefix(line, "-") && r.castLine(line, at):
	case r.speechLine(line, at):
	case r.open:
		b := &r.blocks[len(r.blocks)-1]
		b.lines = r.lines[b.from : at+1 : at+1]
	case r.in != scene && r.in != cast && opensDirection(line):
		r.add(block{kind: direction}, at)
	default:
		r.add(block{kind: prose}, at)
	}
}

var (
	sceneHeading = lazyregexp.New(`^(?:\.?(?i:INT|EXT|EST|INT\.?/EXT|I/E)[. ]|\.\w)`)
	titleEntry   = lazyregexp.New(`^[A-Z][\w ]*:`)
)

// isFountain reports whether lines are a screenplay in Fountain: there are headings of scenes, and more names that stand alone
// above what is said than names with a colon.
func isFountain(lines []string) bool {
	if !slices.ContainsFunc(lines, isSceneHeading) {
		return false
	}
	names, colons := 0, 0
	for at, line := range lines {
		switch line = pytext.Strip(line); {
		case line == "", isSceneHeading(line):
		case isCue(lines, at):
			names++
		default:
			if l, _, ok := cutLabel(line); ok && isCapitals(l.name) {
				colons++
			}
		}
	}
	return names > colons
}

func isSceneHeading(line string) bool {
	line = pytext.Strip(line)
	return line != "" && strings.IndexByte(".EIei", line[0]) >= 0 && sceneHeading.MatchString(line)
}

// isCue reports whether a name of a speaker stands alone on a line: in capitals, or after @, with a blank line above it and
// something below it.
func isCue(lines []string, at int) bool {
	if at > 0 && !isBlank(lines[at-1]) || at+1 == len(lines) || isBlank(lines[at+1]) {
		return false
	}
	line := pytext.Strip(lines[at])
	if strings.HasPrefix(line, "@") {
		return true
	}
	name, _, _ := strings.Cut(line, "(")
	return !isSceneHeading(line) && !strings.ContainsAny(line[:min(len(line), 1)], "#>!=~.") && !strings.HasSuffix(line, ":") &&
		len(line) <= longestName && isCapitals(name)
}

func isBlank(line string) bool { return pytext.Strip(line) == "" }

// fountainLine takes a line of a screenplay: a heading of a scene, the name of who speaks, what goes on above it, or an action.
func (r *reader) fountainLine(line string, at int) {
	switch {
	case r.open:
		b := &r.blocks[len(r.blocks)-1]
		b.lines = r.lines[b.from : at+1 : at+1]
	case r.isHead:
		r.add(block{kind: prose}, at)
	case isSceneHeading(line):
		r.heading(foldTitle(line), front, line, at)
	case isCue(r.lines, at):
		name, manner, _ := strings.Cut(strings.TrimPrefix(line, "@"), "(")
		if manner != "" {
			manner = "(" + manner
		}
		l := label{name: pytext.Strip(strings.TrimRight(name, "^ ")), manner: manner}
		r.know(l.name)
		r.add(block{kind: counted, label: l}, at)
	default:
		r.add(block{kind: direction}, at)
	}
}

// heading begins a section, or stands in one. One that repeats the section in hand says nothing.
func (r *reader) heading(title string, in section, line string, at int) {
	r.close()
	if in != front {
		if in == r.in && title == sectionNames[in] {
			return
		}
		r.in = in
	}
	r.add(block{kind: heading, label: label{name: title}}, at)
	r.blocks[len(r.blocks)-1].lines = []string{line}
	r.close()
}

// castLine takes a line that begins an entry of the cast.
func (r *reader) castLine(line string, at int) bool {
	l, rest, ok := cutLabel(line)
	listed := cutBullet(line) != line
	if !ok && !listed || ok && !listed && r.open && !isCapitals(l.name) {
		return false
	}
	if !ok {
		l, rest = label{name: strings.Trim(pytext.Strip(cutBullet(line)), emphasis)}, ""
	}
	r.know(l.name)
	r.add(block{kind: character, label: l, rest: rest}, at)
	return true
}

// speechLine takes a line that begins a speech.
func (r *reader) speechLine(line string, at int) bool {
	l, rest, ok := cutLabel(line)
	if !ok || r.in == cast || isNumbered(line) {
		return false
	}
	known := r.isKnown(l.name)
	switch {
	case r.in == scene && !(known && isCapitals(l.name)):
		return false
	case known:
	case isCapitals(l.name) && (!r.open || len(l.name) > 1):
	case !r.open && isTitled(l.name):
	default:
		return false
	}
	if r.in == scene {
		r.in = dialogue
	}
	r.know(l.name)
	r.close()
	r.add(block{kind: counted, label: l, rest: rest}, at)
	return true
}

func (r *reader) isKnown(name string) bool { return r.known[name] || r.known[foldName(name)] }

func (r *reader) know(name string) {
	if !r.known[name] {
		r.known[name], r.known[foldName(name)] = true, true
	}
}

func (r *reader) add(b block, at int) {
	b.in, b.lines, b.from = r.in, r.lines[at:at+1:at+1], at
	r.blocks = plain.Append(r.blocks, b)
	r.open = true
}

// close ends the block in hand. Directions below a speech, or below each other, become blocks of their own.
func (r *reader) close() {
	if !r.open {
		return
	}
	r.open = false
	b := &r.blocks[len(r.blocks)-1]
	if len(b.lines) == 1 || b.kind != counted && b.kind != direction {
		return
	}
	starts := directionsAtEnd(b.lines)
	if b.kind == direction && len(starts) > 0 && starts[0] == 0 {
		starts = starts[1:]
	}
	if len(starts) == 0 {
		return
	}
	whole := *b
	b.lines = whole.lines[:starts[0]:starts[0]]
	for n, start := range starts {
		end := len(whole.lines)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		r.blocks = plain.Append(r.blocks, block{
			kind: direction, in: whole.in, lines: whole.lines[start:end:end], from: whole.from + start,
		})
	}
}

// directionsAtEnd returns where, in the lines of a block, directions begin after
// which nothing else stands. A direction fills whole lines.
func directionsAtEnd(lines []string) []int {
	var starts []int
	depth, inside := 0, false
	for n, line := range lines {
		if depth == 0 {
			if inside = opensDirection(line); inside {
				starts = append(starts, n)
			} else {
				starts = starts[:0]
			}
		}
		for _, c := range []byte(line) {
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth = max(depth-1, 0)
			}
		}
		if inside && depth == 0 && !shutsDirection(line) {
			starts = starts[:0]
		}
	}
	if depth > 0 {
		return nil
	}
	return starts
}

func opensDirection(line string) bool {
	line = strings.TrimLeft(line, emphasis)
	return strings.HasPrefix(line, "(") || strings.HasPrefix(line, "[") || isNumbered(line)
}

func shutsDirection(line string) bool {
	line = strings.TrimRight(line, emphasis)
	return strings.HasSuffix(line, ")") || strings.HasSuffix(line, "]")
}

// isNumbered reports whether a line is a direction after a number, "SD3: (…)".
func isNumbered(line string) bool {
	_, ok := published.CutNumbered(line)
	return ok
}

// cutHeading reads a line as a heading: its words, the section it begins, if it does, and what stands after a section's
// colon. The three sections may also be marked by emphasis, or by nothing but their colon.
func cutHeading(line string) (title string, in section, rest string, ok bool) {
	text := strings.TrimLeft(line, "#")
	hashes := len(line) - len(text)
	text = pytext.Strip(strings.TrimRight(pytext.Strip(text), "#"))
	bare := strings.Trim(text, emphasis)
	marked := hashes > 0 || bare != text
	for s := cast; s <= dialogue; s++ {
		name := sectionNames[s]
		if len(bare) < len(name) || !strings.EqualFold(bare[:len(name)], name) {
			continue
		}
		tail := strings.TrimLeft(bare[len(name):], emphasis)
		if after, colon := strings.CutPrefix(tail, ":"); colon && (marked || after == "") {
			return name, s, pytext.Strip(strings.TrimLeft(after, emphasis)), true
		}
		if marked && !startsWithLetter(tail) {
			return foldTitle(bare), s, "", true
		}
	}
	if hashes > 0 && text != "" && (hashes > 1 || pytext.StripLeft(line[1:]) != line[1:]) {
		return foldTitle(bare), front, "", true
	}
	return "", front, "", false
}

func startsWithLetter(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) || unicode.IsDigit(first)
}

// foldTitle is a heading without case, typography and a colon at its end.
func foldTitle(title string) string { return strings.TrimRight(foldName(title), ":") }

// label is what a line of a speech or of the cast begins with.
type label struct {
	name   string // as written, without marks
	manner string // "(aside)" between the name and the colon; empty if there is none
}

const (
	emphasis = "*_"
	bullets  = "-*•>"
	// longestName is the length in bytes up to which text before a colon can be a name.
	longestName = 60
)

// cutLabel takes a name with a colon off a trimmed line, in any case that the name is
// in. A list mark and emphasis around the name are read over.
func cutLabel(line string) (l label, rest string, ok bool) {
	rest = pytext.StripLeft(cutBullet(line))
	marks := rest[:len(rest)-len(strings.TrimLeft(rest, emphasis))]
	rest = rest[len(marks):]
	end := strings.IndexFunc(rest, func(r rune) bool { return !belongsToName(r) })
	if end <= 0 || end > longestName {
		return l, line, false
	}
	l.name = pytext.StripRight(rest[:end])
	rest = pytext.StripLeft(cutMarks(rest[end:], &marks))
	if strings.HasPrefix(rest, "(") {
		shut := strings.IndexByte(rest, ')')
		if shut < 0 {
			return l, line, false
		}
		l.manner = rest[:shut+1]
		rest = pytext.StripLeft(cutMarks(rest[shut+1:], &marks))
	}
	rest, ok = strings.CutPrefix(rest, ":")
	if !ok || l.name == "" || isClock(l.name, rest) {
		return l, line, false
	}
	return l, pytext.Strip(cutMarks(rest, &marks)), true
}

func cutBullet(line string) string {
	r, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune(bullets, r) && strings.HasPrefix(line[size:], " ") {
		return line[size:]
	}
	return line
}

// cutMarks takes the end of emphasis off a text, if it was begun with marks.
func cutMarks(text string, marks *string) string {
	if *marks == "" {
		return text
	}
	if rest, found := strings.CutPrefix(text, *marks); found {
		*marks = ""
		return rest
	}
	return text
}
