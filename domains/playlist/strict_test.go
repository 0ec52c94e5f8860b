package playlist

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

const sampleFile = "night.xspf"

const (
	opening = `<?xml version="1.0" encoding="UTF-8"?>
<playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:v="http://www.videolan.org/vlc/playlist/ns/0/">
`
	header = `  <title>Night Ferry</title>
  <date>2024-03-24T21:00:00+11:00</date>
  <!-- rerun on Tuesday -->
`
	harbour = `    <track>
      <location>file:///m/harbour.flac</location>
      <location>http://a.org/harbour.mp3</location>
      <title>Harbour</title>
      <creator>Ida &amp; Jo</creator>
      <album>Low Tide</album>
      <trackNum>2</trackNum>
      <duration>214050</duration>
      <annotation>Live &amp; "dry".
Ends cold.</annotation>
      <meta rel="year">1976</meta>
      <meta rel="label">Fjell</meta>
      <meta rel="local">true</meta>
      <extension application="http://www.videolan.org/vlc/playlist/0"><v:id>0</v:id></extension>
    </track>
`
	waltz = `    <!-- 22:00 news -->
    <track>
      <title>Waltz</title>
      <creator>Ida &amp; Jo</creator>
      <duration>1100000</duration>
      <meta rel="year">c. 1990</meta>
      <meta rel="label">Topic</meta>
      <meta rel="request">false</meta>
    </track>
`
	ghost = `    <track>
      <title>Ghost Ship</title>
      <creator>Bo Lind</creator>
      <album>Wrecks</album>
      <duration>60000</duration>
      <annotation>Closer.</annotation>
      <link rel="http://a.org/rel/lyrics">http://a.org/ghost</link>
      <meta rel="year">1971</meta>
      <meta rel="label">Fjell</meta>
    </track>
`
	lastComment = "    <!-- spare: Sweet Lucy -->\n"
	sample      = opening + header + "  <trackList>\n" + harbour + waltz + ghost + lastComment + "  </trackList>\n</playlist>\n"
)

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

func list(tracks string) string {
	return opening + header + "  <trackList>\n" + tracks + "  </trackList>\n</playlist>\n"
}

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{sampleFile: sample}
	for rule, candidate := range map[string]vfs.Files{
		"another file name":             {"playlist.xml": sample},
		"no layout":                     {sampleFile: strings.ReplaceAll(sample, "\n    ", "")},
		"Windows line ends":             {sampleFile: strings.ReplaceAll(sample, "\n", "\r\n")},
		"a byte order mark":             {sampleFile: "\ufeff" + sample},
		"a blank line at the start":     {sampleFile: "\n" + sample},
		"a code fence":                  {sampleFile: "```xml\n" + sample + "```\n"},
		"sentences around it":           {sampleFile: "Here it is:\n" + sample + "Restored as requested.\n"},
		"no declaration":                {sampleFile: sample[strings.Index(sample, "<playlist"):]},
		"the wrapper xspf":              change(t, sample[strings.Index(sample, "<playlist"):], `<xspf xmlns="http://xspf.org/ns/0/">`+sample[strings.Index(sample, "<playlist"):]+"</xspf>"),
		"an attribute that is repeated": change(t, `<playlist version="1"`, `<playlist version="1" version="1"`),
		"a prefix":                      {sampleFile: prefixed},
		"no namespace":                  change(t, ` xmlns="http://xspf.org/ns/0/"`, ""),
		"fields in another order":       change(t, "<title>Waltz</title>\n      <creator>Ida &amp; Jo</creator>", "<creator>Ida &amp; Jo</creator><title>Waltz</title>"),
		"letter case of a title":        change(t, ">Harbour<", ">HARBOUR<"),
		"a false flag left out":         change(t, `      <meta rel="request">false</meta>`+"\n", ""),
		"a false flag written out":      change(t, `<meta rel="local">true</meta>`, `<meta rel="local">TRUE</meta><meta rel="request">False</meta>`),
		"an empty element":              change(t, "<album>Wrecks</album>", "<album>Wrecks</album><image/>"),
		"blanks around a text":          change(t, "<album>Wrecks</album>", "<album>\n  Wrecks </album>"),
		"a number written otherwise":    change(t, ">60000<", "> 060000.0 <"),
		"the date in another zone":      change(t, "2024-03-24T21:00:00+11:00", "2024-03-24T10:00:00Z"),
		"CDATA":                         change(t, "Live &amp; \"dry\".\nEnds cold.", "<![CDATA[Live & \"dry\".\nEnds cold.]]>"),
		"a bare ampersand":              change(t, "&amp;", "&"),
		"character references":          change(t, "Closer.", "&#67;loser&#x2e;"),
		"a misspelt closing tag":        change(t, "Waltz</title>", "Waltz</name>"),
		"a lost closing tag":            change(t, "Waltz</title>", "Waltz"),
		"a closing tag of a track":      change(t, "false</meta>\n    </track>", "false</meta>\n    </trak>"),
		"curly quotes":                  change(t, `rel="year"`, "rel=“year”"),
		"no end":                        {sampleFile: strings.TrimSuffix(sample, "  </trackList>\n</playlist>\n")},
		"division over files":           {"1.xspf": list(harbour), "2.xspf": list(waltz + ghost + lastComment)},
		"several playlists in a file":   {sampleFile: list(harbour) + list(waltz+ghost+lastComment)},
	} {
		if differences := New().Differences(reference, candidate); len(differences) > 0 {
			t.Errorf("%s: %v", rule, differences)
		}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
	}
}

