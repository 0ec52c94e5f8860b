// Package geotrack is the published reading and score of the domain geotrack.
//
// Name keys are trimmed, lower-cased.
//
// Waypoint coverage Jaccard of name sets. Waypoint accuracy per shared name (of equal names the last one counts):
// position 1 point — Euclidean distance in degrees < 0.0001 → 1, < 0.001 → 0.8, < 0.01 → 0.3, else 0; description, if
// either has one, 1 point more — equal (lower-cased) 1, both 0.8 × SequenceMatcher character ratio, one 0. Points /
// possible, averaged; no shared name → 0. Both lists empty → 1; one empty → 0 (both measures).
//
// Structure. Both track lists empty → 1; one empty → 0. Else 0.4·(1 − |R−C|/max(R,C)) + 0.3·ratio(names in order) +
// 0.3·S, S = mean over shared names (last of equal names) of: both without segments 1, one without 0, else ratio of the
// two lists of point counts per segment; no shared name → 0. Ratios are SequenceMatcher over list elements.
//
// Points. Flatten all points in order. Both empty → 1; one empty → 0. Keys (lat, lon) rounded to 5 decimals (correct
// rounding of the exact binary value; strconv.FormatFloat(x,'f',5,64) agrees). One SequenceMatcher(ref, cand) over the
// key lists, autojunk on: from 200 candidate points, a position occurring more than n/100 + 1 times (a pause) seeds no
// match. Its matching blocks give the pairs; q = its ratio. No pair: 0.1 × min/max of the lengths. Else over the pairs:
//
//   - elevation, if either has one: |Δ| < 0.5 → 1, < 2 → 0.7, < 10 → 0.3, else 0; one missing 0
//   - time, if either: equal text 1, different 0.3, one missing 0
//   - temperature, if either: |Δ| < 0.1 → 1, < 1 → 0.7, else 0.3; one missing 0
//
// each averaged over the pairs that have it (none → 1). field = 0.4·ele + 0.4·time + 0.2·temp, cov = pairs / reference
// points, points = cov² × (0.6·field + 0.4·q).
//
// score = 0.10·waypoint coverage + 0.10·waypoint accuracy + 0.15·structure + 0.65·points. No rounding.
//
// An empty candidate scores 0.8 against a waypoints-only reference and 0.2 against one without waypoints: absent parts
// count as perfect.
package geotrack

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
	waypoints []waypoint
	tracks    []track
	problem   string // of the first file that it gives up on
}

type waypoint struct {
	name, description string
	lat, lon          float64
}

type track struct {
	name     string
	segments [][]point
}

type point struct {
	lat, lon               float64
	elevation, temperature optional
	time                   clock // zero if there is none
}

type optional struct {
	value float64
	known bool
}

// Parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
func Parse(files vfs.Files) (Document, error) {
	var doc Document
	for _, name := range files.Names() {
		if path.Ext(name) != ".gpx" {
			continue
		}
		part, err := parseFile(files[name])
		if err != nil {
			if doc.problem == "" {
				doc.problem = fmt.Sprintf("%s: %v", name, err)
			}
			continue
		}
		doc.waypoints = append(doc.waypoints, part.waypoints...)
		doc.tracks = append(doc.tracks, part.tracks...)
	}
	return doc, nil
}

func parseFile(text string) (Document, error) {
	if err := checkNamespaces(text); err != nil {
		return Document{}, err
	}
	if xml.IsOneByte(xml.DeclaredEncoding(text)) {
		text = fromOneByte(text)
	}
	x := xml.ReadStrictly(cutDefaultNamespace(text), xml.LibXML2)
	if x.Broken != "" {
		return Document{}, errors.New(x.Broken)
	}
	root := x.Root()
	p := parser{extended: root.Value("version") == "1.1"}
	doc := p.document(root)
	return doc, p.err
}

