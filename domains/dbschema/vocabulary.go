package dbschema

import "agentd/domains/edit"

// quotes is a text or a name in quotes.
const quotes = `'(?:[^'\\]|\\(?s:.))*'|"[^"]*"|` + "`[^`]*`"

// vocabulary makes parts of the statements, with the comments above each.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "schema", Part: "statement", Parts: "statements",
		Cut: edit.Headed(`^[ \t]*(?:--|#|/\*.*\*/[ \t]*$)`, edit.Statements(0, ";", quotes, `--.*|#.*|/\*(?s:.*?)\*/;?`)),
		Attributes: []edit.Attribute{
			edit.Key("command", "commands", `(?i)^[ \t]*(CREATE|DROP|ALTER|INSERT|SET|LOCK|UNLOCK|USE|COMMENT|GRANT|UPDATE|DELETE|BEGIN|COMMIT|PRAGMA)\b`),
			edit.Key("table", "tables", "(?i)\\b(?:TABLE|INTO|UPDATE|REFERENCES|ON)[ \\t]+(?:IF[ \\t]+(?:NOT[ \\t]+)?EXISTS[ \\t]+)?[`\"\\[]?([\\w.]+)"),
			edit.Has("storage engine", "storage engines", `(?i)\bENGINE[ \t]*=[ \t]*(\w+)`),
			edit.Has("column type", "column types", "(?i)^[ \\t]*[`\"\\[]?\\w+[`\"\\]]?[ \\t]+((?:var)?char\\(\\d+\\)|\\w*int(?:eger)?(?:\\(\\d+\\))?|\\w*text|(?:date|time)\\w*|decimal\\([\\d,]+\\)|numeric\\([\\d, ]+\\)|boolean|serial|uuid)\\b"),
			edit.Has("comment", "comments", `(?i)(?:\bCOMMENT[ \t=]+'|--[ \t]+)([^'\n]*[^'\s])`),
			edit.Has("default value", "default values", `(?i)\bDEFAULT[ \t]+('[^'\n]+'|[\w.()]+)`),
		},
	}
}
