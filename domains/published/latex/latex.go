// Package latex is the published reading and score of the domain latex.
//
//   - text T: ratio of the two normalised texts by characters.
//   - citations S: ratio of the two fingerprint sequences (element equality of triples); both empty 1, one empty 0.
//   - bibliography B: Jaccard of the fingerprint sets; both empty 1, one empty 0.
//   - fields F: over fingerprints on both sides (last entry with a fingerprint stands), mean of entry scores; 0 if
//     there is none, even when both bibliographies are empty. Entry score: over author, title, year, journal,
//     booktitle, volume, number, pages, publisher present in either entry: normalised values equal 1, both non-empty
//     ratio by characters, else 0; mean; 1 if no field is present.
//
// score = 0.35 T + 0.25 S + 0.20 B + 0.20 F. No rounding.
//
// Ratio: difflib, 2M/T over the recursive longest-common-block search, earliest block on ties; 1 for two empty
// sequences. Autojunk is on and decides the result here: with 200 or more characters in the candidate text, every
// character occurring more than floor(n/100)+1 times (nearly all letters) cannot seed a block; a block starts only at a
// rare character and is then extended over its neighbours. Two swapped paragraphs can fall to 0.2
// (latex-a-swap-two-records: T = 0.196). The port must be exact, including the choice of candidate as second argument.
// Sequences of citations have autojunk from 200 citations on.
//
// R, or ratio, is that of package ratio, with the reference first.
package latex

import (
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Paper is a document as the published evaluator reads it.
type Paper struct {
	text      string
	sections  int
	cites     int // \cite without an option
	entries   []entry
	citations []fingerprint
}

// entry is a work in the bibliography.
type entry struct {
	key    string
	fields map[string]string
	print  fingerprint
}

// fingerprint is what a work is known by, regardless of its key.
type fingerprint struct{ title, year, author string }

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Paper, error) {
	var tex, bib strings.Builder
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".tex":
			tex.WriteString(files[name] + "\n")
		case ".bib":
			bib.WriteString(files[name] + "\n")
		}
	}
	p := Paper{text: extract(tex.String()), entries: parseEntries(bib.String())}
	p.countCommands(tex.String())
	byKey := make(map[string]fingerprint, len(p.entries))
	for _, e := range p.entries {
		byKey[e.key] = e.print
	}
	for c := range pattern(citation).in(tex.String()) {
		for key := range strings.SplitSeq(c.argument, ",") {
			if print, known := byKey[pytext.Strip(key)]; known {
				p.citations = append(p.citations, print)
			}
		}
	}
	return p, nil
}

func (p *Paper) countCommands(tex string) {
	for _, command := range []string{`\section{`, `\subsection{`, `\subsubsection{`} {
		p.sections += strings.Count(tex, command)
	}
	p.cites = strings.Count(tex, `\cite{`)
}

// parseEntries finds entries as the published pattern does: an entry runs from its @ to before the next one, which must
// begin a line; if it does not, the entry is not read. The last entry of a key stands.
func parseEntries(bib string) []entry {
	var all []entry
	commas, ats := finder{text: bib, byte: ','}, finder{text: bib, byte: '@'}
	for at := 0; at < len(bib); {
		n := strings.IndexByte(bib[at:], '@')
		if n < 0 {
			break
		}
		at += n + 1
		word := after(bib, at, pytext.IsWord)
		open := afterSpace(bib, word)
		if word == at || !hasByte(bib, open, '{') {
			continue
		}
		comma := commas.from(open + 1)
		if comma < 0 {
			break
		}
		if comma == open+1 {
			continue
		}
		end := ats.from(comma)
		switch {
		case end < 0:
			end = len(bib)
		case bib[end-1] == '\n' && end-1 > comma:
			end--
		default:
			continue
		}
		e := entry{key: pytext.Strip(bib[open+1 : comma]), fields: parseFields(bib[comma+1 : end])}
		e.print = fingerprintOf(e.fields)
		all = append(all, e)
		at = end
	}
	return sets.LastByName(all, func(e *entry) string { return e.key })
}

// field is one whose value stands in braces, with at most one level of braces inside, or in quotes.
var field = pytext.Pattern(`(\w+)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|"([^"]*)")`)

func parseFields(text string) map[string]string {
	fields := map[string]string{}
	for _, found := range field.FindAllStringSubmatch(text, -1) {
		fields[pytext.Lower(found[1])] = pytext.Strip(found[2] + found[3])
	}
	return fields
}

