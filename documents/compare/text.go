package compare

import (
	"slices"
	"strings"

	"agentd/internal/charset"
	"agentd/vfs"
)

// textOf returns a file in UTF-8 without a byte order mark; false if it does not exist or is not text. other is the other version, which may tell the encoding.
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

// asTexts holds both versions of a document in UTF-8.
type asTexts struct {
	before, after vfs.Files
	note          string // names the encodings that were decoded
}

// texts decodes both versions of a document; false if any file is not text.
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
