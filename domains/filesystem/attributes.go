package filesystem

import (
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/edit"
	"agentd/domains/internal/pytext"
)

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

// kindOf is what the mode of a part's entry stands for, as in directory or symlink.
func kindOf(part string) string {
	if e, ok := entryOf(part); ok {
		return e.kind()
	}
	return ""
}

// topDirectory is the directory at the top that an entry is or lies in; empty for a file at the top.
func topDirectory(part string) string {
	e, ok := entryOf(part)
	if top, _, below := strings.Cut(e.normalPath(), "/"); ok && (below || e.kind() == directory) {
		return top
	}
	return ""
}

// kibibytes is the size of an entry divided by 1,024, with one decimal; empty if it has no size.
func kibibytes(part string) string {
	e, ok := entryOf(part)
	size, err := decimal.NewFromString(e.normalSize())
	if !ok || err != nil {
		return ""
	}
	return size.DivRound(decimal.New(1024, 0), 1).StringFixed(1)
}

// description is the kind of an entry and, where it has one, its size, as in "file, 1.8 KiB".
func description(part string) string {
	if size := kibibytes(part); size != "" {
		return kindOf(part) + ", " + size + " KiB"
	}
	return kindOf(part)
}

// entryOf is the entry of a part; false if there is none.
func entryOf(part string) (entry, bool) {
	for line := range strings.Lines(part) {
		if e, ok := readEntry(pytext.Strip(line)); ok {
			return e, true
		}
	}
	return entry{}, false
}
