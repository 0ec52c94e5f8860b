package translation

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	p := d.asReference()
	language, known := p.metadata["Language"]
	if !known {
		language = "unknown"
	}
	fuzzy, plurals, comments := 0, 0, 0
	for i := range p.entries {
		e := &p.entries[i]
		if slices.Contains(e.Flags, "fuzzy") {
			fuzzy++
		}
		if e.Text(PluralField) != "" {
			plurals++
		}
		if comment(e.Extracted) != "" || comment(e.Notes) != "" {
			comments++
		}
	}
	return domains.StatsOf(len(p.entries), "Entries", len(p.entries), "Language", language, "Fuzzy", fuzzy,
		"Plurals", plurals, "Comments", comments)
}

// Score is coverage² times a weighted mean: translation 0.40, flags 0.10,
// metadata 0.10, comments 0.15, sequence 0.10 and coverage 0.15.
func Score(reference, candidate Document) domains.Reading {
	ref, got := reference.asReference(), candidate.asCandidate()
	common := sets.PairByName(ref.entries, got.entries, (*Message).publishedKey)
	coverage := common.Jaccard()
	var translation, flags, comments sets.Mean
	for _, both := range common.Both {
		r, g := both[0], both[1]
		translation.Add(translationSimilarity(r, g))
		flags.Add(sets.Jaccard(r.Flags, g.Flags))
		comments.Add(commentSimilarity(r, g))
	}
	c := map[string]float64{
		"coverage":    coverage,
		"translation": translation.Or(0),
		"flags":       flags.Or(1),
		"metadata":    metadataSimilarity(ref.metadata, got.metadata),
		"comments":    comments.Or(1),
		"sequence":    ratio.Tokens(publishedKeys(ref.entries), publishedKeys(got.entries), true),
	}
	quality := float64(0.40*c["translation"]) + float64(0.10*c["flags"]) + float64(0.10*c["metadata"]) +
		float64(0.15*c["comments"]) + float64(0.10*c["sequence"]) + float64(0.15*coverage)
	return domains.Reading{
		RS:         coverage * coverage * quality,
		Components: c,
		Elements:   domains.Elements{Reference: len(ref.entries), Candidate: len(got.entries)},
		Problem:    got.problem,
	}
}

// publishedKey is what tells the messages of a catalogue apart.
func (m *Message) publishedKey() string {
	return pytext.Strip(m.Text(ContextField)) + "\x04" + pytext.Strip(m.Text(SourceField)) // as gettext writes it
}

func publishedKeys(messages []Message) []string {
	return lists.Each(messages, (*Message).publishedKey)
}

func translationSimilarity(ref, got *Message) float64 {
	plural := pytext.Strip(ref.Text(PluralField))
	if plural == "" {
		return textRatio(ref.Text(TranslationField), got.Text(TranslationField))
	}
	var forms sets.Mean
	for i := range ref.Forms {
		f := &ref.Forms[i]
		forms.Add(textRatio(f.Text(), got.Form(f.Index).Text()))
	}
	for i := range got.Forms {
		if f := &got.Forms[i]; ref.Form(f.Index) == nil {
			forms.Add(textRatio("", f.Text()))
		}
	}
	return float64(0.7*forms.Or(1)) + float64(0.3*textRatio(plural, got.Text(PluralField)))
}

func commentSimilarity(ref, got *Message) float64 {
	var parts sets.Mean
	if len(ref.References) > 0 || len(got.References) > 0 {
		parts.Add(sets.Jaccard(ref.References, got.References))
	}
	addText := func(was, is string) {
		switch {
		case was != "" && is != "":
			parts.Add(textRatio(was, is))
		case was != is:
			parts.Add(0)
		}
	}
	addText(comment(ref.Extracted), comment(got.Extracted))
	addText(comment(ref.Notes), comment(got.Notes))
	return parts.Or(1)
}

// comment is the text of comment lines.
func comment(lines []string) string { return pytext.Strip(strings.Join(lines, "\n")) }

// The header fields that are compared.
var (
	importantFields = []string{
		"Project-Id-Version", "Language", "Language-Team", "Content-Type", "Plural-Forms", "Last-Translator",
	}
	secondaryFields = []string{"MIME-Version", "Content-Transfer-Encoding", "Report-Msgid-Bugs-To", "X-Generator"}
)

func metadataSimilarity(ref, got map[string]string) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return sets.OneIf(len(ref) == len(got))
	}
	of := func(names []string) float64 {
		var fields sets.Mean
		for _, name := range names {
			was, inRef := ref[name]
			is, inGot := got[name]
			switch {
			case inRef && inGot:
				fields.Add(ratio.Of(lowered(was), lowered(is)))
			case inRef || inGot:
				fields.Add(0)
			}
		}
		return fields.Or(1)
	}
	return float64(0.7*of(importantFields)) + float64(0.3*of(secondaryFields))
}

func lowered(text string) string { return pytext.Strip(pytext.Lower(text)) }

// textRatio compares texts without regard to letter case and white space.
func textRatio(ref, got string) float64 { return ratio.Of(normal(ref), normal(got)) }

func normal(text string) string { return pytext.Collapse(pytext.Lower(text)) }

// Repaired makes up for three slips, as the published evaluator does with a candidate before it reads it.
func Repaired(text string) string {
	r := repairer{lines: strings.Split(text, "\n")}
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		switch {
		case r.joinReferences(line), r.moveComments(line):
		default:
			r.take(quotesEscaped(line))
		}
	}
	return strings.Join(r.done, "\n")
}

