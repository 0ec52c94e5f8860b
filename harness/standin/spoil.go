package standin

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/models/sim"
	"agentd/vfs"
)

// spoil damages documents at the given rates: counted elements are left out,
// digits and words of the others altered. What is no part of an element, such
// as the header of a table, is left alone. Where the domain is not built, lines
// stand for elements; those that carry put in are left alone.
func spoil(d domains.Domain, files vfs.Files, damage sim.Damage) vfs.Files {
	if damage.None() {
		return files
	}
	if files.HasBinary() {
		return spoilPictures(files, damage)
	}
	random := damage.Random
	drop := func(int) bool { return random.Float64() < damage.Drop }
	kept, frame := vfs.Files{}, map[string]bool{"": true}
	if d != nil {
		kept = d.Without(files, drop)
		for _, text := range d.Without(files, func(int) bool { return true }) {
			for line := range strings.SplitSeq(text, "\n") {
				frame[line] = true
			}
		}
	} else {
		for _, name := range files.Names() {
			kept[name] = dropLines(files[name], drop)
		}
	}
	spoiled := vfs.Files{}
	for _, name := range kept.Names() {
		lines := strings.Split(kept[name], "\n")
		for i, line := range lines {
			if !frame[line] && !isMark(line) {
				line = alter(number, line, damage.Number, random, otherDigit)
				lines[i] = alter(word, line, damage.Text, random, misspelt)
			}
		}
		spoiled[name] = strings.Join(lines, "\n")
	}
	return spoiled
}

func dropLines(text string, drop func(int) bool) string {
	var b strings.Builder
	for n, line := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(line) == "" || isMark(line) || !drop(n) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// alter changes each value in a line with the given probability; value is the
// length of one at the start of a text, 0 if there is none. Member names of JSON
// stay: models do not misspell those.
func alter(value func(string) int, line string, rate float64, random *rand.Rand, change func(string, *rand.Rand) string) string {
	if rate == 0 {
		return line
	}
	var b strings.Builder
	kept := 0 // what is before it stands in b
	for at := 0; at < len(line); {
		if n := memberName(line[at:]); n > 0 {
			at += n
			continue
		}
		n := value(line[at:])
		switch {
		case n == 0 && line[at] < utf8.RuneSelf:
			n = 1
		case n == 0:
			_, n = utf8.DecodeRuneInString(line[at:])
		case random.Float64() < rate:
			b.WriteString(line[kept:at])
			b.WriteString(change(line[at:at+n], random))
			kept = at + n
		}
		at += n
	}
	if kept == 0 {
		return line
	}
	b.WriteString(line[kept:])
	return b.String()
}

// memberName is the length of a JSON member's name at the start of a text, with
// its colon; 0 if there is none.
func memberName(text string) int {
	if text[0] != '"' {
		return 0
	}
	n := strings.IndexByte(text[1:], '"') + 2
	if n == 1 {
		return 0
	}
	for n < len(text) && strings.IndexByte("\t\n\f\r ", text[n]) >= 0 {
		n++
	}
	if n == len(text) || text[n] != ':' {
		return 0
	}
	return n + 1
}

func number(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// word is the length of a run of letters that are at least four; of a shorter
// one it is 0.
func word(text string) int {
	n, letters := 0, 0
	for n < len(text) {
		if c := text[n] | ' '; 'a' <= c && c <= 'z' {
			n++
			letters++
			continue
		}
		if text[n] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) {
			break
		}
		n += size
		letters++
	}
	if letters < 4 {
		return 0
	}
	return n
}

// otherDigit changes one digit of a number.
func otherDigit(number string, random *rand.Rand) string {
	raw := []byte(number)
	at := random.IntN(len(raw))
	raw[at] = '0' + (raw[at]-'0'+byte(1+random.IntN(9)))%10
	return string(raw)
}

// misspelt swaps two neighbouring letters of a word, or drops its last where
// they are equal.
func misspelt(word string, random *rand.Rand) string {
	runes := []rune(word)
	at := 1 + random.IntN(len(runes)-2)
	if runes[at] == runes[at+1] {
		return string(runes[:len(runes)-1])
	}
	runes[at], runes[at+1] = runes[at+1], runes[at]
	return string(runes)
}
