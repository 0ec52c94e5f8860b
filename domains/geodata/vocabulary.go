package geodata

import "agentd/domains/edit"

// vocabulary makes parts of the features, whose properties are the attributes.
func vocabulary() edit.Format {
	return edit.List("collection", "feature", "features", edit.JSON("features"))
}
