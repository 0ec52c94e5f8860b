package translation

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/edit"
	published "agentd/domains/published/translation"
	"agentd/internal/lazyregexp"
)

// vocabulary cuts before each msgid, with the comments and the context above it.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "translation file", Part: "message", Parts: "messages", Cut: messages,
		Remark: "#. Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Has("source file", "source files", `^#:[ \t]*([^\s:]+)`),
			edit.HasNumber("source line", "source lines", `(?:^#:[ \t]*|[ \t])[^\s:"]*[A-Za-z][^\s:"]*:(\d+)\b`),
			edit.Has("reference", "references", `^#:[ \t]*(\S[^\n]*)`),
			edit.Has("source text", "source texts", `^msgid[ \t]+"((?:[^"\\\n]|\\.)+)"`),
			edit.Has("translated text", "translated texts", `^msgstr(?:\[\d+\])?[ \t]+"((?:[^"\\\n]|\\.)+)"`),
			edit.Has("placeholder", "placeholders", `%%|(%(?:\d+\$|\(\w+\))?[-+0]*\d*(?:\.\d+)?l{0,2}[diouxXeEfgGcs])\b`),
			edit.Has("plural source", "plural sources", `^msgid_plural[ \t]+"((?:[^"\\\n]|\\.)+)"`),
			edit.Computed("source", "sources", joinedSource), edit.Computed("translation", "translations", joinedTranslation),
			edit.Computed("progress", "progresses", progress), edit.ComputedNumber("words", "words", words),
			edit.ComputedNumber("length ratio", "length ratios", lengthRatio),
			edit.Has("context", "contexts", `^msgctxt[ \t]+"((?:[^"\\\n]|\\.)+)"`),
			edit.Has("flag", "flags", `^#,[ \t]*(\S[^\n]*)`),
			edit.Has("comment", "comments", `^#\.?[ \t]+(\S[^\n]*)`),
		},
	}
}

var (
	eachMessage = edit.Headed(`^(?:#|msgctxt\s)`, edit.Starting(`^msgid\s`, ""))
	fileHeader  = lazyregexp.New(`(?m)^msgid\s+""\s*\n[ \t]*msgstr\s+""`)
)

// messages are all but the header of the file, which comes before them.
func messages(text string) edit.Pieces {
	p := eachMessage(text)
	if len(p.Parts) > 1 && fileHeader.MatchString(p.Parts[0]) {
		p.Before += p.Parts[0] + p.Between[0]
		p.Parts, p.Between = p.Parts[1:], p.Between[1:]
	}
	return p
}

// messageOf is the first message of a part that is not obsolete.
func messageOf(part string) published.Message {
	for _, e := range read(part).entries {
		if m := e.message(); !m.Obsolete {
			return m
		}
	}
	return published.Message{}
}

// joinedSource is the msgid of a message, its lines joined and unescaped.
func joinedSource(part string) string {
	m := messageOf(part)
	return m.Text(published.SourceField)
}

// joinedTranslation is the msgstr of a message, that of its first plural form if it has them, joined and unescaped.
func joinedTranslation(part string) string {
	m := messageOf(part)
	return messageTranslation(&m)
}

func messageTranslation(m *published.Message) string {
	if has(m, published.PluralField) {
		return m.Form(0).Text()
	}
	return m.Text(published.TranslationField)
}

// lengthRatio is the number of characters of the translation for each one of the source, with two
// decimals, halves up; empty if either is empty.
func lengthRatio(part string) string {
	m := messageOf(part)
	source, translation := utf8.RuneCountInString(m.Text(published.SourceField)), utf8.RuneCountInString(messageTranslation(&m))
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
	case len(m.Forms) == 0 && m.Text(published.TranslationField) == "",
		slices.ContainsFunc(m.Forms, func(f published.Form) bool { return f.Text() == "" }):
		return "untranslated"
	case slices.Contains(m.Flags, "fuzzy"):
		return "fuzzy"
	}
	return "translated"
}

// words is the number of words of the source, plural forms not counted.
func words(part string) string { return fmt.Sprint(len(strings.Fields(joinedSource(part)))) }
