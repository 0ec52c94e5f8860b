package calendar

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that each component is ended, that a file is calendars, and that each line is a property.
var wellFormed = wellformed.All(
	wellformed.Begins(`(?i)^BEGIN:VCALENDAR\s*$`, "BEGIN:VCALENDAR is not the first line"),
	wellformed.Ends(`(?i)^END:VCALENDAR\s*$`, "END:VCALENDAR is not the last line"),
	wellformed.Blocks(`(?i)^BEGIN:(\S+)`, `(?i)^END:(\S+)`, ""),
	byProperty(wellformed.Lines(`^[A-Za-z0-9-]+(?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*)(?:,(?:"[^"]*"|[^";:]*))*)*:`, "the line is no property with parameters and a value")),
	wellformed.Not(`(?i)^[^:"]*;(?:CN|TZID|ROLE|PARTSTAT|LANGUAGE|FBTYPE|VALUE)=[^":;,]*,`, "a comma stands in a parameter without quotes"),
)

// byProperty makes a check of lines that are carried on in the next one, which begins with a blank. They keep their numbers.
func byProperty(check wellformed.Check) wellformed.Check {
	return func(name, text string) []domains.Slip {
		var out strings.Builder
		carried := 0
		for line := range strings.Lines(text) {
			if line[0] == ' ' || line[0] == '\t' {
				out.WriteString(strings.TrimRight(line[1:], "\n"))
				carried++
				continue
			}
			if out.Len() > 0 {
				out.WriteString(strings.Repeat("\n", carried+1))
			}
			carried = 0
			out.WriteString(strings.TrimRight(line, "\n"))
		}
		return check(name, out.String())
	}
}
