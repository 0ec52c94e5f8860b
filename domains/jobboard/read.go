package jobboard

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
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
	if !strings.Contains(line, idMark) {
		return false
	}
	_, _, ok := cutHead(line)
	return ok
}

// cutHead divides the first line of a posting. The title may be missing.
func cutHead(line string) (id, rest string, ok bool) {
	line = strings.TrimPrefix(unmarked(line), "[")
	n := idLength(line)
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

// isOneLine reports whether what follows an id may be a whole posting.
func isOneLine(text string) bool {
	return strings.ContainsAny(text, "—–") || strings.Contains(text, pipeMark) || strings.HasSuffix(text, "|")
}

// lineParts cuts a posting on one line at its pipes or dashes. The first part is the title.
func lineParts(text string) []string {
	var parts []string
	if strings.HasPrefix(text, "|") || strings.Contains(text, pipeMark) {
		parts = strings.Split(strings.Trim(text, "|"), "|")
	} else {
		parts = strings.Split(strings.ReplaceAll(text, "–", "—"), "—")
	}
	for k := range parts {
		parts[k] = pytext.Strip(parts[k])
	}
	return parts
}

// A part of a posting on one line has one of the labels, or is one of these.
const (
	plainPart  = titleText + 1 + iota // the company or, after it, the location
	placedPart                        // a company with its location in parentheses
)

// partLabels are the words before a colon that tell what a part is.
var partLabels = []struct {
	word  string
	label label
}{
	{"title", titleText}, {"tech", skillsLabel}, {"type", typeLabel}, {"posted", postedLabel},
	{"location", locationLabel}, {"company", companyLabel},
}

// classify returns what a part is, and its value.
func classify(part string) (label, string) {
	if found, ok := findPay(part); ok && found.hasDollar {
		return salaryLabel, part
	}
	before, value, labelled := strings.Cut(part, ":")
	value = pytext.Strip(value)
	if labelled && strings.EqualFold(before, "skills") {
		return skillsLabel, value
	}
	for _, l := range partLabels {
		if labelled && strings.EqualFold(pytext.StripRight(before), l.word) {
			return l.label, value
		}
	}
	switch {
	case beginsWithDate.MatchString(part):
		return postedLabel, part
	case strings.HasSuffix(part, ")") && strings.LastIndexByte(part, '(') > 0:
		return placedPart, part
	}
	return plainPart, part
}

// cutPlace divides "Hays (Atlanta, GA)".
func cutPlace(part string) (company, location string) {
	at := strings.LastIndexByte(part, '(')
	return pytext.Strip(part[:at]), pytext.Strip(part[at+1 : len(part)-1])
}

// beginsWithDate finds a date as in 2023-07-05.
var beginsWithDate = regexp.MustCompile(`^\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// readOneLine reads a posting that stands on one line as a whole.
func (t *texts) readOneLine(text string) {
	parts := lineParts(text)
	t[titleText] = parts[0]
	for _, part := range parts[1:] {
		if part == "" {
			continue
		}
		switch label, value := classify(part); {
		case label == placedPart:
			company, location := cutPlace(value)
			t[companyLabel] = cmp.Or(t[companyLabel], company)
			t[locationLabel] = location
		case label != plainPart:
			t[label] = value
		case t[companyLabel] == "":
			t[companyLabel] = value
		case t[locationLabel] == "":
			t[locationLabel] = value
		}
	}
}

// pay is an amount of money by the year or by the hour; the zero value is none.
type pay struct {
	amount float64
	period string
}

const (
	byYear = "year"
	byHour = "hour"
)

// hoursAYear are paid full-time.
const hoursAYear = 2080

func readPay(text string) pay {
	found, _ := findPay(text)
	amount, ok := pytext.Float(found.number)
	if !ok {
		return pay{}
	}
	return pay{amount, found.period}
}

func (p pay) annual() float64 {
	if p.period == byHour {
		return p.amount * hoursAYear
	}
	return p.amount
}

// foundPay is an amount that stands before "/year" or "/hour" in a text.
type foundPay struct {
	number    string // as written, without separators of thousands
	period    string
	hasDollar bool // right before the amount
}

// blanks are what Python takes for white space.
const blanks = `[\s\v\x1c-\x1f\x{85}\p{Z}]*`

var periodicPay = regexp.MustCompile(`(\$?)([\p{Nd},]+(?:\.\p{Nd}+)?)` + blanks + `/` + blanks + `(?i:(year|hour))`)

// findPay finds the first amount by the year or hour.
func findPay(text string) (foundPay, bool) {
	if !strings.Contains(text, "/") {
		return foundPay{}, false
	}
	match := periodicPay.FindStringSubmatch(text)
	if match == nil {
		return foundPay{}, false
	}
	return foundPay{strings.ReplaceAll(match[2], ",", ""), strings.ToLower(match[3]), match[1] != ""}, true
}
