package latex

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks braces and environments, that a document that begins is ended, and the commas of a bibliography. In a
// bibliography a percent sign is text, as in an address, unless it begins a line.
var wellFormed = wellformed.All(
	wellformed.For(wellformed.Code{Line: []string{"%"}, EscapeIn: true, Brackets: "{}"}.Check, ".tex"),
	wellformed.For(wellformed.Code{AtStart: []string{"%"}, EscapeIn: true, Brackets: "{}"}.Check, ".bib"),
	wellformed.For(environmentsEnd, ".tex"),
	wellformed.For(commas, ".bib"),
)

var (
	entryHead = regexp.MustCompile(`(?m)^[ \t]*@([A-Za-z]+)\s*([{(])`)
	noComma   = regexp.MustCompile(`[\w}"]\s+[A-Za-z][\w-]*\s*=`)
)

// commas finds entries in which no comma ends the key or a field.
func commas(_, text string) []domains.Slip {
	var all []domains.Slip
	for _, m := range entryHead.FindAllStringSubmatchIndex(text, -1) {
		switch strings.ToLower(text[m[2]:m[3]]) {
		case "comment", "preamble", "string":
			continue
		}
		bare := outline(text[m[5]:], text[m[4]] == '(')
		if at := noComma.FindStringIndex(bare); at != nil {
			all = append(all, domains.Slip{Line: 1 + strings.Count(text[:m[5]+at[0]], "\n"), What: "a comma is missing in an entry"})
		}
	}
	return all
}

// outline is the text of an entry up to its end, with blanks for what stands in braces and quotes within it.
func outline(text string, round bool) string {
	out := []byte(text)
	depth, quoted := 0, false
	for at := 0; at < len(out); at++ {
		switch c := out[at]; {
		case c == '\\':
			if depth > 0 || quoted {
				out[at] = ' '
			}
			if at++; at < len(out) && (depth > 0 || quoted) {
				out[at] = ' '
			}
			continue
		case c == '{':
			depth++
		case c == '}' && depth == 0, c == ')' && round && depth == 0 && !quoted:
			return string(out[:at])
		case c == '}':
			if depth--; depth == 0 && !quoted {
				continue
			}
		case c == '"' && depth == 0:
			if quoted = !quoted; !quoted {
				continue
			}
		}
		if depth > 0 || quoted {
			out[at] = ' '
		}
	}
	return string(out)
}

// environmentsEnd checks that environments are begun and ended in the order of brackets, also several in a line.
func environmentsEnd(_, text string) []domains.Slip {
	var open []domains.Slip
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.ReplaceAll(line, `\%`, "")
		line, _, _ = strings.Cut(line, "%")
		for _, m := range environmentMark.FindAllStringSubmatch(line, -1) {
			switch name := m[2]; {
			case m[1] == "begin":
				open = append(open, domains.Slip{Line: n, What: name + " is not ended", Stops: true})
				if name == "verbatim" || name == "lstlisting" || name == "comment" {
					return nil // what follows may be anything
				}
			case len(open) == 0:
				return []domains.Slip{{Line: n, What: name + " is ended and was not begun", Stops: true}}
			case open[len(open)-1].What != name+" is not ended":
				return open[len(open)-1:]
			default:
				open = open[:len(open)-1]
			}
		}
	}
	return open[max(0, len(open)-1):]
}

var environmentMark = regexp.MustCompile(`\\(begin|end)\s*\{([^}]*)\}`)
