package geotrack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// sheet writes the waypoints as a Markdown sheet, by their types.
func sheet(p struct {
	Document, To, Sheet, Title string
	Untyped                    string // the heading of those without a type
}) exact.Steps {
	change := func(f *gpxFile) (vfs.Files, error) {
		var entries []sheetEntry
		for n, w := range f.Root().Remove(xml.Named("wpt")) {
			kind := strings.Join(strings.Fields(pytext.Strip(w.Child("type").Content())), " ")
			entries = append(entries, sheetEntry{cmp.Or(kind, p.Untyped), section(w, n+1)})
		}
		slices.SortStableFunc(entries, func(a, b sheetEntry) int { return cmp.Compare(a.kind, b.kind) })
		var b strings.Builder
		b.WriteString("# " + p.Title + "\n")
		for n, e := range entries {
			if n == 0 || e.kind != entries[n-1].kind {
				b.WriteString("\n## " + e.kind + "\n")
			}
			b.WriteString("\n" + e.text)
		}
		return vfs.Files{p.Sheet: b.String()}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		text, err := plain.File(files, p.Sheet)
		root := f.Root()
		for _, s := range readSections(text) {
			insert(root, newPoint(root, "wpt", s.lat, s.lon, s.values))
		}
		return err
	})
}

type sheetEntry struct{ kind, text string }

// section is a waypoint as a heading with its number and name, and a list of
// everything else.
func section(n *xml.Node, number int) string {
	name := ""
	lines := []string{"", "", "- lat: " + n.Value("lat"), "- lon: " + n.Value("lon")}
	for _, v := range values(n) {
		if v.Path == "name" {
			name = " " + v.Text
		} else {
			lines = append(lines, "- "+v.Path+": "+v.Text)
		}
	}
	lines[0] = fmt.Sprintf("### %d.%s", number, name)
	return plain.Text(lines)
}

// sheetSection is what a section says.
type sheetSection struct {
	number, lat, lon string
	values           []xml.Value
}

// readSections reads the waypoints of a sheet, by their numbers.
func readSections(text string) (sections []sheetSection) {
	for _, line := range plain.Lines(text) {
		line = strings.TrimRight(line, " \t")
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			number, name, _ := strings.Cut(heading, ".")
			sections = append(sections, sheetSection{number: number, values: []xml.Value{{Path: "name", Text: strings.TrimSpace(name)}}})
			continue
		}
		item, ok := strings.CutPrefix(line, "- ")
		path, text, found := strings.Cut(item, ": ")
		if !ok || !found || len(sections) == 0 {
			continue
		}
		switch s := &sections[len(sections)-1]; path {
		case "lat":
			s.lat = text
		case "lon":
			s.lon = text
		default:
			s.values = append(s.values, xml.Value{Path: path, Text: text})
		}
	}
	slices.SortStableFunc(sections, func(a, b sheetSection) int { return byNumber(a.number, b.number) })
	return sections
}
