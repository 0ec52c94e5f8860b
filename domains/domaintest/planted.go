package domaintest

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/vfs"
)

// Damage is a kind of damage to the content of documents, of any format.
type Damage struct {
	Name string
	// Plant returns the text with one damage of the kind, at a place that random chooses; false if the text has no place for it.
	Plant func(random *rand.Rand, text string) (string, bool)
	// Elements, in place of Plant, damages counted elements of a file of a domain, which it finds with Domain.Without.
	Elements func(random *rand.Rand, d domains.Domain, files vfs.Files) (vfs.Files, bool)
}

// Damages are the kinds.
func Damages() []Damage {
	return []Damage{
		{Name: "an element is gone", Elements: elementGone},
		{Name: "an element is there twice", Elements: elementTwice},
		{Name: "two elements are swapped", Elements: elementsSwapped},
		{Name: "a digit is another", Plant: replacing(`\d`, func(random *rand.Rand, digit string) string {
			return string('0' + (digit[0]-'0'+1+byte(random.IntN(8)))%10)
		})},
		{Name: "a word is another", Plant: replacing(`\b\pL{4,}\b`, func(_ *rand.Rand, word string) string { return "Quagga" })},
		{Name: "the case of a letter", Plant: replacing(`\b[A-Za-z][a-z]{3,}\b`, func(_ *rand.Rand, word string) string {
			if unicode.IsUpper(rune(word[0])) {
				return strings.ToLower(word[:1]) + word[1:]
			}
			return strings.ToUpper(word[:1]) + word[1:]
		})},
		{Name: "a letter that looks alike", Plant: replacing(`[aeopcxy]`, func(_ *rand.Rand, letter string) string {
			return map[string]string{"a": "а", "e": "е", "o": "о", "p": "р", "c": "с", "x": "х", "y": "у"}[letter]
		})},
		{Name: "a character is gone", Plant: replacing(`[\pL\d]`, func(*rand.Rand, string) string { return "" })},
		{Name: "a sign is another", Plant: replacing(`(?:^|[\s=,;:("])-?[1-9]\d*(?:\.\d+)?\b`, func(_ *rand.Rand, number string) string {
			if before, after, minus := strings.Cut(number, "-"); minus {
				return before + after
			}
			at := strings.IndexAny(number, "123456789")
			return number[:at] + "-" + number[at:]
		})},
		{Name: "a number is rounded", Plant: replacing(`\b\d+\.\d*[1-9]\d*\b`, func(_ *rand.Rand, number string) string {
			whole, _, _ := strings.Cut(number, ".")
			return whole
		})},
		{Name: "two numbers are swapped", Plant: swapping(`\b\d+(?:\.\d+)?\b`)},
		{Name: "two words are swapped", Plant: swapping(`\b\pL{4,}\b`)},
		{Name: "a value is empty", Plant: replacing(`[:=] ?[\pL\d][^\n,;<>{}()]*|"[^"\n]+"`, func(_ *rand.Rand, value string) string {
			if value[0] == '"' {
				return `""`
			}
			return value[:1]
		})},
		{Name: "a field is gone", Plant: replacing(`[,\t|;][^,\t|;\n]*[\pL\d][^,\t|;\n]*`, func(*rand.Rand, string) string { return "" })},
		{Name: "a line is gone", Plant: replacing(`(?m)^.*[\pL\d].*\n`, func(*rand.Rand, string) string { return "" })},
		{Name: "two lines are one", Plant: replacing(`[\pL\d]\n[ \t]*[\pL\d]`, func(_ *rand.Rand, ends string) string {
			first, size := utf8.DecodeRuneInString(ends)
			return string(first) + " " + strings.TrimLeft(ends[size:], "\n \t")
		})},
		{Name: "two lines are swapped", Plant: replacing(`(?m)^.*[\pL\d].*\n.*[\pL\d].*\n`, func(_ *rand.Rand, lines string) string {
			first, second, _ := strings.Cut(lines, "\n")
			return second + first + "\n"
		})},
		{Name: "the end is cut off", Plant: func(random *rand.Rand, text string) (string, bool) {
			at := len(text)/2 + random.IntN(len(text)/3+1)
			return strings.ToValidUTF8(text[:at], ""), strings.TrimSpace(text[at:]) != ""
		}},
		{Name: "a closing token is gone", Plant: replacing(`[})\]]|</\w+>|(?m:^\s*(?:END|end).*\n)`, func(*rand.Rand, string) string { return "" })},
		{Name: "foreign text", Plant: replacing(`\n`, func(*rand.Rand, string) string {
			return "\nThe committee meets again on Thursday.\n"
		})},
	}
}

