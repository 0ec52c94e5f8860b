package landmarks

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// splitByWords makes a file of the places in whose fields some words occur, in any case, and one
// of the others, both with all that is no placemark.
func splitByWords(p struct {
	Document            string
	Fields, Words       []string
	Apart, Others, List string
}) exact.Steps {
	type entry struct { // a placemark, in the order of the document
		ID     string `json:"id"`
		Name   string `json:"name"`
		File   string `json:"file"`
		Folder int    `json:"folder"`
		Place  int    `json:"place"`
	}
	fileOf := func(n *xml.Node) string {
		var text string
		for _, field := range p.Fields {
			text += pytext.Lower(fieldText(n, field)) + " "
		}
		if slices.ContainsFunc(p.Words, func(word string) bool { return strings.Contains(text, word) }) {
			return p.Apart
		}
		return p.Others
	}
	forward := func(doc *xml.Document) (vfs.Files, error) {
		list := []entry{}
		for _, s := range spots(doc) {
			id, name := describe(s.Node)
			list = append(list, entry{id, name, fileOf(s.Node), s.folder, s.place})
		}
		made := vfs.Files{p.List: plain.WriteJSON(list)}
		for _, file := range []string{p.Apart, p.Others} {
			made[file] = printOnly(doc, func(n *xml.Node) bool { return fileOf(n) == file })
		}
		return made, nil
	}
	return charts.Whole(p.Document, forward, func(files vfs.Files) (doc *xml.Document, err error) {
		var list []entry
		if err := plain.JSON(files, p.List, &list); err != nil {
			return nil, err
		}
		left := map[string][]spot{}
		for _, name := range []string{p.Others, p.Apart} {
			if doc, err = charts.Named(files, name); err != nil {
				return nil, err
			}
			left[name] = takePlacemarks(doc)
		}
		var all []spot
		for _, s := range list {
			if placemarks := left[s.File]; len(placemarks) > 0 {
				all = append(all, spot{placemarks[0].Node, s.Folder, s.Place})
				left[s.File] = placemarks[1:]
			}
		}
		for _, s := range slices.Concat(left[p.Apart], left[p.Others]) { // not listed: to the end of its folder
			all = append(all, spot{s.Node, s.folder, math.MaxInt})
		}
		insertSpots(doc, all)
		return doc, nil
	})
}

// printOnly prints a document with only the placemarks that keep accepts.
func printOnly(doc *xml.Document, keep func(*xml.Node) bool) string {
	all := map[*xml.Node][]*xml.Node{}
	for _, folder := range folders(doc) {
		all[folder] = slices.Clone(folder.Children)
		folder.Remove(func(n *xml.Node) bool { return n.Is("Placemark") && !keep(n) })
	}
	text := print(doc)
	for folder, children := range all {
		folder.Children = children
	}
	return text
}

// oldPlaces makes a table of placemarks and where each of them was, in the order they have now.
func oldPlaces(now []spot, was func(spot) spot) string {
	rows := [][]string{{"folder", "place", "id", "name"}}
	for _, s := range now {
		id, name := describe(s.Node)
		old := was(s)
		rows = append(rows, []string{strconv.Itoa(old.folder), strconv.Itoa(old.place), id, name})
	}
	return plain.WriteCSV(rows)
}

// sortByDistance sorts the placemarks of each folder by their distance from a point, and notes it
// in a field.
func sortByDistance(p struct {
	Document, To string
	From         coordinates
	Field, Table string
}) exact.Steps {
	return charts.Rewrite(p.Document, p.To, func(doc *xml.Document) (vfs.Files, error) {
		if err := lacksField(doc, p.Field); err != nil {
			return nil, err
		}
		metres, was := map[*xml.Node]float64{}, map[*xml.Node]spot{}
		for _, s := range spots(doc) {
			was[s.Node], metres[s.Node] = s, p.From.metresTo(s.Node)
			if !math.IsInf(metres[s.Node], 1) {
				addField(s.Node, p.Field, strconv.FormatFloat(math.Round(metres[s.Node]), 'f', 0, 64))
			}
		}
		sortPlacemarks(doc, func(a, b *xml.Node) int { return cmp.Compare(metres[a], metres[b]) })
		return vfs.Files{p.Table: oldPlaces(spots(doc), func(s spot) spot { return was[s.Node] })}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "place")
		was := map[*xml.Node]int{}
		for n, s := range spots(doc) {
			takeField(s.Node, p.Field)
			was[s.Node] = math.MaxInt
			if n < len(rows) {
				was[s.Node] = numbered(s.Node, "", rows[n][0]).place
			}
		}
		sortPlacemarks(doc, func(a, b *xml.Node) int { return cmp.Compare(was[a], was[b]) })
		return err
	})
}

// sortPlacemarks sorts the placemarks of each folder; all else stays.
func sortPlacemarks(doc *xml.Document, compare func(a, b *xml.Node) int) {
	for _, folder := range folders(doc) {
		placemarks := folder.All("Placemark")
		slices.SortStableFunc(placemarks, compare)
		for i, c := range folder.Children {
			if c.Is("Placemark") {
				folder.Children[i] = placemarks[0]
				placemarks = placemarks[1:]
			}
		}
	}
}

// addFolder appends a folder of placemarks.
func addFolder(main *xml.Node, name string, placemarks []spot) {
	folder := main.NewChild("Folder", main.NewChild("name").With(name))
	for _, s := range placemarks {
		folder.Append(s.Node)
	}
	main.Append(folder)
}

// nearestFolders puts the placemarks into new folders, each that of the point which is nearest.
// The frame keeps the old ones.
func nearestFolders(p struct {
	Document, To string
	Folders      []site
	Others       string // the folder for what has no position
	Frame, Table string
}) exact.Steps {
	nearest := func(n *xml.Node) string {
		name, least := p.Others, math.Inf(1)
		for _, f := range p.Folders {
			if metres := f.metresTo(n); metres < least {
				name, least = f.Name, metres
			}
		}
		return name
	}
	forward := func(doc *xml.Document) (vfs.Files, error) {
		placemarks := takePlacemarks(doc)
		frame, main := print(doc), folders(doc)[0]
		for _, outer := range []*xml.Node{doc.Root(), main} {
			outer.Remove(xml.Named("Folder"))
		}
		in := map[string][]spot{}
		for _, s := range placemarks {
			name := nearest(s.Node)
			in[name] = append(in[name], s)
		}
		var sorted []spot
		for _, f := range append(slices.Clone(p.Folders), site{Name: p.Others}) {
			if len(in[f.Name]) == 0 {
				continue
			}
			sorted = append(sorted, in[f.Name]...)
			addFolder(main, f.Name, in[f.Name])
		}
		return vfs.Files{p.To: print(doc), p.Frame: frame, p.Table: oldPlaces(sorted, func(s spot) spot { return s })}, nil
	}
	return charts.Whole(p.Document, forward, func(files vfs.Files) (*xml.Document, error) {
		doc, err := charts.Named(files, p.Frame)
		if err != nil {
			return nil, err
		}
		sorted, err := charts.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, "folder", "place")
		all := takePlacemarks(sorted)
		for n := range all {
			row := []string{"", ""}
			if n < len(rows) {
				row = rows[n]
			}
			all[n] = numbered(all[n].Node, row[0], row[1])
		}
		insertSpots(doc, all)
		return doc, err
	})
}
