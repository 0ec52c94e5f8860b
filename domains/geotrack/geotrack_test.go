package geotrack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const surveyFile = "lairig_ghru.gpx"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "geotrack1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "geotrack1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "geotrack1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "geotrack1"))
}

// drawDocument draws a file of up to three tracks, with or without prefix, by
// receivers of different habits.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{T: t, prefix: rapid.SampledFrom([]string{"", "", "", "g:"}).Draw(t, "prefix")}
	var b strings.Builder
	declaration := `xmlns`
	if d.prefix != "" {
		declaration = `xmlns:g`
	}
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<" + d.prefix + `gpx version="1.1" creator="eTrex" ` + declaration +
		`="http://www.topografix.com/GPX/1/1" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:o="https://osmand.net">` + "\n")
	if d.sometimes("metadata") {
		b.WriteString(d.element("metadata", d.element("name", "Walk & talk")+"<!-- kept -->"+d.element("time", "2024-05-01T08:00:00Z")))
	}
	for n := range d.upTo(4, "waypoints") {
		b.WriteString(d.point("wpt", n))
	}
	for n := range d.upTo(1, "routes") {
		b.WriteString(d.element("rte", d.element("name", "Visits")+d.point("rtept", n)))
	}
	for n := range d.upTo(3, "tracks") {
		b.WriteString("<" + d.prefix + "trk>")
		if !d.sometimes("no name") {
			b.WriteString(d.element("name", fmt.Sprintf("Day %d", n)))
		}
		for range d.upTo(3, "segments") {
			points := ""
			for p := range d.upTo(8, "points") {
				points += d.point("trkpt", p)
			}
			b.WriteString(d.element("trkseg", points))
		}
		b.WriteString("</" + d.prefix + "trk>\n")
	}
	b.WriteString("</" + d.prefix + "gpx>\n")
	return vfs.Files{surveyFile: b.String()}
}

type drawer struct {
	*rapid.T
	prefix string
}

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

// element writes an element; content that is no markup is escaped.
func (d drawer) element(name, content string) string {
	if !strings.HasPrefix(content, "<") {
		content = xml.EscapeText(content)
	}
	return "<" + d.prefix + name + ">" + content + "</" + d.prefix + name + ">"
}

func (d drawer) point(name string, n int) string {
	var b strings.Builder
	lat := d.one("lat", "57.1", "57.102345", "-57.10234567", "57.10000")
	fmt.Fprintf(&b, `<%s%s lat="%s" lon="-3.%05d">`, d.prefix, name, lat, d.upTo(99_999, "lon"))
	add := func(name string, values ...string) {
		if !d.sometimes("without " + name) {
			b.WriteString(d.element(name, d.one(name, values...)))
		}
	}
	add("ele", "231", "231.0", "-0.35", "1012.75", "231.4000244")
	add("time", fmt.Sprintf("2024-05-01T09:%02d:00Z", n*7%60), fmt.Sprintf("2024-05-01T09:%02d:30.250Z", n), "2024-05-02T10:00:00.000+02:00")
	if name != "trkpt" {
		add("name", "Bothy", "LG-01 <b>", "a | b: c", "Ärger", " padded ")
		add("desc", "One line", "two\nlines", `quotes " and '`)
		add("type", "bridge", "water bar")
		if d.sometimes("link") {
			b.WriteString("<" + d.prefix + `link href="a.jpg">` + d.element("text", "photo") + "</" + d.prefix + "link>")
		}
	}
	add("hdop", "1.2", "3")
	if d.sometimes("comment") {
		b.WriteString("<!-- rest -->")
	}
	if !d.sometimes("no extension") {
		b.WriteString(d.element("extensions", "<tpx:TrackPointExtension>"+
			"<tpx:atemp>"+d.one("temperature", "21", "-3.5", "19.0", "20.25")+"</tpx:atemp><tpx:hr>"+d.one("heart rate", "88", "120")+
			"</tpx:hr></tpx:TrackPointExtension>"+d.one("flag", "", "<o:hidden/>", `<o:speed unit="m/s">1.40</o:speed>`)))
	}
	b.WriteString("</" + d.prefix + name + ">\n")
	return b.String()
}

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" xmlns:o="https://osmand.net" version="1.1" creator="eTrex 32x">
  <!-- from the unit -->
  <metadata>
    <name>Hut walk</name>
    <author>
      <name>Mairi</name>
    </author>
  </metadata>
  <wpt lat="57.10" lon="-3.70">
    <ele>560</ele>
    <time>2023-09-09T10:00:00Z</time>
    <name>Bothy</name>
    <desc>Stove &amp; spade</desc>
    <link href="stove.jpg">
      <text>stove</text>
    </link>
    <sym>Lodge</sym>
  </wpt>
  <wpt lat="57.15" lon="-3.75">
    <name>Ford</name>
    <cmt>low</cmt>
    <extensions>
      <o:hidden/>
    </extensions>
  </wpt>
  <rte>
    <name>Escape</name>
    <rtept lat="57.1" lon="-3.6"><name>Fork</name></rtept>
    <rtept lat="57.2" lon="-3.5"><name>Lodge</name></rtept>
  </rte>
  <trk>
    <name>Up</name>
    <desc>slow</desc>
    <trkseg>
      <trkpt lat="57.100001" lon="-3.700001"><ele>560.5</ele><time>2023-09-09T10:00:05Z</time><extensions><tpx:TrackPointExtension><tpx:atemp>12.0</tpx:atemp><tpx:hr>101</tpx:hr></tpx:TrackPointExtension></extensions></trkpt>
      <trkpt lat="57.110000" lon="-3.710000"><ele>570.0</ele><time>2023-09-09T10:20:00Z</time><hdop>2.5</hdop></trkpt>
      <trkpt lat="57.120000" lon="-3.720000"><ele>590</ele><time>2023-09-09T10:40:00.500Z</time></trkpt>
    </trkseg>
    <trkseg>
      <trkpt lat="57.130000" lon="-3.730000"><ele>610</ele><time>2023-09-09T11:30:00Z</time></trkpt>
    </trkseg>
  </trk>
  <trk>
    <name>Down</name>
    <trkseg>
      <trkpt lat="57.140000" lon="-3.740000"><ele>600</ele><time>2023-09-10T08:00:00Z</time></trkpt>
      <trkpt lat="57.150000" lon="-3.750000"><ele>580</ele><time>2023-09-10T08:10:00Z</time></trkpt>
    </trkseg>
  </trk>
