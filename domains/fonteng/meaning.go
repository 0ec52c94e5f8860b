package fonteng

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/fonteng"
	"agentd/vfs"
)

// Kinds of elements other than the counted one, rules and the glyphs of classes,
// which have one kind for each block or class they are in.
const (
	ruleIn         = "rule of "
	glyphIn        = "glyph of "
	lookupKind     = "lookup"
	definitionKind = "definition"
	orderKind      = "place of a feature"
	commentKind    = "comment"
	lineKind       = "line"
)

// elements flattens all files as one text.
func elements(files vfs.Files) []domains.Element {
	d := readFiles(files)
	f := flattener{classes: newClasses(d), places: map[string]int{}}
	f.each(&d.body, f.topLevel)
	return f.all
}

// readFiles reads all files as one. Where none has the suffix, all are taken.
func readFiles(files vfs.Files) *document {
	if own := files.Match(published.Patterns); len(own) > 0 {
		files = own
	}
	var all strings.Builder
	for _, name := range inOrder(files) {
		text := files[name]
		all.WriteString(text)
		if text != "" && !strings.HasSuffix(text, "\n") {
			all.WriteString("\n")
		}
	}
	return read(all.String())
}

// inOrder are the names of files in the order in which they are read: the languages of a font are
// declared before all rules, so a file that declares them comes first, whatever its name is.
func inOrder(files vfs.Files) []string {
	names := files.Names()
	if len(names) > 1 {
		slices.SortStableFunc(names, func(a, b string) int {
			return cmp.Compare(undeclared(files[a]), undeclared(files[b]))
		})
	}
	return names
}

// undeclared is 0 for a text that declares languages, otherwise 1.
func undeclared(text string) int {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "languagesystem") {
			return 0
		}
	}
	return 1
}

