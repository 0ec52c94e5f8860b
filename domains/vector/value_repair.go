package vector

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// repaired is a text as the published evaluator parses it: without code fences
// around it, with every & escaped that begins none of the references of XML, and
// without attributes that are nothing but a word.
func repaired(text string) string {
	if strings.Contains(text, "```") {
		text = withoutFences(text)
	}
	return withoutBareWords(xml.EscapeAmpersands(text, characterReference.MatchString))
}

// withoutFences takes out a fence that opens the text, with the lines above it,
// and one that closes it.
func withoutFences(text string) string {
	const fence = "```"
	if rest, ok := strings.CutPrefix(pytext.StripLeft(text), fence); ok {
		for _, language := range []string{"xml", "svg", "html"} {
			rest = strings.TrimPrefix(rest, language)
		}
		blank := rest[:len(rest)-len(pytext.StripLeft(rest))]
		if end := strings.LastIndexByte(blank, '\n'); end >= 0 {
			text = rest[end+1:]
		}
	}
	if before, ok := strings.CutSuffix(pytext.StripRight(text), fence); ok {
		blank := before[len(pytext.StripRight(before)):]
		if start := strings.IndexByte(blank, '\n'); start >= 0 {
			text = before[:len(before)-len(blank)+start]
		}
	}
	return text
}

var characterReference = regexp.MustCompile(`^(?:\p{Nd}+|x[0-9a-fA-F]+);`)

// withoutBareWords turns <name word/> into <name/>.
func withoutBareWords(text string) string {
	var b strings.Builder
	done := 0
	for at := 0; ; at += len("/>") {
		next := strings.Index(text[at:], "/>")
		if next < 0 {
			break
		}
		at += next
		if name := beforeBareWord(text[done:at]); name != "" {
			b.WriteString(name)
			done = at
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// beforeBareWord is a text without the word and the white space at its end, if
// what comes before them is < and a name; otherwise nothing.
func beforeBareWord(text string) string {
	text = pytext.StripRight(text)
	withoutWord := strings.TrimRightFunc(text, isWord)
	name := pytext.StripRight(withoutWord)
	before := strings.TrimRightFunc(name, isWord)
	if len(withoutWord) == len(text) || len(name) == len(withoutWord) || len(before) == len(name) || !strings.HasSuffix(before, "<") {
		return ""
	}
	return name
}

// isWord reports whether a character is one of a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}
