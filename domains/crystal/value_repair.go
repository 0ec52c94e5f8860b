package crystal

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// repaired is what the published evaluator makes of a text before it reads it.
func repaired(text string) string {
	lines := withoutFences(strings.Split(text, "\n"))
	lines = withQuotedTexts(lines)
	for i := range lines {
		lines[i] = withQuotes(lines[i])
	}
	lines = withoutEmptyLoops(lines)
	lines = withoutRepeatedLoops(lines)
	return strings.Join(withDividedTexts(lines), "\n")
}

func withoutFences(lines []string) []string {
	if strings.HasPrefix(lines[0], "```") {
		lines = lines[1:]
	}
	end := len(lines)
	for end > 0 && pytext.Strip(lines[end-1]) == "" {
		end--
	}
	if end > 0 && pytext.Strip(lines[end-1]) == "```" {
		lines = lines[:end-1]
	}
	return lines
}

// withQuotedTexts turns a text between a line that is only a quote and a line
// that ends in one into a text field.
func withQuotedTexts(lines []string) []string {
	const quote = "'"
	isLast := func(line string) bool { return strings.HasSuffix(pytext.Strip(line), quote) }
	out := make([]string, 0, len(lines)+1)
	for len(lines) > 0 {
		first, rest := lines[0], lines[1:]
		end := -1
		if pytext.Strip(first) == quote {
			end = slices.IndexFunc(rest, isLast)
		}
		if end < 0 {
			out, lines = append(out, first), rest
			continue
		}
		out = append(append(out, ";"), rest[:end]...)
		if text := strings.TrimSuffix(pytext.Strip(rest[end]), quote); text != "" {
			out = append(out, text)
		}
		out, lines = append(out, ";"), rest[end+1:]
	}
	return out
}

// withQuotes quotes the value after a tag if it contains a blank.
func withQuotes(line string) string {
	line, original := pytext.Strip(line), line
	if !strings.HasPrefix(line, "_") {
		return original
	}
	end := strings.IndexFunc(line, pytext.IsSpace)
	if end < 0 {
		return original
	}
	value := pytext.StripLeft(line[end:])
	if !strings.Contains(value, " ") || isWrapped(value, "'") || isWrapped(value, `"`) {
		return original
	}
	return line[:end] + " '" + value + "'"
}

func isWrapped(value, quote string) bool {
	return len(value) > 1 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote)
}

const loopWord = "loop_"

func isLoopLine(line string) bool { return pytext.Strip(line) == loopWord }

// tagLines is the place after the tag lines that begin there.
func tagLines(lines []string, from int) int {
	for from < len(lines) && strings.HasPrefix(pytext.StripLeft(lines[from]), "_") {
		from++
	}
	return from
}

func withoutEmptyLoops(lines []string) []string {
	kept := lines[:0] // they are ours
	for i := 0; i < len(lines); i++ {
		if isLoopLine(lines[i]) {
			end := tagLines(lines, i+1)
			if endsLoop(lines, end) {
				i = end - 1
				continue
			}
		}
		kept = append(kept, lines[i])
	}
	return kept
}

// endsLoop reports whether no value follows, blank lines aside.
func endsLoop(lines []string, at int) bool {
	for at < len(lines) && pytext.Strip(lines[at]) == "" {
		at++
	}
	if at == len(lines) {
		return true
	}
	line := pytext.StripLeft(lines[at])
	return strings.HasPrefix(line, loopWord) || strings.HasPrefix(line, "data_") || strings.HasPrefix(line, "_")
}

// withoutRepeatedLoops removes a loop with the tags of one before, and what
// follows it up to a blank line, loop or block.
func withoutRepeatedLoops(lines []string) []string {
	seen := map[string]bool{}
	kept := lines[:0] // they are ours
	for i := 0; i < len(lines); i++ {
		if isLoopLine(lines[i]) {
			end := tagLines(lines, i+1)
			if tags := tagSet(lines[i+1 : end]); tags != "" {
				if seen[tags] {
					for end < len(lines) && !endsRemoval(lines[end]) {
						end++
					}
					i = end - 1
					continue
				}
				seen[tags] = true
			}
		}
		kept = append(kept, lines[i])
	}
	return kept
}

func endsRemoval(line string) bool {
	line = pytext.Strip(line)
	return line == "" || strings.HasPrefix(line, loopWord) || strings.HasPrefix(line, "data_")
}

// tagSet is equal for lines with the same set of tags.
func tagSet(lines []string) string {
	tags := slices.Clone(lines)
	for i := range tags {
		tags[i] = pytext.Strip(tags[i])
	}
	slices.Sort(tags)
	return strings.Join(slices.Compact(tags), "\n")
}

// withDividedTexts gives a text field that is written on one line its lines.
func withDividedTexts(lines []string) []string {
	for i, line := range lines {
		if bare := pytext.StripRight(line); len(bare) > 2 && bare[0] == ';' && bare[len(bare)-1] == ';' {
			lines[i] = ";\n" + bare[1:len(bare)-1] + "\n;"
		}
	}
	return lines
}
