// Package fidelity says how far a text was kept to the byte, whatever it means: its encoding, byte order mark, line ends,
// last newline, trailing blanks, Unicode form and executable bit, and how much of it was written otherwise although
// nothing of its meaning changed there. No score depends on it.
package fidelity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentd/internal/charset"
	"agentd/vfs"
)

// The properties of a file that are compared.
const (
	Encoding   = "encoding"
	Mark       = "byte order mark"
	LineEnds   = "line ends"
	Newline    = "last newline"
	Blanks     = "trailing blanks"
	Form       = "Unicode form"
	Executable = "executable bit"
	Rest       = "bytes outside of changes"
)

// Properties are all of them, in the order in which they are said.
func Properties() []string {
	return []string{Encoding, Mark, LineEnds, Newline, Blanks, Form, Executable, Rest}
}

// Change is a property of a file that is not as it was.
type Change struct {
	File string `json:"file"`
	What string `json:"what"` // one of Properties
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// Kept is what became of the bytes of a document. A nil *Kept says that every byte outside of changed elements is as it was.
type Kept struct {
	Changes []Change `json:"changes"`
	// Rest is the share, 0 to 1, of the bytes outside of changed elements that are not as they were. A line counts whole, with
	// its end.
	Rest float64 `json:"rest"`
}

// Of compares the files that are there before and after. changed are texts of what changed in them, as differences say it; nil if
// nothing did. Otherwise a line that holds a word of them, or a word that is gone, is inside of a changed element.
// assumed is the encoding of what is not UTF-8; its zero value detects it.
func Of(before, after vfs.Files, assumed charset.Encoding, changed []string) *Kept {
	k := comparison{assumed: assumed}
	var bytes, other int
	words := wordsOf(changed)
	for _, name := range before.Names() {
		is, there := after[name]
		if was := before[name]; there {
			said := len(k.Changes)
			k.add(name, was, is)
			b, o, ends := k.outside(was, is, words)
			bytes, other = bytes+b, other+o
			if o > ends || o > 0 && len(k.Changes) == said {
				k.Changes = append(k.Changes, Change{name, Rest, "", fmt.Sprintf("%.2f %% written otherwise", percent(o, b))})
			}
		}
	}
	if len(k.Changes) == 0 {
		return nil
	}
	if bytes > 0 {
		k.Rest = float64(other) / float64(bytes)
	}
	return &k.Kept
}

// comparison is a Kept that is being found.
type comparison struct {
	Kept
	assumed charset.Encoding
}

// percent is a share in percent, never rounded down to 0.
func percent(part, all int) float64 { return max(0.01, 100*float64(part)/float64(all)) }

// Add adds that a file may be executed now, or no longer. kept may be nil.
func Add(kept *Kept, file string, was, is bool) *Kept {
	if was == is {
		return kept
	}
	if kept == nil {
		kept = &Kept{}
	}
	kept.Changes = append(kept.Changes, Change{file, Executable, yes(was), yes(is)})
	return kept
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// properties are those of a text.
type properties struct {
	encoding    charset.Encoding
	text        string // in UTF-8, without a byte order mark
	ends        [4]int // of lines, in the order of endNames
	blanks      int    // lines that end in blanks
	form        string
	last, empty bool
}

// endNames are the ways in which a line ends.
var endNames = [4]string{"LF", "CRLF", "CR", "CR CRLF"}

// read finds the properties of a text; false if it is none.
func (k *comparison) read(content, other string) (p properties, ok bool) {
	if p.encoding, ok = charset.DetectOr(k.assumed, content, other); !ok {
		return p, false
	}
	p.text, ok = p.encoding.Decode(content)
	p.text = strings.TrimPrefix(p.text, "\ufeff")
	for line := range lines(p.text) {
		bare := strings.TrimRight(line, "\r\n")
		switch line[len(bare):] {
		case "":
		case "\n":
			p.ends[0]++
		case "\r\n":
			p.ends[1]++
		case "\r":
			p.ends[2]++
		default:
			p.ends[3]++
		}
		if strings.TrimRight(bare, " \t") != bare {
			p.blanks++
		}
	}
	p.empty, p.last = p.text == "", strings.HasSuffix(p.text, "\n") || strings.HasSuffix(p.text, "\r")
	composed, decomposed := norm.NFC.IsNormalString(p.text), norm.NFD.IsNormalString(p.text)
	switch {
	case composed && decomposed:
	case composed:
		p.form = "composed letters (NFC)"
	case decomposed:
		p.form = "decomposed letters (NFD)"
	default:
		p.form = "composed and decomposed letters"
	}
	return p, ok
}

// lines are the lines of a text with their ends, also those of old Macs.
func lines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := strings.IndexAny(text, "\r\n")
			switch rest := text[max(n, 0):]; {
			case n < 0:
				n = len(text)
			case strings.HasPrefix(rest, "\r\r\n"):
				n += 3
			case strings.HasPrefix(rest, "\r\n"):
				n += 2
			default:
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// endings says how lines end, with the number of each way where there are several.
func (p *properties) endings() string {
	var parts []string
	for i, n := range p.ends {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, endNames[i]))
		}
	}
	if len(parts) == 1 {
		return strings.TrimLeft(parts[0], "0123456789 ")
	}
	return strings.Join(parts, " and ")
}