// fromOneByte reads the UTF-8 bytes of a text as Latin-1, as a reader does that believes a wrong declaration.
func fromOneByte(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

// parser reads the elements of a well-formed file.
type parser struct {
	extended bool // GPX 1.1, which has extensions
	err      error
}

// content returns the text of an element up to its first child element, as lxml has it.
func content(n *xml.Node) string {
	if n == nil {
		return ""
	}
	return (&xml.Node{Children: n.Children}).Content()
}

func (p *parser) document(root *xml.Node) Document {
	metadata := root
	if p.extended {
		metadata = root.FirstIn("", "metadata")
	}
	bounds := metadata.FirstIn("", "bounds")
	for _, name := range []string{"minlat", "maxlat", "minlon", "maxlon"} {
		if text, ok := bounds.Attribute(name); ok {
			p.float(text)
		}
	}
	var doc Document
	for _, c := range root.Children {
		switch {
		case c.IsIn("", "wpt"):
			doc.waypoints = append(doc.waypoints, p.waypoint(c))
		case c.IsIn("", "rte"):
			p.integer(c, "number")
			for _, routePoint := range c.AllIn("", "rtept") {
				p.position(routePoint)
			}
		case c.IsIn("", "trk"):
			doc.tracks = append(doc.tracks, p.track(c))
		}
	}
	return doc
}

func (p *parser) waypoint(n *xml.Node) waypoint {
	at := p.position(n)
	return waypoint{
		name:        pytext.Strip(content(n.FirstIn("", "name"))),
		description: pytext.Strip(content(n.FirstIn("", "desc"))),
		lat:         at.lat,
		lon:         at.lon,
	}
}

func (p *parser) track(n *xml.Node) track {
	p.integer(n, "number")
	t := track{name: pytext.Strip(content(n.FirstIn("", "name")))}
	for _, segment := range n.AllIn("", "trkseg") {
		var points []point
		for _, c := range segment.AllIn("", "trkpt") {
			points = append(points, p.trackPoint(c))
		}
		t.segments = append(t.segments, points)
	}
	return t
}

func (p *parser) trackPoint(n *xml.Node) point {
	at := p.position(n)
	if p.extended {
		at.temperature = temperature(n.FirstIn("", "extensions"))
		return at
	}
	p.childFloat(n, "course")
	p.childFloat(n, "speed")
	return at
}

// position reads what all kinds of points have. A value that is no number
// loses the file, even where it is not compared.
func (p *parser) position(n *xml.Node) point {
	lat, hasLat := n.Attribute("lat")
	lon, hasLon := n.Attribute("lon")
	if !hasLat || !hasLon {
		p.fail("a point without lat or lon")
		return point{}
	}
	at := point{lat: p.float(lat), lon: p.float(lon), elevation: p.childFloat(n, "ele")}
	at.time = parseTime(content(n.FirstIn("", "time")))
	for _, name := range []string{"magvar", "geoidheight", "hdop", "vdop", "pdop", "ageofdgpsdata"} {
		p.childFloat(n, name)
	}
	p.integer(n, "sat")
	p.integer(n, "dgpsid")
	if !slices.Contains([]string{"", "none", "2d", "3d", "dgps", "pps", "3"}, content(n.FirstIn("", "fix"))) {
		p.fail("a fix of no known type")
	}
	return at
}

func (p *parser) fail(why string) {
	if p.err == nil {
		p.err = errors.New(why)
	}
}

func (p *parser) float(text string) float64 {
	value, ok := pytext.Float(text)
	if !ok {
		p.fail(fmt.Sprintf("%q is no number", text))
	}
	return value
}

func (p *parser) childFloat(n *xml.Node, name string) optional {
	text := content(n.FirstIn("", name))
	if text == "" {
		return optional{}
	}
	return optional{p.float(text), true}
}

func (p *parser) integer(n *xml.Node, name string) {
	text := content(n.FirstIn("", name))
	if text == "" {
		return
	}
	if _, ok := pytext.Float(text); !ok || strings.ContainsAny(text, ".eEnN") {
		p.fail(fmt.Sprintf("%q is no whole number", text))
	}
}

// temperature is the first atemp that is a number in the last of the
// extensions that are called after Garmin's, or stand in its namespace.
func temperature(extensions *xml.Node) optional {
	var found optional
	if extensions == nil {
		return found
	}
	for _, e := range extensions.Children {
		if e.Kind != xml.Element || !strings.Contains(e.Space+xml.Local(e.Name), "TrackPointExtension") {
			continue
		}
		for _, c := range e.Children {
			if c.Kind != xml.Element || !strings.Contains(c.Space+xml.Local(c.Name), "atemp") {
				continue
			}
			if value, ok := pytext.Float(content(c)); ok {
				found = optional{value, true}
				break
			}
		}
	}
	return found
}

// clock is a time as the published evaluator compares it: what the clock shows, and its zone.
type clock struct {
	local  time.Time // in UTC, regardless of the zone
	offset int       // minutes
}

// clockText is the published pattern. Its zone begins with any character from
// the plus to the minus sign U+2212, letters included.
var clockText = lazyregexp.New(
	`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[T ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})` +
		`(\.[0-9]{1,15})?(Z|[+-\x{2212}][0-9]{2}:?(?:[0-9]{2})?)?\n?$`)

// parseTime reads a time; zero if it is none.
func parseTime(text string) clock {
	if text == "" {
		return clock{}
	}
	found := clockText.FindStringSubmatch(text)
	if found == nil {
		return clock{}
	}
	var part [7]int
	for i := range 6 {
		part[i], _ = strconv.Atoi(found[i+1])
	}
	if fraction := found[7]; fraction != "" {
		const micro = 6
		part[6], _ = strconv.Atoi((fraction[1:] + "000000")[:micro])
	}
	if part[0] < 1 || part[3] > 23 || part[4] > 59 || part[5] > 59 {
		return clock{}
	}
	local := time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], part[6]*1000, time.UTC)
	if int(local.Month()) != part[1] || local.Day() != part[2] {
		return clock{} // no such day
	}
	return clock{local, offsetMinutes(found[8])}
}

// offsetMinutes reads ±HH, ±HHMM or ±HH:MM; what is no number counts as zero.
func offsetMinutes(zone string) int {
	digits := strings.Trim(strings.ReplaceAll(zone, ":", ""), "+-−Z")
	if len(digits) < 2 {
		return 0
	}
	hours, _ := strconv.Atoi(digits[:2])
	minutes, _ := strconv.Atoi(digits[2:])
	if minutes += 60 * hours; strings.ContainsAny(zone, "-−") {
		return -minutes
	}
	return minutes
}

var (
	defaultNamespace = pytext.Pattern(`\sxmlns=(?:"[^"']+"|'[^"']+')`)
	namespaces       = lazyregexp.New(`xmlns:?([^=]*)="([^"]+)"`)
)

// cutDefaultNamespace cuts the first default namespace out of a text, wherever it stands.
func cutDefaultNamespace(text string) string {
	if at := defaultNamespace.FindStringIndex(text); at != nil {
		return text[:at[0]] + text[at[1]:]
	}
	return text
}

// checkNamespaces refuses what the published reading cannot register: a
// pattern of its own finds declarations anywhere in the text.
func checkNamespaces(text string) error {
	for _, found := range namespaces.FindAllStringSubmatch(text, -1) {
		if found[1] != "" && !isAddress(found[2]) {
			return errors.New("a namespace that is no address: " + found[2])
		}
	}
	return nil
}

func isAddress(text string) bool {
	_, err := url.Parse(text)
	return err == nil && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
	})
}
