package docker

import (
	"strings"
	"unicode/utf8"
)

// mostWords is the number of words, or commands, that a text is divided into;
// the last one has what follows them.
const mostWords = 1 << 12

// quoting follows the quotes of a text; open is the one that a place stands in, 0 outside of all.
type quoting struct{ open byte }

// next is the length of the character that a text begins with, an escaped one with its backslash,
// and whether it is neither quoted nor escaped.
func (q *quoting) next(text string) (length int, plain bool) {
	switch c := text[0]; {
	case c == '\\' && q.open != '\'' && len(text) > 1:
		return 2, false
	case c == q.open:
		q.open = 0
	case q.open == 0 && (c == '"' || c == '\''):
		q.open = c
	case q.open == 0:
		return 1, true
	}
	return 1, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// words splits a text at blanks that are not quoted or escaped, as Docker does
// with the text of ENV, LABEL, ARG and the like. Quotes stay.
func words(text string) []string {
	var all []string
	var q quoting
	start := -1
	for at := 0; at < len(text); {
		length, plain := q.next(text[at:])
		if !plain || !isBlank(text[at]) {
			if start < 0 {
				start = at
			}
		} else if start >= 0 && len(all) < mostWords {
			all = append(all, text[start:at])
			start = -1
		}
		at += length
	}
	if start >= 0 {
		all = append(all, text[start:])
	}
	return all
}

// bare is a word or text without its quotes, by Docker's rules. A dollar sign
// that names no variable, and a backslash that is one, are written with a
// backslash before them, so that words are equal exactly if they mean the same.
func bare(text string) string {
	if !strings.ContainsAny(text, `"'\`) {
		return text
	}
	var b strings.Builder
	literal := func(r rune) {
		if r == '$' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	quote := rune(0)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == quote:
			quote = 0
		case quote == '\'':
			literal(r)
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == '\\' && i < len(text):
			next, size := utf8.DecodeRuneInString(text[i:])
			if quote == '"' && !strings.ContainsRune(`"$\`, next) {
				literal(r)
				continue
			}
			i += size
			literal(next)
		default:
			b.WriteRune(r)
		}
	}
	if quote != 0 {
		return text // a quote is missing, so none is taken off
	}
	return b.String()
}

// flag is an option before the arguments of an instruction, as in
// --chown=www-data.
type flag struct{ name, value string }

// cutFlags splits the options off an instruction's text.
func cutFlags(text string) (flags []flag, rest string) {
	for strings.HasPrefix(text, "--") {
		var word string
		word, text = cutBlank(text)
		if word == "--" {
			break
		}
		name, value, _ := strings.Cut(word, "=")
		flags = append(flags, flag{name, value})
	}
	return flags, text
}

// commands divides a shell text where one command ends and the next begins,
// with the operator at the end of the former. Blanks are made one except in
// quotes.
func commands(text string) []string {
	var all []string
	var b strings.Builder
	var q quoting
	blank := false
	end := func() {
		if b.Len() > 0 {
			all = append(all, b.String())
		}
		b.Reset()
		blank = false
	}
	for at := 0; at < len(text); {
		length, plain := q.next(text[at:])
		op := ""
		if plain {
			op = operator(text[at:])
		}
		if plain && isBlank(text[at]) {
			blank = true
		} else {
			length = max(length, len(op))
			if (blank || op != "") && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteString(text[at : at+length])
			if op != "" && len(all) < mostWords {
				end()
			}
		}
		at += length
	}
	end()
	if q.open != 0 { // a quote is missing, so it is not known what is quoted
		return []string{blanksAsOne(text)}
	}
	return all
}

// operator returns what ends a command at the start of a text: "&&", "||", "|",
// ";" or ";;".
func operator(text string) string {
	for _, op := range []string{"&&", "||", ";;", "|", ";"} {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}
