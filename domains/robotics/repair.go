package robotics

import (
	"strings"
	"unicode"
)

// repairEndTags gives every closing tag the name of the element that is open,
// as the published reading does with a text that is not well-formed.
func repairEndTags(text string) string {
	var b strings.Builder
	var open []string
	t := tokenizer{missing: map[string]bool{}}
	for {
		start := strings.IndexByte(text, '<')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		token := t.tokenAt(text[start:])
		text = text[start+len(token):]
		switch name := token[1:][:tagNameLength(token[1:])]; {
		case strings.HasPrefix(token, "</"):
			if len(open) > 0 {
				token = "</" + open[len(open)-1] + ">"
				open = open[:len(open)-1]
			}
		case name != "" && !strings.HasSuffix(token, "/>"):
			open = append(open, name)
		}
		b.WriteString(token)
	}
}

// tokenizer remembers the marks that a text has no more.
type tokenizer struct{ missing map[string]bool }

// tokenAt returns the tag, comment or instruction at the start of a text; of anything else the < alone.
func (t *tokenizer) tokenAt(text string) string {
	skip, end := 1, ">"
	switch {
	case strings.HasPrefix(text, "<!--"):
		skip, end = len("<!--"), "-->"
	case strings.HasPrefix(text, "<?"):
		skip, end = len("<?"), "?>"
	case !strings.HasPrefix(text, "</") && tagNameLength(text[1:]) == 0:
		return text[:1]
	}
	if t.missing[end] {
		return text[:1]
	}
	length := strings.Index(text[skip:], end)
	if length < 0 {
		t.missing[end] = true
		return text[:1]
	}
	return text[:skip+length+len(end)]
}

// tagNameLength is the length of what counts as a name in the repair.
func tagNameLength(text string) int {
	for i, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '_' && c != '.' && c != '-' {
			return i
		}
	}
	return len(text)
}
