package fonteng

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// nameRecord is a name and the platform, encoding and language it is for.
type nameRecord struct {
	platformID, encoding, language int64
	text                           string
}

const (
	macintosh      = 1
	windows        = 3
	windowsEnglish = 0x409
)

// platform is the platform as printed, with a blank after it.
func (n *nameRecord) platform() string {
	switch {
	case n.platformID == windows && n.encoding == 1 && n.language == windowsEnglish:
		return ""
	case n.platformID == macintosh && n.encoding == 0 && n.language == 0:
		return "1 "
	}
	return fmt.Sprintf("%d %d %d ", n.platformID, n.encoding, n.language)
}

// name reads a name record after its keyword, with or without the semicolon.
func (p *parser) name(ended bool) *nameRecord {
	n := &nameRecord{platformID: windows}
	if p.following.isAnyNumber() {
		n.platformID = p.expectAnyNumber().value
		p.allow(n.platformID == macintosh || n.platformID == windows, "expected platform 1 or 3")
	}
	line := p.current.line
	if p.following.isAnyNumber() {
		n.encoding, n.language = p.expectAnyNumber().value, p.expectAnyNumber().value
	}
	if n.platformID == windows {
		n.encoding, n.language = cmp.Or(n.encoding, 1), cmp.Or(n.language, windowsEnglish)
	}
	text := p.expect("a string", stringToken).text
	if ended {
		p.want(";")
	}
	allowAt(line, n.isKnown(), "an encoding that is not known")
	n.text = n.unescaped(text)
	return n
}

// statement is the canonical text of a name after its keyword.
func (n *nameRecord) statement(keyword string) string {
	return keyword + " " + n.platform() + `"` + n.text + `";`
}

// isKnown holds for the encodings of the two platforms.
func (n *nameRecord) isKnown() bool {
	if n.platformID == windows {
		return 0 <= n.encoding && n.encoding <= 6 || n.encoding == 10
	}
	return slices.Contains([]int64{0, 1, 2, 3, 6, 7, 25, 29, 35, 37}, n.encoding)
}

// isWide holds for names in UTF-16.
func (n *nameRecord) isWide() bool {
	return n.platformID == windows && (n.encoding <= 1 || n.encoding == 10)
}

// Runs of the codes of characters, four digits each, or two where a character is a byte.
var (
	wideCodes = regexp.MustCompile(`(?:\\[0-9a-fA-F]{4})+`)
	byteCodes = regexp.MustCompile(`(?:\\[0-9a-fA-F]{2})+`)
)

func (n *nameRecord) unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	if !n.isWide() {
		return byteCodes.ReplaceAllStringFunc(text, func(codes string) string {
			decoded := ""
			for code := range strings.SplitSeq(codes[1:], `\`) {
				b, _ := strconv.ParseUint(code, 16, 8)
				decoded += string(charmap.Macintosh.DecodeByte(byte(b)))
			}
			return decoded
		})
	}
	return wideCodes.ReplaceAllStringFunc(text, func(codes string) string {
		var units []uint16
		for code := range strings.SplitSeq(codes[1:], `\`) {
			unit, _ := strconv.ParseUint(code, 16, 16)
			units = append(units, uint16(unit))
		}
		runes := utf16.Decode(units)
		if !slices.Equal(utf16.Encode(runes), units) {
			panic(errors.New("half a character in a name"))
		}
		return string(runes)
	})
}

// escaped is the text with codes for all but plain characters, and why it cannot be printed.
func (n *nameRecord) escaped() (text, broken string) {
	var b strings.Builder
	write := func(code uint16, format string) {
		if code >= ' ' && code <= '~' && code != '"' && code != '\\' {
			b.WriteByte(byte(code))
		} else {
			fmt.Fprintf(&b, format, code)
		}
	}
	if n.isWide() {
		for _, unit := range utf16.Encode([]rune(n.text)) {
			write(unit, `\%04x`)
		}
		return b.String(), ""
	}
	for _, r := range n.text {
		code, ok := charmap.Macintosh.EncodeRune(r)
		if !ok {
			return "", "a name with a character that its encoding has not"
		}
		write(uint16(code), `\%02x`)
	}
	return b.String(), ""
}
