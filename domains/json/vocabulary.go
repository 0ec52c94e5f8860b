package json

import "agentd/domains/edit"

// vocabulary makes parts of the elements of the outermost list, in JSON or in YAML.
func vocabulary() edit.Format { return edit.Lists("document") }
