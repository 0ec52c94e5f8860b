package earncall

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// compared is what Strict compares of two documents. It drops headings that only the candidate has, says of the others
// before which turn they stand, and marks turns of the candidate in which a turn's sentences stand in another order.
func compared(ref, got []domains.Element) (refs, gots []domains.Element) {
	known := headings(ref)
	if len(headings(got)) > 0 {
		got = withoutNew(got, known)
		if len(known) > 0 {
			shared := sharedTurns(ref, got)
			ref, got = placed(ref, shared), placed(got, shared)
		}
	}
	return ref, element.MarkReordered(ref, got, inTurn)
}

// headings counts the headings of a document.
func headings(elements []domains.Element) map[string]int {
	counts := map[string]int{}
	for i := range elements {
		if elements[i].Kind == headingKind {
			counts[elements[i].Fields[0].Value]++
		}
	}
	return counts
}

// withoutNew leaves out the headings of a candidate that the reference does not have, or not as often.
func withoutNew(got []domains.Element, known map[string]int) []domains.Element {
	left := maps.Clone(known)
	return slices.DeleteFunc(slices.Clone(got), func(e domains.Element) bool {
		if e.Kind != headingKind {
			return false
		}
		name := e.Fields[0].Value
		left[name]--
		return left[name] < 0
	})
}

// sharedTurns are the turns that stand unchanged, once, in both documents, with the reference's key.
func sharedTurns(ref, got []domains.Element) map[uint64]string {
	shared, inGot := map[uint64]string{}, once(got)
	for digest, e := range once(ref) {
		if e != nil && inGot[digest] != nil {
			shared[digest] = e.Key
		}
	}
	return shared
}

// once files turns under their digests, nil where several are equal.
func once(elements []domains.Element) map[uint64]*domains.Element {
	turns := map[uint64]*domains.Element{}
	for i := range elements {
		e := &elements[i]
		if e.Kind != counted {
			continue
		}
		digest := element.InOrder(e)
		if _, twice := turns[digest]; twice {
			e = nil
		}
		turns[digest] = e
	}
	return turns
}

// placed adds to each heading the key of the next shared turn after it.
func placed(elements []domains.Element, shared map[uint64]string) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case headingKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "before", Value: next})
		case counted:
			if key, ok := shared[element.InOrder(e)]; ok {
				next = key
			}
		}
	}
	return elements
}

// inTurn are the fields of a turn, of which the first is its speaker; nil for what is no turn.
func inTurn(e *domains.Element) []domains.Field {
	const single = 2 // fields: the speaker and a sentence
	if e.Kind != counted || len(e.Fields) <= single {
		return nil
	}
	return e.Fields
}

// evidence counts the turns in which somebody speaks. There are none if other turns, or lines that begin as headings
// and items of lists do, outnumber them: other documents have lines that begin with a label and a colon too.
func evidence(files vfs.Files, elements []domains.Element) int {
	spoken := domains.Where(isSpoken)(files, elements)
	others := domains.OfKinds(counted)(files, elements) - spoken
	for _, text := range files {
		others += len(listed.FindAllStringIndex(text, spoken+1))
	}
	if others > spoken {
		return 0
	}
	return spoken
}

// listed is how a heading, an item of a list or a row of a table begins.
var listed = lazyregexp.New(`(?m)^[ \t]*(?:[#|]|[-*+] |[0-9]+[.)] )`)

// isSpoken reports whether an element is a turn in which a person, called by first and
// last name or by a part in the call, says a sentence.
func isSpoken(e *domains.Element) bool {
	const least = 2 // words, which tell a sentence from a label's value
	speaker := e.Value("speaker")
	if e.Kind != counted || len(pytext.Fields(speaker)) < 2 && !unnamed[speaker] {
		return false
	}
	words := 0
	for _, f := range e.Fields {
		if f.Name == "sentence" && strings.ContainsAny(lastOf(f.Value), ".?!") {
			words += len(pytext.Fields(f.Value))
		}
	}
	return words >= least
}

// unnamed are what speakers are called whose names the transcript does not know.
var unnamed = sets.Words("operator moderator analyst")

// lastOf is the last character of a sentence, without the quotes and brackets after it.
func lastOf(sentence string) string {
	sentence = strings.TrimRight(sentence, `"')]`)
	return sentence[max(0, len(sentence)-1):]
}

