package compare

import (
	"slices"
	"strings"

	"agentd/internal/charset"
	"agentd/vfs"
)

// textOf is a file in UTF-8, without a byte order mark; false if it is not there, or no text. other holds the other version, from which the encoding may be known.
func textOf(assumed charset.Encoding, files, other vfs.Files, name string) (string, bool) {
	text, _, ok := readText(assumed, files, other, name)
	return text, ok
}

func readText(assumed charset.Encoding, files, other vfs.Files, name string) (text string, as charset.Encoding, ok bool) {
	content, there := files[name]
	if !there {
		return "", as, false
	}
	hint := other[name]
	if as, ok := charset.Detect(hint, ""); !ok || !as.IsUTF8() {
		hint = ""
	}
	if as, ok = charset.DetectOr(assumed, content, hint); ok {
		text, ok = as.Decode(content)
	}
	return strings.TrimPrefix(text, "\ufeff"), as, ok
}

// asTexts are both versions of a document in UTF-8.
type asTexts struct {
	before, after vfs.Files
	note          string // which encodings were read
}

// texts reads both versions of a document; false if any file of them is no text.
func (p Pair) texts() (asTexts, bool) {
	read := asTexts{before: vfs.Files{}, after: vfs.Files{}}
	var encodings []string
	for _, version := range []struct{ files, other, into vfs.Files }{{p.Before, p.After, read.before}, {p.After, p.Before, read.after}} {
		for _, name := range version.files.Names() {
			text, as, ok := readText(p.assumed, version.files, version.other, name)
			if !ok {
				return asTexts{}, false
			}
			version.into[name] = text
			if !as.IsUTF8() && !slices.Contains(encodings, as.String()) {
				encodings = append(encodings, as.String())
			}
		}
	}
	if len(encodings) > 0 {
		read.note = "read as " + strings.Join(encodings, " and ")
	}
	return read, true
}
