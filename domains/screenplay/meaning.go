package screenplay

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/texts"
	published "agentd/domains/published/screenplay"
	"agentd/vfs"
)

// elements flattens a play: speeches, the cast, directions and the sentences of
// all other text, each with an order, and headings.
func elements(files vfs.Files) []domains.Element {
	p := readFiles(files)
	f := flattener{all: make([]domains.Element, 0, len(p.blocks)), speakers: map[string]string{}}
	for i := range p.blocks {
		f.addBlock(&p.blocks[i])
	}
	return f.all
}

// readFiles reads the files of a play in the order of their names: a later one goes on where the one before it ends.
func readFiles(files vfs.Files) play {
	names := files.Names()
	if len(names) == 1 {
		return readText(files[names[0]])
	}
	var lines []string
	for _, name := range names {
		lines = append(lines, plain.Lines(files[name])...)
	}
	return read(lines)
}

type flattener struct {
	all                          []domains.Element
	speakers                     map[string]string // names and how they are compared
	speeches, directions, others int
}

func (f *flattener) add(kind, key string, position int, fields ...domains.Field) {
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
}

func (f *flattener) addBlock(b *block) {
	if b.kind == counted {
		f.addSpeech(b)
		return
	}
	text := plainly(strings.Join(b.text(), " "))
	switch b.kind {
	case heading:
		f.add(heading, "heading "+b.name, 0, domains.Field{Value: b.name})
	case character:
		f.add(character, "character "+b.name, 0,
			domains.Field{Name: "name", Value: f.speaker(b.name)}, domains.Field{Name: "description", Value: text})
	case direction:
		f.directions++
		text = bareDirection(text)
		f.add(direction, "direction ("+texts.Opening(text)+")", f.directions, sentenceFields(nil, text)...)
	case prose:
		where := "line "
		if b.in == scene {
			where = "scene, sentence "
		}
		for sentence := range sentences(text) {
			f.others++
			f.add(prose, where+strconv.Itoa(f.others), f.others, domains.Field{Value: sentence})
		}
	}
}

func (f *flattener) addSpeech(b *block) {
	f.speeches++
	text := strings.Join(b.text(), " ")
	if b.manner != "" {
		text = b.manner + " " + text
	}
	text = plainly(text)
	said, inside := parentheticals(text)
	if len(inside) > mostSentences {
		inside = append(inside[:mostSentences:mostSentences], strings.Join(inside[mostSentences:], " "))
	}
	fields := sentenceFields([]domains.Field{{Name: "speaker", Value: f.speaker(b.name)}}, said)
	for _, p := range inside {
		fields = append(fields, domains.Field{Name: "parenthetical", Value: p})
	}
	f.add(counted, b.name+`, "`+texts.Opening(text)+`"`, f.speeches, fields...)
}

func (f *flattener) speaker(name string) string {
	folded, known := f.speakers[name]
	if !known {
		folded = foldName(name)
		f.speakers[name] = folded
	}
	return folded
}

// sentences divides a text as plainly gives it.
func sentences(text string) iter.Seq[string] { return texts.Sentences(text, `"'([`) }

// mostSentences are compared one by one; of a longer text the rest counts as one.
const mostSentences = 250

func sentenceFields(fields []domains.Field, text string) []domains.Field {
	n, seen := 0, 0
	for sentence := range sentences(text) {
		if n++; n > mostSentences {
			return append(fields, domains.Field{Name: "sentence", Value: text[seen:]})
		}
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
		seen += len(sentence) + len(" ")
	}
	return fields
}

// without leaves speeches out, counted through all files.
func without(files vfs.Files, leave func() bool) vfs.Files {
	names := files.Names()
	var lines []string
	ends := make([]int, len(names)) // of the files
	for k, name := range names {
		lines = append(lines, plain.Lines(files[name])...)
		ends[k] = len(lines)
	}
	left := make([]bool, len(lines))
	p := read(slices.Clone(lines))
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != counted {
			continue
		}
		if leave() {
			for at := b.from; at < b.from+len(b.lines); at++ {
				left[at] = true
			}
		}
	}
	kept, start := vfs.Files{}, 0
	for k, name := range names {
		kept[name] = plain.Text(remaining(lines[start:ends[k]], left[start:ends[k]]))
		start = ends[k]
	}
	return kept
}

// remaining are the lines that are not left out, without the blank ones after those that are.
func remaining(lines []string, left []bool) []string {
	var kept []string
	gone := false
	for at, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if left[at] || gone && blank {
			gone = true
			continue
		}
		gone = false
		kept = append(kept, line)
	}
	return kept
}

// compared is what Strict compares of two plays. It says of directions, of lines
// in the dialogue, and of headings before what they stand, and marks speeches and
// directions of the candidate in which the same sentences stand in another order.
func compared(ref, got []domains.Element) (refs, gots []domains.Element) {
	if slices.EqualFunc(ref, got, equal) {
		return ref, got
	}
	refDigests, gotDigests := lists.Each(ref, element.InOrder), lists.Each(got, element.InOrder)
	shared := sharedElements(ref, refDigests, gotDigests)
	return placed(ref, refDigests, shared), placed(element.MarkReordered(ref, got, inOneOrder), gotDigests, shared)
}

func equal(a, b domains.Element) bool {
	return a.Kind == b.Kind && a.Position == b.Position && slices.Equal(a.Fields, b.Fields)
}

