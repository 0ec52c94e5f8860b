package playlist

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/playlist"
	"agentd/vfs"
)

const documentFile = "slow_boat.xspf"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "playlist1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for track, want := range map[string][2]string{
		`<track><duration>217400</duration><meta rel="year">1984</meta></track>`:                {"1980s", "3:37.400"},
		`<track><duration> 3600005 </duration><meta rel="year">1977/78</meta></track>`:          {"", "60:00.005"},
		`<track><duration>PT3M</duration><meta rel='http://a.example/year'>2003</meta></track>`: {"2000s", ""},
		`<track><meta rel="year">199x</meta></track>`:                                           {},
	} {
		if got := [2]string{decade(track), length(track)}; got != want {
			t.Errorf("%s: %q, want %q", track, got, want)
		}
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "playlist1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "playlist1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "playlist1"))
}

// drawDocument draws a playlist as different programs write it, by people of
// different habits.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.prefix, d.indent = d.one("prefix", "", "", "", "x:"), d.one("indent", "", "\n  ", "\n\t\t")
	declared := "xmlns"
	if d.prefix != "" {
		declared = "xmlns:x"
	}
	var b strings.Builder
	b.WriteString(d.one("declaration", "", `<?xml version="1.0" encoding="UTF-8"?>`+"\n", "<?xml version='1.0'?>\n<!-- saved by hand -->\n"))
	fmt.Fprintf(&b, `<%splaylist version="1" %s="%s" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">`, d.prefix, declared, published.Namespace)
	d.maybe(&b, "title", "Slow Boat", "Drive & Dine")
	d.maybe(&b, "creator", "Nell")
	d.maybe(&b, "date", "2024-03-24T17:42:08+11:00", "2024-03-24")
	d.maybe(&b, "annotation", "Two hours.\nRepeat on Wednesday.", " padded ")
	d.sometimes(&b, "a comment in the playlist", "<!-- repeat: Wed -->")
	d.sometimes(&b, "an attribution", d.element("attribution", d.element("location", "http://a.org/1")+d.element("identifier", "a:1")))
	d.sometimes(&b, "a meta of the playlist", d.meta("apra-return", "due"))
	b.WriteString(d.indent + "<" + d.prefix + "trackList>")
	for range d.upTo(7, "tracks") {
		b.WriteString(d.indent + d.track())
	}
	d.sometimes(&b, "a last comment", "<!-- spare -->")
	b.WriteString("</" + d.prefix + "trackList>")
	d.sometimes(&b, "an extension of the playlist", `<`+d.prefix+`extension application="http://www.videolan.org/vlc/playlist/0"><vlc:item tid="0"/><vlc:item tid="1"/></`+d.prefix+`extension>`)
	b.WriteString("</" + d.prefix + "playlist>\n")
	return vfs.Files{documentFile: b.String()}
}

type drawer struct {
	*rapid.T
	prefix, indent string
}

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }

func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) sometimes(b *strings.Builder, label, text string) {
	if d.upTo(3, label) == 0 {
		b.WriteString(d.indent + text)
	}
}

// maybe writes an element with one of the texts, escaped, in three of four
// tracks.
func (d drawer) maybe(b *strings.Builder, name string, texts ...string) {
	if d.upTo(3, "without "+name) > 0 {
		b.WriteString(d.indent + d.element(name, xml.EscapeText(d.one(name, texts...))))
	}
}

func (d drawer) element(name, content string) string {
	return "<" + d.prefix + name + ">" + content + "</" + d.prefix + name + ">"
}

func (d drawer) meta(rel, text string) string {
	return fmt.Sprintf(`<%smeta rel=%q>%s</%smeta>`, d.prefix, rel, text, d.prefix)
}

func (d drawer) maybeMeta(b *strings.Builder, rel string, texts ...string) {
	if d.upTo(3, "without "+rel) > 0 {
		b.WriteString(d.indent + d.meta(rel, d.one(rel, texts...)))
	}
}