// flattener turns a document into elements.
type flattener struct {
	all     []domains.Element
	classes *classes
	places  map[string]int // the number of elements of a kind so far
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// addOrdered adds an element that has a place among those of its kind.
func (f *flattener) addOrdered(e domains.Element) {
	f.places[e.Kind]++
	e.Position = f.places[e.Kind]
	f.add(e)
}

// each flattens the entries of a file or block, with the comments around them.
func (f *flattener) each(b *body, do func(e *entry)) {
	f.comments(b.opening)
	for _, e := range b.entries {
		f.comments(e.above)
		f.commentsAmong(e.words)
		do(e)
		f.comments(e.after)
	}
	f.comments(b.below)
	f.commentsAmong(b.closing)
}

func (f *flattener) topLevel(e *entry) {
	if _, ok := e.className(); ok && f.class(e) {
		return
	}
	name, isBlock := e.blockName()
	switch keyword := e.text(0); {
	case keyword == ";":
	case keyword == "languagesystem" && e.body == nil && e.holds(3):
		key := keyword + " " + e.text(1) + " " + e.text(2)
		f.add(domains.Element{Kind: counted, Key: key, Fields: e.withEnd([]domains.Field{
			{Name: "kind", Value: keyword}, {Name: "script", Value: script(e.text(1))}, {Name: "language", Value: e.text(2)},
		})})
	case isBlock && (keyword == "feature" || keyword == "table"):
		key := keyword + " " + name
		f.add(domains.Element{Kind: counted, Key: key, Fields: e.blockFields(keyword, name)})
		if keyword == "feature" {
			f.addOrdered(domains.Element{Kind: orderKind, Key: key, Fields: []domains.Field{{Name: "feature", Value: name}}})
		}
		f.rules(e.body, key, published.IsVertical(name))
	case isBlock && keyword == "lookup":
		f.lookup(e, name, false)
	case e.body != nil && slices.Contains(otherBlocks, keyword):
		key := e.head()
		fields := []domains.Field{{Name: "block", Value: key}}
		if len(e.body.closing) == 0 {
			fields = append(fields, domains.Field{Name: element.End, Value: element.Missing})
		}
		f.add(domains.Element{Kind: definitionKind, Key: key, Fields: fields})
		f.rules(e.body, key, false)
	case keyword == "include" || isDefinition(keyword):
		f.definition(e)
	default:
		f.lines(e)
	}
}

// holds reports whether a statement has so many words before its end.
func (e *entry) holds(words int) bool {
	if e.ended() {
		words++
	}
	return len(e.words) == words
}

// withEnd adds what is wrong with the end of a statement or block.
func (e *entry) withEnd(fields []domains.Field) []domains.Field {
	if e.text(2) == "[" && listEnd(e.words, 2) == len(e.words) {
		fields = append(fields, domains.Field{Name: "list", Value: "no bracket"})
	}
	if !e.ended() {
		return append(fields, domains.Field{Name: "end", Value: "no semicolon"})
	}
	return fields
}

func script(tag string) string {
	if tag == "dflt" {
		return "DFLT"
	}
	return tag
}

func isDefinition(keyword string) bool {
	return keyword == "markClass" || keyword == "anchorDef" || keyword == "valueRecordDef"
}

// spaced are words with a blank between each two.
func spaced(words []word) string {
	return strings.Join(lists.Map(words, func(w word) string { return w.text }), " ")
}

// head are the words of a block before its brace.
func (e *entry) head() string { return spaced(e.words[:len(e.words)-1]) }

// blockFields are those of a feature, table or lookup without what is in it.
func (e *entry) blockFields(keyword, name string) []domains.Field {
	fields := []domains.Field{{Name: "kind", Value: keyword}, {Name: "name", Value: name}}
	if len(e.words) > 3 {
		fields = append(fields, domains.Field{Name: "extension", Value: e.text(2)})
	}
	if closing := e.closing(); closing != name+" ;" {
		fields = append(fields, domains.Field{Name: "end", Value: "} " + closing})
	}
	return fields
}

// closing is what stands after the brace of a block.
func (e *entry) closing() string {
	if len(e.body.closing) == 0 {
		return "missing"
	}
	return spaced(e.body.closing[1:])
}

// class flattens the definition of a class: itself, and its glyphs one by one. It reports false for what is none.
func (f *flattener) class(e *entry) bool {
	name, glyphs, ok := f.classes.definition(e)
	if !ok {
		return false
	}
	f.add(domains.Element{Kind: counted, Key: "class " + name, Fields: e.withEnd([]domains.Field{
		{Name: "kind", Value: "class"}, {Name: "name", Value: name},
	})})
	f.members(name, glyphs)
	return true
}

func (f *flattener) members(class string, glyphs []string) {
	if len(glyphs) == 0 {
		return
	}
	kind := glyphIn + class
	place := f.places[kind]
	fields := make([]domains.Field, len(glyphs))
	for i, glyph := range glyphs {
		fields[i] = domains.Field{Name: "glyph", Value: glyph}
		f.add(domains.Element{Kind: kind, Key: class + ", " + glyph, Fields: fields[i : i+1 : i+1], Position: place + i + 1})
	}
	f.places[kind] = place + len(glyphs)
}

// lookup flattens a lookup. One that is defined in a feature is used there.
func (f *flattener) lookup(e *entry, name string, vertical bool) {
	key := "lookup " + name
	f.addOrdered(domains.Element{Kind: lookupKind, Key: key, Fields: e.blockFields("lookup", name)})
	f.rules(e.body, key, vertical)
}

// definition flattens a statement that gives something a name.
func (f *flattener) definition(e *entry) {
	r := f.readRule(e, false)
	f.add(domains.Element{Kind: definitionKind, Key: r.key(), Fields: e.withEnd(r.fields)})
}

// rules flattens the statements of a block.
func (f *flattener) rules(b *body, in string, vertical bool) {
	f.each(b, func(e *entry) { f.rule(e, in, vertical) })
}

func (f *flattener) rule(e *entry, in string, vertical bool) {
	addRule := func(key string, fields []domains.Field) {
		f.addOrdered(domains.Element{Kind: ruleIn + in, Key: in + ", " + key, Fields: fields})
	}
	name, isBlock := e.blockName()
	switch keyword := e.text(0); {
	case keyword == ";":
	case isBlock && keyword == "lookup":
		// A lookup that is defined in a feature is used there.
		addRule("lookup "+name, []domains.Field{{Name: "statement", Value: "lookup"}, {Name: "value 1", Value: name}})
		f.lookup(e, name, vertical)
	case e.body != nil && slices.Contains(nested, keyword):
		head := e.head()
		addRule(head, []domains.Field{{Name: "block", Value: head}, {Name: "end", Value: e.closing()}})
		f.rules(e.body, in+", "+head, vertical)
	case e.body != nil:
		f.lines(e)
	default:
		if class, glyphs, ok := f.classes.definition(e); ok {
			addRule("class "+class, e.withEnd([]domains.Field{{Name: "class", Value: class}}))
			f.members(class, glyphs)
			return
		}
		if !isStatement(keyword, in) {
			f.lines(e)
			return
		}
		r := f.readRule(e, vertical)
		addRule(r.key(), e.withEnd(r.fields))
	}
}

// otherBlocks are those at top level that are neither counted nor lookups.
var otherBlocks = []string{"anon", "anonymous", "variation", "conditionset"}

// nested are the blocks inside of features and tables.
var nested = strings.Fields(`featureNames cvParameters FeatUILabelNameID FeatUITooltipTextNameID SampleTextNameID
	ParamUILabelNameID ElidedFallbackName DesignAxis AxisValue`)

// isStatement reports whether a word begins a statement in a block. In tables, names and conditions any name does.
func isStatement(keyword, in string) bool {
	switch keyword {
	case "lookup", "feature", "parameters", "sizemenuname", "anchorDef", "valueRecordDef", "name", "Character":
		return true
	}
	if strings.HasPrefix(in, "feature ") || strings.HasPrefix(in, "lookup ") || strings.HasPrefix(in, "variation ") {
		return beginners[keyword]
	}
	return keyword != "" && letter[keyword[0]]
}

var letter = published.ByteSet(published.Letters)

// lines flattens what is no statement, line by line.
func (f *flattener) lines(e *entry) {
	for _, line := range strings.Split(e.source(), "\n") {
		line = plain.SingleBlanks(line)
		if line != "" && line != ";" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
			key := "line " + strconv.Itoa(f.places[lineKind]+1)
			f.addOrdered(domains.Element{Kind: lineKind, Key: key, Fields: []domains.Field{{Name: "line", Value: line}}})
		}
	}
}

