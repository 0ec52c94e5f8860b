// Package charset tells in which encoding a text is, reads it as UTF-8 and writes it back as it was.
//
// What is valid UTF-8 is UTF-8. UTF-16 and UTF-32 are known by their byte order mark. Another encoding is a guess, and
// is named as one: what the text declares of itself (encoding="ISO-8859-2"), or the single-byte encoding in which
// the bytes make the most of usual letters. Bytes that are control characters in every encoding are no text.
package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
)

// Encoding is how a text is written as bytes. The zero value is UTF-8 without a byte order mark.
type Encoding struct {
	name  string
	codec encoding.Encoding // nil for UTF-8
	mark  string            // the byte order mark, in the encoding's own bytes
}

// UTF8 is the name of the encoding that needs no conversion.
const UTF8 = "UTF-8"

// String is the encoding's name, as in "windows-1252".
func (e Encoding) String() string {
	if e.name == "" {
		return UTF8
	}
	return e.name
}

// bomSuffix is how git and editors name an encoding whose texts begin with a byte order mark, as in "UTF-16LE-BOM".
const bomSuffix = "-BOM"

// MarshalText is the name that Lookup finds, with its byte order mark: "windows-1252", "UTF-16LE-BOM".
func (e Encoding) MarshalText() ([]byte, error) {
	name := e.String()
	if e.Marked() {
		name += bomSuffix
	}
	return []byte(name), nil
}

// UnmarshalText reads what MarshalText wrote.
func (e *Encoding) UnmarshalText(name []byte) (err error) {
	*e, err = Lookup(string(name))
	return err
}

// Marked reports whether the text begins with a byte order mark.
func (e Encoding) Marked() bool { return e.mark != "" }

// IsUTF8 reports whether the text is already in UTF-8, with or without a byte order mark.
func (e Encoding) IsUTF8() bool { return e.codec == nil }

// Wide reports whether each character takes two or four bytes, also those of ASCII.
func (e Encoding) Wide() bool {
	return strings.HasPrefix(e.String(), "UTF-16") || strings.HasPrefix(e.String(), "UTF-32")
}

// marked are the encodings that are known by their byte order mark. UTF-32 stands first: its mark begins as that of UTF-16.
func marked() []Encoding {
	return []Encoding{
		{"UTF-32LE", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "\xff\xfe\x00\x00"},
		{"UTF-32BE", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), "\x00\x00\xfe\xff"},
		{"UTF-16LE", utf.UTF16(utf.LittleEndian, utf.IgnoreBOM), "\xff\xfe"},
		{"UTF-16BE", utf.UTF16(utf.BigEndian, utf.IgnoreBOM), "\xfe\xff"},
		{UTF8, nil, "\xef\xbb\xbf"},
	}
}

// guess is a single-byte encoding with the letters and signs that texts in it have most.
type guess struct {
	name   string
	codec  encoding.Encoding
	common string
}