func fingerprintOf(fields map[string]string) fingerprint {
	const longest = 60 // characters of a title
	return fingerprint{title: pytext.First(normal(fields["title"]), longest), year: fields["year"], author: normal(lastName(fields["author"]))}
}

// lastName is the last name of the first author.
func lastName(author string) string {
	author, _, _ = strings.Cut(author, " and ")
	if last, _, found := strings.Cut(author, ","); found {
		return last
	}
	names := pytext.Fields(author)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1]
}

// normal is a text without braces, in lower case, with single blanks.
func normal(text string) string { return pytext.Collapse(withoutBraces.Replace(pytext.Lower(text))) }

var withoutBraces = strings.NewReplacer("{", "", "}", "")

func afterSpace(text string, at int) int { return after(text, at, pytext.IsSpace) }

// after is the place after the characters of a kind that begin at a place.
func after(text string, at int, is func(rune) bool) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !is(r) {
			break
		}
		at += size
	}
	return at
}

func hasByte(text string, at int, c byte) bool { return at < len(text) && text[at] == c }

// finder finds a byte from places that do not go back, in linear time.
type finder struct {
	text string
	byte byte
	next int // where it was found last, len(text) if nowhere
}

// from is the first place of the byte from a place on, -1 if there is none.
func (f *finder) from(at int) int {
	if at > f.next || f.next == 0 {
		n := -1
		if at <= len(f.text) {
			n = strings.IndexByte(f.text[at:], f.byte)
		}
		f.next = len(f.text)
		if n >= 0 {
			f.next = at + n
		}
	}
	if f.next >= len(f.text) {
		return -1
	}
	return f.next
}

// publishedCitations are the commands that the published pattern takes for citations.
var publishedCitations = strings.Fields("cite citep citet citeauthor citeyear autocite textcite parencite")

// extract is the text that the published score compares. Each step works on what the one before it has left.
func extract(tex string) string {
	text := comment.ReplaceAllString(tex, "")
	text = pattern(citation).replaced(text, func(keys string) string { return " [CITE:" + keys + "] " })
	text = commands("ref").replaced(text, func(label string) string { return "[REF:" + label + "]" })
	text = commands("label").replaced(text, func(string) string { return "" })
	text = commands("textit", "textbf", "emph", "texttt").replaced(text, func(words string) string { return words })
	text = commands("section", "section*").replaced(text, func(title string) string { return "## " + title })
	text = commands("subsection", "subsection*").replaced(text, func(title string) string { return "### " + title })
	text = pattern(anyCommand).replaced(text, func(string) string { return "" })
	return normal(text)
}

// comment begins at the first percent sign of a line, escaped or not.
var comment = lazyregexp.New(`%[^\n]*`)

// match is a command that a pattern finds, from one byte to before another.
type match struct {
	at, end  int
	argument string
}

// pattern reads a command whose backslash is at a place, with the letters after it up to another
// one. It reports whether that is one of its matches.
type pattern func(t *searched, at, end int) (match, bool)

