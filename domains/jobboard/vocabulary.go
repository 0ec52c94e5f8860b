package jobboard

import "agentd/domains/edit"

// vocabulary makes parts of the jobs.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "job board", Part: "job", Parts: "jobs",
		Cut: edit.Starting(`^[ \t#*]*\[?[A-Z][A-Z0-9]*-\d+\]?\s`, ""),
		Attributes: []edit.Attribute{
			line("employment type", "employment types", "Type"), line("company", "companies", "Company"), line("location", "locations", "Location"),
			edit.Has("title", "titles", `\A[ \t#*]*\[?[A-Z][A-Z0-9]*-\d+\]?[-:*\s]+(\S[^\n]*[^\s*])`),
			edit.Key("job number", "job numbers", `\A[ \t#*]*\[?[A-Z][A-Z0-9]*-(\d+)`),
			line("posting date", "posting dates", "Posted"), line("salary", "salaries", "Salary"),
			edit.Has("first skill", "first skills", `(?i)^[ \t*-]*Skills:[ \t*]*([^,\n]*[^,\s])`), line("note", "notes", "Note"),
		},
	}
}

// line is what a line with a title says.
func line(name, plural, title string) edit.Attribute {
	return edit.Has(name, plural, `(?i)^[ \t*-]*`+title+`:[ \t*]*([^\s*][^\n]*[^\s])`)
}