// guesses are tried in this order; of equally good ones the first is it. Of Greek and Cyrillic the small letters count: they tell
// encodings apart in which one holds capitals where the other holds small letters.
func guesses() []guess {
	const signs = "’‘“”„–—…«»°§€£©® "
	return []guess{
		{"windows-1252", charmap.Windows1252, "éèàçêâîôûëïüöäßÉÈÀÇÖÄÜñóíáúÑÓÍÁÚåæøÅÆØãõ¿¡½" + signs},
		{"windows-1250", charmap.Windows1250, "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűŐŰäöüßÄÖÜôľĺăşţâîđ" + signs},
		{"windows-1251", charmap.Windows1251, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґё№" + signs},
		{"windows-1253", charmap.Windows1253, "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ" + signs},
		{"windows-1254", charmap.Windows1254, "çğıöşüÇĞİÖŞÜâîû" + signs},
		{"windows-1257", charmap.Windows1257, "ąčęėįšųūžĄČĘĖĮŠŲŪŽāčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽõäöüÕÄÖÜ" + signs},
		{"KOI8-R", charmap.KOI8R, "абвгдежзийклмнопрстуфхцчшщъыьэюя"},
	}
}

// ofGEDCOM are encodings by the names that only family trees give them.
func ofGEDCOM() map[string]Encoding {
	dos, windows := Encoding{name: "IBM437", codec: charmap.CodePage437}, Encoding{name: "windows-1252", codec: charmap.Windows1252}
	return map[string]Encoding{"ANSEL": {name: "ANSEL", codec: ansel{}}, "ANSI": windows, "IBMPC": dos, "IBM437": dos}
}

// Lookup finds an encoding by a name as pages and mails write it, such as "latin1" or "shift_jis". An unknown one is a usage
// error. A name such as "UTF-16LE-BOM" is that of texts that begin with a byte order mark.
func Lookup(name string) (Encoding, error) {
	for _, e := range marked() {
		if strings.EqualFold(e.name+bomSuffix, name) {
			return e, nil
		}
		if strings.EqualFold(e.name, name) {
			e.mark = ""
			return e, nil
		}
	}
	if e, ok := ofGEDCOM()[strings.ToUpper(name)]; ok {
		return e, nil
	}
	codec, err := htmlindex.Get(strings.TrimSpace(name))
	if err != nil {
		return Encoding{}, usage.Errorf("%q is no encoding that can be read; one is such as windows-1252, iso-8859-2, shift_jis or utf-16le", name)
	}
	canonical, err := htmlindex.Name(codec)
	if err != nil || canonical == "utf-8" {
		return Encoding{}, nil
	}
	return Encoding{name: canonical, codec: codec}, nil
}

// declared is how XML, HTML, mails, catalogues, programs and family trees name their own encoding.
var declared = lazyregexp.New(`(?i)(?:(?:encoding|charset|coding)\s*[=:]\s*["']?|(?m:^)1 CHAR )([a-z0-9._-]+)`)

// Detect tells the encoding of a text; false if it is no text. If the other version of the text is known, the guess under which both
// have the most letters in common wins; other is empty otherwise, and in UTF-8.
func Detect(content, other string) (Encoding, bool) { return DetectOr(Encoding{}, content, other) }

// DetectOr is Detect, with an encoding for whatever is not UTF-8. The zero value detects it.
func DetectOr(assumed Encoding, content, other string) (Encoding, bool) {
	if plain := utf8.ValidString(content) && !strings.ContainsRune(content, 0); !assumed.IsUTF8() && !plain {
		_, ok := assumed.asMarkedIn(content).Decode(content)
		return assumed.asMarkedIn(content), ok
	}
	for _, e := range marked() {
		if strings.HasPrefix(content, e.mark) {
			if _, ok := e.Decode(content); ok {
				return e, true
			}
		}
	}
	switch {
	case strings.ContainsRune(content, 0):
		return Encoding{}, false
	case utf8.ValidString(content):
		return Encoding{}, true
	case strings.ContainsFunc(content, control):
		return Encoding{}, false
	}
	const head = 1 << 10
	if named := declared.FindStringSubmatch(content[:min(len(content), head)]); named != nil {
		e, err := Lookup(named[1])
		if _, ok := e.Decode(content); err == nil && ok {
			return e, true
		}
	}
	if mostlyUTF8(content) {
		return Encoding{}, false // it is UTF-8 with bytes that are broken
	}
	return best(content, other)
}

// asMarkedIn is the encoding with the byte order mark that a text begins with, and without one if it begins with none.
func (e Encoding) asMarkedIn(content string) Encoding {
	e.mark = ""
	for _, m := range marked() {
		if m.name == e.name && strings.HasPrefix(content, m.mark) {
			return m
		}
	}
	return e
}

// mostlyUTF8 reports whether half of the bytes above ASCII, or more, are characters of UTF-8.
func mostlyUTF8(content string) bool {
	whole, broken := 0, 0
	for _, c := range content {
		switch size := utf8.RuneLen(c); {
		case c == utf8.RuneError:
			broken++ // also a replacement character that is written out, of which there are few
		case size > 1:
			whole += size
		}
	}
	return whole >= broken
}

// control are characters that no text holds.
func control(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1a", c) || c == 0x7f }

func letter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// best is the single-byte encoding that fits the bytes best; false if most of them are letters in none.
func best(content, other string) (Encoding, bool) {
	var counts, latin [256]int // of each byte, and how often it stands next to a letter of ASCII
	high := 0
	for i := range len(content) {
		if content[i] >= utf8.RuneSelf {
			counts[content[i]]++
			high++
			if i > 0 && letter(content[i-1]) || i+1 < len(content) && letter(content[i+1]) {
				latin[content[i]]++
			}
		}
	}
	shared := map[rune]bool{}
	for _, c := range other {
		if c >= utf8.RuneSelf {
			shared[c] = true
		}
	}
	found, most := Encoding{}, 0
	for _, g := range guesses() {
		points := 0
		decoder := g.codec.NewDecoder()
		for b, n := range counts {
			if n == 0 {
				continue
			}
			text, err := decoder.Bytes([]byte{byte(b)})
			c, _ := utf8.DecodeRune(text)
			if unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) {
				points -= 4 * latin[b] // no word mixes scripts
			}
			switch {
			case err != nil || c == utf8.RuneError || unicode.IsControl(c):
				points -= 4 * n
			case shared[c]:
				points += 4 * n
			case strings.ContainsRune(g.common, c):
				points += 2 * n
			case unicode.IsLetter(c):
			default:
				points -= n
			}
		}
		e := Encoding{name: g.name, codec: g.codec}
		if _, ok := e.Decode(content); ok && points > most {
			found, most = e, points
		}
	}
	return found, most > 0 && high < len(content)
}

// Decode is the text in UTF-8, without a byte order mark unless it is in UTF-8 already; false if bytes of it are none of the encoding, or
// could not be written back as they are.
func (e Encoding) Decode(content string) (string, bool) {
	if e.codec == nil {
		return content, utf8.ValidString(content) && !strings.ContainsRune(content, 0)
	}
	text, err := e.codec.NewDecoder().String(strings.TrimPrefix(content, e.mark))
	if err != nil || strings.ContainsFunc(text, control) {
		return "", false
	}
	back, err := e.Encode(text)
	return text, err == nil && back == content
}

// Encode writes a text as Decode read it, with its byte order mark. A letter that the encoding does not have is an error.
func (e Encoding) Encode(text string) (string, error) {
	if e.codec == nil {
		return text, nil
	}
	content, err := e.codec.NewEncoder().String(text)
	return e.mark + content, err
}
