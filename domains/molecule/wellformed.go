package molecule

import (
	"strings"

	"agentd/domains"
)

// records checks that each record has its head, its end and its delimiter. A molecule alone, without data, needs no delimiter: it is a mol file.
func records(_, text string) []domains.Slip {
	var all []domains.Slip
	n, begun, table, ended := 0, 0, false, false
	records, after := 0, false // after says that something follows M  END
	slip := func(what string) { all = append(all, domains.Slip{Line: max(begun, 1), What: what}) }
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\n")
		if begun == 0 {
			begun, table, ended, after = n, false, false, false
		}
		switch {
		case line == "$$$$":
			if !table {
				slip("a record has no line of counts")
			} else if !ended {
				slip("M  END is missing in a record")
			}
			begun = 0
			records++
		case n == begun+3 && (strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000")):
			table = true
		case strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000"):
			slip("the line of counts is not the fourth of its record")
			table = true
		case line == "M  END":
			ended = true
		default:
			after = after || ended && line != ""
		}
	}
	switch single := records == 0 && table && !after; {
	case begun == 0 || n == begun:
	case single && !ended:
		slip("M  END is missing in a record")
	case !single:
		slip("the last record is not ended by $$$$")
	}
	return all
}
