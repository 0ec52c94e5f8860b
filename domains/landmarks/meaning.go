package landmarks

import (
	"cmp"
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
	published "agentd/domains/published/landmarks"
	"agentd/vfs"
)

// elements flattens files of any name: placemarks, folders, styles, schema fields, what root and document say, the
// namespaces of extensions, comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	doc := readAll(files)
	f := flattener{Flat: xml.NewFlat(), met: map[string]int{}}
	f.All = doc.FaultElements()
	for _, c := range doc.Top.Children {
		if isRoot(c) {
			f.root(c)
		} else {
			f.child(c, "")
		}
	}
	return f.All
}

type flattener struct {
	xml.Flat
	met     map[string]int // how many there are so far of a kind that has an order
	records []*xml.Node    // that stand in the element in hand, but are no values of it
}

// headKML and headGeoJSON are the keys of the roots, by which forgive knows them.
const (
	header      = "header"
	headKML     = "kml"
	headGeoJSON = "GeoJSON"
)

func (f *flattener) root(n *xml.Node) {
	e := domains.Element{Kind: header, Key: headKML}
	if n.Is(collectionName) {
		e.Key = headGeoJSON
	}
	if n.Space != "" && n.Space != published.KmlSpace {
		e.Fields = append(e.Fields, domains.Field{Name: "namespace", Value: n.Space})
	}
	e.Fields = f.Attributes(e.Fields, n, "", published.Straight)
	f.Add(e)
	f.children(n.Children, "")
}

// children flattens what stands in a root or container. folder is the path of the names of folders that leads there.
func (f *flattener) children(nodes []*xml.Node, folder string) {
	for _, c := range nodes {
		f.child(c, folder)
	}
}

func (f *flattener) child(n *xml.Node, folder string) {
	title := func() string { return cmp.Or(nameOf(n), n.Value("id")) }
	values := func(e *domains.Element) { e.Fields = f.fields(e.Fields, n, "") }
	switch {
	case n.Kind != xml.Element:
		f.Margin(n, published.Straight)
	case n.Is("Placemark"):
		f.record(f.inOrder(counted, "placemark "+title(), folder), folder, values)
	case n.Is("Folder"):
		path := f.Paths.Join(folder, title())
		f.record(f.inOrder("folder", "folder "+path, folder), path, values)
	case n.Is("Document"):
		if fields := f.Attributes(nil, n, "", published.Straight); len(fields) > 0 {
			f.Add(domains.Element{Kind: header, Key: "document", Fields: fields})
		}
		f.children(n.Children, folder)
	case n.Is("Schema"):
		f.schema(n)
	case n.Is("Style") || n.Is("StyleMap"):
		f.record(domains.Element{Kind: "style", Key: "style " + n.Value("id")}, "", values)
	case isFeature(n):
		f.record(f.inOrder("overlay", xml.Local(n.Name)+" "+nameOf(n), ""), "", values)
	default:
		f.record(domains.Element{Kind: header, Key: "document"}, folder, func(e *domains.Element) {
			e.Fields = f.value(nil, n, "")
		})
	}
}

// inOrder is the next element of a kind that has an order, in a folder.
func (f *flattener) inOrder(kind, key, folder string) domains.Element {
	f.met[kind]++
	e := domains.Element{Kind: kind, Key: key, Position: f.met[kind], Fields: make([]domains.Field, 0, 12)}
	if folder != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "folder", Value: folder})
	}
	return e
}

// record adds an element, if it says anything, and after it the records in it.
func (f *flattener) record(e domains.Element, folder string, say func(*domains.Element)) {
	outer := f.records
	f.records = nil
	say(&e)
	inside := f.records
	f.records = outer
	if e.Kind != header || len(e.Fields) > 0 {
		f.Add(e)
	}
	f.children(inside, folder)
}