// comments adds the comments of a stretch between words, a line each.
func (f *flattener) comments(between string) {
	if strings.Trim(between, " \t\r\n;") == "" {
		return
	}
	for _, line := range strings.Split(between, "\n") {
		if text := plain.SingleBlanks(strings.Trim(strings.TrimLeft(line, "; \t"), "#/* \t\r")); text != "" {
			f.add(domains.Element{Kind: commentKind, Key: "comment: " + text, Fields: []domains.Field{
				{Name: "text", Value: text}, {Name: "kind", Value: commentKind},
			}})
		}
	}
}

func (f *flattener) commentsAmong(words []word) {
	for i := range words {
		if words[i].lead != "" {
			f.comments(words[i].lead)
		}
	}
}

// wellFormed checks brackets, quotes and comments, and that a block is ended under its own name.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"#"}, Quotes: "\"", Wrapped: true, Brackets: "{}[]()<>"}.Check,
	wellformed.Blocks(`^\s*(?:feature|lookup|table)\s+(\S+)(?:\s+useExtension)?\s*\{\s*(?:#.*)?$`, `^\s*\}\s*([A-Za-z0-9_./]+)\s*;`, ""),
	wellformed.Not(`^\s*\}\s*[A-Za-z0-9_./]+\s*$`, "a block is ended without a semicolon"),
	wellformed.Not(`^\s*languagesystem\s+(?:dflt\s|\S+\s+DFLT\s*;)`, "the script is called DFLT, and its language dflt"),
)

// counted is the kind of element that stands for a part of the file.
const counted = "block"
