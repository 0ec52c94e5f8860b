package playlist

import (
	"math"
	"testing"

	"agentd/vfs"
)

// only is a playlist of one track with that in it.
func only(inside string) string {
	return `<playlist xmlns="http://xspf.org/ns/0/"><trackList><track>` + inside + `</track></trackList></playlist>`
}

func TestParse(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []track
	}{
		"white space around texts": {only("<title>\n A\u00a0</title>"), []track{{title: "A"}}},
		"the first of several":     {only("<title>A</title><title>B</title>"), []track{{title: "A"}}},
		"text up to an element":    {only("<annotation>A <b>B</b> C</annotation>"), []track{{annotation: "A"}}},
		"text around a comment":    {only("<annotation>A<!-- B -->C</annotation>"), []track{{annotation: "AC"}}},
		"an ampersand":             {only("<title>A & B &nbsp; &#67;</title>"), []track{{title: "A & B &nbsp; C"}}},
		"an ampersand in CDATA":    {only("<title><![CDATA[R&B]]></title>"), []track{{title: "R&amp;B"}}},
		"the last meta counts": {only(`<meta rel="year">1</meta><meta rel="year"> 2 </meta><meta rel="local">true</meta><meta rel="local">no</meta>`),
			[]track{{year: "2"}}},
		"flags":                              {only(`<meta rel="local"> TRUE </meta><meta rel="request">1</meta>`), []track{{local: true}}},
		"other metas, and metas without rel": {only(`<meta rel="Year">1</meta><meta>2</meta>`), []track{{}}},
		"a wrapper": {`<xspf xmlns="http://xspf.org/ns/0/"><playlist><trackList><track/></trackList></playlist></xspf>`,
			[]track{{}}},
		"any root in any namespace": {`<a><trackList xmlns="http://xspf.org/ns/0/"><track/></trackList></a>`, []track{{}}},
		"a prefix": {`<x:playlist xmlns:x="http://xspf.org/ns/0/"><x:trackList><x:track><x:title>A</x:title></x:track></x:trackList></x:playlist>`,
			[]track{{title: "A"}}},
		"the first list alone":      {`<a xmlns="http://xspf.org/ns/0/"><trackList/><trackList><track/></trackList></a>`, nil},
		"no namespace":              {`<playlist><trackList><track/></trackList></playlist>`, nil},
		"a track deeper down":       {`<a xmlns="http://xspf.org/ns/0/"><trackList><b><track/></b></trackList></a>`, nil},
		"a blank line at the start": {"\n<?xml version='1.0'?>" + only(""), nil},
		"a code fence":              {"```\n" + only("") + "\n```", nil},
		"text after the root":       {only("") + "Done.", nil},
		"a wrong closing tag":       {only("<title>A</name>"), nil},
		"an undeclared prefix":      {only("<y:title>A</y:title>"), nil},
		"an attribute twice":        {only(`<meta rel="a" rel="b"/>`), nil},
		"nothing":                   {"", nil},
	} {
		doc, err := Parse(vfs.Files{"a.xspf": c.text})
		if err != nil {
			t.Errorf("%s: %v", rule, err)
		}
		if len(doc.tracks) != len(c.want) {
			t.Errorf("%s: %d tracks, want %d (%s)", rule, len(doc.tracks), len(c.want), doc.problem)
			continue
		}
		for i := range c.want {
			if doc.tracks[i] != c.want[i] {
				t.Errorf("%s: %+v, want %+v", rule, doc.tracks[i], c.want[i])
			}
		}
	}
}

func TestFilesOfADocument(t *testing.T) {
	t.Parallel()
	doc, err := Parse(vfs.Files{"b.xspf": only("<title>B</title>"), "a.xspf": only("<title>A</title>"), "c.XSPF": only(""), "d.xml": only("")})
	if err != nil || len(doc.tracks) != 2 || doc.tracks[0].title != "A" {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	const note = "The ferry of the title ran until the bridge opened"
	for rule, c := range map[string]struct {
		reference, candidate []track
		want                 parts
	}{
		"no tracks":        {nil, nil, parts{1, 1, 1, 1}},
		"no tracks left":   {[]track{{}}, nil, parts{}},
		"tracks from none": {nil, []track{{}}, parts{}},
		"nothing shared":   {[]track{{title: "a"}}, []track{{title: "b"}}, parts{}},
		"letter case": {[]track{{title: "A", album: "B", label: "C", rotation: "D"}}, []track{{title: "a", album: "b", label: "c", rotation: "d"}},
			parts{1, 1, 1, 1}},
		"an album": {[]track{{album: "abcd", year: "1"}}, []track{{album: "abce", year: "1"}}, parts{1, (1.5*0.75 + 1) / 3, 1, 1}},
		"no album": {[]track{{album: "abcd", year: "1"}}, []track{{year: "1"}}, parts{1, 1.0 / 3, 1, 1}},
		"a label":  {[]track{{label: "abcd", year: "1"}}, []track{{label: "abce", year: "1"}}, parts{1, (0.5*0.75 + 1) / 2, 1, 1}},
		"a flag":   {[]track{{local: true, year: "1"}}, []track{{year: "1"}}, parts{1, 1 / 1.25, 1, 1}},
		"a note":   {[]track{{annotation: note}}, []track{{}}, parts{1, 1, 0, 1}},
		"the last of a key": {[]track{{year: "1"}, {year: "2"}}, []track{{year: "3"}, {year: "2"}},
			parts{1, 1, 1, 1}},
		"a play left out":        {[]track{{}, {}}, []track{{}}, parts{1, 1, 1, 2.0 / 3}},
		"keys that run together": {[]track{{title: "a|b"}}, []track{{title: "a", creator: "b|"}}, parts{1, 1, 1, 1}},
	} {
		got := compareTracks(c.reference, c.candidate)
		for part, pair := range map[string][2]float64{
			"coverage": {got.coverage, c.want.coverage}, "metadata": {got.metadata, c.want.metadata},
			"annotation": {got.annotation, c.want.annotation}, "sequence": {got.sequence, c.want.sequence},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", rule, part, pair[0], pair[1])
			}
		}
	}
}
