package landmarks

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	indoorsFile  = "indoors.kml"
	outdoorsFile = "outdoors.kml"
	settingsFile = "split.json"
)

// indoorWords tell a place with a roof.
var indoorWords = []string{"café", "church", "museum", "ticket", "tour", "guided"}

func isIndoors(n *xml.Node) bool {
	text := pytext.Lower(fieldText(n, "OVERVIEW") + " " + fieldText(n, "OPENING_HOURS"))
	return slices.ContainsFunc(indoorWords, func(word string) bool { return strings.Contains(text, word) })
}

// setting is an entry of split.json: a placemark, in the order of the document.
type setting struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	File   string `json:"file"`
	Folder int    `json:"folder"`
	Place  int    `json:"place"`
}

// splitBySetting makes a file of the places with a roof and one of the others,
// both with all that is no placemark.
func splitBySetting(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	settings := []setting{}
	for _, s := range spots(doc) {
		file := outdoorsFile
		if isIndoors(s.Node) {
			file = indoorsFile
		}
		id, name := describe(s.Node)
		settings = append(settings, setting{id, name, file, s.folder, s.place})
	}
	return vfs.Files{
		settingsFile: printJSON(settings),
		indoorsFile:  printOnly(doc, isIndoors),
		outdoorsFile: printOnly(doc, func(n *xml.Node) bool { return !isIndoors(n) }),
	}, nil
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

func mergeSettings(files vfs.Files) (vfs.Files, error) {
	var settings []setting
	if err := plain.JSON(files, settingsFile, &settings); err != nil {
		return nil, err
	}
	left := map[string][]spot{}
	var doc *xml.Document
	for _, name := range []string{outdoorsFile, indoorsFile} {
		part, err := readNamed(files, name)
		if err != nil {
			return nil, err
		}
		left[name] = takePlacemarks(part)
		doc = part
	}
	var all []spot
	for _, s := range settings {
		if placemarks := left[s.File]; len(placemarks) > 0 {
			all = append(all, spot{placemarks[0].Node, s.Folder, s.Place})
			left[s.File] = placemarks[1:]
		}
	}
	for _, name := range []string{indoorsFile, outdoorsFile} {
		for _, s := range left[name] { // not listed: to the end of its folder
			all = append(all, spot{s.Node, s.folder, math.MaxInt})
		}
	}
	insertSpots(doc, all)
	return asDocument(doc), nil
}

const (
	distanceFile  = "by_distance.kml"
	orderFile     = "order.csv"
	distanceField = "DISTANCE_M"
	// stationLon and stationLat are where the railway station is.
	stationLon, stationLat = 13.7722, 45.6577
)

// sortByDistance sorts the placemarks of each folder by their distance from the
// station, and notes it.
func sortByDistance(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if hasField(doc, distanceField) {
		return nil, errors.New("there is a field " + distanceField)
	}
	metres, was := map[*xml.Node]float64{}, map[*xml.Node]spot{}
	for _, s := range spots(doc) {
		was[s.Node], metres[s.Node] = s, math.Inf(1)
		if _, text := point(s.Node); text != "" {
			lon, lat, _ := position(text)
			if d := distance(stationLon, stationLat, lon, lat); !math.IsNaN(d) {
				metres[s.Node] = d
				addField(s.Node, distanceField, strconv.FormatFloat(math.Round(d), 'f', 0, 64))
			}
		}
	}
	sortPlacemarks(doc, func(a, b *xml.Node) int { return cmp.Compare(metres[a], metres[b]) })
	order := [][]string{{"folder", "place", "id", "name"}}
	for _, s := range spots(doc) {
		id, name := describe(s.Node)
		order = append(order, []string{strconv.Itoa(s.folder), strconv.Itoa(was[s.Node].place), id, name})
	}
	return vfs.Files{distanceFile: print(doc), orderFile: plain.WriteCSV(order)}, nil
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

func sortBack(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, distanceFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "place")
	if err != nil {
		return nil, err
	}
	place := map[*xml.Node]int{}
	for n, s := range spots(doc) {
		takeField(s.Node, distanceField)
		place[s.Node] = math.MaxInt
		if n < len(rows) {
			place[s.Node] = numbered(s.Node, "", rows[n][0]).place
		}
	}
	sortPlacemarks(doc, func(a, b *xml.Node) int { return cmp.Compare(place[a], place[b]) })
	return asDocument(doc), nil
}

const (
	districtsFile  = "districts.kml"
	frameFile      = "frame.kml"
	oldFoldersFile = "old_folders.csv"
	noDistrict     = "Without position"
)

var districts = []struct {
	name     string
	lon, lat float64
}{
	{"Borgo Teresiano", 13.7715, 45.6530},
	{"Cavana e San Giusto", 13.7710, 45.6475},
	{"Barcola e Miramare", 13.7390, 45.6890},
	{"Carso", 13.7800, 45.7000},
	{"Muggia e San Sabba", 13.7800, 45.6130},
}

// toDistricts puts the placemarks into folders by the district whose centre is
// nearest.
func toDistricts(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	placemarks := takePlacemarks(doc)
	frame := print(doc)
	main := folders(doc)[0]
	for _, outer := range []*xml.Node{doc.Root(), main} {
		outer.Remove(xml.Named("Folder"))
	}
	in := map[string][]spot{}
	for _, s := range placemarks {
		name := nearestDistrict(s.Node)
		in[name] = append(in[name], s)
	}
	old := [][]string{{"folder", "place", "id", "name"}}
	add := func(name string) {
		if len(in[name]) == 0 {
			return
		}
		title := main.NewChild("name")
		title.SetContent(name)
		folder := main.NewChild("Folder", title)
		for _, s := range in[name] {
			folder.Children = append(folder.Children, s.Node)
			id, name := describe(s.Node)
			old = append(old, []string{strconv.Itoa(s.folder), strconv.Itoa(s.place), id, name})
		}
		main.Children = append(main.Children, folder)
	}
	for _, d := range districts {
		add(d.name)
	}
	add(noDistrict)
	return vfs.Files{districtsFile: print(doc), frameFile: frame, oldFoldersFile: plain.WriteCSV(old)}, nil
}

func nearestDistrict(n *xml.Node) string {
	_, text := point(n)
	if text == "" {
		return noDistrict
	}
	lon, lat, _ := position(text)
	nearest, least := noDistrict, math.Inf(1)
	for _, d := range districts {
		if metres := distance(d.lon, d.lat, lon, lat); metres < least {
			nearest, least = d.name, metres
		}
	}
	return nearest
}

func fromDistricts(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	sorted, err := readNamed(files, districtsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, oldFoldersFile, "folder", "place")
	if err != nil {
		return nil, err
	}
	all := takePlacemarks(sorted)
	for n := range all {
		row := []string{"", ""}
		if n < len(rows) {
			row = rows[n]
		}
		all[n] = numbered(all[n].Node, row[0], row[1])
	}
	insertSpots(doc, all)
	return asDocument(doc), nil
}
