package transit

import "agentd/domains/edit"

// vocabulary edits the longest table of a feed; the others stay.
func vocabulary() edit.Format { return edit.Table("feed", "row", "rows") }
