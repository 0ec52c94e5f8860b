package dns

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// repaired reads a zone as the published evaluator does: where it cannot be
// read, with lines taken out in three steps.
func repaired(text, origin string) ([]recordSet, error) {
	sets, err := readZone(text, origin)
	if err == nil {
		return sets, nil
	}
	if strings.Contains(err.text, "CNAME") {
		if sets, err = readZone(withoutAliases(text), origin); err == nil {
			return sets, nil
		}
	}
	text = withoutStrangers(text)
	sets, err = readZone(text, origin)
	const attempts = 5
	for n := 0; n < attempts && err != nil && err.line > 0; n++ {
		text = withLineStripped(text, err.line)
		sets, err = readZone(text, origin)
	}
	if err != nil {
		return nil, err
	}
	return sets, nil
}

// withoutAliases leaves out the CNAME lines of owners that have a line with IN
// and another type.
func withoutAliases(text string) string {
	lines := strings.Split(text, "\n")
	owners := make([]string, len(lines))
	others := map[string]bool{}
	last := ""
	for i, line := range lines {
		words := pytext.Fields(line)
		if len(words) == 0 || words[0][0] == ';' || line[0] == '$' {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			last = strings.ToLower(words[0])
		}
		owners[i] = last
		for k, word := range words[:len(words)-1] {
			if typ, ok := knownType(words[k+1]); ok && word == "IN" && typ != "CNAME" {
				others[last] = true
			}
		}
	}
	kept := lines[:0]
	for i, line := range lines {
		if owners[i] == "" || !others[owners[i]] || !hasWord(pytext.Fields(line), "CNAME") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func hasWord(words []string, upper string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, upper) })
}

// withoutStrangers comments out, outside parentheses, the lines that cannot be
// records, and takes away the indentation of lines that name the class unless
// they begin with digits.
func withoutStrangers(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	depth := 0
	for at := 0; at <= len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if at > 0 {
			b.WriteByte('\n')
		}
		at += len(line) + 1
		code := withoutComment(line)
		inside := depth > 0
		if first := pytext.StripLeft(line); inside || first != "" && first[0] != ';' && first[0] != '$' {
			words := pytext.Fields(code)
			if stranger := !inside && !looksLikeRecord(words); stranger {
				b.WriteString("; ")
			} else {
				depth = max(depth+strings.Count(code, "(")-strings.Count(code, ")"), 0)
				if !inside && (line[0] == ' ' || line[0] == '\t') && hasWord(words, "IN") && !plain.IsDigits(words[0]) {
					line = first
				}
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

func looksLikeRecord(words []string) bool {
	last := len(words) - 1
	if last < 1 || strings.EqualFold(words[last], "IN") {
		return false
	}
	isType := func(word string) bool { _, ok := knownType(word); return ok }
	return slices.ContainsFunc(words[:last], isType) || isType(words[last]) && strings.EqualFold(words[last-1], "IN")
}

// withoutComment cuts a line at a semicolon outside quotes.
func withoutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				return line[:i]
			}
		}
	}
	return line
}

// withLineStripped comments out the line of a number, from 1.
func withLineStripped(text string, number int) string {
	lines := strings.SplitAfterN(text, "\n", number)
	if len(lines) < number {
		return text
	}
	lines[number-1] = "; [stripped] " + lines[number-1]
	return strings.Join(lines, "")
}
