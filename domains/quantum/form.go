package quantum

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/quantum"
	"agentd/internal/lazyregexp"
)

var code = wellformed.Code{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Quotes: `"`, Brackets: "(){}[]"}

// wellFormed has a file judged by the grammar of OpenQASM 3, and by its brackets and quotes.
var wellFormed = wellformed.All(
	code.Check,
	grammatical,
	code.Bare(declaredFirst),
)

var (
	word        = lazyregexp.New(`[\pL_][\pL_\d]*|[{};]`)
	declaration = lazyregexp.New(`(?m)^[ \t]*(?:(gate|extern)|(?:const\s+|input\s+|output\s+)?(?:qubit|qreg|bit|creg|int|uint|float|angle|bool|duration|stretch|complex|let)\b(?:\s*\[[^\]\n]*\])*)\s+([\pL_][\pL_\d]*)`)
	// definitionWords begin statements whose names are their own.
	definitionWords = sets.Words("gate def extern defcal cal defcalgrammar")
)

// declaredFirst checks that gates, and what is declared outside of all blocks, are not used above the line that declares
// them: OpenQASM takes none that are declared below. Subroutines may be, as simulators take them. What is declared more than once is not judged.
func declaredFirst(_, text string) (all []domains.Slip) {
	type known struct {
		at       int
		callable bool
	}
	declared, times := map[string]known{}, map[string]int{}
	depth, from := 0, 0
	for _, at := range declaration.FindAllStringSubmatchIndex(text, -1) {
		name, callable := text[at[4]:at[5]], at[2] >= 0
		depth += strings.Count(text[from:at[0]], "{") - strings.Count(text[from:at[0]], "}")
		from = at[0]
		if depth == 0 {
			declared[name] = known{at[4], callable}
		}
		times[name]++
	}
	depth = 0
	first := "" // the word that begins the statement
	for _, at := range word.FindAllStringIndex(text, -1) {
		switch name := text[at[0]:at[1]]; name {
		case "{":
			depth++
			first = ""
		case "}":
			depth--
			first = ""
		case ";":
			first = ""
		default:
			if first == "" {
				first = name
			}
			what, is := declared[name]
			if is && times[name] == 1 && at[0] < what.at && (what.callable || depth == 0 && !definitionWords[first]) {
				all = append(all, domains.Slip{Line: 1 + strings.Count(text[:at[0]], "\n"), What: "a name is used above its declaration", Text: name})
				delete(declared, name)
			}
		}
	}
	return all
}

// grammatical has the file read by the grammar, and finds the first line at whose end a statement seems to go on.
func grammatical(_, text string) []domains.Slip {
	if _, err := published.ParseGrammar(text); err == nil {
		return nil
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "//")
		if line = strings.TrimSpace(line); unended.MatchString(line) {
			return []domains.Slip{{Line: n, What: "a semicolon is missing, or a statement is not of the grammar", Stops: true}}
		}
	}
	return []domains.Slip{{What: "a statement is not of the grammar", Stops: true}}
}

// unended is a line of code that is no annotation, pragma or calibration, and ends in a name, a number or a bracket.
var unended = lazyregexp.New(`^[^@#/*].*[\w\])"]$`)
