package fonteng

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/fonteng"
)

// ruleReader turns the words of a statement into fields.
type ruleReader struct {
	classes *classes
	words   []word // without the keyword and the semicolon
	fields  []domains.Field
	keyword string // by its short name
	head    []string
	section string // what comes before the names of fields, such as "by "
	glyphs  int    // in the section so far
	anchors int
	values  int
	started bool // whether there was a glyph
}

// shortKeyword are the short names of keywords that have two.
var shortKeyword = map[string]string{
	"substitute": "sub", "position": "pos", "reversesub": "rsub", "enumerate": "enum",
}

// readRule reads a statement. vertical says what a lone number stands for.
func (f *flattener) readRule(e *entry, vertical bool) *ruleReader {
	words := e.words
	if e.body == nil && e.ended() {
		words = words[:len(words)-1]
	}
	r := &ruleReader{classes: f.classes, keyword: e.text(0), words: words[1:]}
	if short, ok := shortKeyword[r.keyword]; ok {
		r.keyword = short
	}
	r.add("statement", r.keyword)
	switch r.keyword {
	case "sub", "rsub", "pos", "enum", "ignore", "markClass", "Attach", "LigatureCaretByPos", "LigatureCaretByIndex":
		r.pattern(vertical)
	case "lookupflag":
		r.flags()
	case "GlyphClassDef":
		r.definedClasses()
	case "name", "nameid", "sizemenuname":
		r.name()
	default:
		r.plainValues()
	}
	return r
}

// key is how one would call the rule: by its keyword and what it is about.
func (r *ruleReader) key() string { return strings.Join(append([]string{r.keyword}, r.head...), " ") }

func (r *ruleReader) add(name, value string) {
	r.fields = append(r.fields, domains.Field{Name: name, Value: value})
}

const longHead = 6 // words

func (r *ruleReader) addGlyph(value string) {
	r.glyphs++
	r.started = true
	r.add(r.section+"glyph "+strconv.Itoa(r.glyphs), value)
	if r.section == "" && len(r.head) < longHead {
		r.head = append(r.head, value)
	}
}

// pattern reads glyphs with marks, values, anchors and lookups.
func (r *ruleReader) pattern(vertical bool) {
	contexts := 1
	for i := 0; i < len(r.words); i++ {
		text := r.words[i].text
		switch {
		case text == "[":
			r.addGlyph(r.listAt(&i))
		case text == "<" || text == "(":
			end := recordEnd(r.words, i)
			r.record(r.words[i:end], vertical)
			i = end - 1
		case text == "'":
			r.add(r.section+"marked", strconv.Itoa(r.glyphs))
		case text == ",":
			contexts++
			r.section, r.glyphs = "context "+strconv.Itoa(contexts)+", ", 0
		case text == "by" || text == "from":
			r.section, r.glyphs = text+" ", 0
		case text == "ligComponent":
			r.add("component from anchor", strconv.Itoa(r.anchors+1))
		case text == "lookup" && i+1 < len(r.words):
			i++
			r.add(r.section+"lookup at "+strconv.Itoa(r.glyphs), r.words[i].text)
		case text == "mark" && r.anchors > 0 && i+1 < len(r.words):
			i++
			r.add("marks at anchor "+strconv.Itoa(r.anchors), r.words[i].text)
		case r.isKind(text):
			text = cmp.Or(shortKeyword[text], text)
			r.add("kind", text)
			r.head = append(r.head, text)
		case isNumber(text):
			r.value(plain.Number(text))
		default:
			r.addGlyph(r.glyph(text))
		}
	}
	r.settlePair()
}

// isKind holds for a word that says what sort of rule it is.
func (r *ruleReader) isKind(text string) bool {
	switch text {
	case "pos", "sub", "position", "substitute":
		return !r.started && (r.keyword == "enum" || r.keyword == "ignore")
	case "cursive", "base", "ligature", "mark":
		return !r.started && r.keyword == "pos"
	}
	return false
}

func isNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return text != "" && published.IsDigit[text[0]]
}

func (r *ruleReader) glyph(text string) string {
	if text[0] == '@' || text == "NULL" {
		return text
	}
	return glyphName(text)
}

// listAt is a word or, from its bracket on, a list of glyphs, or the class that is all of it. It
// goes on to the last word.
func (r *ruleReader) listAt(at *int) string {
	if r.words[*at].text != "[" {
		return r.words[*at].text
	}
	end := listEnd(r.words, *at)
	words := r.words[*at+1 : end]
	*at = end
	if len(words) == 1 && words[0].text[0] == '@' {
		return words[0].text
	}
	return listText(r.classes.expand(words))
}

func (r *ruleReader) value(text string) {
	r.values++
	name := r.section + "value after glyph " + strconv.Itoa(r.glyphs)
	if strings.HasPrefix(r.keyword, "Ligature") || r.keyword == "Attach" {
		name = "value " + strconv.Itoa(r.values)
	}
	r.add(name, text)
}

// settlePair gives a value after both glyphs of a pair to the first, for which it holds.
func (r *ruleReader) settlePair() {
	if r.keyword != "pos" && r.keyword != "enum" || r.glyphs != 2 || r.values != 1 || r.section != "" {
		return
	}
	bars := func(f domains.Field) bool { return f.Name == "marked" || f.Name == "kind" && r.keyword == "pos" }
	if slices.ContainsFunc(r.fields, bars) {
		return
	}
	for i := range r.fields {
		if r.fields[i].Name == "value after glyph 2" {
			r.fields[i].Name = "value after glyph 1"
		}
	}
}

