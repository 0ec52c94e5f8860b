package python

import (
	"errors"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// programs says how programs, which are lists of statements at the margin, are taken apart and
// put together.
var programs = exact.Format[sheet, part]{
	Patterns: []string{"*.py"},
	Read:     readSheet,
	Print:    sheet.print,
	Parts:    func(s *sheet) *[]part { return &s.parts },
	Empty:    errors.New("no Python file with a statement"),
	Fault:    func(s *sheet) error { return s.fault },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_kind", splitByKind),
		domains.Taking("texts_apart", textsApart),
		domains.Taking("name_numbers", nameNumbers),
		domains.Taking("sort_by_complexity", sortByComplexity),
		domains.Taking("callers_first", callersFirst),
		domains.Taking("camel_case", inCamelCase),
		domains.Taking("notebook", inNotebook),
		domains.Taking("stubs", stubs),
	}
}