// byValue writes the figures of a text in one way, so that equal ones are equal texts: "$1,480 million" as "$1.48
// billion", "24.90 percent" as "24.9%", "40 bps" as "40 basis points".
func byValue(text string) string {
	at := strings.IndexFunc(text, isASCIIDigit)
	if at < 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for at < len(text) {
		if !isASCIIDigit(rune(text[at])) {
			at++
			continue
		}
		end := numberEnd(text, at)
		if written, after, ok := figure(text, at, end); ok {
			before, sign := signBefore(text[done:at])
			if sign == "" {
				sign, after = signAfter(text, after)
			}
			b.WriteString(before + sign + written)
			done, end = after, after
		}
		at = end
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

func isASCIIDigit(r rune) bool { return r >= '0' && r <= '9' }

// numberEnd is where a number ends that begins at a place: digits, groups of three after commas, a fraction.
func numberEnd(text string, at int) int {
	digits := func(at int) int {
		for at < len(text) && isASCIIDigit(rune(text[at])) {
			at++
		}
		return at
	}
	const group = 3
	end := digits(at)
	if end-at <= group {
		for end < len(text) && text[end] == ',' && digits(end+1) == end+1+group {
			end += 1 + group
		}
	}
	if end+1 < len(text) && text[end] == '.' {
		if fraction := digits(end + 1); fraction > end+1 {
			end = fraction
		}
	}
	return end
}

// figure writes the number that stands at a place, with the scale and unit after it, by its value. Parts of words, of
// longer numbers and numbers with leading zeros are none.
func figure(text string, at, end int) (written string, after int, ok bool) {
	const longest = 30
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	number := strings.ReplaceAll(text[at:end], ",", "")
	leadingZero := len(number) > 1 && number[0] == '0' && number[1] != '.'
	if at > 0 && (unicode.IsLetter(before) || before == '.' || before == ',') || leadingZero || len(number) > longest {
		return "", 0, false
	}
	power, end := scale(text, end, strings.ContainsRune("$€£¥", before))
	written = inWords(shifted(number, power))
	unit, end := unitAt(text, end)
	if end < len(text) && unit == "" {
		if next, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsLetter(next) {
			return "", 0, false
		}
	}
	return written + unit, end, true
}

// scales are the powers of ten of the words after a number, the abbreviations only after amounts.
var scales = []struct {
	word       string
	power      int
	amountOnly bool
}{
	{"thousand", 3, false}, {"million", 6, false}, {"billion", 9, false}, {"trillion", 12, false},
	{"mn", 6, true}, {"mm", 6, true}, {"bn", 9, true}, {"k", 3, true}, {"m", 6, true}, {"b", 9, true},
}

// scale takes a blank, if there is one, and a scale.
func scale(text string, at int, amount bool) (power, end int) {
	for _, s := range scales {
		if s.amountOnly && !amount {
			continue
		}
		if end := wordAt(text, at, s.word); end >= 0 {
			return s.power, end
		}
	}
	return 0, at
}

// units are the words after a number that name its unit.
var units = []struct{ word, unit string }{
	{"percent", "%"}, {"per cent", "%"},
	{"basis points", basisPoints}, {"basis point", basisPoints}, {"bps", basisPoints}, {"bp", basisPoints},
}

const basisPoints = " basis points"

// unitAt takes a percent sign or basis points, in any words.
func unitAt(text string, at int) (unit string, end int) {
	if after, found := strings.CutPrefix(strings.TrimPrefix(text[at:], " "), "%"); found {
		return "%", len(text) - len(after)
	}
	for _, u := range units {
		if end := wordAt(text, at, u.word); end >= 0 {
			return u.unit, end
		}
	}
	return "", at
}

// currencies are those that are meant by a sign alone, and their ISO codes.
var currencies = []struct{ code, sign string }{{"USD", "$"}, {"EUR", "€"}, {"GBP", "£"}, {"JPY", "¥"}}

// signBefore cuts the sign or the code of a currency from the end of the text before a number.
func signBefore(text string) (before, sign string) {
	for _, c := range currencies {
		if before, ok := strings.CutSuffix(text, c.sign); ok {
			return before, c.sign
		}
		if before, ok := strings.CutSuffix(strings.TrimSuffix(text, " "), c.code); ok {
			last, _ := utf8.DecodeLastRuneInString(before)
			if !unicode.IsLetter(last) && !unicode.IsDigit(last) {
				return before, c.sign
			}
		}
	}
	return text, ""
}

// signAfter takes the code of a currency after a number, and gives its sign.
func signAfter(text string, at int) (sign string, end int) {
	for _, c := range currencies {
		if end := wordAt(text, at, c.code); end >= 0 && strings.HasSuffix(text[:end], c.code) {
			return c.sign, end
		}
	}
	return "", at
}

// wordAt is where a word ends that stands at a place, after a blank or not, in any letter case; -1 if it does not.
func wordAt(text string, at int, word string) int {
	if strings.HasPrefix(text[at:], " ") {
		at++
	}
	end := at + len(word)
	if end > len(text) || !strings.EqualFold(text[at:end], word) {
		return -1
	}
	if r, _ := utf8.DecodeRuneInString(text[end:]); end < len(text) && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return -1
	}
	return end
}

// shifted moves the point of a decimal number to the right.
func shifted(number string, places int) string {
	whole, fraction, _ := strings.Cut(number, ".")
	fraction += strings.Repeat("0", max(places-len(fraction), 0))
	return plain.Number(whole + fraction[:places] + "." + fraction[places:])
}

// inWords writes numbers from a million up to a trillion in millions and billions.
func inWords(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	for _, s := range scales[1:3] { // million, billion
		if len(whole) > s.power && len(whole) <= s.power+3 {
			at := len(whole) - s.power
			return plain.Number(whole[:at]+"."+whole[at:]+fraction) + " " + s.word
		}
	}
	return number
}

// typography are the signs that word processors put for those of a keyboard.
var typography = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "′", "'", "“", `"`, "”", `"`, "„", `"`, "″", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-", " -- ", " - ", "…", "...", "\u00ad", "",
)