func (f *flattener) schema(n *xml.Node) {
	key := "schema " + n.Value("name")
	f.Add(domains.Element{Kind: header, Key: key, Fields: f.Attributes(nil, n, "schema", published.Straight)})
	for _, c := range n.Children {
		if c.Kind != xml.Element {
			f.Margin(c, published.Straight)
			continue
		}
		f.record(domains.Element{Kind: "schema field"}, "", func(e *domains.Element) {
			e.Fields = f.fields(nil, c, "")
			for i := range e.Fields {
				if e.Fields[i].Name == "name" {
					e.Fields[i].Value = strings.ToUpper(e.Fields[i].Value)
				}
			}
			e.Key = key + ", field " + e.Value("name")
		})
	}
}

// isRecord reports whether a node is no value of the element it stands in.
func isRecord(n *xml.Node) bool {
	return isFeature(n) || isContainer(n) || n.Is("Schema")
}

// fields appends the attributes and values of an element, under the path that leads to them.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	fields = f.Attributes(fields, n, path, published.Straight)
	var met map[string]int
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.Margin(c, published.Straight)
		case c.Kind != xml.Element:
			if text := published.Straight(c.Text); text != "" {
				fields = said(fields, f.Paths.Join(path, "text"), text)
			}
		case isRecord(c):
			f.records = append(f.records, c)
		default:
			at := path
			if !c.IsLeaf() && !isTransparent(c) { // values of one belong together
				if met == nil {
					met = map[string]int{}
				}
				if met[c.Name]++; met[c.Name] > 1 {
					at = f.Paths.Join(path, fmt.Sprint(met[c.Name]))
				}
			}
			fields = f.value(fields, c, at)
		}
	}
	return fields
}

// isTransparent reports whether an element only holds fields together.
func isTransparent(n *xml.Node) bool { return n.Is("ExtendedData") || n.Is("SchemaData") }

// value appends what a child element says.
func (f *flattener) value(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	f.Space(n)
	name := xml.Local(n.Name)
	at := f.Paths.Join(path, name)
	switch {
	case isTransparent(n):
		return f.fields(fields, n, path)
	case n.Is("SimpleData"):
		return f.simpleData(fields, n)
	case n.Is("coordinates") && n.IsLeaf():
		return f.coordinates(fields, n.Content(), path)
	case isText(n):
		return f.text(f.Attributes(fields, n, at, published.Straight), at, whole(n))
	case !n.IsLeaf():
		return f.fields(fields, n, at)
	}
	f.comments(n)
	fields = f.Attributes(fields, n, at, published.Straight)
	value := normalLeaf(name, n.Content())
	if value == "" && !n.Foreign || value != "" && value == defaults[name] {
		return fields
	}
	return said(fields, at, value)
}

// simpleData is known by its name, in any case.
func (f *flattener) simpleData(fields []domains.Field, n *xml.Node) []domains.Field {
	f.comments(n)
	name := n.Name
	for _, a := range n.Attrs {
		switch {
		case a.Name == "name":
			name = strings.ToUpper(a.Value)
		case !a.IsDeclaration():
			fields = said(fields, f.Paths.Join("SimpleData", xml.Local(a.Name)), pytext.Strip(a.Value))
		}
	}
	return f.text(fields, name, whole(n))
}

func (f *flattener) comments(n *xml.Node) {
	for _, c := range n.Children {
		if c.Kind == xml.Comment || c.Kind == xml.Instruction {
			f.Margin(c, published.Straight)
		}
	}
}

func said(fields []domains.Field, name, value string) []domains.Field {
	return plain.Append(fields, domains.Field{Name: name, Value: value})
}

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
		return published.Straight(text)
	}
	return plain.Number(published.Straight(text))
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
	rest := published.Straight(published.BreaksToBlanks(text))
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
				if number, has := published.FirstNumber(e.Fields[i].Value); e.Fields[i].Name == "id" && numbered && has {
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

const counted = "placemark"