// mixed reports whether lines end in more than one way.
func (p *properties) mixed() bool {
	n := 0
	for _, of := range p.ends {
		n += min(of, 1)
	}
	return n > 1
}

// add adds the properties of a file that changed.
func (k *comparison) add(name, was, is string) {
	if was == is {
		return
	}
	b, text := k.read(was, hint(is))
	a, still := k.read(is, hint(was))
	if !text || !still || b.empty || a.empty {
		return
	}
	say := func(what, was, is string) {
		if was != is {
			k.Changes = append(k.Changes, Change{name, what, was, is})
		}
	}
	say(Encoding, b.encoding.String(), a.encoding.String())
	if b.encoding.String() == a.encoding.String() || a.encoding.IsUTF8() {
		say(Mark, yes(b.encoding.Marked()), yes(a.encoding.Marked()))
	}
	was, is = b.endings(), a.endings()
	// Texts of one line end in no way, and mixed ends of which some lines went are as they were.
	if was != "" && is != "" && (!b.mixed() || !a.mixed() || b.lost(a)) {
		say(LineEnds, was, is)
	}
	say(Newline, yes(b.last), yes(a.last))
	if (b.blanks == 0) != (a.blanks == 0) || b.text != a.text && b.lineCount() == a.lineCount() {
		say(Blanks, count(b.blanks), count(a.blanks))
	}
	if b.form != "" && a.form != "" {
		say(Form, b.form, a.form)
	}
}

// hint is a text from which the letters of its other version may be known.
func hint(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return ""
}

func (p *properties) lineCount() int { return p.ends[0] + p.ends[1] + p.ends[2] + p.ends[3] }

// lost reports whether lines that ended in one way end in another now: as many lines, and other numbers.
func (p *properties) lost(now properties) bool {
	return p.lineCount() == now.lineCount() && p.ends != now.ends
}