// sharedElements are the elements that stand unchanged, and equally often, in both plays, with the reference's key.
func sharedElements(ref []domains.Element, refs, gots []uint64) map[uint64]string {
	more := map[uint64]int{} // in the reference than in the candidate
	for _, digest := range refs {
		more[digest]++
	}
	for _, digest := range gots {
		more[digest]--
	}
	shared := map[uint64]string{}
	for i, digest := range refs {
		if more[digest] == 0 && ref[i].Kind != heading {
			shared[digest] = ref[i].Key
		}
	}
	return shared
}

// placed adds to each direction, and to each line after the first shared speech,
// the key of the next one, and to each heading that of the next shared element.
func placed(elements []domains.Element, digests []uint64, shared map[uint64]string) []domains.Element {
	elements = slices.Clone(elements)
	first := 0
	for first < len(elements) && (elements[first].Kind != counted || shared[digests[first]] == "") {
		first++
	}
	speech, other := "the end", "the end"
	from := map[uint64]int{} // how often a digest was met, from the end
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch {
		case e.Kind == heading:
			e.Fields = before(e.Fields, other)
		case e.Kind == direction, e.Kind == prose && i > first:
			e.Fields = before(e.Fields, speech)
		}
		key, ok := shared[digests[i]]
		if !ok {
			continue
		}
		if from[digests[i]]++; from[digests[i]] > 1 {
			key = fmt.Sprintf("%s, %d from the end", key, from[digests[i]])
		}
		other = key
		if e.Kind == counted {
			speech = key
		}
	}
	return elements
}

func before(fields []domains.Field, key string) []domains.Field {
	return append(slices.Clone(fields), domains.Field{Name: "before", Value: key})
}

// inOneOrder are the fields of a speech or of a direction; nil for what is neither.
func inOneOrder(e *domains.Element) []domains.Field {
	if e.Kind != counted && e.Kind != direction {
		return nil
	}
	return e.Fields
}

// typography are the signs that word processors put for those of a keyboard.
var typography = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "′", "'", "“", `"`, "”", `"`, "„", `"`, "″", `"`,
	"‐", "-", "‑", "-", "–", "—", "―", "—", "--", "—", "…", "...", "\u00ad", "",
)

// plainly is a text in the signs of a keyboard, with single blanks.
func plainly(text string) string {
	if strings.Contains(text, "--") || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		text = typography.Replace(text)
	}
	return pytext.Collapse(text)
}

// parentheticals takes what stands in parentheses out of a text and leaves "()" in
// its place. An open parenthesis without its end stays.
func parentheticals(text string) (rest string, inside []string) {
	rest = replaceParentheticals(text, func(one string) string {
		inside = append(inside, pytext.Strip(one))
		return "()"
	})
	return rest, inside
}

// replaceParentheticals replaces the outermost parentheses of a text.
func replaceParentheticals(text string, by func(inside string) string) string {
	if !strings.Contains(text, "(") {
		return text
	}
	var b strings.Builder
	depth, start, kept := 0, 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(':
			if depth++; depth == 1 {
				start = i
			}
		case text[i] == ')' && depth > 0:
			if depth--; depth == 0 {
				b.WriteString(text[kept:start])
				b.WriteString(by(text[start+1 : i]))
				kept = i + 1
			}
		}
	}
	b.WriteString(text[kept:])
	return b.String()
}

// bareDirection is the text of a direction without its parentheses and what may
// mark it as one. If its parentheses are no pair they stay.
func bareDirection(text string) string {
	text = strings.Trim(text, emphasis)
	if inner, ok := published.CutNumbered(text); ok {
		text = inner
	}
	open, shut := byte('('), byte(')')
	if strings.HasPrefix(text, "[") {
		open, shut = '[', ']'
	}
	if !isPair(text, open, shut) {
		return text
	}
	text = pytext.Strip(text[1 : len(text)-1])
	const label = "stage direction:"
	if len(text) > len(label) && strings.EqualFold(text[:len(label)], label) {
		text = pytext.Strip(text[len(label):])
	}
	return text
}

// isPair reports whether the bracket that opens a text is shut at its end.
func isPair(text string, open, shut byte) bool {
	if text == "" || text[0] != open {
		return false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}

func belongsToName(r rune) bool {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) ||
		strings.ContainsRune(" \t\u00a0.'’-‑&/#", r)
}

// isClock reports whether a colon stands in a time or an address.
func isClock(name, rest string) bool {
	if strings.HasPrefix(rest, "/") {
		return true
	}
	return rest != "" && unicode.IsDigit(rune(rest[0])) && unicode.IsDigit(rune(name[len(name)-1]))
}

// foldName is a name as speakers are compared.
func foldName(name string) string {
	return strings.ToUpper(pytext.Collapse(plainly(name)))
}

// isCapitals reports whether a name is written in capitals, of which "Mc" and "Mac" may be an exception.
func isCapitals(name string) bool {
	letters := 0
	for _, word := range strings.FieldsFunc(name, pytext.IsSpace) {
		for _, scottish := range []string{"Mac", "Mc"} {
			word = strings.TrimPrefix(word, scottish)
		}
		for _, r := range word {
			if unicode.IsLower(r) {
				return false
			}
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return letters > 0
}

// isTitled reports whether a name is of a few words with capitals or digits at their beginning.
func isTitled(name string) bool {
	const most = 4
	words := pytext.Fields(name)
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return len(words) > 0 && len(words) <= most && strings.ContainsFunc(name, unicode.IsLetter)
}