// replaced puts a text in the place of each match.
func (p pattern) replaced(text string, by func(argument string) string) string {
	var b strings.Builder
	b.Grow(len(text))
	from := 0
	for m := range p.in(text) {
		b.WriteString(text[from:m.at])
		b.WriteString(by(m.argument))
		from = m.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// in are the matches in a text.
func (p pattern) in(text string) iter.Seq[match] {
	return func(yield func(match) bool) {
		t := &searched{text: text, braces: finder{text: text, byte: '}'}, brackets: finder{text: text, byte: ']'}}
		for at := 0; ; {
			n := strings.IndexByte(text[at:], '\\')
			if n < 0 {
				return
			}
			at += n
			end := at + 1
			for end < len(text) && IsLetter(text[end]) {
				end++
			}
			m, ok := p(t, at, end)
			if !ok {
				at++
				continue
			}
			if !yield(m) {
				return
			}
			at = m.end
		}
	}
}

// citation finds the citation commands with at most one option, and keys.
func citation(t *searched, at, end int) (match, bool) {
	if !slices.Contains(publishedCitations, t.text[at+1:end]) {
		return match{}, false
	}
	next := afterSpace(t.text, end)
	if close := t.option(next); close >= 0 {
		next = afterSpace(t.text, close+1)
	}
	close := t.group(next)
	if close <= next+1 {
		return match{}, false
	}
	return match{at: at, end: close + 1, argument: t.text[next+1 : close]}, true
}

// commands finds commands of some names, each straight before its argument.
func commands(names ...string) pattern {
	return func(t *searched, at, end int) (match, bool) {
		end = t.afterStar(end)
		close := t.group(end)
		if close < 0 || !slices.Contains(names, t.text[at+1:end]) {
			return match{}, false
		}
		return match{at: at, end: close + 1, argument: t.text[end+1 : close]}, true
	}
}

// anyCommand finds every command with its star, and with an option and an argument that stand straight after it.
func anyCommand(t *searched, at, end int) (match, bool) {
	if end == at+1 {
		return match{}, false
	}
	end = t.afterStar(end)
	if close := t.option(end); close >= 0 {
		end = close + 1
	}
	if close := t.group(end); close >= 0 {
		end = close + 1
	}
	return match{at: at, end: end}, true
}

// searched is a text in which commands are found.
type searched struct {
	text             string
	braces, brackets finder // that close
}

func (t *searched) afterStar(at int) int {
	if hasByte(t.text, at, '*') {
		at++
	}
	return at
}

// group is the place of the first brace that closes after one that opens at a place, -1 if there is none.
func (t *searched) group(at int) int {
	if !hasByte(t.text, at, '{') {
		return -1
	}
	return t.braces.from(at + 1)
}

func (t *searched) option(at int) int {
	if !hasByte(t.text, at, '[') {
		return -1
	}
	return t.brackets.from(at + 1)
}

// IsLetter reports whether a character is an ASCII letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Stats counts the parts of a document.
func Stats(p Paper) domains.Stats {
	return domains.StatsOf(len(p.entries), "Sections", p.sections, "Citations", p.cites, "Bib Entries", len(p.entries),
		"Words", len(strings.Fields(p.text)))
}

// Score is seven twentieths the text, a quarter the sequence of works cited, a
// fifth the set of works, and a fifth the fields of works on both sides.
func Score(reference, candidate Paper, noted *notes.Notes) domains.Reading {
	text := ratio.BoundedRunes([]rune(reference.text), []rune(candidate.text), limits, noted)
	cited := ratio.Bounded(reference.citations, candidate.citations, limits, noted)
	fingerprintOf := func(e *entry) fingerprint { return e.print }
	ref, got := lists.Each(reference.entries, fingerprintOf), lists.Each(candidate.entries, fingerprintOf)
	works := sets.Jaccard(ref, got)
	var accuracy sets.Mean // of several entries of one work the last stands
	for _, pair := range sets.LastPairs(ref, got) {
		accuracy.Add(entrySimilarity(reference.entries[pair[0]].fields, candidate.entries[pair[1]].fields, noted))
	}
	fields := accuracy.Or(0)
	return domains.Reading{
		RS: float64(0.35*text) + float64(0.25*cited) + float64(0.20*works) + float64(0.20*fields),
		Components: map[string]float64{
			"text_score": text, "citation_sequence_score": cited, "bib_completeness_score": works, "field_accuracy_score": fields,
		},
		Elements: domains.Elements{Reference: len(reference.entries), Candidate: len(candidate.entries)},
	}
}

// comparedFields are the fields that the published score looks at.
var comparedFields = strings.Fields("author title year journal booktitle volume number pages publisher")

func entrySimilarity(ref, got map[string]string, noted *notes.Notes) float64 {
	var fields sets.Mean
	for _, name := range comparedFields {
		was, inRef := ref[name]
		is, inGot := got[name]
		if !inRef && !inGot {
			continue
		}
		was, is = normal(was), normal(is)
		switch {
		case was == is:
			fields.Add(1)
		case was != "" && is != "":
			fields.Add(ratio.BoundedRunes([]rune(was), []rune(is), fieldLimits, noted))
		default:
			fields.Add(0)
		}
	}
	return fields.Or(1)
}

var (
	// limits are those of a document's text and citations. Documents of 50,000 tokens are within them.
	limits = ratio.Limits{Work: 1 << 34, Pairs: 1 << 25, Lopsided: 1 << 25}
	// fieldLimits are those of a field of an entry, of which there are many.
	fieldLimits = ratio.Limits{Work: 1 << 24, Pairs: 1 << 20, Lopsided: 1 << 20}
)

// Others counts the parts by which a document without a counted element is scored.
func Others(p Paper) int { return len(p.text) }
