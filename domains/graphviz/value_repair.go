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
	text = closeColours(text)
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
	var b strings.Builder
	written := 0
	for start := 0; start <= len(text); {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += start
		}
		line := text[start:end]
		if mended := mend(line); mended != line {
			b.WriteString(text[written:start])
			b.WriteString(mended)
			written = end
		}
		start = end + 1
	}
	if written == 0 && b.Len() == 0 {
		return text
	}
	b.WriteString(text[written:])
	return b.String()
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
	rest, start, quoted := match[2], 0, false
	for i := 0; i <= len(rest); i++ {
		switch {
		case i == len(rest) || rest[i] == ',' && !quoted:
			if part := pytext.Strip(rest[start:i]); part != "" {
				parts = append(parts, "    "+part)
			}
			start = i + 1
		case rest[i] == '"':
			quoted = !quoted
		}
	}
	return strings.Join(parts, "\n")
}

// closeColours closes the string of a colour such as ="#b2d3e4 where a mark or
// white space follows the digits.
func closeColours(text string) string {
	const opening = `="#`
	m := mending{text: text}
	for from := 0; ; {
		at := strings.Index(text[from:], opening)
		if at < 0 {
			return m.mended()
		}
		end := from + at + len(opening)
		digits := hexDigits(text[end:])
		end += digits
		next, _ := utf8.DecodeRuneInString(text[end:])
		if end < len(text) && digits >= 3 && digits <= 8 && (strings.ContainsRune("];,}", next) || pytext.IsSpace(next)) {
			m.replace(end, end, `"`)
		}
		from = end
	}
}

// hexDigits counts the hexadecimal digits at the start of a text.
func hexDigits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789abcdefABCDEF"))
}

// renameNames writes _dot_name= for name= as a whole word.
func renameNames(text string) string {
	const word = "name="
	m := mending{text: text}
	for start := 0; ; {
		at := strings.Index(text[start:], word)
		if at < 0 {
			return m.mended()
		}
		at += start
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || !pytext.IsWord(before) {
			m.replace(at, at, "_dot_")
		}
		start = at + len(word)
	}
}

// dropDollars takes the sign off $word=.
func dropDollars(text string) string {
	m := mending{text: text}
	for from := 0; ; {
		next := strings.IndexByte(text[from:], '$')
		if next < 0 {
			return m.mended()
		}
		at := from + next
		from = at + 1
		if rest := strings.TrimLeftFunc(text[from:], pytext.IsWord); len(rest) < len(text)-from && strings.HasPrefix(rest, "=") {
			m.replace(at, from, "")
		}
	}
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

// dropEmptyValues takes out word= where a comma, bracket or semicolon follows.
func dropEmptyValues(text string) string {
	m := mending{text: text}
	for from := 0; ; {
		next := strings.IndexByte(text[from:], '=')
		if next < 0 {
			return m.mended()
		}
		at, start := from+next, from
		from = at + 1
		rest := pytext.StripLeft(text[from:])
		if rest != "" && (rest[0] == ',' || rest[0] == ']' || rest[0] == ';') {
			if before := strings.TrimRightFunc(text[start:at], pytext.IsWord); len(before) < at-start {
				from = len(text) - len(rest)
				m.replace(start+len(before), from, "")
			}
		}
	}
}

// squeezeCommas leaves one comma of two, and none next to a bracket.
func squeezeCommas(text string) string {
	text = joinAcrossSpace(text, ',', ',', ",")
	text = joinAcrossSpace(text, ',', ']', "]")
	return joinAcrossSpace(text, '[', ',', "[")
}

// joinAcrossSpace puts a text in place of two marks with at most white space
// between them. What was put is not looked at again.
func joinAcrossSpace(text string, first, second byte, put string) string {
	m := mending{text: text}
	for from := 0; ; {
		next := strings.IndexByte(text[from:], first)
		if next < 0 {
			return m.mended()
		}
		at := from + next
		from = at + 1
		if rest := pytext.StripLeft(text[from:]); rest != "" && rest[0] == second {
			from = len(text) - len(rest) + 1
			m.replace(at, from, put)
		}
	}
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
