package calendar

import "agentd/domains/edit"

// folded is a value with the lines on which it goes on.
const folded = `[^\r\n]+(?:\r?\n[ \t][^\r\n]*)*`

// vocabulary makes parts of the components that are events, to-dos and journals.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "calendar", Part: "event", Parts: "events",
		Cut:    edit.Enclosed(`^BEGIN:V(EVENT|TODO|JOURNAL)\s*$`, `^END:V(EVENT|TODO|JOURNAL)\s*$`),
		Tree:   edit.Nested(`^BEGIN:`, `^END:`),
		Remark: "X-COMPUTED:{}", RemarkAt: edit.Inside,
		Attributes: []edit.Attribute{
			edit.Has("summary", "summaries", `^SUMMARY[^:\n]*:(`+folded+`)`),
			edit.Has("day", "days", `^DTSTART[^:\n]*:(\d{8})`),
			edit.Has("start", "starts", `^DTSTART[^:\n]*:(\d{8}T?\d*)`),
			edit.Has("end", "ends", `^DTEND[^:\n]*:(\d{8}T?\d*)`),
			edit.Has("location", "locations", `^LOCATION[^:\n]*:(`+folded+`)`),
			edit.Has("category", "categories", `^CATEGORIES[^:\n]*:((?:[^\r\n,\\]|\\.)+)`),
			edit.Has("status", "statuses", `^STATUS:(\w+)`),
			edit.Has("organizer", "organizers", `^ORGANIZER[^\n]*mailto:([^\r\n]+)`),
			edit.Has("description", "descriptions", `^DESCRIPTION[^:\n]*:(`+folded+`)`),
			edit.Has("uid", "uids", `^UID:([^\r\n]+)`),
			edit.Computed("finish", "finishes", finish),
			edit.ComputedNumber("length in minutes", "lengths in minutes", minutes),
		},
	}
}