// recordEnd returns where a record in angle or round brackets ends.
func recordEnd(words []word, from int) int {
	depth := 0
	for i := from; i < len(words); i++ {
		switch words[i].text {
		case "<", "(":
			depth++
		case ">", ")":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(words)
}

// record reads an anchor or a value.
func (r *ruleReader) record(words []word, vertical bool) {
	inner := lists.Map(words[1:], func(w word) string { return plain.Number(w.text) })
	if n := len(inner); n > 0 && (inner[n-1] == ">" || inner[n-1] == ")") {
		inner = inner[:n-1]
	}
	if len(inner) > 0 && inner[0] == "anchor" && words[0].text == "<" {
		r.anchor(inner[1:])
		return
	}
	if len(inner) == 4 && words[0].text == "<" {
		at := 2
		if vertical {
			at = 3
		}
		if slices.Equal(slices.Delete(slices.Clone(inner), at, at+1), []string{"0", "0", "0"}) {
			r.value(inner[at])
			return
		}
	}
	r.value(words[0].text + strings.Join(inner, " "))
}

func (r *ruleReader) anchor(words []string) {
	r.anchors++
	name := "anchor " + strconv.Itoa(r.anchors)
	if len(words) < 2 {
		r.add(name, strings.Join(words, " "))
		return
	}
	r.add(name+" x", words[0])
	r.add(name+" y", words[1])
	if len(words) > 2 {
		r.add(name+" adjusted", strings.Join(words[2:], " "))
	}
}

// flags reads a lookupflag: named flags in any order, or their bits.
func (r *ruleReader) flags() {
	if len(r.words) == 0 {
		r.add("flag", "missing") // compilers stop there, and do not take it for 0
	}
	if len(r.words) == 1 && isNumber(r.words[0].text) {
		bits, err := strconv.Atoi(r.words[0].text)
		if err != nil || bits < 0 || bits > 15 {
			r.plainValues()
			return
		}
		for _, flag := range published.FlagWords(published.LookupFlags, int64(bits)) {
			r.add("flag", flag)
		}
		return
	}
	for i := 0; i < len(r.words); i++ {
		name, text := "flag", r.words[i].text
		if (text == "MarkAttachmentType" || text == "UseMarkFilteringSet") && i+1 < len(r.words) {
			name = text
			i++
			text = r.listAt(&i)
		}
		r.add(name, text)
	}
}

// definedClasses reads the classes of a GlyphClassDef.
func (r *ruleReader) definedClasses() {
	names := []string{"bases", "ligatures", "marks", "components"}
	for i := 0; i < len(r.words); i++ {
		text := r.words[i].text
		if text == "," && len(names) > 1 {
			names = names[1:]
			continue
		}
		r.add(names[0], r.listAt(&i))
	}
}

// name reads a name with its number, platform, encoding and language.
func (r *ruleReader) name() {
	n := published.NameRecord{PlatformID: published.Windows, Encoding: 1}
	var numbers []string
	text := ""
	for i := range r.words {
		if word := r.words[i].text; word[0] == '"' {
			text = strings.ReplaceAll(strings.Trim(word, `"`), "\n", "")
		} else {
			numbers = append(numbers, wholeNumber(word))
		}
	}
	if r.keyword == "nameid" && len(numbers) > 0 {
		r.add("number", numbers[0])
		r.head = numbers[:1]
		numbers = numbers[1:]
	}
	if len(numbers) > 0 && numbers[0] != "3" {
		n = published.NameRecord{PlatformID: published.Macintosh}
	}
	if platform := strings.Join(numbers, " "); platform != "" && platform != "3 1 1033" && platform != "3" {
		if platform == "1 0 0" {
			platform = "1"
		}
		r.add("platform", platform)
		r.head = append(slices.Clip(r.head), platform)
	}
	r.add("text", tolerant(&n, text))
}

// tolerant is unescaped, for text of which half a character may be missing.
func tolerant(n *published.NameRecord, text string) (unescaped string) {
	defer func() {
		if recover() != nil {
			unescaped = text
		}
	}()
	return n.Unescaped(text)
}

// wholeNumber is a number in decimal, hexadecimal or octal in decimal.
func wholeNumber(text string) string {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return text
}

// plainValues reads a statement of a keyword and values.
func (r *ruleReader) plainValues() {
	n := 0
	for i := 0; i < len(r.words); i++ {
		text := r.words[i].text
		if text == "<" || text == "(" {
			end := recordEnd(r.words, i)
			r.record(r.words[i:end], false)
			i = end - 1
			continue
		}
		if r.keyword == "language" && text == "include_dflt" {
			continue
		}
		n++
		value := r.normalValue(n, text)
		r.add("value "+strconv.Itoa(n), value)
		if n == 1 || r.keyword == "language" {
			r.head = append(r.head, value)
		}
	}
}

func (r *ruleReader) normalValue(n int, text string) string {
	switch {
	case r.keyword == "script":
		return script(text)
	case r.keyword == "parameters" && n != 2 && !strings.Contains(text, "."):
		return plain.Number(text + "e-1") // tenths of points
	case r.keyword == "Character":
		return wholeNumber(text)
	}
	return plain.Number(text)
}
