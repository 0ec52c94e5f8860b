package domains

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// commentElement is the kind of the elements that comments makes.
const commentElement = "comment line"

// comment is a line that is a comment and says something.
type comment struct {
	line  int    // from 1
	text  string // with its mark, blanks in it as one
	above int    // the number of the lines above it that are no comments
}

// blockComments are marks that begin a comment, each with the one that ends it.
var blockComments = [][2]string{{"/*", "*/"}, {"<!--", "-->"}}

// commentLines divides a text into the lines that are comments and all others; blank lines are neither.
func commentLines(text string, marks []string) (comments []comment, others []string) {
	end := "" // of the block that is open
	for n, line := range strings.Split(pytext.UniversalNewlines(text), "\n") {
		bare := plain.SingleBlanks(line)
		for _, block := range blockComments {
			if end == "" && slices.Contains(marks, block[0]) && strings.HasPrefix(bare, block[0]) {
				end = block[1]
			}
		}
		switch {
		case bare == "":
		case end != "":
			closed := strings.Contains(bare, end)
			if alone := !closed || strings.HasSuffix(bare, end); alone {
				comments = append(comments, comment{n + 1, bare, len(others)})
			} else {
				others = append(others, bare)
			}
			if closed {
				end = ""
			}
		case slices.ContainsFunc(marks, func(mark string) bool { return begins(line, bare, mark) }):
			comments = append(comments, comment{n + 1, bare, len(others)})
		default:
			others = append(others, bare)
		}
	}
	return slices.DeleteFunc(comments, func(c comment) bool { return !strings.ContainsFunc(c.text, isWord) }), others
}

// begins reports whether a line begins with a mark. A mark with a ^ in front of it counts only in the first column.
func begins(line, bare, mark string) bool {
	if first, ok := strings.CutPrefix(mark, "^"); ok {
		return strings.HasPrefix(line, first)
	}
	return strings.HasPrefix(bare, mark)
}

// comments are elements for the comments of two documents that are equal to the domain: the text of each, its place among the
// comments, and the line below it. Elsewhere the place of a comment means nothing, since programs that write a document
// move comments together with its parts. If all other lines kept their places, no part was moved. Then a comment that
// moved, or that stands twice, is damage. Comments that only one side has are left out.
func (a *against[T]) comments(candidate vfs.Files) (ref, got []Element) {
	if len(a.spec.Comments) == 0 {
		return nil, nil
	}
	for _, name := range a.files.Names() {
		if _, there := candidate[name]; !there || a.files[name] == candidate[name] {
			continue
		}
		was, lines := commentLines(a.files[name], a.spec.Comments)
		is, linesNow := commentLines(candidate[name], a.spec.Comments)
		if !slices.Equal(lines, linesNow) {
			continue
		}
		ref = append(ref, commentElements(was, is, lines)...)
		got = append(got, commentElements(is, was, lines)...)
	}
	return ref, got
}

// commentElements are elements of those comments that stand among others, too.
func commentElements(comments, others []comment, lines []string) (all []Element) {
	known := map[string]bool{}
	for _, c := range others {
		known[c.text] = true
	}
	for _, c := range comments {
		if !known[c.text] {
			continue
		}
		next := "the end"
		if c.above < len(lines) {
			next = lines[c.above]
		}
		all = append(all, Element{
			Kind: commentElement, Key: fmt.Sprintf("comment on line %d", c.line), Position: len(all) + 1,
			Fields: []Field{{Name: "text", Value: c.text}, {Name: "stands above", Value: next}},
		})
	}
	return all
}

// repeatedElement is the kind of the elements that RepeatedLines makes.
const repeatedElement = "repeated line"

// RepeatedLines returns elements for lines that a candidate repeats directly below, if it has no other change. No program that saves a
// document repeats a line, so they are named. They weigh nothing, because labels by practitioners call a repeated entry the same.
func RepeatedLines(reference, candidate vfs.Files) (all []Element) {
	for _, name := range reference.Names() {
		if is, there := candidate[name]; there && reference[name] != is {
			all = append(all, repeatedLines(statedLines(reference[name]), statedLines(is))...)
		}
	}
	return all
}

// statedLine is a line that says something, without the blanks around it.
type statedLine struct {
	line int // from 1
	text string
}

func statedLines(text string) (stated []statedLine) {
	for n, line := range strings.Split(pytext.UniversalNewlines(text), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			stated = append(stated, statedLine{n + 1, line})
		}
	}
	return stated
}

// repeatedLines are none unless only lines were repeated.
func repeatedLines(was, is []statedLine) (all []Element) {
	for at, line := range is {
		switch {
		case len(was) > 0 && line.text == was[0].text:
			was = was[1:]
		case at > 0 && line.text == is[at-1].text && strings.ContainsFunc(line.text, isWord):
			all = append(all, Element{
				Kind: repeatedElement, Key: fmt.Sprintf("line %d", line.line), Fields: []Field{{Name: "text", Value: line.text}}, Weightless: true,
			})
		default:
			return nil
		}
	}
	if len(was) > 0 {
		return nil
	}
	return all
}

// overlooked compares what readers pass over in two documents between which a domain sees no difference: odd characters, the
// places of comments, and lines that are repeated. Each of them counts as one among the elements of the reference.
func (a *against[T]) overlooked(candidate vfs.Files) element.Comparison {
	if a.same(candidate) {
		return element.Comparison{Strict: 1}
	}
	ref, got := a.odd(candidate)
	was, is := a.comments(candidate)
	ref, got = append(ref, was...), append(got, is...)
	if len(ref)+len(got) == 0 {
		got = RepeatedLines(a.files, candidate)
	}
	if len(ref)+len(got) == 0 {
		return element.Comparison{Strict: 1}
	}
	all := a.elements()
	return a.spec.by().Compare(append(ref, all...), append(got, all...))
}
