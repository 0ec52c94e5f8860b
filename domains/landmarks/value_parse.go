package landmarks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/ujson"
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

// cleanNames replaces the names in placemarks as the published evaluator does before it reads the XML.
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

// parseGeoJSON reads the features of a JSON text; one without them has no places.
func parseGeoJSON(text string) ([]place, error) {
	value, err := ujson.Decode(text)
	if err != nil {
		return nil, err
	}
	collection, isObject := value.(*ujson.Object)
	if !isObject {
		return nil, fmt.Errorf("%w at JSON that is no object", domains.ErrCrash)
	}
	features, _ := collection.Get("features").(ujson.List)
	places := make([]place, 0, len(features))
	for _, f := range features {
		feature, isObject := f.(*ujson.Object)
		if !isObject {
			return nil, fmt.Errorf("%w at a feature that is no object", domains.ErrCrash)
		}
		p, err := newFeature(feature)
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

func newFeature(feature *ujson.Object) (place, error) {
	properties := object(feature.Get("properties"))
	p := place{
		address:  property(properties, "address"),
		overview: property(properties, "overview"),
		hours:    property(properties, "opening_hours"),
	}
	var okID, okName bool
	if p.id, okID = textOrNothing(properties.Get("id")); !okID {
		return place{}, fmt.Errorf("%w at an id that is no text", domains.ErrCrash)
	}
	if p.name, okName = textOrNothing(properties.Get("name")); !okName {
		return place{}, fmt.Errorf("%w at a name that is no text", domains.ErrCrash)
	}
	p.name = pytext.Strip(p.name)
	coordinates, _ := object(feature.Get("geometry")).Get("coordinates").(ujson.List)
	if len(coordinates) >= 2 {
		lon, okLon := coordinates[0].(ujson.Number)
		lat, okLat := coordinates[1].(ujson.Number)
		p.lon, p.lat, p.located = lon.Float, lat.Float, okLon && okLat
	}
	return p, nil
}

// object is an empty one in the place of anything else.
func object(value any) *ujson.Object {
	if o, ok := value.(*ujson.Object); ok {
		return o
	}
	return &ujson.Object{}
}

func textOrNothing(value any) (string, bool) {
	text, isText := value.(string)
	return text, isText || value == nil
}

// property is a text under its name in small letters, otherwise in capitals.
func property(properties *ujson.Object, name string) string {
	for _, spelling := range []string{name, strings.ToUpper(name)} {
		if value := properties.Get(spelling); value != nil && value != "" {
			return jsonText(value)
		}
	}
	return ""
}

// jsonText writes numbers as the published evaluator reads them.
func jsonText(value any) string {
	if number, ok := value.(ujson.Number); ok {
		return number.Text
	}
	return fmt.Sprint(value)
}

const counted = "placemark"

func stats(doc document) domains.Stats {
	located, addresses, hours := 0, 0, 0
	for i := range doc.places {
		p := &doc.places[i]
		located += count(p.located)
		addresses += count(p.address != "")
		hours += count(p.hours != "")
	}
	return domains.Stats{Elements: len(doc.places), Counts: []domains.Count{
		{Name: "Places", Value: strconv.Itoa(len(doc.places))},
		{Name: "With Coords", Value: strconv.Itoa(located)},
		{Name: "With Address", Value: strconv.Itoa(addresses)},
		{Name: "With Hours", Value: strconv.Itoa(hours)},
	}}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// score is coverage² · accuracy · √((coordinates + ordering) / 2). Accuracy and coordinates are
// means over the places on both sides; of two documents without places they are perfect.
func score(reference, candidate document) domains.Reading {
	pairs := sets.PairByName(reference.places, candidate.places, (*place).fingerprint)
	none := sets.OneIf(len(reference.places)+len(candidate.places) == 0)
	coverage, accuracy, coordinates := pairs.Jaccard(), pairs.Mean(none, (*place).similarity), pairs.Mean(none, (*place).nearness)
	ordering := orderSimilarity(reference.places, candidate.places)
	return domains.Reading{
		RS: coverage * coverage * accuracy * math.Sqrt((coordinates+ordering)/2),
		Components: map[string]float64{
			"coverage": coverage, "accuracy": accuracy, "coordinates": coordinates, "ordering": ordering,
		},
		Elements: domains.Elements{Reference: len(reference.places), Candidate: len(candidate.places)},
		Problem:  candidate.problem,
	}
}

func (p *place) fingerprint() string { return pytext.Lower(p.name) }

// similarity is the mean over the fields that one of both has.
func (p *place) similarity(other *place) float64 {
	var m sets.Mean
	for _, f := range []struct {
		ref, got string
		share    float64 // of the ratio that a text keeps that differs
	}{
		{p.name, other.name, 0.7},
		{p.address, other.address, 0.7},
		{p.overview, other.overview, 0.8},
		{p.hours, other.hours, 0.7},
	} {
		m.AddTexts(pytext.Lower(straight(f.ref)), pytext.Lower(straight(f.got)), func(ref, got string) float64 {
			return float64(f.share * ratio.Of(ref, got))
		})
	}
	return m.Or(1)
}

// nearness looks at the larger difference in degrees.
func (p *place) nearness(other *place) float64 {
	if !p.located || !other.located {
		return sets.OneIf(p.located == other.located)
	}
	apart := func(degrees float64) bool {
		return math.Abs(p.lon-other.lon) < degrees && math.Abs(p.lat-other.lat) < degrees
	}
	switch {
	case apart(0.0001):
		return 1
	case apart(0.001):
		return 0.9
	case apart(0.01):
		return 0.5
	}
	return 0
}

// orderSimilarity is the ratio of the two sequences of fingerprints, each in the order of the first numbers in the ids.
func orderSimilarity(reference, candidate []place) float64 {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s
	}
	ref, got := sequence(reference), sequence(candidate)
	if slices.Equal(ref, got) {
		return 1
	}
	return ratio.Tokens(ref, got, true)
}

func sequence(places []place) []string {
	type numbered struct {
		number string // without leading zeros
		has    bool
		name   string
	}
	all := lists.Each(places, func(p *place) numbered {
		number, has := firstNumber(p.id)
		return numbered{number, has, p.fingerprint()}
	})
	slices.SortStableFunc(all, func(a, b numbered) int {
		if a.has != b.has {
			return count(b.has) - count(a.has)
		}
		return cmp.Or(cmp.Compare(len(a.number), len(b.number)), cmp.Compare(a.number, b.number))
	})
	return lists.Map(all, func(n numbered) string { return n.name })
}

// firstNumber returns the first run of digits, of any script, in ASCII and without leading zeros.
func firstNumber(id string) (digits string, found bool) {
	start := strings.IndexFunc(id, unicode.IsDigit)
	if start < 0 {
		return "", false
	}
	var b strings.Builder
	for _, r := range id[start:] {
		if !unicode.IsDigit(r) {
			break
		}
		b.WriteByte(byte('0' + pytext.DigitValue(r)))
	}
	return strings.TrimLeft(b.String(), "0"), true
}