// replacing makes damage that replaces one of the places at which a pattern fits.
func replacing(pattern string, by func(random *rand.Rand, old string) string) func(*rand.Rand, string) (string, bool) {
	places := regexp.MustCompile(pattern)
	return func(random *rand.Rand, text string) (string, bool) {
		all := places.FindAllStringIndex(text, -1)
		if len(all) == 0 {
			return text, false
		}
		at := all[random.IntN(len(all))]
		damaged := text[:at[0]] + by(random, text[at[0]:at[1]]) + text[at[1]:]
		return damaged, damaged != text
	}
}

// swapping makes damage that exchanges two different texts that a pattern fits, of those near each other.
func swapping(pattern string) func(*rand.Rand, string) (string, bool) {
	places := regexp.MustCompile(pattern)
	const near = 20
	return func(random *rand.Rand, text string) (string, bool) {
		all := places.FindAllStringIndex(text, -1)
		if len(all) < 2 {
			return text, false
		}
		i := random.IntN(len(all) - 1)
		a := all[i]
		for _, b := range all[i+1 : min(len(all), i+near)] {
			if text[a[0]:a[1]] != text[b[0]:b[1]] {
				return text[:a[0]] + text[b[0]:b[1]] + text[a[1]:b[0]] + text[a[0]:a[1]] + text[b[1]:], true
			}
		}
		return text, false
	}
}

// elementGone leaves out a counted element.
func elementGone(random *rand.Rand, d domains.Domain, files vfs.Files) (vfs.Files, bool) {
	n := countOf(d, files)
	if n < 2 {
		return files, false
	}
	gone := random.IntN(n)
	left := d.Without(files, func(at int) bool { return at == gone })
	return left, !left.Equal(files)
}

// countOf is how many elements Domain.Without asks for.
func countOf(d domains.Domain, files vfs.Files) (n int) {
	d.Without(files, func(int) bool { n++; return false })
	return n
}

// elementTwice writes a counted element again after itself.
func elementTwice(random *rand.Rand, d domains.Domain, files vfs.Files) (vfs.Files, bool) {
	n := countOf(d, files)
	if n == 0 {
		return files, false
	}
	name, from, to := spanOf(d, files, random.IntN(n))
	if name == "" {
		return files, false
	}
	return with(files, name, files[name][:to]+files[name][from:]), true
}

// elementsSwapped exchanges an element with the next one.
func elementsSwapped(random *rand.Rand, d domains.Domain, files vfs.Files) (vfs.Files, bool) {
	n := countOf(d, files)
	if n < 2 {
		return files, false
	}
	at := random.IntN(n - 1)
	first, a, b := spanOf(d, files, at)
	second, c, e := spanOf(d, files, at+1)
	text := files[first]
	if first == "" || first != second || b > c || text[a:b] == text[c:e] {
		return files, false
	}
	return with(files, first, text[:a]+text[c:e]+text[b:c]+text[a:b]+text[e:]), true
}

// spanOf is where an element is written; no name if Domain.Without changes more than one place.
func spanOf(d domains.Domain, files vfs.Files, n int) (name string, from, to int) {
	left := d.Without(files, func(at int) bool { return at == n })
	for file, text := range files {
		rest, there := left[file]
		if rest == text {
			continue
		}
		if name != "" || !there {
			return "", 0, 0
		}
		from := 0
		for from < len(rest) && rest[from] == text[from] {
			from++
		}
		length := len(text) - len(rest)
		if length <= 0 || text[from+length:] != rest[from:] {
			return "", 0, 0
		}
		// Of several places that leave the same, the one that begins a line.
		for from > 0 && text[from-1] != '\n' && text[from-1] == text[from+length-1] {
			from--
		}
		name, to = file, from+length
		return name, from, to
	}
	return "", 0, 0
}

func with(files vfs.Files, name, text string) vfs.Files {
	changed := files.Clone()
	changed[name] = text
	return changed
}

// In plants the damage in one of the files, or in the elements, of a document of a domain.
func (k Damage) In(random *rand.Rand, d domains.Domain, files vfs.Files) (vfs.Files, bool) {
	if k.Elements != nil {
		return k.Elements(random, d, files)
	}
	names := files.Names()
	name := names[random.IntN(len(names))]
	text, planted := k.Plant(random, files[name])
	return with(files, name, text), planted
}
