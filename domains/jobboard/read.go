package jobboard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/jobboard"
)

// board is a file as written. Printing it gives the lines that were read.
type board struct {
	postings []posting
	below    []string // what stands below the last posting
}

// posting is a block of lines with the lines between it and the posting before.
type posting struct {
	above []string
	lines []string // the head first; blank ones only between others
}

// read takes in any text. A posting ends at a ruler, at the next head, or at a
// blank line unless one of the format's labels stands after that.
func read(text string) (b board) {
	isOpen := false // the last posting may yet go on
	for _, line := range plain.Lines(text) {
		switch {
		case isBlank(line):
			b.below = plain.Append(b.below, line)
		case isHead(line):
			b.postings = plain.Append(b.postings, posting{above: b.below, lines: []string{line}})
			b.below, isOpen = nil, true
		case isOpen && !isRuler(line) && (len(b.below) == 0 || isFieldLine(line)):
			last := &b.postings[len(b.postings)-1]
			last.lines = plain.Append(append(last.lines, b.below...), line)
			b.below = nil
		default:
			b.below, isOpen = plain.Append(b.below, line), false
		}
	}
	return b
}

func isBlank(line string) bool { return pytext.Strip(line) == "" }

// isRuler reports whether a line divides or decorates: three or more hyphens,
// equals signs, asterisks, underscores or tildes.
func isRuler(line string) bool {
	const shortest = 3
	line = pytext.Strip(line)
	return len(line) >= shortest && strings.Trim(line, "-=*_~") == ""
}

// isHead reports whether a posting begins with a line.
func isHead(line string) bool {
	if !strings.Contains(line, published.IDMark) {
		return false
	}
	_, _, ok := cutHead(line)
	return ok
}

// cutHead divides the first line of a posting. The title may be missing.
func cutHead(line string) (id, rest string, ok bool) {
	line = strings.TrimPrefix(unmarked(line), "[")
	n := published.IDLength(line)
	if n == 0 {
		return "", "", false
	}
	rest = strings.TrimPrefix(line[n:], "]")
	if next, _ := utf8.DecodeRuneInString(rest); rest != "" && !pytext.IsSpace(next) && !strings.ContainsRune("|:-–—", next) {
		return "", "", false
	}
	return line[:n], pytext.Strip(rest), true
}

var (
	lineMarks     = []string{"# ", "## ", "### ", "#### ", "> ", "- ", "* ", "+ ", "• ", "| "}
	emphasisMarks = []string{"**", "__", "*", "_"}
)

// unmarked is a line without its outer blanks and without Markdown's marks for
// headings, lists, quotations, tables and emphasis at its beginning.
func unmarked(line string) string {
	line = pytext.Strip(line)
	if line == "" || line[0] == '[' || line[0] < utf8.RuneSelf && isLetterOrDigit(rune(line[0])) {
		return line
	}
	for _, mark := range lineMarks {
		if rest, found := strings.CutPrefix(line, mark); found {
			line = pytext.Strip(rest)
			break
		}
	}
	for _, mark := range emphasisMarks {
		if rest, found := strings.CutPrefix(line, mark); found && strings.Contains(rest, mark) {
			return pytext.Strip(strings.Replace(rest, mark, "", 1))
		}
	}
	return line
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// The fields of a posting, by the names that elements have.
const (
	titleField    = "title"
	companyField  = "company"
	locationField = "location"
	typeField     = "type"
	salaryField   = "salary"
	adjustedField = "adjusted salary"
	skillsField   = "skills"
	postedField   = "posted"
)

var knownFields = []string{
	titleField, companyField, locationField, typeField, salaryField, adjustedField, skillsField, postedField,
}

// cutLabel divides a labelled line such as "Company: Hays". A label of the format
// is known in any letter case, others are up to four words.
func cutLabel(line string) (label, value string, ok bool) {
	const longest, mostWords = 40, 4
	line = unmarked(line)
	at := strings.IndexByte(line[:min(len(line), longest)], ':')
	if at <= 0 {
		return "", "", false
	}
	label, value = pytext.StripRight(line[:at]), line[at+1:]
	for _, known := range knownFields {
		if strings.EqualFold(label, known) {
			return known, pytext.Strip(value), true
		}
	}
	if next, _ := utf8.DecodeRuneInString(value); value != "" && !pytext.IsSpace(next) {
		return "", "", false
	}
	first, _ := utf8.DecodeRuneInString(label)
	return label, pytext.Strip(value), unicode.IsLetter(first) && len(strings.Fields(label)) <= mostWords
}

// isFieldLine reports whether a line has one of the format's labels.
func isFieldLine(line string) bool {
	label, _, ok := cutLabel(line)
	return ok && slices.Contains(knownFields, label)
}

func (b board) print() string {
	var all []string
	for _, p := range b.postings {
		all = append(append(all, p.above...), p.lines...)
	}
	return plain.Text(append(all, b.below...))
}

// without leaves out postings, each with the separator above it. Other lines stay.
func without(_, text string, leave func() bool) string {
	b := read(text)
	var rest board
	var kept []string // from above the postings left out
	isLeft := false   // the posting before
	for _, p := range b.postings {
		above := p.above
		if isLeft {
			above = joinTexts(kept, above)
		}
		if isLeft = leave(); isLeft {
			kept = above
		} else {
			rest.postings = append(rest.postings, posting{above, p.lines})
		}
	}
	if rest.below = b.below; isLeft {
		rest.below = joinTexts(kept, b.below)
	}
	return rest.print()
}

// joinTexts joins what stands above a posting that is left out and what stands
// below it. Where one has only separators the other is enough.
func joinTexts(above, below []string) []string {
	isText := func(line string) bool { return !isBlank(line) && !isRuler(line) }
	switch inAbove, inBelow := slices.ContainsFunc(above, isText), slices.ContainsFunc(below, isText); {
	case inAbove && inBelow:
		return slices.Concat(above, below)
	case inAbove || !inBelow && len(above) < len(below):
		return above
	}
	return below
}
