package json

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// parse reads a document as the published evaluator does: a single file, YAML
// or JSON by its name.
func parse(files vfs.Files) (*value, error) {
	if len(files) != 1 {
		return nil, fmt.Errorf("a document is one file, not %d", len(files))
	}
	name := files.Names()[0]
	if isYAML(name) {
		root, err := parseYAML(files[name])
		if err != nil {
			return nil, fmt.Errorf("reading %s as YAML: %w", name, err)
		}
		return root, nil
	}
	text := files[name]
	if strings.HasSuffix(name, ".json") {
		text = repaired(text)
	}
	tree, err := decodeJSON(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s as JSON: %w", name, err)
	}
	return newValue(tree)
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// parseYAML reads YAML as PyYAML does. It takes no tab outside of quotes, blocks
// and comments, and takes escaped halves of surrogate pairs.
func parseYAML(text string) (*value, error) {
	marked := strings.ReplaceAll(text, "\t", string(tabMark))
	documents, err := decodeYAML(marked)
	if err != nil && strings.Contains(err.Error(), "invalid Unicode character escape") {
		documents, err = decodeYAML(halfPair.ReplaceAllStringFunc(marked, markHalf))
	}
	switch {
	case err != nil:
		return nil, err
	case len(documents) > 1:
		return nil, errors.New("expected a single document in the stream")
	case len(documents) == 0:
		return &value{}, nil
	case documents[0].repeatedAnchor != "":
		return nil, fmt.Errorf("the anchor %s stands twice", documents[0].repeatedAnchor)
	}
	return newValue(documents[0].root)
}

// Characters for private use stand for what the YAML library treats otherwise:
// tabs, and the halves of surrogate pairs from firstHalf on.
const (
	tabMark   = '\U0010fffd'
	firstHalf = 0x10f000
)

var halfPair = regexp.MustCompile(`\\\\|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)

// markHalf turns an escaped half of a surrogate pair into its mark. An escaped
// backslash stays.
func markHalf(escape string) string {
	half, err := strconv.ParseUint(strings.TrimPrefix(escape, `\u`), 16, 32)
	if err != nil {
		return escape
	}
	return string(rune(firstHalf + half - 0xd800))
}

func withoutMarks(text string) string {
	if !strings.Contains(text, "\xf4\x8f") {
		return text
	}
	var b []byte
	for _, r := range text {
		switch {
		case r == tabMark:
			r = '\t'
		case r >= firstHalf && r < firstHalf+0x800:
			r += 0xd800 - firstHalf
		}
		b = jsontext.AppendHalf(b, r)
	}
	return string(b)
}

// repaired is the text after the published repairs, which do not know where a
// string begins: undefined becomes null, a comma in front of a closing bracket
// goes, and missing brackets follow at the end, braces first.
func repaired(text string) string {
	text = withoutTrailingCommas(undefinedToNull(text))
	braces := strings.Count(text, "{") - strings.Count(text, "}")
	brackets := strings.Count(text, "[") - strings.Count(text, "]")
	return text + strings.Repeat("}", max(0, braces)) + strings.Repeat("]", max(0, brackets))
}

// undefinedToNull replaces the word where it stands alone.
func undefinedToNull(text string) string {
	const word = "undefined"
	parts := strings.Split(text, word)
	if len(parts) == 1 {
		return text
	}
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		before, _ := utf8.DecodeLastRuneInString(parts[i])
		after, _ := utf8.DecodeRuneInString(part)
		if pytext.IsWord(before) || pytext.IsWord(after) {
			b.WriteString(word)
		} else {
			b.WriteString("null")
		}
		b.WriteString(part)
	}
	return b.String()
}

func withoutTrailingCommas(text string) string {
	var b strings.Builder
	written := 0 // a text without such a comma is not copied
	for from := 0; ; {
		next := strings.IndexByte(text[from:], ',')
		if next < 0 {
			break
		}
		comma := from + next
		from = comma + 1
		rest := pytext.StripLeft(text[from:])
		if rest != "" && (rest[0] == '}' || rest[0] == ']') {
			b.WriteString(text[written:comma])
			written = len(text) - len(rest)
			from = written + 1
		}
	}
	if written == 0 {
		return text
	}
	b.WriteString(text[written:])
	return b.String()
}
