package geotrack

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

// file wraps points in a track.
func file(points string) string {
	return `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>` + points + `</trkseg></trk></gpx>`
}

func TestWhatLosesAFile(t *testing.T) {
	t.Parallel()
	whole := file(`<trkpt lat="1" lon="2"><ele>3</ele></trkpt>`)
	change := func(was, is string) string { return strings.Replace(whole, was, is, 1) }
	for rule, c := range map[string]struct {
		text string
		lost bool
	}{
		"nothing":                                    {whole, false},
		"a byte order mark does not":                 {"\ufeff" + whole, false},
		"a blank line does not":                      {"\n" + whole, false},
		"a blank line before the declaration":        {"\n<?xml version=\"1.0\"?>" + whole, true},
		"an unknown encoding":                        {`<?xml version="1.0" encoding="none"?>` + whole, true},
		"a version beyond 1":                         {`<?xml version="2.0"?>` + whole, true},
		"a code fence":                               {"```xml\n" + whole + "\n```\n", true},
		"text after the root":                        {whole + "x", true},
		"a second root":                              {whole + whole, true},
		"a comment after the root does not":          {whole + "<!-- x -->", false},
		"two hyphens in a comment":                   {whole + "<!-- x--y -->", true},
		"a bare ampersand":                           {change("<ele>", "a & b<ele>"), true},
		"an unknown entity":                          {change("<ele>", "&nbsp;<ele>"), true},
		"a declared entity does not":                 {`<!DOCTYPE gpx [<!ENTITY e "3">]>` + change("<ele>3", "<ele>&e;"), false},
		"an external entity":                         {`<!DOCTYPE gpx [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + change("<ele>3", "<ele>&e;"), true},
		"a missing closing tag":                      {change("</trkpt>", ""), true},
		"a closing tag in another case":              {change("</trkpt>", "</trkPt>"), true},
		"an attribute twice":                         {change(`lat="1"`, `lat="1" lat="1"`), true},
		"an attribute without quotes":                {change(`lat="1"`, `lat=1`), true},
		"attributes without a blank between":         {change(`lat="1" lon`, `lat="1"lon`), true},
		"< in an attribute":                          {change(`lat="1"`, `lat="1" x="<"`), true},
		"an undeclared prefix":                       {change("<ele>", "<q:x/><ele>"), true},
		"a namespace that is no address":             {change("<gpx ", `<gpx xmlns:q="a b" `), true},
		"a control character":                        {change("<ele>", "\x01<ele>"), true},
		"a height that is no number":                 {change("<ele>3", "<ele>n/a"), true},
		"a height with a decimal comma":              {change("<ele>3", "<ele>3,5"), true},
		"a blank height":                             {change("<ele>3", "<ele> "), true},
		"an empty height does not":                   {change("<ele>3</ele>", "<ele/>"), false},
		"blanks around a height do not":              {change("<ele>3", "<ele> 3 "), false},
		"only the first height counts":               {change("<ele>3</ele>", "<ele>3</ele><ele>x</ele>"), false},
		"a missing lat":                              {change(`lat="1"`, ""), true},
		"a lat that is no number":                    {change(`lat="1"`, `lat="N57"`), true},
		"satellites that are no whole number":        {change("<ele>", "<sat>7.0</sat><ele>"), true},
		"an unknown fix":                             {change("<ele>", "<fix>3D</fix><ele>"), true},
		"a known fix does not":                       {change("<ele>", "<fix>3d</fix><ele>"), false},
		"a time that is none does not":               {change("<ele>", "<time>noon</time><ele>"), false},
		"a track number that is none":                {change("<trk>", "<trk><number>one</number>"), true},
		"a bad value in a route point":               {change("<trk>", `<rte><rtept lat="x" lon="1"/></rte><trk>`), true},
		"bad bounds in the metadata":                 {change("<trk>", `<metadata><bounds minlat="x"/></metadata><trk>`), true},
		"bad bounds elsewhere do not":                {change("<trk>", `<bounds minlat="x"/><trk>`), false},
		"a speed that is no number does not":         {change("<ele>", "<speed>x</speed><ele>"), false},
		"a speed that is no number in GPX 1.0":       {strings.Replace(change("<ele>", "<speed>x</speed><ele>"), "1.1", "1.0", 1), true},
		"an extension that is no number does not":    {change("<ele>", "<extensions><a>x</a></extensions><ele>"), false},
		"a processing instruction called xml":        {change("<ele>", "<?xml x?><ele>"), true},
		"another processing instruction does not":    {change("<ele>", "<?x y?><ele>"), false},
		"a nesting deeper than libxml2 allows":       {change("<ele>", strings.Repeat("<a>", 300)+strings.Repeat("</a>", 300)+"<ele>"), true},
		"an empty text":                              {"", true},
		"the default namespace may be missing":       {change(` xmlns="http://www.topografix.com/GPX/1/1"`, ""), false},
		"a prefix of another namespace by two names": {change("<trk>", `<trk xmlns:a="u" xmlns:b="u" a:x="1" b:x="2">`), true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse(vfs.Files{"a.gpx": c.text})
			if err != nil || (doc.problem != "") != c.lost || (len(doc.tracks) == 0) != c.lost {
				t.Errorf("%d tracks, problem %q, error %v", len(doc.tracks), doc.problem, err)
			}
		})
	}
}

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text              string
		waypoints, tracks int
	}{
		"elements in no namespace":         {`<gpx><wpt lat="1" lon="2"/><trk/></gpx>`, 1, 1},
		"a root of any name":               {`<kml><wpt lat="1" lon="2"/></kml>`, 1, 0},
		"the first default namespace only": {`<gpx xmlns="u"><trk xmlns="v"/><trk/></gpx>`, 0, 1},
		"no elements with a prefix":        {`<g:gpx xmlns:g="u"><g:trk/></g:gpx>`, 0, 0},
		"no namespace written with blanks": {`<gpx xmlns = "u"><trk/></gpx>`, 0, 0},
		"no element inside of another":     {`<gpx><x><trk/></x></gpx>`, 0, 0},
	} {
		doc, err := Parse(vfs.Files{"a.gpx": c.text, "b.xml": c.text})
		if err != nil || len(doc.waypoints) != c.waypoints || len(doc.tracks) != c.tracks {
			t.Errorf("%s: %d waypoints and %d tracks, want %d and %d; %v %s",
				rule, len(doc.waypoints), len(doc.tracks), c.waypoints, c.tracks, err, doc.problem)
		}
	}
}

func TestTimesAsTheEvaluatorReadsThem(t *testing.T) {
	t.Parallel()
	const same = "2015-12-19T17:22:23Z"
	for rule, c := range map[string]struct {
		text  string
		equal bool
	}{
		"no zone is UTC":                  {"2015-12-19T17:22:23", true},
		"a blank for T":                   {"2015-12-19 17:22:23Z", true},
		"a fraction of zero":              {"2015-12-19T17:22:23.000Z", true},
		"a fraction beyond microseconds":  {"2015-12-19T17:22:23.0000009Z", true},
		"a zone of zero":                  {"2015-12-19T17:22:23-00:00", true},
		"a zone without minutes":          {"2015-12-19T17:22:23+00", true},
		"a line end after it":             {"2015-12-19T17:22:23Z\n", true},
		"a letter as zone":                {"2015-12-19T17:22:23A00", true},
		"the same instant elsewhere":      {"2015-12-19T18:22:23+01:00", false},
		"a blank after it":                {"2015-12-19T17:22:23Z ", false},
		"a small z":                       {"2015-12-19T17:22:23z", false},
		"a fraction":                      {"2015-12-19T17:22:23.5Z", false},
		"the same clock in another zone":  {"2015-12-19T17:22:23−05:30", false},
		"a day that is not in the month":  {"2015-12-32T17:22:23Z", false},
		"a minute without seconds":        {"2015-12-19T17:22Z", false},
		"a leap second":                   {"2015-12-19T17:22:60Z", false},
		"a short year":                    {"15-12-19T17:22:23Z", false},
		"nothing":                         {"", false},
		"hours of one digit, another day": {"2015-12-9T7:2:3Z", false},
	} {
		if got := parseTime(c.text) == parseTime(same); got != c.equal {
			t.Errorf("%s: equal is %v", rule, got)
		}
	}
	if parseTime("2015-1-9T7:2:3Z") != parseTime("2015-01-09T07:02:03Z") {
		t.Error("unpadded parts are not read")
	}
	if at := parseTime("2015-12-19T17:22:23-0530"); at.offset != -330 {
		t.Errorf("-0530 is %d minutes", at.offset)
	}
}

func TestTemperatures(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		extensions string
		want       optional
	}{
		"by Garmin's name":           {"<TrackPointExtension><atemp>5</atemp></TrackPointExtension>", optional{5, true}},
		"by a name like it":          {"<TrackPointExtension><wtatemp> 5.5 </wtatemp></TrackPointExtension>", optional{5.5, true}},
		"in Garmin's namespace":      {`<x xmlns="http://u/TrackPointExtension/v9"><atemp>5</atemp></x>`, optional{5, true}},
		"the first that is a number": {"<TrackPointExtension><atemp>-</atemp><atemp>6</atemp><atemp>7</atemp></TrackPointExtension>", optional{6, true}},
		"not elsewhere":              {"<atemp>5</atemp>", optional{}},
		"not deeper":                 {"<TrackPointExtension><x><atemp>5</atemp></x></TrackPointExtension>", optional{}},
	} {
		doc, err := Parse(vfs.Files{"a.gpx": file(`<trkpt lat="1" lon="2"><extensions>` + c.extensions + `</extensions></trkpt>`)})
		if err != nil || len(doc.points()) != 1 || doc.points()[0].temperature != c.want {
			t.Errorf("%s: %+v, %v", rule, doc, err)
		}
	}
}

func TestScoreRules(t *testing.T) {
	t.Parallel()
	waypoint := func(name, description string, lat float64) string {
		return fmt.Sprintf(`<gpx><wpt lat="%g" lon="2"><name>%s</name><desc>%s</desc></wpt></gpx>`, lat, name, description)
	}
	track := func(name string, sizes ...int) string {
		text, n := "<gpx><trk><name>"+name+"</name>", 0
		for _, size := range sizes {
			text += "<trkseg>"
			for range size {
				n++
				text += fmt.Sprintf(`<trkpt lat="1.%03d" lon="2"/>`, n)
			}
			text += "</trkseg>"
		}
		return text + "</trk></gpx>"
	}
	pause := func(points int) string {
		var b strings.Builder
		for n := range points {
			fmt.Fprintf(&b, `<trkpt lat="1.%03d" lon="2"/>`, max(min(n, 100), n-100))
		}
		return file(b.String())
	}
	for rule, c := range map[string]struct {
		ref, got  string
		component string
		want      float64
	}{
		"a place within 0.001 degrees":       {waypoint("a", "", 1), waypoint("A", "", 1.0005), "waypoint_accuracy", 0.8},
		"a place within 0.01 degrees":        {waypoint("a", "", 1), waypoint("a", "", 1.005), "waypoint_accuracy", 0.3},
		"a description in another case":      {waypoint("a", "x Y", 1), waypoint("a", "X y", 1), "waypoint_accuracy", 1},
		"a description that was lost":        {waypoint("a", "x", 1), waypoint("a", "", 1), "waypoint_accuracy", 0.5},
		"a description that is half another": {waypoint("a", "ab", 1), waypoint("a", "ac", 1), "waypoint_accuracy", 0.7},
		"another name":                       {waypoint("a", "", 1), waypoint("b", "", 1), "waypoint_accuracy", 0},
		"no waypoints on both sides":         {track("a", 1), track("a", 1), "waypoint_coverage", 1},
		"waypoints on one side":              {track("a", 1), waypoint("a", "", 1), "waypoint_coverage", 0},
		"segments merged":                    {track("a", 2, 2), track("a", 4), "structure", 0.7},
		"one segment of three lost":          {track("a", 1, 2, 3), track("a", 1, 2), "structure", 0.7 + 0.3*0.8},
		"a track renamed":                    {track("a", 1), track("b", 1), "structure", 0.4},
		"no tracks on both sides":            {waypoint("a", "", 1), waypoint("a", "", 1), "structure", 1},
		"half of the points":                 {track("a", 4), track("a", 2), "points", 0.25 * (0.6 + 0.4*2/3)},
		"no point in common":                 {file(`<trkpt lat="1" lon="2"/>`), file(`<trkpt lat="3" lon="2"/><trkpt lat="4" lon="2"/>`), "points", 0.05},
		"a pause of 100 points":              {pause(300), pause(300), "points", 1},
	} {
		doc := func(text string) Document {
			d, err := Parse(vfs.Files{"a.gpx": text})
			if err != nil || d.problem != "" {
				t.Fatalf("%s: %v %s", rule, err, d.problem)
			}
			return d
		}
		got := Score(doc(c.ref), doc(c.got)).Components[c.component]
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", rule, c.component, got, c.want)
		}
	}
}
