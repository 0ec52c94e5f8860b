package makefile

import (
	"errors"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// makefiles says how makefiles, which are lists of statements, are taken apart and put together.
var makefiles = exact.Format[[]statement, statement]{
	Patterns: filePatterns,
	Read:     read,
	Print:    printed,
	Parts:    func(all *[]statement) *[]statement { return all },
	Empty:    errors.New("no makefile with a rule"),
	Counts:   func(s *statement) bool { return s.kind == ruleLine },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_at_comments", splitAtComments),
		domains.Taking("split_by_kind", splitByKind),
		domains.Taking("take_recipes", takeRecipes),
		domains.Taking("variable_table", variableTable),
		domains.Taking("json", inJSON),
		domains.Taking("seconds", inSeconds),
		domains.Taking("number_targets", numberTargets),
		domains.Taking("order_by_need", orderByNeed),
	}
}
