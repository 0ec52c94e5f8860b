package charset

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// ansel is ANSI/NISO Z39.47, in which genealogical and library programs wrote: letters and signs at 0xa1 to 0xcf, and marks at
// 0xe0 to 0xfe, which stand before their letter.
type ansel struct{}

func (ansel) NewDecoder() *encoding.Decoder { return &encoding.Decoder{Transformer: anselDecoder{}} }
func (ansel) NewEncoder() *encoding.Encoder { return &encoding.Encoder{Transformer: anselEncoder{}} }

// anselSigns are the characters from 0xa1 and anselMarks those from 0xe0; a blank is a byte without one.
const (
	anselSigns = "ŁØĐÞÆŒʹ·♭®±ƠƯʼ ʻłøđþæœʺı£ð ơư  °ℓ℗©♯¿¡      ß"
	anselMarks = "\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23  \u0313"
)

// anselChar is the character of a byte above ASCII; false if it has none.
func anselChar(b byte) (rune, bool) {
	table, first := []rune(anselSigns), byte(0xa1)
	if b >= 0xe0 {
		table, first = []rune(anselMarks), 0xe0
	}
	if b < first || int(b-first) >= len(table) || table[b-first] == ' ' {
		return 0, false
	}
	return table[b-first], true
}

// anselByte is the byte of a character above ASCII; false if there is none.
func anselByte(c rune) (byte, bool) {
	for first, table := range map[byte]string{0xa1: anselSigns, 0xe0: anselMarks} {
		if at := strings.IndexRune(table, c); at >= 0 && c != ' ' {
			return first + byte(utf8.RuneCountInString(table[:at])), true
		}
	}
	return 0, false
}

var errNotANSEL = errors.New("it is no character of ANSEL")

// mostMarks are those of one letter.
const mostMarks = 16

type anselDecoder struct{ transform.NopResetter }

// Transform writes a letter with its marks in the composed form, or an error for a byte that is no character.
func (anselDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		var marks []rune
		at := nSrc
		for at < len(src) && src[at] >= 0xe0 && len(marks) < mostMarks {
			c, ok := anselChar(src[at])
			if !ok {
				return nDst, nSrc, errNotANSEL
			}
			marks = append(marks, c)
			at++
		}
		if at == len(src) {
			if !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			return nDst, nSrc, errNotANSEL // a mark without a letter
		}
		c := rune(src[at])
		if c >= utf8.RuneSelf {
			var ok bool
			if c, ok = anselChar(src[at]); !ok {
				return nDst, nSrc, errNotANSEL
			}
		}
		letter := norm.NFC.String(string(c) + string(marks))
		if nDst+len(letter) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], letter)
		nSrc = at + 1
	}
	return nDst, nSrc, nil
}

type anselEncoder struct{ transform.NopResetter }

// Transform writes the marks of a letter before it, those above it first, as library catalogues have them. Where a file has
// another order, Decode says that the bytes cannot be written back.
func (anselEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		size := norm.NFC.NextBoundary(src[nSrc:], atEOF)
		if size < 0 {
			return nDst, nSrc, transform.ErrShortSrc
		}
		var letters, marks []byte
		for _, c := range norm.NFC.String(string(src[nSrc : nSrc+size])) {
			var ok bool
			if letters, marks, ok = appendANSEL(letters, marks, c); !ok {
				return nDst, nSrc, errNotANSEL
			}
		}
		if nDst+len(letters)+len(marks) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		slices.SortStableFunc(marks, func(a, b byte) int { return int(class(b)) - int(class(a)) })
		nDst += copy(dst[nDst:], marks)
		nDst += copy(dst[nDst:], letters)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// class is Unicode's combining class of a mark, which is larger above a letter than below it.
func class(mark byte) uint8 {
	c, _ := anselChar(mark)
	return norm.NFD.PropertiesString(string(c)).CCC()
}

// appendANSEL appends a character: its byte, or that of its letter and those of its marks.
func appendANSEL(letters, marks []byte, c rune) ([]byte, []byte, bool) {
	b, ok := byte(c), c < utf8.RuneSelf
	if !ok {
		b, ok = anselByte(c)
	}
	switch apart := []rune(norm.NFD.String(string(c))); {
	case ok && b >= 0xe0:
		return letters, append(marks, b), true
	case ok:
		return append(letters, b), marks, true
	case len(apart) > 1:
		last := len(apart) - 1
		for _, c := range append([]rune(norm.NFC.String(string(apart[:last]))), apart[last]) {
			if letters, marks, ok = appendANSEL(letters, marks, c); !ok {
				return nil, nil, false
			}
		}
		return letters, marks, true
	}
	return nil, nil, false
}
