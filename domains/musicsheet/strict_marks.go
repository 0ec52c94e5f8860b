package musicsheet

import (
	"strings"

	"agentd/domains"
)

// appendPosts adds the marks after a note, each under the name of its kind.
func appendPosts(fields []domains.Field, posts []token) []domains.Field {
	for i := range posts {
		text := posts[i].text
		if side, sign := text[:1], text[1:]; strings.Contains("-^_", side) {
			if name, known := abbreviations[sign]; known {
				sign = `\` + name
			}
			text = strings.TrimPrefix(side, "-") + sign
		}
		if name := postKind(text); name != "" {
			fields = append(fields, domains.Field{Name: name, Value: squeezed(text)})
		}
	}
	return fields
}

var abbreviations = map[string]string{
	".": "staccato", "-": "tenuto", ">": "accent", "^": "marcato", "+": "stopped", "!": "staccatissimo", "_": "portato",
}

func postKind(text string) string {
	switch bare := strings.TrimLeft(text, "^_"); {
	case bare == "" || bare == `\rest`:
		return ""
	case bare == "(" || bare == ")" || bare == `\(` || bare == `\)`:
		return "slur"
	case bare == "~":
		return "tie"
	case bare == "[" || bare == "]":
		return "beam"
	case bare[0] == ':':
		return "tremolo"
	case isDigit(bare[0]):
		return "fingering"
	case bare[0] == '"' || strings.HasPrefix(bare, `\markup`):
		return "text"
	case bare == `\<` || bare == `\>` || bare == `\!` || bare[0] == '\\' && isDynamic[bare[1:]]:
		return "dynamic"
	}
	return "articulation"
}

// commentText is what a comment says; rulers say nothing.
func commentText(text string) string {
	if strings.HasPrefix(text, "%{") {
		text = strings.TrimSuffix(text[2:], "%}")
	}
	return strings.Trim(squeezed(text), "% -=*")
}

func squeezed(text string) string {
	const longest = 1 << 16
	if len(text) <= longest && (strings.ContainsAny(text, "\n\t\r") || strings.Contains(text, "  ") || text != strings.TrimSpace(text)) {
		return strings.Join(strings.Fields(text), " ")
	}
	return text
}

// withoutComments drops comments from a command's arguments.
func withoutComments(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for s := (scanner{text: text}); !s.atEnd(); {
		switch s.peek() {
		case '%':
			s.comment()
		case '"':
			b.WriteString(s.quoted())
		default:
			b.WriteString(s.take(1))
		}
	}
	return b.String()
}
