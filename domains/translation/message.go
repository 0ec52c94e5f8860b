package translation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// field is one of the texts of a message that stand in quotes.
type field uint8

const (
	contextField field = iota
	sourceField
	pluralField
	translationField
	previousContext
	previousSource
	previousPlural
	fieldCount
	formField // one of the plural forms, which are kept apart
)

// keywords are the words that begin the texts of a message.
var keywords = map[string]field{
	"msgctxt": contextField, "msgid": sourceField, "msgid_plural": pluralField, "msgstr": translationField,
}

// previousKeywords are those that may follow "#|".
var previousKeywords = map[string]field{
	"msgctxt": previousContext, "msgid": previousSource, "msgid_plural": previousPlural,
}

// message is an entry of a catalogue with its texts unescaped.
type message struct {
	texts      [fieldCount]quoted
	forms      []form
	flags      []string
	references []string // as in "src/main.c:61"
	extracted  []string // the lines of the programmer's comment
	notes      []string // the lines of the translators' comment
	obsolete   bool
}

// quoted is a text that may be written over several lines.
type quoted struct {
	there bool
	parts []string
}

// form is a translation for one of the plural forms.
type form struct {
	index int
	quoted
}

func (m *message) has(f field) bool    { return m.texts[f].there }
func (m *message) text(f field) string { return m.texts[f].text() }

// text is empty if there is none.
func (q *quoted) text() string {
	if q == nil {
		return ""
	}
	return strings.Join(q.parts, "")
}

func (q *quoted) set(text string) { *q = quoted{there: true, parts: []string{text}} }

// begin starts a new text and returns it, so that it can be continued.
func (m *message) begin(f field, index int, text string) *quoted {
	if f != formField {
		m.texts[f].set(text)
		return &m.texts[f]
	}
	q := m.form(index)
	if q == nil {
		m.forms = append(m.forms, form{index: index})
		q = &m.forms[len(m.forms)-1].quoted
	}
	q.set(text)
	return q
}

// form is the translation for one of the plural forms, nil if there is none.
func (m *message) form(index int) *quoted {
	at := slices.IndexFunc(m.forms, func(f form) bool { return f.index == index })
	if at < 0 {
		return nil
	}
	return &m.forms[at].quoted
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`)

// unescape leaves other backslashes as they are.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escapes.Replace(text)
}

// addFlags splits the text of a flag line at commas.
func (m *message) addFlags(text string) {
	for flag := range strings.SplitSeq(text, ",") {
		m.flags = append(m.flags, pytext.Strip(flag))
	}
}

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
