package standin

import (
	"math/rand/v2"
	"regexp"
	"strings"

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
				line = alter(numbers, line, damage.Number, random, otherDigit)
				lines[i] = alter(words, line, damage.Text, random, misspelt)
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

// Member names of JSON match too, so that they can be left alone: models do
// not misspell those.
var (
	numbers = regexp.MustCompile(`"[^"]*"\s*:|\d+`)
	words   = regexp.MustCompile(`"[^"]*"\s*:|\p{L}{4,}`)
)

// alter changes each match of a pattern with the given probability.
func alter(pattern *regexp.Regexp, text string, rate float64, random *rand.Rand, change func(string, *rand.Rand) string) string {
	if rate == 0 {
		return text
	}
	return pattern.ReplaceAllStringFunc(text, func(match string) string {
		if match[0] == '"' || random.Float64() >= rate {
			return match
		}
		return change(match, random)
	})
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
