package calendar

import "agentd/domains/edit"

// vocabulary makes parts of the components that are events, to-dos and journals.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "calendar", Part: "event", Parts: "events",
		Cut: edit.Enclosed(`^BEGIN:V(EVENT|TODO|JOURNAL)\s*$`, `^END:V(EVENT|TODO|JOURNAL)\s*$`),
		Attributes: []edit.Attribute{
			edit.Has("summary", "summaries", `^SUMMARY[^:\n]*:([^\r\n]+)`),
			edit.Has("day", "days", `^DTSTART[^:\n]*:(\d{8})`),
			edit.Has("start", "starts", `^DTSTART[^:\n]*:(\d{8}T?\d*)`),
			edit.Has("location", "locations", `^LOCATION[^:\n]*:([^\r\n]+)`),
			edit.Has("category", "categories", `^CATEGORIES[^:\n]*:([^\r\n,]+)`),
			edit.Has("status", "statuses", `^STATUS:(\w+)`),
			edit.Has("organizer", "organizers", `^ORGANIZER[^\n]*mailto:([^\r\n]+)`),
			edit.Has("description", "descriptions", `^DESCRIPTION[^:\n]*:([^\r\n]+)`),
			edit.Has("uid", "uids", `^UID:([^\r\n]+)`),
		},
	}
}
