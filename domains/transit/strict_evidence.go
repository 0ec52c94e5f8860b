package transit

import (
	"slices"

	"agentd/domains"
)

// isOfGTFS reports whether an element is a row of a GTFS table that has what the
// reference of GTFS requires of every row. Any table of comma-separated values can be
// read as one.
func isOfGTFS(e *domains.Element) bool {
	required := requiredColumn(e.Value(tableField))
	return required != "" && slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == required })
}

// requiredColumn is a column that no row of a table may leave empty; empty for a
// file that is no GTFS table.
func requiredColumn(table string) string {
	switch table {
	case "agency.txt":
		return "agency_name"
	case "feed_info.txt":
		return "feed_publisher_name"
	case "attributions.txt":
		return "organization_name"
	case "pathways.txt":
		return "pathway_id"
	case "levels.txt":
		return "level_id"
	case "transfers.txt":
		return "transfer_type"
	case "translations.txt":
		return "table_name"
	}
	if keys := keyColumns(table); keys != nil {
		return keys[0]
	}
	return ""
}
