// Package landmarks is the published reading and score of the domain landmarks.
//
//  1. coverage C: Jaccard of the fingerprint sets. Both sides empty 1, one empty 0.
//  2. accuracy A: over fingerprints on both sides (several placemarks with one fingerprint: the LAST one stands), mean
//     of field scores; 0 if none in common. Text is normalised: curly quotes to straight, en and em dash to hyphen,
//     white space collapsed, trimmed, lower-cased; none is empty. Fields name, address, overview, opening hours: a
//     field counts when at least one side is non-empty; equal 1; both non-empty and different 0.7 x ratio (overview 0.8
//     x ratio); one side empty 0. Placemark score = sum / number of counting fields, 1 if none counts.
//  3. coordinates P: over common fingerprints (0 if none): both none 1; one none 0; else by the larger of the two
//     absolute differences in degrees: both below 0.0001 give 1, both below 0.001 give 0.9, both below 0.01 give 0.5,
//     else 0.
//  4. ordering O: both lists sorted (stable) by the first run of digits in the id, missing digits last; ratio of the
//     two fingerprint sequences. One side empty 0, both 1.
//
// score = C^2 x A x sqrt((P + O) / 2), 0 if P + O = 0. No rounding.
//
// Ratio (difflib): 2M/T with M from the recursive longest-common-block search, earliest block on ties; by characters
// for text, by whole names for sequences. Autojunk on: when the second string has 200 or more characters, characters
// occurring more than floor(n/100)+1 times cannot seed a block (blocks still extend over them). Overviews often pass
// 200 characters, so a paraphrase scores far lower than its wording suggests.
//
// R, or ratio, is that of package ratio, with the reference first.
package landmarks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/ujson"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
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

// Parse reads a document as the published evaluator does. A file that it gives
// up on contributes nothing; one on which it crashes is an error.
func Parse(files vfs.Files) (Document, error) {
	var doc Document
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
				return Document{}, err
			}
			if doc.problem == "" {
				doc.problem = err.Error()
			}
		}
		doc.places = append(doc.places, places...)
	}
	return doc, nil
}

// KmlSpace is the only namespace in which the published evaluator looks.
const KmlSpace = "http://www.opengis.net/kml/2.2"

func parseKML(text string) ([]place, error) {
	x := xml.ReadStrictly(xml.EscapeAmpersands(RepairTags(cleanNames(text)), characterNumber.MatchString), xml.Expat)
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	var places []place
	x.Top.Walk(func(n *xml.Node) {
		if n.IsIn(KmlSpace, "Placemark") {
			places = append(places, newPlace(n))
		}
	})
	return places, nil
}

func newPlace(n *xml.Node) place {
	p := place{id: n.Value("id"), name: pytext.Strip(n.FirstIn(KmlSpace, "name").Content())}
	hasCoordinates := false
	n.Walk(func(c *xml.Node) {
		switch {
		case c.IsIn(KmlSpace, "coordinates") && !hasCoordinates:
			hasCoordinates = true
			p.lon, p.lat, p.located = position(c.Content())
		case c.IsIn(KmlSpace, "SimpleData"):
			p.set(strings.ToUpper(c.Value("name")), pytext.Strip(c.Content()))
		}
	})
	return p
}

// position reads the first two of the numbers between commas.
func position(text string) (lon, lat float64, ok bool) {
	first, rest, _ := strings.Cut(text, ",")
	second, _, _ := strings.Cut(rest, ",")
	lon, okLon := pytext.Float(first)
	lat, okLat := pytext.Float(second)
	return lon, lat, okLon && okLat
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
	id, okID := textOrNothing(properties.Get("id"))
	name, okName := textOrNothing(properties.Get("name"))
	if !okID || !okName {
		return place{}, fmt.Errorf("%w at an id or name that is no text", domains.ErrCrash)
	}
	p.id, p.name = id, pytext.Strip(name)
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
		switch value := properties.Get(spelling).(type) {
		case nil:
		case ujson.Number:
			return value.Text
		default:
			if text := fmt.Sprint(value); text != "" {
				return text
			}
		}
	}
	return ""
}

var (
	parenthesisClosing = lazyregexp.New(`(="[^"<>]*")\)>`)
	lineBreak          = lazyregexp.New(`(?i)<br\s*/?>`)
	characterNumber    = lazyregexp.New(`^(?:[0-9]+|x[0-9a-fA-F]+);`)
)

const wordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// RepairTags mends tags as the published evaluator does: attributes in a
// parenthesis, line breaks of HTML, and the misspelt start of a CDATA section.
func RepairTags(text string) string {
	text = plain.EachMark(text, "(", " ", func(before, after string) (int, int, bool) {
		tag, value := strings.TrimRight(before, wordCharacters), strings.TrimLeft(after, wordCharacters)
		return 0, 0, len(tag) < len(before) && strings.HasSuffix(tag, "<") && len(value) < len(after) && strings.HasPrefix(value, "=")
	})
	if strings.Contains(text, `")>`) {
		text = parenthesisClosing.ReplaceAllString(text, "$1>")
	}
	return strings.ReplaceAll(BreaksToBlanks(text), "<![CDATA>", "<![CDATA[")
}

// BreaksToBlanks replaces the line breaks of HTML.
func BreaksToBlanks(text string) string {
	if !strings.Contains(text, "<b") && !strings.Contains(text, "<B") {
		return text
	}
	return lineBreak.ReplaceAllString(text, " ")
}

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	with := func(is func(*place) bool) int { return lists.Count(doc.places, is) }
	return domains.StatsOf(len(doc.places), "Places", len(doc.places),
		"With Coords", with(func(p *place) bool { return p.located }),
		"With Address", with(func(p *place) bool { return p.address != "" }),
		"With Hours", with(func(p *place) bool { return p.hours != "" }))
}

// Score is coverage² · accuracy · √((coordinates + ordering) / 2). Accuracy and coordinates are
// means over the places on both sides; of two documents without places they are perfect.
func Score(reference, candidate Document) domains.Reading {
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
		m.AddTexts(pytext.Lower(Straight(f.ref)), pytext.Lower(Straight(f.got)), func(ref, got string) float64 {
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
		number, has := FirstNumber(p.id)
		return numbered{number, has, p.fingerprint()}
	})
	slices.SortStableFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(sets.OneIf(b.has), sets.OneIf(a.has)), cmp.Compare(len(a.number), len(b.number)), cmp.Compare(a.number, b.number))
	})
	return lists.Map(all, func(n numbered) string { return n.name })
}

// FirstNumber returns the first run of digits, of any script, in ASCII and without leading zeros.
func FirstNumber(id string) (digits string, found bool) {
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

var typography = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// Straight writes a text with straight quotes, hyphens for dashes and single blanks.
func Straight(text string) string {
	if strings.Contains(text, "‘"[:2]) { // with which all of them begin
		text = typography.Replace(text)
	}
	return pytext.Collapse(text)
}
