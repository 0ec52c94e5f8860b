// Package wellformed finds the places at which the tools of a format would stop reading a file: a syntax slip, a bracket or
// a block that is not closed, a Markdown code fence around the file, a remark of the assistant's above it.
//
// A Check looks at one file. The checks of several formats are here (JSON, XML, YAML, CSV, mail), and what others are
// made of: brackets and quotes of a language (Code), lines that must have one of some forms (Lines), blocks with words
// for begin and end (Blocks), and how a file begins and ends (Begins, Ends). Slips of one file are compared with
// those of another by New: only what is new counts, so a dialect that no check knows is not judged.
package wellformed

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Slip is a place at which a tool of the format would stop, or would read something else than is meant.
type Slip struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 if it is of the whole file
	// What is wrong, as in "a comma is missing". Two slips of one kind say the same, so that they can be compared.
	What string `json:"what"`
	// Text is the line, as far as the same slip in the same line is no new one.
	Text string `json:"-"`
	// Stops says that the reader which found the slip reads no further, so that nothing is known of the rest.
	Stops bool `json:"-"`
}

// String is as in "line 3: a comma is missing".
func (s Slip) String() string {
	if s.Line == 0 {
		return s.What
	}
	return fmt.Sprintf("line %d: %s", s.Line, s.What)
}

// In is String with the name of the slip's file in front, unless that is the whole document.
func (s Slip) In(document string) string {
	if s.File == document {
		return s.String()
	}
	return s.File + ", " + s.String()
}

// Check returns the slips of a file, in the order of its lines.
type Check func(name, text string) []Slip

// All is the check that makes all of several.
func All(checks ...Check) Check {
	return func(name, text string) []Slip {
		var all []Slip
		for _, check := range checks {
			all = append(all, check(name, text)...)
		}
		return all
	}
}

// For makes a check of those files whose names end in one of the endings, in lower case.
func For(check Check, endings ...string) Check {
	return func(name, text string) []Slip {
		if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(name), e) }) {
			return nil
		}
		return check(name, text)
	}
}

// Of are the slips of files, in the order of their names. A blank file has none: whether something must be there is a
// question of its content.
func Of(files vfs.Files, check Check) []Slip {
	var all []Slip
	for _, name := range files.Names() {
		text := files[name]
		if strings.TrimSpace(text) == "" {
			continue
		}
		if !vfs.Binary(name) {
			text = pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
		}
		found := len(all)
		for _, s := range check(name, text) {
			s.File = name
			if s.Line == 0 || !slices.Contains(all[found:], s) { // two checks may know a slip
				all = append(all, s)
			}
		}
	}
	return all
}

// New are the slips of a candidate that a reference does not have. A slip in the same line says nothing new, and as many
// of a kind as the reference has are forgiven wherever they are. Where a reader stopped in a file of the reference,
// readers that stop are not listened to.
func New(reference, candidate []Slip) []Slip {
	stopped := slices.ContainsFunc(reference, func(s Slip) bool { return s.Stops })
	inLine, kinds := map[[2]string]int{}, map[string]int{}
	for _, s := range reference {
		inLine[[2]string{s.What, s.Text}]++
		kinds[s.What]++
	}
	var rest []Slip
	for _, s := range candidate {
		at := [2]string{s.What, s.Text}
		switch {
		case s.Stops && stopped:
		case inLine[at] > 0:
			inLine[at]--
			kinds[s.What]--
		default:
			rest = append(rest, s)
		}
	}
	return slices.DeleteFunc(rest, func(s Slip) bool {
		kinds[s.What]--
		return kinds[s.What] >= 0
	})
}

// lines hands out the lines of a text with their numbers, from 1, without their ends.
func lines(text string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			if !yield(n, strings.TrimRight(line, "\n")) {
				return
			}
		}
	}
}

// lineOf is the number of the line, from 1, in which a place of a text is.
func lineOf(text string, at int) int {
	return 1 + strings.Count(text[:min(max(at, 0), len(text))], "\n")
}
