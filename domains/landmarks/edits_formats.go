package landmarks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ujson"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// What placemarks have in GeoJSON and in tables besides their fields.
const (
	numberKey = "n"
	idKey     = "id"
	nameKey   = "name"
	coordText = "coord_text"
)

// asGeoJSON makes features of ids, names, fields and positions. The rest of the document has what
// is left of each placemark.
func asGeoJSON(p struct{ Document, To, Rest string }) exact.Steps {
	return charts.Rewrite(p.Document, p.Rest, func(doc *xml.Document) (vfs.Files, error) {
		var features []string
		for n, s := range spots(doc) {
			features = append(features, takeFeature(s.Node, n+1))
		}
		text := `{"type": "FeatureCollection", "features": [` + "\n" + strings.Join(features, ",\n") + "\n]}\n"
		return vfs.Files{p.To: text}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		text, err := plain.File(files, p.To)
		if err != nil {
			return err
		}
		value, err := ujson.Decode(text)
		if err != nil {
			return fmt.Errorf("reading %s: %w", p.To, err)
		}
		features, ok := object(value).Get("features").(ujson.List)
		if !ok {
			return errors.New(p.To + " has no features")
		}
		stubs := newStubs(doc)
		for _, f := range features {
			properties := object(object(f).Get("properties"))
			number, _ := properties.Get(numberKey).(ujson.Number)
			putFeature(stubs.number(number.Text), properties)
		}
		return nil
	})
}

// takeFeature takes a feature out of a placemark, and writes it on one line.
func takeFeature(n *xml.Node, number int) string {
	properties := []string{fmt.Sprintf(`"%s": %d`, numberKey, number)}
	add := func(name, text string) { properties = append(properties, quoted(name)+": "+quoted(text)) }
	if id, has := n.Attribute("id"); has {
		add(idKey, id)
		n.RemoveAttribute("id")
	}
	isFree := func(f field) bool {
		return f.name != numberKey && f.name != idKey && f.name != coordText
	}
	if name, taken := takeName(n, isFree); taken {
		add(nameKey, name)
	}
	for _, f := range takeFields(n, func(f field) bool { return isFree(f) && f.name != nameKey }) {
		add(f.name, f.text)
	}
	geometry := "null"
	if coordinates, text := point(n); coordinates != nil && jsonPosition(text) != "" {
		add(coordText, text)
		geometry = `{"type": "Point", "coordinates": [` + jsonPosition(text) + "]}"
		takePoint(n, coordinates)
	}
	return `  {"type": "Feature", "properties": {` + strings.Join(properties, ", ") + `}, "geometry": ` + geometry + "}"
}

// jsonPosition writes the numbers of a position as JSON does; nothing if one is
// no number of JSON.
func jsonPosition(text string) string {
	parts := strings.Split(text, ",")
	for i := range parts {
		if !json.Valid([]byte(parts[i])) {
			parts[i] = plain.Number(parts[i])
		}
		if _, err := strconv.ParseFloat(parts[i], 64); err != nil || !json.Valid([]byte(parts[i])) {
			return ""
		}
	}
	return strings.Join(parts, ", ")
}

func quoted(text string) string { return strings.TrimSuffix(plain.WriteJSON(text), "\n") }

// putFeature gives a placemark what the properties of its feature say.
func putFeature(n *xml.Node, properties *ujson.Object) {
	var fields []field
	for _, key := range properties.Keys {
		text, isText := properties.Get(key).(string)
		switch {
		case !isText:
		case key == idKey:
			n.Attrs = slices.Insert(n.Attrs, 0, xml.Attr{Name: "id", Value: text})
		case key == nameKey:
			putName(n, text)
		case key == coordText:
			setPoint(n, text)
		default:
			fields = append(fields, field{key, text})
		}
	}
	putFields(n, fields)
}

// stubs are what is left of placemarks, in order.
type stubs struct {
	doc *xml.Document
	all []spot
}

func newStubs(doc *xml.Document) *stubs { return &stubs{doc, spots(doc)} }

// number returns the stub of a number, from 1; a new one at the end of the
// document if there is none.
func (s *stubs) number(text string) *xml.Node {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n > 0 && n <= len(s.all) {
		return s.all[n-1].Node
	}
	main := folders(s.doc)[0]
	added := main.NewChild("Placemark")
	main.Append(added)
	return added
}

// guide writes names and fields as a guide in alphabetical order, positions as a table, and keeps
// the rest.
func guide(p struct{ Document, To, Title, Rest, Table string }) exact.Steps {
	return charts.Rewrite(p.Document, p.Rest, func(doc *xml.Document) (vfs.Files, error) {
		type section struct{ order, text string }
		var sections []section
		coordinates := [][]string{{numberKey, idKey, "longitude", "latitude", "altitude"}}
		for n, s := range spots(doc) {
			name, _ := takeName(s.Node, fitsLine)
			lines := []string{strings.TrimSpace(fmt.Sprintf("## %d. %s", n+1, name)), ""}
			for _, f := range takeFields(s.Node, fitsLine) {
				lines = append(lines, strings.TrimSpace("- "+f.name+": "+f.text))
			}
			sections = append(sections, section{pytext.Lower(name), strings.TrimRight(plain.Text(lines), "\n") + "\n"})
			if element, text := point(s.Node); element != nil {
				row := append([]string{strconv.Itoa(n + 1), s.Value("id")}, strings.Split(text, ",")...)
				coordinates = append(coordinates, append(row, "")[:len(coordinates[0])])
				takePoint(s.Node, element)
			}
		}
		slices.SortStableFunc(sections, func(a, b section) int { return cmp.Compare(a.order, b.order) })
		text := "# " + p.Title + "\n"
		for _, s := range sections {
			text += "\n" + s.text
		}
		return vfs.Files{p.To: text, p.Table: plain.WriteCSV(coordinates)}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		text, err := plain.File(files, p.To)
		if err != nil {
			return err
		}
		rows, err := plain.Table(files, p.Table, numberKey, "longitude", "latitude", "altitude")
		stubs := newStubs(doc)
		stubs.describe(text)
		for _, row := range rows {
			setPoint(stubs.number(row[0]), strings.TrimRight(strings.Join(row[1:], ","), ","))
		}
		return err
	})
}

// describe gives placemarks the names and fields of a guide.
func (s *stubs) describe(guide string) {
	var in *xml.Node
	fields := map[*xml.Node][]field{}
	for _, line := range plain.Lines(guide) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			number, name, _ := strings.Cut(heading, ".")
			in = s.number(number)
			if name = pytext.Strip(name); name != "" {
				putName(in, name)
			}
		} else if item, ok := strings.CutPrefix(line, "- "); ok && in != nil {
			name, text, _ := strings.Cut(item, ":")
			fields[in] = append(fields[in], field{name, pytext.Strip(text)})
		}
	}
	for n, all := range fields {
		putFields(n, all)
	}
}

// fitsLine reports whether a field can be written as an item of a list.
func fitsLine(f field) bool {
	return !strings.ContainsAny(f.name+f.text, "\r\n") && pytext.Strip(f.text) == f.text && pytext.Strip(f.name) == f.name &&
		!strings.Contains(f.name, ":") && (f.name != nameKey || f.text != "")
}