func count(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// outside counts the bytes of a file outside of changed elements, and how many of them are not as they were. ends are those of lines that
// differ at their end or in their encoding alone.
func (k *comparison) outside(was, is string, changed map[string]bool) (bytes, other, ends int) {
	if was == is || is == "" {
		return len(was), 0, 0
	}
	before, after, kept := k.texts(was, is)
	if changed != nil {
		changed = withLost(changed, before, after)
	}
	there, alike, begun := map[string]int{}, map[string]int{}, map[string]bool{}
	for line := range lines(after) {
		there[line]++
		begun[beginning(line)] = true
		alike[bare(line)]++
	}
	for line := range lines(before) {
		switch same := alike[bare(line)] > 0; {
		case there[line] > 0 && kept(line):
			there[line]--
			bytes += len(line)
		case !same && changed != nil && (strings.TrimSpace(line) == "" || inside(line, changed)):
			continue // blank lines come and go with the elements that they part
		default:
			bytes, other = bytes+len(line), other+len(line)
			if begun[beginning(line)] {
				ends += len(line)
			}
		}
		alike[bare(line)]--
	}
	if changed == nil && other == 0 { // nothing is gone, so lines were put between
		for line, n := range there {
			other += n * len(line)
		}
		bytes = max(bytes, other)
	}
	return bytes, other, ends
}

// beginning is a line without its end and its trailing blanks.
func beginning(line string) string { return norm.NFC.String(strings.TrimRight(line, " \t\r\n")) }

// texts are two versions as texts, or as they are if one is none. kept reports whether a line that both have has the same bytes in
// both encodings.
func (k *comparison) texts(was, is string) (before, after string, kept func(line string) bool) {
	b, text := k.read(was, hint(is))
	a, still := k.read(is, hint(was))
	if !text || !still {
		return was, is, func(string) bool { return true }
	}
	other := b.encoding.String() != a.encoding.String()
	wide := b.encoding.Wide() || a.encoding.Wide()
	return b.text, a.text, func(line string) bool {
		return !other || !wide && !strings.ContainsFunc(line, func(c rune) bool { return c >= utf8.RuneSelf })
	}
}

// bare is a line by what stands in it, whatever the blanks between.
func bare(line string) string {
	return norm.NFC.String(strings.Join(strings.Fields(strings.TrimRight(line, "\r\n")), " "))
}

// inside reports whether a line holds a word of what changed.
func inside(line string, changed map[string]bool) bool {
	return slices.ContainsFunc(wordsIn(line), func(word string) bool { return changed[word] })
}

// withLost adds the words that a text has less often than before.
func withLost(words map[string]bool, before, after string) map[string]bool {
	words = maps.Clone(words)
	left := map[string]int{}
	for _, word := range wordsIn(after) {
		left[word]++
	}
	for _, word := range wordsIn(before) {
		if left[word]--; left[word] < 0 {
			words[word] = true
		}
	}
	return words
}

// wordsOf are the words of texts; nil for nil.
func wordsOf(texts []string) map[string]bool {
	if texts == nil {
		return nil
	}
	words := map[string]bool{}
	for _, text := range texts {
		for _, word := range wordsIn(text) {
			words[word] = true
		}
	}
	return words
}

func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// Properties are the properties of which a file has changed, in their order.
func (k *Kept) Properties() []string {
	return slices.DeleteFunc(Properties(), func(what string) bool {
		return !slices.ContainsFunc(k.Changes, func(c Change) bool { return c.What == what })
	})
}

// Words says in words what became of the bytes, as in "CRLF -> LF, byte order mark lost"; empty if they were kept.
func (k *Kept) Words() string {
	if k == nil {
		return ""
	}
	files := map[string]bool{}
	for _, c := range k.Changes {
		files[c.File] = true
	}
	var all []string
	for i, c := range k.Changes {
		words := c.String()
		if len(files) > 1 && (i == 0 || k.Changes[i-1].File != c.File) {
			words = c.File + ": " + words
		}
		all = append(all, words)
	}
	return strings.Join(all, ", ")
}

// String is the change in words, without its file.
func (c Change) String() string {
	switch c.What {
	case Mark, Executable:
		if c.Is == "yes" {
			return c.What + " added"
		}
		return c.What + " lost"
	case Newline:
		if c.Is == "yes" {
			return "a newline at the end"
		}
		return "no newline at the end"
	case Blanks:
		return fmt.Sprintf("trailing blanks: %s -> %s", c.Was, c.Is)
	case Rest:
		return c.Is
	}
	return c.Was + " -> " + c.Is
}
