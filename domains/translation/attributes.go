package translation

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// messageOf is the first message of a part that is not obsolete.
func messageOf(part string) message {
	for _, e := range read(part).entries {
		if m := e.message(); !m.obsolete {
			return m
		}
	}
	return message{}
}

// joinedSource is the msgid of a message, its lines joined and unescaped.
func joinedSource(part string) string {
	m := messageOf(part)
	return m.text(sourceField)
}

// joinedTranslation is the msgstr of a message, that of its first plural form if it has them,
// joined and unescaped.
func joinedTranslation(part string) string {
	m := messageOf(part)
	return m.translation()
}

func (m *message) translation() string {
	if m.has(pluralField) {
		return m.form(0).text()
	}
	return m.text(translationField)
}

// lengthRatio is the number of characters of the translation for each one of the source, with two
// decimals, halves up; empty if either is empty.
func lengthRatio(part string) string {
	m := messageOf(part)
	source, translation := utf8.RuneCountInString(m.text(sourceField)), utf8.RuneCountInString(m.translation())
	if source == 0 || translation == 0 {
		return ""
	}
	percent := (200*translation + source) / (2 * source)
	return fmt.Sprintf("%d.%02d", percent/100, percent%100)
}

// progress is untranslated if a text of the translation is empty, fuzzy if the message is flagged so,
// and translated otherwise.
func progress(part string) string {
	m := messageOf(part)
	switch {
	case len(m.forms) == 0 && m.text(translationField) == "",
		slices.ContainsFunc(m.forms, func(f form) bool { return f.text() == "" }):
		return "untranslated"
	case slices.Contains(m.flags, "fuzzy"):
		return "fuzzy"
	}
	return "translated"
}

// words is the number of words of the source, plural forms not counted.
func words(part string) string { return fmt.Sprint(len(strings.Fields(joinedSource(part)))) }
