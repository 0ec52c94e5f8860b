package spreadsheet

import "agentd/domains/edit"

// vocabulary edits the rows of the longest table.
func vocabulary() edit.Format { return edit.Table("table", "row", "rows") }
