package jobboard

import (
	"strconv"

	"agentd/domains/edit"
	published "agentd/domains/published/jobboard"
)

// vocabulary makes parts of the jobs.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "job board", Part: "job", Parts: "jobs", Remark: "Computed: {}",
		Cut: edit.Starting(`^[ \t#*]*\[?[A-Z][A-Z0-9]*-\d+\]?\s`, ""),
		Attributes: []edit.Attribute{
			line("employment type", "employment types", "Type"), line("company", "companies", "Company"), line("location", "locations", "Location"),
			edit.Has("title", "titles", `\A[ \t#*]*\[?[A-Z][A-Z0-9]*-\d+\]?[-:*\s]+(\S[^\n]*[^\s*])`),
			edit.Key("job number", "job numbers", `\A[ \t#*]*\[?[A-Z][A-Z0-9]*-(\d+)`),
			line("posting date", "posting dates", "Posted"), line("salary", "salaries", "Salary"),
			edit.Has("first skill", "first skills", `(?i)^[ \t*-]*Skills:[ \t*]*([^,\n]*[^,\s])`), line("note", "notes", "Note"),
			edit.Key("month", "months", `(?i)^[ \t*-]*Posted:[ \t*]*(\d{4}-\d{2})-\d{2}`),
			edit.HasNumber("hourly wage", "hourly wages", `(?i)\$(\d+\.\d{2})(?:-\$|[ \t]*/[ \t]*hour)`),
			edit.Has("note line", "note lines", `(?i)^([ \t*-]*Note:[^\n]*)$`),
			edit.ComputedNumber("annual pay", "annual pays", annualPay),
		},
	}
}

// annualPay is the first pay by the year or hour in a job's salary, in dollars a year of full-time work, with two
// decimals; empty if it has none.
func annualPay(part string) string {
	salary := line("salary", "salaries", "Salary")
	found := salary.Find.FindStringSubmatch(part)
	if found == nil {
		return ""
	}
	p := published.ReadPay(found[1])
	if p.Period == "" {
		return ""
	}
	return strconv.FormatFloat(p.Annual(), 'f', 2, 64)
}

// line is what a line with a title says.
func line(name, plural, title string) edit.Attribute {
	return edit.Has(name, plural, `(?i)^[ \t*-]*`+title+`:[ \t*]*([^\s*][^\n]*[^\s])`)
}
