package edifact

import (
	"errors"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
)

// interchanges says how interchanges, which are lists of messages and of the segments around
// them, are taken apart and put together.
var interchanges = exact.Format[transmission, part]{
	Patterns: []string{"*.edi"},
	Read:     read,
	Print:    transmission.print,
	Parts:    func(t *transmission) *[]part { return &t.parts },
	Empty:    errors.New("no EDIFACT file with a message"),
	Counts:   func(p *part) bool { return p.message != nil },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_message", splitByMessage),
		domains.Taking("segment_table", segmentTable),
		domains.Taking("sort_lines", sortLines),
		domains.Taking("add_values", addValues),
		domains.Taking("words_apart", wordsApart),
		domains.Taking("restate", restate),
		domains.Taking("other_separators", otherSeparators),
		domains.Taking("code_parties", codeParties),
	}
}

// changeLines changes the line items of all messages, and then the counts that agreed before.
func (t *transmission) changeLines(change func(*line)) {
	for _, m := range t.messages() {
		m.change(func() {
			for i := range m.lines {
				change(&m.lines[i])
			}
		})
	}
}

// find returns the first segment of a tag and qualifier; nil if there is none.
func (l *line) find(tag, qualifier string) *segment {
	return lists.First(l.segments, func(s *segment) bool { return s.tag == tag && s.at(1, 1) == qualifier })
}

// drop removes the segments of a tag and qualifier.
func drop(segments []segment, tag, qualifier string) []segment {
	return slices.DeleteFunc(segments, func(s segment) bool { return s.tag == tag && s.at(1, 1) == qualifier })
}
