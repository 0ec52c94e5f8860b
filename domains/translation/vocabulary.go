package translation

import (
	"regexp"

	"agentd/domains/edit"
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
	fileHeader  = regexp.MustCompile(`(?m)^msgid\s+""\s*\n[ \t]*msgstr\s+""`)
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
