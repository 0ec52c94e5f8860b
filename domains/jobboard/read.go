package jobboard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/jobboard"
)

// format finds the postings of a board of any name, and the lines outside of them, which have an order. A header or
// footer that a later file repeats counts once.
var format = doc.Format{
	Counted: counted,
	Orders:  map[string]doc.Order{counted: doc.InOrder, outsideKind: doc.InOrder},
	Read: func(text string) []doc.Part {
		var r reader
		for _, line := range doc.Lines(text) {
			r.take(line)
		}
		r.finish(true)
		return r.parts
	},
}

const (
	counted     = "posting"
	outsideKind = "line"
)

type reader struct {
	parts   []doc.Part
	posting []string   // the lines of the last one, the head first; nil before the first
	last    int        // its place
	isOpen  bool       // it may yet go on
	below   []doc.Line // what was read since its last line
}

// take reads a line. A posting ends at a ruler, at the next head, or at a blank line unless one of the format's labels
// stands after that.
func (r *reader) take(line doc.Line) {
	switch text := line.Text; {
	case isBlank(text):
		r.below = append(r.below, line)
	case isHead(text):
		r.finish(false)
		r.last, r.isOpen, r.posting = len(r.parts), true, []string{text}
		r.parts = plain.Append(r.parts, doc.At(line, counted, ""))
	case r.isOpen && !isRuler(text) && (len(r.below) == 0 || isFieldLine(text)):
		for _, blank := range r.below {
			r.posting = append(r.posting, blank.Text)
		}
		r.posting, r.below = plain.Append(r.posting, text), nil
		r.parts[r.last].To = line.To
	default:
		r.below, r.isOpen = append(r.below, line), false
	}
}

// finish ends the last posting, and makes parts of the lines below it.
func (r *reader) finish(end bool) {
	outermost := end || r.posting == nil
	if r.posting != nil {
		p := &r.parts[r.last]
		p.Fields = fieldsOf(r.posting)
		p.Key = strings.TrimSpace(p.Fields[0].Value + " " + p.Value(titleField))
	}
	for _, line := range r.below {
		if !isBlank(line.Text) && !isRuler(line.Text) {
			p := doc.Loose(line, outsideKind, "line outside of postings", singleBlanks(unmarked(line.Text)))
			p.Head = outermost
			r.parts = append(r.parts, p)
		}
	}
	r.below = nil
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
