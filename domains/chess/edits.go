package chess

import "agentd/domains"

func edits() []domains.Edit { return nil }
