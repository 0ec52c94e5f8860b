package landmarks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// defaults are the values that KML takes for granted.
var defaults = map[string]string{
	"visibility": "1", "open": "0", "extrude": "0", "tessellate": "0", "altitudeMode": "clampToGround",
	"heading": "0", "tilt": "0", "altitude": "0", "drawOrder": "0",
}

// isText reports whether an element holds text for people, which may have markup in it.
func isText(n *xml.Node) bool {
	switch xml.Local(n.Name) {
	case "name", "description", "Snippet", "snippet", "address", "phoneNumber", "displayName", "text":
		return true
	}
	return false
}

// normalLeaf writes a value so that equal ones are equal: numbers without idle zeros, colours in small letters.
func normalLeaf(name, text string) string {
	switch {
	case strings.HasSuffix(strings.ToLower(name), "color"):
		return strings.ToLower(pytext.Strip(text))
	case name == "value" || name == "href" || name == "styleUrl" || name == "key":
		return straight(text)
	}
	return plain.Number(straight(text))
}

// whole is the text of an element with the markup in it.
func whole(n *xml.Node) string {
	if n.IsLeaf() {
		return n.Content()
	}
	var b strings.Builder
	for _, c := range n.Children {
		if c.Kind == xml.Text {
			b.WriteString(c.Text)
		} else if c.Kind == xml.Element {
			b.WriteString(c.InOne())
		}
	}
	return b.String()
}

// mostSentences is how many sentences of a text are compared one by one.
const mostSentences = 64

// text appends a text, a field for each sentence.
func (f *flattener) text(fields []domains.Field, name, text string) []domains.Field {
	rest := straight(breaksToBlanks(text))
	for n := 1; rest != ""; n++ {
		sentence := rest
		if n < mostSentences {
			sentence = rest[:sentenceLength(rest)]
		}
		rest = strings.TrimPrefix(rest[len(sentence):], " ")
		if n == 1 {
			fields = said(fields, name, sentence)
		} else {
			fields = said(fields, f.Paths.Join(name, fmt.Sprintf("sentence %d", n)), sentence)
		}
	}
	return fields
}

// sentenceLength is the length of the first sentence of a text with single blanks. A point after a word of one or two
// letters does not end one, since that is an abbreviation.
func sentenceLength(text string) int {
	const shortest = 3
	letters := 0
	for at, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
			continue
		case strings.ContainsRune(".!?", r) && letters >= shortest && strings.HasPrefix(text[at+utf8.RuneLen(r):], " "):
			return at + 1
		}
		letters = 0
	}
	return len(text)
}

// coordinates appends positions: of a single one longitude, latitude and an
// altitude that is not 0, otherwise a field for each.
func (f *flattener) coordinates(fields []domains.Field, text, path string) []domains.Field {
	points := pytext.Fields(closeCommas(text))
	if len(points) != 1 {
		path = f.Paths.Join(path, "point")
		for n, p := range points {
			fields = said(fields, path+" "+strconv.Itoa(n+1), normalPoint(p))
		}
		return fields
	}
	parts := strings.Split(normalPoint(points[0]), ",")
	for i, name := range []string{"longitude", "latitude", "altitude"} {
		if i < len(parts) && parts[i] != "" {
			fields = said(fields, f.Paths.Join(path, name), parts[i])
		}
	}
	if len(parts) > 3 {
		fields = said(fields, f.Paths.Join(path, "coordinates"), strings.Join(parts[3:], ","))
	}
	return fields
}

// closeCommas takes out blanks around commas, which KML forbids but leave no doubt.
func closeCommas(text string) string {
	if !strings.Contains(text, ", ") && !strings.Contains(text, " ,") &&
		!strings.Contains(text, ",\n") && !strings.Contains(text, "\n,") {
		return text
	}
	return strings.Join(lists.Map(strings.Split(text, ","), pytext.Strip), ",")
}

// normalPoint writes the numbers of a position by value, without an altitude of 0.
func normalPoint(text string) string {
	parts := lists.Map(strings.Split(text, ","), plain.Number)
	if len(parts) == 3 && parts[2] == "0" {
		parts = parts[:2]
	}
	return strings.Join(parts, ",")
}

// forgive leaves out what GeoJSON has no place for where one side is GeoJSON and the other is not: titles, schema,
// styles, folders and comments, and the words before the numbers in ids.
func forgive(reference, candidate []domains.Element) (ref, got []domains.Element) {
	if isGeoJSON(reference) == isGeoJSON(candidate) {
		return reference, candidate
	}
	numbered := hasNumbers(reference) || hasNumbers(candidate)
	return inGeoJSON(reference, numbered), inGeoJSON(candidate, numbered)
}

// hasNumbers reports whether all ids are bare numbers, which those of KML, where they are names, cannot be.
func hasNumbers(elements []domains.Element) bool {
	has := false
	for i := range elements {
		if id := elements[i].Value("id"); elements[i].Kind == counted && id != "" {
			if strings.Trim(id, "0123456789") != "" {
				return false
			}
			has = true
		}
	}
	return has
}

func isGeoJSON(elements []domains.Element) bool {
	has := func(key string) bool {
		return slices.ContainsFunc(elements, func(e domains.Element) bool { return e.Kind == header && e.Key == key })
	}
	return has(headGeoJSON) && !has(headKML)
}

// inGeoJSON returns what GeoJSON can hold of a document. If ids are numbered, only the numbers in them are left.
func inGeoJSON(elements []domains.Element, numbered bool) []domains.Element {
	var kept []domains.Element
	for _, e := range elements {
		switch e.Kind {
		case counted:
			e.Fields = slices.DeleteFunc(slices.Clone(e.Fields), func(f domains.Field) bool {
				return f.Name == "folder" || f.Name == "schemaUrl" || f.Name == "styleUrl"
			})
			for i := range e.Fields {
				if number, has := firstNumber(e.Fields[i].Value); e.Fields[i].Name == "id" && numbered && has {
					e.Fields[i].Value = number
				}
			}
			kept = append(kept, e)
		case "line", "fault":
			kept = append(kept, e)
		}
	}
	return kept
}

// evidence counts the placemarks. Any geographic data can stand in GeoJSON, so there
// only those count that say what a visitor asks.
func evidence(files vfs.Files, elements []domains.Element) int {
	if slices.ContainsFunc(elements, func(e domains.Element) bool { return e.Kind == header && e.Key == headGeoJSON }) {
		return domains.Where(isForVisitors)(files, elements)
	}
	return domains.OfKinds(counted)(files, elements)
}

func isForVisitors(e *domains.Element) bool {
	return e.Kind == counted && slices.ContainsFunc(e.Fields, func(f domains.Field) bool {
		return f.Name == "ADDRESS" || f.Name == "OVERVIEW" || f.Name == "OPENING_HOURS"
	})
}
