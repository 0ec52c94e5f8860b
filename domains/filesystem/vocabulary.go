package filesystem

import "agentd/domains/edit"

// vocabulary makes a part of each entry, with the comments above it.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "listing", Part: "entry", Parts: "entries",
		Cut:    edit.Headed(`^[ \t]*#`, edit.Starting(`^\s*\d{6}\s+(?:-|[\d.]+)\s+\S`, "")),
		Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Key("mode", "modes", `^\s*(\d{6})\s`),
			edit.Computed("top directory", "top directories", topDirectory),
			edit.HasNumber("size", "sizes", `^\s*\d{6}\s+([\d.]+)\s`),
			edit.Has("path", "paths", `^\s*\d{6}\s+(?:-|[\d.]+)\s+(\S(?:[^\n]*\S)?)`),
			edit.Has("folder", "folders", `^\s*\d{6}\s+(?:-|[\d.]+)\s+([^\n]+)/[^/\n]+$`),
			edit.Has("file name", "file names", `^\s*\d{6}\s+(?:-|[\d.]+)\s+(?:[^\n]*/)?([^/\n]*[^/\s])[ \t]*$`),
			edit.Has("extension", "extensions", `^\s*\d{6}\s+[\d.]+\s+[^\n]*[^/\s]\.(\w+)[ \t]*$`),
			edit.Has("comment", "comments", `^[ \t]*#[ \t]*([^\s#][^\n]*[^\s])`),
			edit.Computed("kind", "kinds", kindOf),
			edit.ComputedNumber("kibibytes", "sizes in kibibytes", kibibytes),
			edit.Computed("description", "descriptions", description),
		},
	}
}
