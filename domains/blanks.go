package domains

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/vfs"
)

// oddElement is the kind of the elements that oddCharacters makes.
const oddElement = "character"

// named are the odd characters that people meet most.
var named = map[rune]string{
	'\u00a0': "no-break space", '\u00ad': "soft hyphen", '\u2009': "thin space", '\u200b': "zero width space", '\u200c': "zero width non-joiner",
	'\u200d': "zero width joiner", '\u200e': "left-to-right mark", '\u200f': "right-to-left mark", '\u202f': "narrow no-break space",
	'\u2060': "word joiner", '\u3000': "ideographic space", '\ufeff': "byte order mark",
}

// oddCharacters are the characters of a document that look like a blank or like nothing, and are neither to a program, each
// an element. A byte order mark at the beginning of a file is none of them.
func oddCharacters(files vfs.Files) []Element {
	var all []Element
	for _, name := range files.Names() {
		if vfs.Binary(name) {
			continue
		}
		text := strings.TrimPrefix(files[name], "\ufeff")
		line, counted := 1, 0
		for at, r := range text {
			if r < utf8.RuneSelf || r != '\u0085' && !unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cf) {
				continue
			}
			line, counted = line+strings.Count(text[counted:at], "\n"), at
			all = append(all, Element{
				Kind: oddElement, Key: fmt.Sprintf("line %d", line),
				Fields: []Field{{Value: fmt.Sprintf("%s, U+%04X", cmp.Or(named[r], "blank"), r)}},
			})
		}
	}
	return all
}

// odd compares the odd characters of two documents between which a domain sees no difference: many readers take them for
// blanks, or drop them, and programs of the format do not. A document that has them escaped on either side (&nbsp;, \u00a0) is
// not compared, and neither is prose.
func (a *against[T]) odd(candidate vfs.Files) (ref, got []Element) {
	if a.spec.Prose {
		return nil, nil
	}
	ref, got = oddCharacters(a.files), oddCharacters(candidate)
	if len(ref)+len(got) == 0 || escapes(a.files) != escapes(candidate) {
		return nil, nil
	}
	return ref, got
}

// escapes counts the character references, escapes and encoded bytes of a document, any of which may stand for an odd character.
func escapes(files vfs.Files) (n int) {
	for name, text := range files {
		if !vfs.Binary(name) {
			n += strings.Count(text, "&#") + strings.Count(text, "&nbsp;") + strings.Count(text, `\u`) + strings.Count(text, `\x`) + strings.Count(text, "=C2=A0")
		}
	}
	return n
}