// prefixed is the sample with all elements of XSPF under a prefix.
var prefixed = strings.NewReplacer("</v:", "</v:", "<v:", "<v:", "</", "</x:", "<!", "<!", "<?", "<?", "<", "<x:", "xmlns=", "xmlns:x=").Replace(sample)

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{sampleFile: sample}
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      []string
	}{
		"a lost track": {vfs.Files{sampleFile: list(harbour + ghost + lastComment)},
			[]string{"Waltz by Ida & Jo: lost (22:00 news | waltz | ida & jo | 1100000 | c. 1990 | Topic)"}},
		"an added track": {vfs.Files{sampleFile: list(harbour + waltz + "<track><title>Sweet Lucy</title></track>" + ghost + lastComment)},
			[]string{"Sweet Lucy: added (sweet lucy)"}},
		"a track played again": {vfs.Files{sampleFile: list(harbour + waltz + ghost + ghost + lastComment)},
			[]string{"Ghost Ship by Bo Lind: added (ghost ship | bo lind | wrecks | 60000 | Closer. | http://a.org/ghost | 1971 | Fjell)"}},
		"another order": {vfs.Files{sampleFile: list(ghost + harbour + waltz + lastComment)},
			[]string{"Ghost Ship by Bo Lind: moved from place 3 to 1"}},
		"a title": {change(t, ">Waltz<", ">Walz<"),
			[]string{"Waltz by Ida & Jo, title: waltz -> walz"}},
		"a duration": {change(t, ">214050<", ">241050<"),
			[]string{"Harbour by Ida & Jo, duration: 214050 -> 241050"}},
		"a line of a note": {change(t, "Ends cold.", "Fades."),
			[]string{"Harbour by Ida & Jo, annotation, line 2: Ends cold. -> Fades."}},
		"letter case in a note": {change(t, "Ends cold.", "ends cold."),
			[]string{"Harbour by Ida & Jo, annotation, line 2: Ends cold. -> ends cold."}},
		"a lost note": {change(t, "      <annotation>Closer.</annotation>\n", ""),
			[]string{"Ghost Ship by Bo Lind, annotation: Closer. -> (nothing)"}},
		"markup in a note": {change(t, "Closer.", "<b>Closer.</b>"),
			[]string{"Ghost Ship by Bo Lind, annotation: Closer. -> (nothing)", "Ghost Ship by Bo Lind, annotation/b: (nothing) -> Closer."}},
		"a meta": {change(t, ">1971<", ">1972<"),
			[]string{"Ghost Ship by Bo Lind, meta year: 1971 -> 1972"}},
		"a flag": {change(t, `<meta rel="local">true</meta>`, `<meta rel="local">false</meta>`),
			[]string{"Harbour by Ida & Jo, meta local: true -> (nothing)"}},
		"locations swapped": {change(t, "<location>file:///m/harbour.flac</location>\n      <location>http://a.org/harbour.mp3</location>",
			"<location>http://a.org/harbour.mp3</location><location>file:///m/harbour.flac</location>"),
			[]string{"Harbour by Ida & Jo, location: file:///m/harbour.flac -> http://a.org/harbour.mp3",
				"Harbour by Ida & Jo, location 2: http://a.org/harbour.mp3 -> file:///m/harbour.flac"}},
		"a meta twice": {change(t, `<meta rel="year">1971</meta>`, `<meta rel="year">1971</meta><meta rel="year">1971</meta>`),
			[]string{"Ghost Ship by Bo Lind, meta year 2: (nothing) -> 1971"}},
		"what an extension says": {change(t, "<v:id>0</v:id>", "<v:id>1</v:id>"),
			[]string{"Harbour by Ida & Jo, extension http://www.videolan.org/vlc/playlist/0/id: 0 -> 1"}},
		"the namespace of an extension": {change(t, "vlc/playlist/ns/0/", "vlc/playlist/ns/1/"),
			[]string{"namespace: http://www.videolan.org/vlc/playlist/ns/0/ -> http://www.videolan.org/vlc/playlist/ns/1/"}},
		"another namespace": {change(t, "http://xspf.org/ns/0/", "http://xspf.org/ns/1/"),
			[]string{"playlist, namespace: (nothing) -> http://xspf.org/ns/1/"}},
		"the version": {change(t, `<playlist version="1"`, `<playlist version="0"`),
			[]string{"playlist, version: 1 -> 0"}},
		"the title of the playlist": {change(t, "Night Ferry", "Night ferry"),
			[]string{"playlist title, title: Night Ferry -> Night ferry"}},
		"a comment before a track": {change(t, "    <!-- 22:00 news -->\n", ""),
			[]string{"Waltz by Ida & Jo, comment: 22:00 news -> (nothing)"}},
		"a comment that moved to another track": {vfs.Files{sampleFile: list(harbour + strings.TrimPrefix(waltz, "    <!-- 22:00 news -->\n") + "<!-- 22:00 news -->" + ghost + lastComment)},
			[]string{"Waltz by Ida & Jo, comment: 22:00 news -> (nothing)", "Ghost Ship by Bo Lind, comment: (nothing) -> 22:00 news"}},
		"a comment that was reworded": {change(t, "Sweet Lucy", "Sweet Jane"),
			[]string{"comment: spare: Sweet Lucy -> spare: Sweet Jane"}},
		"text between tracks": {vfs.Files{sampleFile: list(harbour + "and then\n" + waltz + ghost + lastComment)},
			[]string{"line: added (and then)"}},
		"an element in capitals": {change(t, "<album>Wrecks</album>", "<Album>Wrecks</Album>"),
			[]string{"Ghost Ship by Bo Lind, album: wrecks -> (nothing)", "Ghost Ship by Bo Lind, Album: (nothing) -> Wrecks"}},
		"an empty file": {vfs.Files{sampleFile: ""}, nil},
		"prose":         {vfs.Files{sampleFile: "I have put the tracks in order.\n"}, nil},
	} {
		score := New().Compare(reference, c.candidate)
		if score.Strict >= 1 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
		var got []string
		for _, d := range New().Differences(reference, c.candidate) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(c.want, got); c.want != nil && diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestDamageCostsInProportion(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{sampleFile: sample}
	for rule, c := range map[string]struct {
		candidate vfs.Files
		strict    float64
	}{
		"one of three tracks lost": {vfs.Files{sampleFile: list(harbour + ghost + lastComment)}, 2.0 / 3},
		"one track more":           {vfs.Files{sampleFile: list(harbour + waltz + ghost + ghost + lastComment)}, 3.0 / 4},
		"one of six fields":        {change(t, ">Waltz<", ">Walz<"), (2 + 5.0/6) / 3},
		"one of nine elements":     {change(t, "Night Ferry", "Night ferry"), 8.0 / 9},
	} {
		got := New().Compare(reference, c.candidate).Strict
		if off := got - c.strict; off > 1e-12 || off < -1e-12 {
			t.Errorf("%s: Strict is %v, want %v", rule, got, c.strict)
		}
	}
}