func (d drawer) track() string {
	var b strings.Builder
	d.sometimes(&b, "a comment before", "<!-- 21:00 NEWS -->")
	b.WriteString("<" + d.prefix + "track>")
	d.maybe(&b, "location", "file:///m/a.flac", "http://a.org/a%20b.mp3")
	d.sometimes(&b, "another location", d.element("location", "file:///m/b.wav"))
	d.sometimes(&b, "an identifier", d.element("identifier", "isrc:AUHB00800001"))
	d.maybe(&b, "title", "Sodade", "Sea Song", "Wiyathul", "Güç & <Son>", "sea song", "")
	d.maybe(&b, "creator", "Cesária Évora", "Robert Wyatt", "robert wyatt", "The Necks")
	d.maybe(&b, "album", "Miss Perfumado", "Rock Bottom", " Drive By ")
	d.maybe(&b, "annotation", "Out at 9'00\" sharp, \"bees\" & children.", "One line.\n\n  And another, indented.", "[note 2]", "a, b")
	d.sometimes(&b, "a note with markup", d.element("annotation", "<b>NOT</b> the pub version"))
	d.sometimes(&b, "CDATA", d.element("info", "<![CDATA[http://a.org/?a=1]]>"))
	d.maybe(&b, "trackNum", "3", "03")
	d.maybe(&b, "duration", "217400", "1320000", "0", "0290000", "3:34", "")
	d.sometimes(&b, "a link", fmt.Sprintf(`<%slink rel="http://a.org/rel">http://a.org/</%slink>`, d.prefix, d.prefix))
	d.maybeMeta(&b, "year", "1974", "1976", "1981", "c. 1991", "1977/78", "2003")
	d.maybeMeta(&b, "label", "Virgin", "Topic", "Kaifa / &lt;ATFA&gt;", "L01", " Virgin ")
	d.sometimes(&b, "another label", d.meta("label", "EG"))
	d.maybeMeta(&b, "rotation", "Gold", "Current")
	d.maybeMeta(&b, "local", "true", "false", "TRUE")
	d.maybeMeta(&b, "request", "true", "false")
	d.sometimes(&b, "an extension", `<`+d.prefix+`extension application="http://www.videolan.org/vlc/playlist/0"><vlc:id>8</vlc:id><vlc:loop/></`+d.prefix+`extension>`)
	d.sometimes(&b, "a comment inside", "<!-- check -->")
	b.WriteString("</" + d.prefix + "track>")
	return b.String()
}

func TestWithoutCopiesText(t *testing.T) {
	t.Parallel()
	const around = "<playlist>\n<title>a</title>\n <trackList >\n%s </trackList>\n</playlist>\n"
	for rule, c := range map[string]struct{ tracks, left string }{
		"a track with its comments": {" <!-- b -->\n <track><title>1</title></track>\n <!-- c -->\n <track/>\n", " <!-- c -->\n <track/>\n"},
		"a track without its end":   {" <track><title>1</title>\n <track><title>2</title></track>\n", " <track><title>2</title></track>\n"},
	} {
		first := true
		got := without("", fmt.Sprintf(around, c.tracks), func() bool {
			defer func() { first = false }()
			return first
		})
		if want := fmt.Sprintf(around, c.left); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}

func TestLeavingOutTakesTheCommentsBefore(t *testing.T) {
	t.Parallel()
	got := New().Without(vfs.Files{sampleFile: sample}, func(n int) bool { return n == 1 })
	want := strings.Replace(sample, waltz, "", 1)
	if diff := cmp.Diff(want, got[sampleFile]); diff != "" {
		t.Error(diff)
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{sampleFile: sample})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 3, Counts: []domains.Count{
		{Name: "Tracks", Value: "3"}, {Name: "Artists", Value: "2"}, {Name: "Albums", Value: "2"}, {Name: "With Notes", Value: "2"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const songs = `<playlist xmlns="http://xspf.org/ns/0/"><trackList>` +
	`<track><title>Harbour</title><creator>Ida</creator><album>Tide</album><annotation>Live &amp; dry</annotation>` +
	`<meta rel="year">1976</meta><meta rel="label">Fjell</meta><meta rel="local">true</meta></track>` +
	`<track><title>Waltz</title><creator>Jo</creator></track></trackList></playlist>`

func TestProblem(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"a.xspf": songs}
	for candidate, want := range map[string]string{
		songs:           "",
		songs + "Done.": "a.xspf: text outside of the root element",
		`<playlist xmlns="http://xspf.org/ns/0/"><trackList/></playlist>`: "the published reading finds no track",
	} {
		if score := New().Compare(reference, vfs.Files{"a.xspf": candidate}); score.Problem != want {
			t.Errorf("%s: problem %q, want %q", candidate, score.Problem, want)
		}
	}
}
