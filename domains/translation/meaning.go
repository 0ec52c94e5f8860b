package translation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/translation"
	"agentd/vfs"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 200

// elements flattens files of any name by the rules of gettext. Several files may repeat the header or parts of it.
func elements(files vfs.Files) []domains.Element {
	f := flattener{shared: map[string]bool{}, several: len(files) > 1}
	for _, name := range files.Names() {
		if !published.IsCatalogue(name) {
			f.add("file", name, domains.Field{Name: "name", Value: name})
		}
		c := read(files[name])
		for i := range c.entries {
			f.entry(&c.entries[i])
		}
		for i := range c.closing {
			if l := &c.closing[i]; l.kind != blankLine {
				f.line(l.raw)
			}
		}
		for _, label := range f.own {
			f.shared[label] = true
		}
		f.own = nil
	}
	return f.all
}

type flattener struct {
	all     []domains.Element
	entries int // so far
	lines   int // credits and foreign lines so far
	// shared are the parts of the headers of the files before this one, own those of this one.
	shared  map[string]bool
	own     []string
	several bool // files
}

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) addInOrder(kind, key string, place *int, fields []domains.Field) {
	*place++
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: *place})
}

func (f *flattener) line(text string) {
	f.addInOrder("line", "line", &f.lines, []domains.Field{{Value: plain.SingleBlanks(text)}})
}

func (f *flattener) entry(e *entry) {
	for i := range e.lines {
		if e.lines[i].kind == foreignLine {
			f.line(e.lines[i].raw)
		}
	}
	switch m := e.message(); {
	case isHeader(&m):
		f.header(e, &m)
	case m.Obsolete:
		f.addInOrder("obsolete entry", "obsolete "+messageLabel(&m), &f.entries, messageFields(&m))
	default:
		f.addInOrder(counted, messageLabel(&m), &f.entries, messageFields(&m))
	}
}

