package calendar

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that each component is ended, that a file is calendars, and that each line is a property.
var wellFormed = wellformed.All(
	wellformed.Begins(`(?i)^BEGIN:VCALENDAR\s*$`, "BEGIN:VCALENDAR is not the first line"),
	wellformed.Ends(`(?i)^END:VCALENDAR\s*$`, "END:VCALENDAR is not the last line"),
	wellformed.Blocks(`(?i)^BEGIN:(\S+)`, `(?i)^END:(\S+)`, ""),
	wellformed.Lines(`^(?:[ \t]|[A-Za-z0-9-]+(?:[;:]|$))`, "the line is no property"),
	wellformed.Not(`(?i)^[^:"]*;(?:CN|TZID|ROLE|PARTSTAT|LANGUAGE|FBTYPE|VALUE)=[^":;,]*,`, "a comma stands in a parameter without quotes"),
)
