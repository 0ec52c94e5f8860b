package landmarks

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// document is what the published evaluator reads.
type document struct {
	places  []place
	problem string // of the first file that it gives up on
}

// place is a placemark or a feature.
type place struct {
	id, name                 string
	lon, lat                 float64
	located                  bool // lon and lat are known
	address, overview, hours string
}

// parse reads a document as the published evaluator does. A file that it gives
// up on contributes nothing; one on which it crashes is an error.
func parse(files vfs.Files) (document, error) {
	var doc document
	for _, name := range files.Names() {
		var read func(string) ([]place, error)
		switch path.Ext(name) {
		case ".kml":
			read = parseKML
		case ".geojson", ".json":
			read = parseGeoJSON
		default:
			continue
		}
		places, err := read(files[name])
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
			if errors.Is(err, domains.ErrCrash) {
				return document{}, err
			}
			if doc.problem == "" {
				doc.problem = err.Error()
			}
		}
		doc.places = append(doc.places, places...)
	}
	return doc, nil
}

// kmlSpace is the only namespace in which the published evaluator looks.
const kmlSpace = "http://www.opengis.net/kml/2.2"

func parseKML(text string) ([]place, error) {
	x := xml.ReadStrictly(xml.EscapeAmpersands(repairTags(cleanNames(text)), characterNumber.MatchString), xml.Expat)
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	var places []place
	x.Top.Walk(func(n *xml.Node) {
		if n.IsIn(kmlSpace, "Placemark") {
			places = append(places, newPlace(n))
		}
	})
	return places, nil
}

func newPlace(n *xml.Node) place {
	p := place{id: n.Value("id"), name: pytext.Strip(n.FirstIn(kmlSpace, "name").Content())}
	hasCoordinates := false
	n.Walk(func(c *xml.Node) {
		switch {
		case c.IsIn(kmlSpace, "coordinates") && !hasCoordinates:
			hasCoordinates = true
			p.lon, p.lat, p.located = position(c.Content())
		case c.IsIn(kmlSpace, "SimpleData"):
			p.set(strings.ToUpper(c.Value("name")), pytext.Strip(c.Content()))
		}
	})
	return p
}

// position reads the first two of the numbers between commas.
func position(text string) (lon, lat float64, ok bool) {
	parts := strings.SplitN(pytext.Strip(text), ",", 3)
	if len(parts) < 2 {
		return 0, 0, false
	}
	lon, okLon := pytext.Float(parts[0])
	lat, okLat := pytext.Float(parts[1])
	if !okLon || !okLat {
		return 0, 0, false
	}
	return lon, lat, true
}

func (p *place) set(field, text string) {
	switch field {
	case "ADDRESS":
		p.address = text
	case "OVERVIEW":
		p.overview = text
	case "OPENING_HOURS":
		p.hours = text
	case "ID":
		if p.id == "" {
			p.id = text
		}
	}
}

// cleanNames replaces the names in placemarks as the published evaluator does
// before it reads the XML.
func cleanNames(text string) string {
	const opening, closing, tag, end = "<Placemark", "</Placemark>", "<name>", "</name>"
	var b strings.Builder
	for {
		start := strings.Index(text, opening)
		if start < 0 {
			break
		}
		inside := strings.IndexByte(text[start:], '>')
		if inside < 0 {
			break
		}
		inside += start
		length := strings.Index(text[inside:], closing)
		if length < 0 {
			break
		}
		body := text[inside : inside+length]
		b.WriteString(text[:inside])
		text = text[inside+length:]
		for {
			before, rest, found := strings.Cut(body, tag)
			b.WriteString(before)
			if !found {
				break
			}
			b.WriteString(tag)
			body = rest
			if next := strings.IndexByte(rest, '<'); next >= 0 && strings.HasPrefix(rest[next:], end) {
				b.WriteString(cleanName(rest[:next]))
				body = rest[next:]
			}
		}
	}
	b.WriteString(text)
	return b.String()
}

// cleanName strips what the published evaluator takes for an id, a number or a
// remark: a word up to a hyphen or dash, leading digits, a last parenthesis.
func cleanName(name string) string {
	name = pytext.Strip(name)
	if rest := strings.TrimLeftFunc(name, isWordOrDot); rest != name {
		rest = pytext.StripLeft(rest)
		for _, dash := range []string{"-", "–", "—"} {
			if after, found := strings.CutPrefix(rest, dash); found {
				name = pytext.StripLeft(after)
				break
			}
		}
	}
	if rest := strings.TrimLeftFunc(name, unicode.IsDigit); rest != name {
		if after := pytext.StripLeft(rest); after != rest {
			name = after
		}
	}
	if inside, closed := strings.CutSuffix(name, ")"); closed {
		outer := strings.LastIndexByte(inside, ')') + 1
		if start := strings.IndexByte(inside[outer:], '('); start >= 0 {
			name = pytext.StripRight(inside[:outer+start])
		}
	}
	return name
}

func isWordOrDot(r rune) bool {
	return r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}
