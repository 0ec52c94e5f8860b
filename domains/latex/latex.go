// Package latex is the domain of LaTeX papers: .tex sources with citations and
// BibTeX files. The bibliography entry is what is counted.
//
// The published score reads the sources by patterns. It compares the text that is left when most commands are deleted
// with their arguments, the sequence of works cited, the set of works in the bibliography, and nine fields of each work
// on both sides. Strict has readers of its own. It reads the sources as LaTeX does, each where another one takes it in,
// as headings, sentences, displays, table rows and commands in their order, with every citation, label and reference;
// and each entry of the bibliography by its type and all of its fields, abbreviations written out.
package latex

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/latex"
	"agentd/internal/lazyregexp"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Paper]{
		Info: domains.Info{
			Name:     "latex",
			Title:    "LaTeX paper with bibliography",
			Category: "Creative & Media",
			Patterns: []string{"*.tex", "*.bib"},
			Together: true,
			Element:  entryKind,
			Example: "@book{lind2019,\n" +
				"  author = {Lind, Mara},\n" +
				"  title = {Lamps of the Coast},\n" +
				"  year = {2019}\n" +
				"}",
			Components: []string{"text_score", "citation_sequence_score", "bib_completeness_score", "field_accuracy_score"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"%"},
		Evidence: evidence,
		// The text has a score of its own.
		Others:     published.Others,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the text of a paper cites its entries"},
		Vocabulary: vocabulary,
	})
}

// wellFormed checks braces and environments, that a document that begins is ended, and the commas of a bibliography. In a
// bibliography a percent sign is text, as in an address, unless it begins a line.
var wellFormed = wellformed.All(
	wellformed.For(wellformed.Code{Line: []string{"%"}, EscapeIn: true, Brackets: "{}"}.Check, ".tex"),
	wellformed.For(wellformed.Code{AtStart: []string{"%"}, EscapeIn: true, Brackets: "{}"}.Check, ".bib"),
	wellformed.For(environmentsEnd, ".tex"),
	wellformed.For(commas, ".bib"),
)

var (
	entryHead = lazyregexp.New(`(?m)^[ \t]*@([A-Za-z]+)\s*([{(])`)
	noComma   = lazyregexp.New(`[\w}"]\s+[A-Za-z][\w-]*\s*=`)
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

var environmentMark = lazyregexp.New(`\\(begin|end)\s*\{([^}]*)\}`)
