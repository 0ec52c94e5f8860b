package translation

import (
	"slices"
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