// plainly is a text in the signs of a keyboard, with single blanks and figures by their value.
func plainly(text string) string {
	if strings.Contains(text, "--") || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		text = typography.Replace(text)
	}
	return byValue(pytext.Collapse(text))
}

// The kinds of elements other than turns.
const (
	lineKind    = "line"
	headingKind = "heading"
)

// elements flattens the files in name order: turns, which have an order, section headings, and lines outside of turns.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	add := func(kind, key string, position int, fields ...domains.Field) {
		all = append(all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
	}
	turns, lines := 0, 0
	speakers := folding{}
	for _, name := range files.Names() {
		for _, p := range read(files[name]).parts {
			if p.Heading != "" {
				add(headingKind, "heading "+strconv.Quote(p.Heading), 0, domains.Field{Value: section(p.Heading)})
			}
			for _, line := range p.Lines {
				lines++
				add(lineKind, "line "+strconv.Itoa(lines)+" outside of turns", lines, domains.Field{Value: plainly(line)})
			}
			for k := range p.Turns {
				turns++
				t := &p.Turns[k]
				add(counted, t.key(), turns, t.fields(speakers.of(t.Speaker))...)
			}
		}
	}
	return all
}

// folding remembers the names that were folded.
type folding map[string]string

// of is a name without case, typography and odd blanks.
func (f folding) of(name string) string {
	folded, known := f[name]
	if !known {
		folded = strings.ToLower(pytext.Collapse(typography.Replace(name)))
		f[name] = folded
	}
	return folded
}

// mostSentences are compared one by one; of a longer turn the rest counts as one.
const mostSentences = 250

func (t *turn) fields(speaker string) []domains.Field {
	said := slices.Collect(texts.Sentences(plainly(strings.Join(t.Lines, " ")), `"'([$€£`))
	if len(said) > mostSentences {
		said = append(said[:mostSentences:mostSentences], strings.Join(said[mostSentences:], " "))
	}
	fields := make([]domains.Field, 1, 1+len(said))
	fields[0] = domains.Field{Name: "speaker", Value: speaker}
	for _, sentence := range said {
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
	}
	return fields
}

// key names a turn by its speaker and first words.
func (t *turn) key() string {
	if len(t.Lines) == 0 {
		return t.Speaker
	}
	return t.Speaker + `, "` + texts.Opening(t.Lines[0]) + `"`
}

// without leaves turns out, counted through all files.
func without(_, text string, leave func() bool) string {
	c := read(text)
	for i := range c.parts {
		c.parts[i].Turns = slices.DeleteFunc(c.parts[i].Turns, func(turn) bool { return leave() })
	}
	return c.print()
}

// counted is the kind of element that is counted.
const counted = "turn"
