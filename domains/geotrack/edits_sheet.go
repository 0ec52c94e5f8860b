package geotrack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	sheetFile = "survey.md"
	restFile  = "tracks.gpx"
	noType    = "no type"
)

// toSheet writes the waypoints as a Markdown sheet, by their types.
func toSheet(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type entry struct {
		kind, text string
	}
	var entries []entry
	for n, w := range doc.Root().Remove(xml.Named("wpt")) {
		kind := pytext.Strip(w.Child("type").Content())
		if kind = strings.Join(strings.Fields(kind), " "); kind == "" {
			kind = noType
		}
		entries = append(entries, entry{kind, section(w, n+1)})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.kind, b.kind) })
	var b strings.Builder
	b.WriteString("# Waypoints\n")
	for n, e := range entries {
		if n == 0 || e.kind != entries[n-1].kind {
			b.WriteString("\n## " + e.kind + "\n")
		}
		b.WriteString("\n" + e.text)
	}
	return vfs.Files{sheetFile: b.String(), restFile: doc.print()}, nil
}

// section is a waypoint as a heading with its number and name, and a list of
// everything else.
func section(n *xml.Node, number int) string {
	values := values(n)
	name := ""
	values = slices.DeleteFunc(values, func(v value) bool {
		if v.path == "name" {
			name = " " + v.text
		}
		return v.path == "name"
	})
	lat, _ := n.Attribute("lat")
	lon, _ := n.Attribute("lon")
	lines := []string{fmt.Sprintf("### %d.%s", number, name), "", "- lat: " + lat, "- lon: " + lon}
	for _, v := range values {
		lines = append(lines, "- "+v.path+": "+v.text)
	}
	return plain.Text(lines)
}

func fromSheet(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, restFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, sheetFile)
	if err != nil {
		return nil, err
	}
	type entry struct {
		number, lat, lon string
		values           []value
	}
	var entries []entry
	for _, line := range plain.Lines(text) {
		line = strings.TrimRight(line, " \t")
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			number, name, _ := strings.Cut(heading, ".")
			entries = append(entries, entry{number: number, values: []value{{"name", strings.TrimSpace(name)}}})
			continue
		}
		item, ok := strings.CutPrefix(line, "- ")
		path, text, found := strings.Cut(item, ": ")
		if !ok || !found || len(entries) == 0 {
			continue
		}
		switch e := &entries[len(entries)-1]; path {
		case "lat":
			e.lat = text
		case "lon":
			e.lon = text
		default:
			e.values = append(e.values, value{path, text})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return byNumber(a.number, b.number) })
	root := doc.Root()
	for _, e := range entries {
		insert(root, newPoint(root, "wpt", e.lat, e.lon, e.values))
	}
	return asDocument(doc), nil
}
