package vfs

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"
)

// Binary reports whether a file of that name holds bytes instead of text. The name alone
// decides: its extension is that of a picture. All other files hold UTF-8 text.
func Binary(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tiff", ".gif":
		return true
	}
	return false
}

// HasBinary reports whether any of the files is binary by its name.
func (f Files) HasBinary() bool {
	for name := range f {
		if Binary(name) {
			return true
		}
	}
	return false
}

// BinaryPrefix begins the text form of a binary file, as in the released data set. The
// bytes in base64 follow.
const BinaryPrefix = "base64:"

// Texts returns the files in a form for JSON, in which every content is text: a binary
// file becomes BinaryPrefix and its bytes in base64. It returns f itself if no file is
// binary.
func (f Files) Texts() Files {
	if !f.HasBinary() {
		return f
	}
	texts := f.Clone()
	for name, content := range f {
		if Binary(name) {
			texts[name] = BinaryPrefix + base64.StdEncoding.EncodeToString([]byte(content))
		}
	}
	return texts
}

// FromTexts reverses Texts. It leaves a binary file without BinaryPrefix as it is, and
// returns texts itself if there is nothing to decode. The error names the file whose
// base64 is malformed.
func FromTexts(texts Files) (Files, error) {
	files, cloned := texts, false
	for name, text := range texts {
		encoded, ok := strings.CutPrefix(text, BinaryPrefix)
		if !ok || !Binary(name) {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return nil, fmt.Errorf("%s: the text after %q is not valid base64: %w", name, BinaryPrefix, err)
		}
		if !cloned {
			files, cloned = texts.Clone(), true
		}
		files[name] = string(raw)
	}
	return files, nil
}
