package vector

import (
	"regexp"
	"strings"
)

// The repairs that the published evaluator makes to every text before it is
// parsed. White space and word characters are those of Unicode.
const (
	blank = `[\s\x{0b}\x{1c}-\x{1f}\x{85}\p{Z}]`
	word  = `[\p{L}\p{N}_]+`
)

var (
	openingFence = regexp.MustCompile("^" + blank + "*```(?:xml|svg|html)?" + blank + "*\n")
	closingFence = regexp.MustCompile("\n" + blank + "*```" + blank + "*$")
	bareWord     = regexp.MustCompile(`<(` + word + `)` + blank + `+` + word + blank + `*/>`)
	reference    = regexp.MustCompile(`^&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);`)
)

// repaired is a text as it is parsed: without code fences, with every & escaped
// that begins none of the references of XML, and without attributes that are
// nothing but a word.
func repaired(text string) string {
	if strings.Contains(text, "```") {
		text = openingFence.ReplaceAllString(text, "")
		if at := strings.LastIndex(text, "```"); at >= 0 {
			start := len(strings.TrimRight(text[:at], " \t\r\n"))
			text = text[:start] + closingFence.ReplaceAllString(text[start:], "")
		}
	}
	if strings.Contains(text, "&") {
		text = escapeAmpersands(text)
	}
	return bareWord.ReplaceAllString(text, "<$1/>")
}

func escapeAmpersands(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = after
		const longest = 64
		if reference.MatchString("&" + after[:min(len(after), longest)]) {
			b.WriteString("&")
		} else {
			b.WriteString("&amp;")
		}
	}
}
