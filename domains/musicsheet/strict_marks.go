package musicsheet

import (
	"strings"

	"agentd/domains"
)

// appendPost adds a mark after a note, under the name of its kind.
func appendPost(fields []domains.Field, k *token) []domains.Field {
	text := k.text
	switch text[0] {
	case '-':
		text = text[1:]
		if name, known := abbreviations[text]; known {
			text = `\` + name
		}
	case '^', '_':
		if name, known := abbreviations[text[1:]]; known {
			text = text[:1] + `\` + name
		}
	}
	name := postKind(text)
	if name == "" {
		return fields
	}
	return append(fields, domains.Field{Name: name, Value: squeezed(text)})
}

var abbreviations = map[string]string{
	".": "staccato", "-": "tenuto", ">": "accent", "^": "marcato", "+": "stopped", "!": "staccatissimo", "_": "portato",
}

func postKind(text string) string {
	bare := strings.TrimLeft(text, "^_")
	switch {
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
	case bare == `\<` || bare == `\>` || bare == `\!` || bare[0] == '\\' && isDynamic(bare[1:]):
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
	if len(text) > longest {
		return text
	}
	if strings.ContainsAny(text, "\n\t\r") || strings.Contains(text, "  ") || text != strings.TrimSpace(text) {
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
