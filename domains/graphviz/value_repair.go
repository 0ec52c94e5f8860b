package graphviz

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// repair mends the slips that the published evaluator expects of models, in its
// order, wherever they stand: most rules do not know strings.
func repair(text string) string {
	text = eachLine(text, splitOpening)
	text = openColour.ReplaceAllString(text, `$1"$2`)
	text = renameNames(text)
	text = dropDollars(text)
	text = dropEmptyValues(text)
	text = squeezeCommas(text)
	text = eachLine(text, commasForSemicolons)
	text = closeLists(text)
	return eachLine(text, closeParenthesis)
}

// eachLine mends every line. A text without slips is not copied.
func eachLine(text string, mend func(string) string) string {
	m := mending{text: text}
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		if mended := mend(line); mended != line {
			m.replace(start, start+len(line), mended)
		}
		start += len(line) + 1
	}
	return m.mended()
}

// mending copies a text where something is replaced. A text without slips stays as it is.
type mending struct {
	text    string
	b       strings.Builder
	written int // of text, or replaced
}

// replace puts a text in place of that from one place to another, which is after all before.
func (m *mending) replace(from, to int, with string) {
	m.b.WriteString(m.text[m.written:from])
	m.b.WriteString(with)
	m.written = to
}

func (m *mending) mended() string {
	if m.written == 0 && m.b.Len() == 0 {
		return m.text
	}
	m.b.WriteString(m.text[m.written:])
	return m.b.String()
}

// eachMark mends a text wherever a mark stands in it. slip is given what stands before the mark,
// since the mark before it, and after it. It returns how much of the one and the other a
// replacement takes up; false where there is nothing to mend. What was replaced is not looked at
// again.
func eachMark(text, mark, replacement string, slip func(before, after string) (left, right int, found bool)) string {
	m := mending{text: text}
	for from := 0; ; {
		next := strings.Index(text[from:], mark)
		if next < 0 {
			return m.mended()
		}
		start, end := from+next, from+next+len(mark)
		left, right, found := slip(text[from:start], text[end:])
		if from = end; found {
			from = end + right
			m.replace(start-left, from, replacement)
		}
	}
}

// opening is a line that opens a subgraph, with something after the brace.
var opening = regexp.MustCompile(`^(.*\bsubgraph\s+(?:"[^"]*"|[^\s{"]+)\s*\{)([^{}]+)$`)

// splitOpening makes statements of what follows, with commas between, on a line
// that opens a subgraph.
func splitOpening(line string) string {
	if !strings.Contains(line, "subgraph") || !strings.Contains(line, ",") {
		return line
	}
	match := opening.FindStringSubmatch(line)
	if match == nil || !strings.Contains(match[2], "=") {
		return line
	}
	parts := []string{match[1]}
	for _, part := range splitOutside(match[2], '"', '"') {
		if part = pytext.Strip(part); part != "" {
			parts = append(parts, "    "+part)
		}
	}
	return strings.Join(parts, "\n")
}

// splitOutside divides a text at the commas that do not stand between two marks.
func splitOutside(text string, open, shut byte) (parts []string) {
	start, depth := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		case c == shut && (open != shut || depth > 0):
			depth--
		case c == open:
			depth++
		}
	}
	return append(parts, text[start:])
}

// openColour is a colour such as ="#b2d3e4 whose string is not closed before a mark or white space.
var openColour = pytext.Pattern(`(="#[0-9a-fA-F]{3,8})([\];,}\s])`)

// hexDigits counts the hexadecimal digits at the start of a text.
func hexDigits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789abcdefABCDEF"))
}

// renameNames writes _dot_name= for name= as a whole word.
func renameNames(text string) string {
	const word = "name="
	return eachMark(text, word, "_dot_"+word, func(before, _ string) (int, int, bool) {
		last, size := utf8.DecodeLastRuneInString(before)
		return 0, 0, size == 0 || !pytext.IsWord(last)
	})
}

// dropDollars takes the sign off $word=.
func dropDollars(text string) string {
	return eachMark(text, "$", "", func(_, after string) (int, int, bool) {
		rest := strings.TrimLeftFunc(after, pytext.IsWord)
		return 0, 0, len(rest) < len(after) && strings.HasPrefix(rest, "=")
	})
}

// dropEmptyValues takes out word= where a comma, bracket or semicolon follows.
func dropEmptyValues(text string) string {
	return eachMark(text, "=", "", func(before, after string) (int, int, bool) {
		rest := pytext.StripLeft(after)
		word := len(before) - len(strings.TrimRightFunc(before, pytext.IsWord))
		return word, len(after) - len(rest), word > 0 && rest != "" && strings.IndexByte(",];", rest[0]) >= 0
	})
}

// squeezeCommas leaves one comma of two, and none next to a bracket.
func squeezeCommas(text string) string {
	text = joinAcrossSpace(text, ",", ",", ",")
	text = joinAcrossSpace(text, ",", "]", "]")
	return joinAcrossSpace(text, "[", ",", "[")
}

// joinAcrossSpace puts a text in place of two marks with at most white space between them.
func joinAcrossSpace(text, first, second, put string) string {
	return eachMark(text, first, put, func(_, after string) (int, int, bool) {
		rest, found := strings.CutPrefix(pytext.StripLeft(after), second)
		return 0, len(after) - len(rest), found
	})
}

// commasForSemicolons writes commas for the semicolons inside brackets.
func commasForSemicolons(line string) string {
	if !strings.Contains(line, ";") || !strings.Contains(line, "[") {
		return line
	}
	mended := []byte(line)
	depth, quoted := 0, false
	for i := range mended {
		switch c := mended[i]; {
		case c == '"' && (i == 0 || mended[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ';' && depth > 0:
			mended[i] = ','
		}
	}
	return string(mended)
}

// closeLists writes the bracket for a brace that closes a list of several lines.
func closeLists(text string) string {
	open := false
	return eachLine(text, func(line string) string {
		switch stripped := pytext.Strip(line); {
		case strings.Contains(line, "]"):
			open = false
		case strings.Contains(line, "["):
			open = true
		case open && (stripped == "}" || stripped == "};"):
			open = false
			return strings.Replace(line, "}", "]", 1)
		}
		return line
	})
}

// closeParenthesis writes the bracket for a parenthesis that closes a list at
// the end of its line.
func closeParenthesis(line string) string {
	if !strings.Contains(line, "[") {
		return line
	}
	end := strings.TrimRightFunc(line, func(r rune) bool { return r == ';' || pytext.IsSpace(r) })
	if !strings.HasSuffix(end, ")") || strings.Count(end, `"`)%2 != 0 {
		return line
	}
	return end[:len(end)-1] + "]" + line[len(end):]
}