</gpx>
`

const sampleFile = "hut.gpx"

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

const (
	fourth = `      <trkpt lat="57.130000" lon="-3.730000"><ele>610</ele><time>2023-09-09T11:30:00Z</time></trkpt>` + "\n"
	last   = `      <trkpt lat="57.150000" lon="-3.750000"><ele>580</ele><time>2023-09-10T08:10:00Z</time></trkpt>` + "\n"
)

// between returns the part of the sample from one text up to another.
func between(from, to string) string {
	_, rest, _ := strings.Cut(sample, from)
	inside, _, _ := strings.Cut(rest, to)
	return from + inside
}

var (
	ford      = between("  <wpt lat=\"57.15\"", "  <rte>")
	downTrack = between("  <trk>\n    <name>Down", "</gpx>")
	upTrack   = between("  <trk>\n    <name>Up", "  <trk>\n    <name>Down")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a point that was lost":                  {fourth, ""},
		"a point that was repeated":              {fourth, fourth + fourth},
		"an invented point":                      {last, last + `<trkpt lat="57.16" lon="-3.76"><ele>570</ele></trkpt>`},
		"two points exchanged":                   {between(`      <trkpt lat="57.14`, "    </trkseg>"), last + between(`      <trkpt lat="57.14`, last)},
		"two tracks exchanged":                   {upTrack + downTrack, downTrack + upTrack},
		"an invented track":                      {downTrack, downTrack + "<trk><name>Home</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk>"},
		"an empty track":                         {downTrack, downTrack + "<trk/>"},
		"segments merged":                        {"    </trkseg>\n    <trkseg>\n", ""},
		"a point in the segment before":          {"    </trkseg>\n    <trkseg>\n" + fourth, fourth + "    </trkseg>\n    <trkseg>\n"},
		"the seventh decimal of a position":      {"57.120000", "57.1200001"},
		"a position rounded to five decimals":    {"57.100001", "57.10000"},
		"a tenth of a metre":                     {"570.0", "570.1"},
		"a height that was lost":                 {"<ele>610</ele>", ""},
		"a time that was lost":                   {"<time>2023-09-10T08:00:00Z</time>", ""},
		"an hour":                                {"2023-09-09T11:30:00Z", "2023-09-09T12:30:00Z"},
		"half a second":                          {"10:40:00.500Z", "10:40:00Z"},
		"another zone with the same clock":       {"2023-09-09T11:30:00Z", "2023-09-09T11:30:00+01:00"},
		"the heart rate":                         {"<tpx:hr>101</tpx:hr>", ""},
		"the temperature":                        {"12.0", "53.6"},
		"the dilution of precision":              {"<hdop>2.5</hdop>", ""},
		"a waypoint's time":                      {"<time>2023-09-09T10:00:00Z</time>", ""},
		"a waypoint's height":                    {"<ele>560</ele>", "<ele>561</ele>"},
		"a waypoint's symbol":                    {"<sym>Lodge</sym>", ""},
		"an invented symbol":                     {"<cmt>low</cmt>", "<cmt>low</cmt><sym>Ford</sym>"},
		"a waypoint's comment":                   {"low", "high"},
		"a waypoint's description":               {"spade", "spades"},
		"the case of a name":                     {"<name>Ford", "<name>ford"},
		"a waypoint moved by a metre":            {`"57.15"`, `"57.15001"`},
		"a waypoint that was repeated":           {ford, ford + ford},
		"the address of a link":                  {"stove.jpg", "stove2.jpg"},
		"the text of a link":                     {"<text>stove</text>", ""},
		"text in a point that has nothing else":  {`<rtept lat="57.2" lon="-3.5"><name>Lodge</name>`, `<rtept lat="57.2" lon="-3.5">Lodge`},
		"an extension's value":                   {"<tpx:hr>101<", "<tpx:hr>-<"},
		"the leading zero of a code":             {"<tpx:hr>101<", "<tpx:hr>0101<"},
		"an extension without a value":           {"<o:hidden/>", ""},
		"the route":                              {between("  <rte>", "  <trk>"), ""},
		"a route point":                          {`<rtept lat="57.2"`, `<rtept lat="57.3"`},
		"the name of a track":                    {"<name>Up", "<name>Down"},
		"the description of a track":             {"<desc>slow</desc>", ""},
		"the metadata":                           {"<name>Hut walk</name>", ""},
		"the author":                             {"Mairi", "Morag"},
		"the creator":                            {"eTrex 32x", "GPSBabel"},
		"the version":                            {`version="1.1"`, `version="1.0"`},
		"a version that was lost":                {` version="1.1"`, ""},
		"the default namespace":                  {` xmlns="http://www.topografix.com/GPX/1/1"`, ""},
		"the namespace of an extension":          {"TrackPointExtension/v1", "TrackPointExtension/v2"},
		"a namespace declaration that was lost":  {` xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"`, ""},
		"a comment that was lost":                {"  <!-- from the unit -->\n", ""},
		"a comment that was added":               {"  <rte>", "  <!-- checked -->\n  <rte>"},
		"text around the document":               {"<?xml", "Here is the file:\n<?xml"},
		"text inside of it":                      {"  <rte>", "  more\n  <rte>"},
		"a bare ampersand":                       {"&amp;", "&"},
		"a closing tag that was lost":            {"</desc>\n    <link", "\n    <link"},
		"a closing tag too many":                 {"  <rte>", "  </wpt>\n  <rte>"},
		"an attribute without quotes":            {`creator="eTrex 32x"`, "creator=eTrex"},
		"an attribute that stands twice":         {`version="1.1"`, `version="1.1" version="1.0"`},
		"a truncated file":                       {fourth + sample[strings.Index(sample, fourth)+len(fourth):], "      <trkpt lat=\"57.13"},
		"the document a second time in the file": {"</gpx>\n", "</gpx>\n" + sample},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.3 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	prefixed := strings.NewReplacer("<!", "<!", "<?", "<?", "<tpx:", "<tpx:", "</tpx:", "</tpx:", "<o:", "<o:",
		"</", "</g:", "<", "<g:", `xmlns="`, `xmlns:g="`).Replace(sample)
	for rule, edit := range map[string][2]string{
		"numbers with other zeros":           {"570.0", "0570.000"},
		"a number with an exponent":          {"<ele>610</ele>", "<ele>6.1e2</ele>"},
		"temperatures without fraction":      {"12.0", "12"},
		"blanks around a value":              {"<ele>610</ele>", "<ele> 610\n</ele>"},
		"the same instant in another zone":   {"2023-09-09T11:30:00Z", "2023-09-09T12:30:00+01:00"},
		"a time without zone, which is UTC":  {"2023-09-09T11:30:00Z", "2023-09-09T11:30:00"},
		"a fraction of zero":                 {"2023-09-09T11:30:00Z", "2023-09-09T11:30:00.000Z"},
		"a zone without its colon":           {"2023-09-09T11:30:00Z", "2023-09-09T12:30:00+0100"},
		"blanks around a time":               {"2023-09-09T11:30:00Z", " 2023-09-09T11:30:00Z "},
		"the order of attributes":            {`lat="57.140000" lon="-3.740000"`, `lon='-3.740000' lat='57.140000'`},
		"the order of values in a point":     {"<ele>600</ele><time>2023-09-10T08:00:00Z</time>", "<time>2023-09-10T08:00:00Z</time><ele>600</ele>"},
		"the order of waypoints":             {between("  <wpt", "  <rte>"), ford + between("  <wpt", ford)},
		"another prefix for the extension":   {"tpx", "gpxtpx"},
		"a prefix for GPX itself":            {sample, prefixed},
		"CDATA":                              {"Stove &amp; spade", "<![CDATA[Stove & spade]]>"},
		"character references":               {"Bothy", "&#66;othy"},
		"an empty element":                   {"<cmt>low</cmt>", "<cmt>low</cmt><desc/><sym></sym>"},
		"a namespace that is not used":       {" xmlns:o=", ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:o=`},
		"no line ends":                       {"\n", " "},
		"no indentation":                     {"  ", ""},
		"CRLF":                               {"\n", "\r\n"},
		"a byte order mark":                  {"<?xml", "\ufeff<?xml"},
		"a blank line before the XML":        {"<?xml", "\n<?xml"},
		"a code fence":                       {sample, "```xml\n" + sample + "```\n"},
		"a file without XML declaration":     {`<?xml version="1.0" encoding="UTF-8"?>`, ""},
		"another spelling of the encoding":   {`encoding="UTF-8"`, `encoding='utf-8' standalone='no'`},
		"an element of a foreign root's own": {"<o:hidden/>", `<x:hidden xmlns:x="https://osmand.net"/>`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{sampleFile: sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	header := between("<gpx", "  <!--")
	first := strings.Replace(sample, downTrack, "", 1)
	second := header + downTrack + "</gpx>\n"
	for rule, candidate := range map[string]vfs.Files{
		"another extension":            {"hut.xml": sample},
		"no extension":                 {"out/hut": sample},
		"a file for each track":        {"a.gpx": first, "b.gpx": second},
		"names in another order":       {"b.gpx": first, "a.gpx": second},
		"the waypoint in another file": {"a.gpx": strings.Replace(first, ford, "", 1), "b.gpx": strings.Replace(second, "  <trk>", ford+"  <trk>", 1)},
	} {
		reference := vfs.Files{sampleFile: sample}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "geotrack1")
	one := vfs.Files{surveyFile: strings.Replace(seed[surveyFile], "326.88", "362.88", 1)}
	if score := New().Compare(seed, one); score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong height leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "point at 2023-09-09T08:03:17Z, ele", Was: "326.88", Is: "362.88",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
	prefix := ` xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"`
	undeclared := vfs.Files{surveyFile: strings.Replace(seed[surveyFile], prefix, "", 1)}
	if score := New().Compare(seed, undeclared); score.Strict < 0.9 || score.RS > 0.21 {
		t.Errorf("a declaration that was lost leaves Strict at %v and Value at %v", score.Strict, score.RS)
	}
}

func TestBadInputIsReadFast(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	reference := vfs.Files{sampleFile: sample}
	for name, text := range map[string]string{
		"points":              "<gpx><trk><trkseg>" + strings.Repeat(`<trkpt lat="1" lon="2"/>`, size/24) + "</trkseg></trk></gpx>",
		"elements that open":  strings.Repeat("<a>", size/3),
		"elements that close": strings.Repeat("</a>", size/4),
		"bare marks":          strings.Repeat("< & <! ", size/7),
		"comments that open":  strings.Repeat("<!--", size/4),
		"quotes that open":    strings.Repeat(`<a b="`, size/6),
		"declarations":        strings.Repeat(" xmlns:", size/7),
		"attributes":          "<gpx " + strings.Repeat(`a="1" `, size/6) + "/>",
		"entities":            "<!DOCTYPE a [<!ENTITY a '&a;&a;'>]><gpx>" + strings.Repeat("&a;", 1000) + "</gpx>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(reference, vfs.Files{sampleFile: text})
			if score.Problem == "" && name != "points" || score.Strict > 0.1 {
				t.Errorf("%+v", score)
			}
		})
	}
}