type repairer struct {
	lines []string
	at    int // the next line
	done  []string
}

func (r *repairer) take(line string) {
	r.done = append(r.done, line)
	r.at++
}

// joinReferences joins a reference line that ends with a backslash with those that continue it.
func (r *repairer) joinReferences(line string) bool {
	line = pytext.Strip(line)
	if !strings.HasPrefix(line, "#:") || !strings.HasSuffix(line, `\`) {
		return false
	}
	words := []string{withoutBackslash(line)}
	for r.at++; r.at < len(r.lines); r.at++ {
		next := pytext.Strip(r.lines[r.at])
		if next == "" || next[0] == '#' || next[0] == '"' || strings.HasPrefix(next, "msg") {
			break
		}
		words = append(words, withoutBackslash(next))
		if !strings.HasSuffix(next, `\`) {
			r.at++
			break
		}
	}
	r.done = append(r.done, strings.Join(words, " "))
	return true
}

func withoutBackslash(line string) string {
	return pytext.StripRight(strings.TrimRight(line, `\`))
}

// moveComments moves references and flags that stand between a source and what translates it in front of the source.
func (r *repairer) moveComments(line string) bool {
	plural := strings.HasPrefix(line, "msgid_plural ")
	if !plural && !strings.HasPrefix(line, "msgid ") || r.at+2 >= len(r.lines) {
		return false
	}
	end := r.at + 1
	for end < len(r.lines) && (strings.HasPrefix(r.lines[end], "#:") || strings.HasPrefix(r.lines[end], "#,")) {
		end++
	}
	if end == r.at+1 || end == len(r.lines) ||
		!strings.HasPrefix(r.lines[end], "msgstr") && !strings.HasPrefix(r.lines[end], "msgid_plural") {
		return false
	}
	before := len(r.done)
	for plural && before > 0 && strings.HasPrefix(r.done[before-1], "msgid ") {
		before--
	}
	r.done = append(slices.Insert(r.done, before, r.lines[r.at+1:end]...), line)
	r.at = end
	return true
}

var (
	// quotedForm is a line that begins with a keyword other than msgctxt, by what stands before, in and after its text.
	quotedForm = pytext.Pattern(`^((?:msgid_plural|msgid|msgstr(?:\[[0-9]+\])?)\s+")(.*)("\s*)$`)
	bareQuotes = strings.NewReplacer(`\"`, `\"`, `"`, `\"`)
)

// quotesEscaped escapes the quotes inside the text of a line.
func quotesEscaped(line string) string {
	const around = 2
	if strings.Count(line, `"`) == around {
		return line
	}
	if m := quotedForm.FindStringSubmatch(line); m != nil {
		return m[1] + bareQuotes.Replace(m[2]) + m[3]
	}
	return line
}

// Field is one of the texts of a message that stand in quotes.
type Field uint8

// The fields of a message.
const (
	ContextField Field = iota
	SourceField
	PluralField
	TranslationField
	PreviousContext
	PreviousSource
	PreviousPlural
	FieldCount
	FormField // one of the plural forms, which are kept apart
)

// Keywords are the words that begin the texts of a message.
var Keywords = map[string]Field{
	"msgctxt": ContextField, "msgid": SourceField, "msgid_plural": PluralField, "msgstr": TranslationField,
}

// PreviousKeywords are those that may follow "#|".
var PreviousKeywords = map[string]Field{
	"msgctxt": PreviousContext, "msgid": PreviousSource, "msgid_plural": PreviousPlural,
}

// Message is an entry of a catalogue with its texts unescaped.
type Message struct {
	Texts      [FieldCount]Quoted
	Forms      []Form
	Flags      []string
	References []string // as in "src/main.c:61"
	Extracted  []string // the lines of the programmer's comment
	Notes      []string // the lines of the translators' comment
	Obsolete   bool
}

// Quoted is a text that may be written over several lines.
type Quoted struct {
	There bool
	Parts []string
}

// Form is a translation for one of the plural forms.
type Form struct {
	Index int
	Quoted
}

// Text is the text of a field; empty if the message has none.
func (m *Message) Text(f Field) string { return m.Texts[f].Text() }

// Text is empty if there is none.
func (q *Quoted) Text() string {
	if q == nil {
		return ""
	}
	return strings.Join(q.Parts, "")
}

func (q *Quoted) set(text string) { *q = Quoted{There: true, Parts: []string{text}} }

// Begin starts a new text and returns it, so that it can be continued.
func (m *Message) Begin(f Field, index int, text string) *Quoted {
	if f != FormField {
		m.Texts[f].set(text)
		return &m.Texts[f]
	}
	q := m.Form(index)
	if q == nil {
		m.Forms = append(m.Forms, Form{Index: index})
		q = &m.Forms[len(m.Forms)-1].Quoted
	}
	q.set(text)
	return q
}

// Form is the translation for one of the plural forms, nil if there is none.
func (m *Message) Form(index int) *Quoted {
	at := slices.IndexFunc(m.Forms, func(f Form) bool { return f.Index == index })
	if at < 0 {
		return nil
	}
	return &m.Forms[at].Quoted
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`)

// Unescape leaves other backslashes as they are.
func Unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escapes.Replace(text)
}

// AddFlags splits the text of a flag line at commas.
func (m *Message) AddFlags(text string) {
	for flag := range strings.SplitSeq(text, ",") {
		m.Flags = append(m.Flags, pytext.Strip(flag))
	}
}