// header makes an element of each field of a header, and of each comment above it.
func (f *flattener) header(e *entry, m *published.Message) {
	for line := range strings.SplitSeq(m.Text(published.TranslationField), "\n") {
		if line == "" {
			continue
		}
		name, value, named := strings.Cut(line, ":")
		if !named {
			name, value = "", line
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if f.isNew(name + ": " + value) {
			f.add("header field", "header field "+name, domains.Field{Name: "name", Value: name},
				domains.Field{Name: "value", Value: normalField(name, value)})
		}
	}
	for _, flag := range flagSet(m) {
		if f.isNew("#, " + flag) {
			f.add("header flag", "header", domains.Field{Name: "flag", Value: flag})
		}
	}
	for _, l := range e.lines {
		if l.kind == flagLine || l.kind >= textLine || l.text == "" {
			continue
		}
		if text := plain.SingleBlanks(strings.TrimLeft(l.raw, "#")); f.isNew(text) {
			f.addInOrder("credit", "credit", &f.lines, []domains.Field{{Value: text}})
		}
	}
}

// isNew notes a part of a header and reports whether no file before this one had it.
func (f *flattener) isNew(label string) bool {
	if f.several {
		f.own = append(f.own, label)
	}
	return !f.shared[label]
}

// normalField is the value of a header field without what means nothing.
func normalField(name, value string) string {
	switch name {
	case "Plural-Forms":
		if rule, err := readPluralForms(value); err == nil {
			return rule
		}
	case "Content-Type", "Content-Transfer-Encoding":
		return strings.ToLower(value)
	}
	return value
}

// label is how a person would call the message.
func messageLabel(m *published.Message) string {
	const most = 60
	label := plain.SingleBlanks(m.Text(published.SourceField))
	if runes := []rune(label[:min(len(label), 4*most)]); len(runes) > most {
		label = string(runes[:most]) + "…"
	}
	label = `"` + label + `"`
	if has(m, published.ContextField) {
		label = m.Text(published.ContextField) + " " + label
	}
	return label
}

var textNames = [published.FieldCount]string{
	published.ContextField: "context", published.SourceField: "source", published.PluralField: "plural source", published.TranslationField: "translation",
	published.PreviousContext: "previous context", published.PreviousSource: "previous source", published.PreviousPlural: "previous plural source",
}

func messageFields(m *published.Message) []domains.Field {
	var all []domains.Field
	add := func(name, value string) { all = append(all, domains.Field{Name: name, Value: value}) }
	for f, name := range textNames {
		if has(m, published.Field(f)) {
			add(name, m.Text(published.Field(f)))
		}
	}
	for i := range m.Forms {
		add(fmt.Sprintf("translation %d", m.Forms[i].Index), m.Forms[i].Text())
	}
	for _, flag := range flagSet(m) {
		add("flag", flag)
	}
	for _, reference := range slices.Sorted(slices.Values(m.References)) {
		add("reference", reference)
	}
	if text := plain.SingleBlanks(strings.Join(m.Extracted, " ")); text != "" {
		add("extracted comment", text)
	}
	if text := plain.SingleBlanks(strings.Join(m.Notes, " ")); text != "" {
		add("translator comment", text)
	}
	return domains.Bounded(all, mostFields)
}

// flagSet are the flags in order, each once.
func flagSet(m *published.Message) []string {
	flags := slices.DeleteFunc(slices.Clone(m.Flags), func(flag string) bool { return flag == "" })
	slices.Sort(flags)
	return slices.Compact(flags)
}

// without leaves counted entries out of the files that the published reading takes.
func without(name, text string, leave func() bool) string {
	if !published.IsCatalogue(name) {
		return text
	}
	c := read(text)
	c.entries = slices.DeleteFunc(c.entries, func(e entry) bool {
		m := e.message()
		return isCounted(&m) && leave()
	})
	return c.print()
}

func has(m *published.Message, f published.Field) bool { return m.Texts[f].There }

var errPluralForms = errors.New("no plural rule")

// readPluralForms reads the rule by which a language chooses one of its plural forms, as in
// "nplurals=2; plural=(n > 1);", and writes it without needless parentheses and blanks, so that rules
// that read alike are equal.
func readPluralForms(text string) (string, error) {
	const longest = 2000 // bytes; the longest known rule has 200
	count, rule, ok := strings.Cut(text, ";")
	number, counts := strings.CutPrefix(strings.TrimSpace(count), "nplurals=")
	expr, chooses := strings.CutPrefix(strings.TrimSpace(rule), "plural=")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if !ok || !counts || !chooses || err != nil || len(expr) > longest {
		return "", errPluralForms
	}
	p := expressionParser{rest: strings.TrimRight(expr, "; \t")}
	e := p.choice(0)
	if p.failed || strings.TrimSpace(p.rest) != "" {
		return "", errPluralForms
	}
	return fmt.Sprintf("nplurals=%d; plural=%s", n, e), nil
}

type expressionParser struct {
	rest   string
	failed bool
}

// deepest is the number of parentheses up to which a rule is read.
const deepest = 50

// choice reads a ? b : c, or only a.
func (p *expressionParser) choice(depth int) string {
	if depth > deepest {
		p.failed = true
		return ""
	}
	condition := p.binary(depth, 0)
	if !p.next("?") {
		return condition
	}
	yes := p.choice(depth + 1)
	p.failed = !p.next(":") || p.failed
	return fmt.Sprintf("(%s?%s:%s)", condition, yes, p.choice(depth+1))
}

// levels are the operators between two numbers, the weakest first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

func (p *expressionParser) binary(depth, level int) string {
	if level == len(levels) {
		return p.unary(depth)
	}
	left := p.binary(depth, level+1)
	for {
		at := slices.IndexFunc(levels[level], p.next)
		if at < 0 {
			return left
		}
		left = "(" + left + levels[level][at] + p.binary(depth, level+1) + ")"
	}
}

func (p *expressionParser) unary(depth int) string {
	switch {
	case depth > deepest:
		p.failed = true
	case p.next("("):
		inside := p.choice(depth + 1)
		p.failed = !p.next(")") || p.failed
		return inside
	case p.next("!"):
		return "!" + p.unary(depth+1)
	case p.next("n"):
		return "n"
	}
	digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
	p.rest = p.rest[len(digits):]
	number, err := strconv.ParseUint(digits, 10, 32)
	p.failed = p.failed || err != nil
	return strconv.FormatUint(number, 10)
}

// next takes a mark off what is left, if it begins with it.
func (p *expressionParser) next(mark string) bool {
	p.rest = strings.TrimLeft(p.rest, " \t")
	rest, ok := strings.CutPrefix(p.rest, mark)
	if ok {
		p.rest = rest
	}
	return ok
}

// wellFormed checks that each line is a keyword with a text in quotes, a text, or a comment, and that each msgid has
// its msgstr.
var wellFormed = wellformed.All(
	wellformed.Lines(`^\s*(?:#[^~]|#$|#~\s*\||(?:#~\s*)?(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?|domain)\s*"(?:[^"\\]|\\.)*"\s*$|(?:#~\s*)?"(?:[^"\\]|\\.)*"\s*$)`, "the line is neither a keyword with a text in quotes nor a comment"),
	pairs,
)

// pairs finds msgid without msgstr, and msgstr without msgid.
func pairs(_, text string) []domains.Slip {
	var all []domains.Slip
	n, open, said := 0, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#~"))
		switch {
		case strings.HasPrefix(line, "msgid_plural"):
		case strings.HasPrefix(line, "msgid"):
			if open > 0 {
				all = append(all, domains.Slip{Line: open, What: "msgid without msgstr"})
			}
			open, said = n, true
		case strings.HasPrefix(line, "msgstr"):
			if !said {
				all = append(all, domains.Slip{Line: n, What: "msgstr without msgid"})
			}
			open, said = 0, said && strings.HasPrefix(line, "msgstr[")
		}
	}
	if open > 0 {
		all = append(all, domains.Slip{Line: open, What: "msgid without msgstr"})
	}
	return all
}

const counted = "entry"

// sourceFile is the first of the files that an entry is from.
func sourceFile(e domains.Element) string { return fileOf(e.Value("reference")) }

// fileOf is a reference without its line.
func fileOf(reference string) string {
	if colon := strings.LastIndexByte(reference, ':'); colon >= 0 && plain.IsDigits(reference[colon+1:]) {
		return reference[:colon]
	}
	return reference
}

// withoutIndex cuts an index such as "[0]" off.
func withoutIndex(text string) string {
	index, rest, closed := strings.Cut(text, "]")
	digits, opened := strings.CutPrefix(index, "[")
	if !closed || !opened || !plain.IsDigits(digits) {
		return text
	}
	return rest
}
