// Package translation is the published reading and score of the domain translation.
//
// Let R, C be the entries of reference and candidate. Maps by key: the last duplicate wins. "ratio" is difflib's ratio
// on characters with autojunk on (matters from 200 characters of the second string, which is always the candidate's).
// norm(t) = lower-cased, white space runs to one blank, trimmed.
//
//   - coverage: Jaccard of the key sets; both empty 1, one empty 0.
//   - translation: mean over common keys; no common key 0; Reference has no msgid_plural: ratio(norm(msgstr),
//     norm(msgstr)); Else 0.7 * mean over the union of plural indices of ratio(norm, norm), missing index counting as
//     "" (1 if no index at all), plus 0.3 * ratio(norm(msgid_plural), norm(msgid_plural)).
//   - flags: mean over common keys of the Jaccard of flag sets (both empty 1, one empty 0); no common key 1.
//   - metadata: both maps empty 1, one empty 0; else 0.7 * important + 0.3 * secondary. Each is the mean over the
//     listed fields that at least one side has (1 if none): 0 if only one side has it, else ratio(lower(trim),
//     lower(trim)). Important: Project-Id-Version, Language, Language-Team, Content-Type, Plural-Forms,
//     Last-Translator. Secondary: MIME-Version, Content-Transfer-Encoding, Report-Msgid-Bugs-To, X-Generator. Names are
//     case-sensitive.
//   - comments: mean over common keys (1 if none) of the mean of those parts that at least one side has: Jaccard of the
//     set of (file, line) references (one side empty 0); ratio of norm extracted comments (one side empty 0); same for
//     translator comments. An entry with no part counts 1.
//   - sequence: ratio over the two lists of keys as tokens, autojunk on from 200 entries; both empty 1, one empty 0.
//   - score = coverage^2 * (0.40 translation + 0.10 flags + 0.10 metadata + 0.15 comments + 0.10 sequence + 0.15
//     coverage). Not rounded. Detail keys: entry_coverage_score, translation_accuracy_score, flags_score,
//     metadata_score, comments_score, sequence_score, ref_entry_count, gen_entry_count, matched_count.
//
// The empty string against the empty string has ratio 1.
package translation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Document is the files of a document. How they are read depends on the side: the
// published evaluator repairs only a candidate.
type Document vfs.Files

// published is what the published evaluator makes of a document.
type published struct {
	metadata map[string]string
	entries  []Message
	problem  string // why a file could not be read; all of its entries are lost
}

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Document, error) { return Document(files), nil }

// IsCatalogue reports whether a file of this name is a catalogue.
func IsCatalogue(name string) bool {
	return strings.HasSuffix(name, ".po") || strings.HasSuffix(name, ".pot")
}

func (d Document) asReference() published { return d.read(func(text string) string { return text }) }
func (d Document) asCandidate() published { return d.read(Repaired) }

func (d Document) read(prepared func(string) string) published {
	var all published
	for _, name := range vfs.Files(d).Names() {
		if !IsCatalogue(name) {
			continue
		}
		metadata, entries, err := readPublished(prepared(d[name]))
		if err != nil {
			all.problem = fmt.Sprintf("reading %s: %v", name, err)
			continue
		}
		if len(metadata) > 0 {
			all.metadata = metadata
		}
		all.entries = append(all.entries, entries...)
	}
	return all
}

func readPublished(text string) (map[string]string, []Message, error) {
	messages, err := readMessages(text)
	if err != nil {
		return nil, nil, err
	}
	metadata := map[string]string{}
	if header := findHeader(messages); header >= 0 {
		readMetadata(messages[header].Text(TranslationField), metadata)
		messages = slices.Delete(messages, header, header+1)
	}
	return metadata, slices.DeleteFunc(messages, func(m Message) bool { return m.Obsolete }), nil
}

// findHeader returns, of the messages with an empty source, the last one without context, otherwise the first, or -1.
func findHeader(messages []Message) int {
	header := -1
	for i := range messages {
		m := &messages[i]
		if m.Obsolete || m.Text(SourceField) != "" {
			continue
		}
		if header < 0 || m.Text(ContextField) == "" {
			header = i
		}
	}
	return header
}

func readMetadata(text string, into map[string]string) {
	name, named := "", false
	for _, line := range pytext.SplitLines(text) {
		before, after, ok := strings.Cut(line, ":")
		switch {
		case ok:
			name, named = before, true
			into[name] = pytext.Strip(after)
		case named:
			into[name] += "\n" + pytext.Strip(line)
		}
	}
}

// state is what the published reader has read last, apart from continuation lines.
type state uint8

const (
	atStart state = iota
	afterCredits
	afterNote
	afterExtracted
	afterReference
	afterFlags
	afterPrevious
	afterContext
	afterSource
	afterPlural
	afterTranslation
	afterForm
)

type states uint16

func only(these ...state) states {
	var s states
	for _, one := range these {
		s |= 1 << one
	}
	return s
}

func except(these ...state) states { return ^only(these...) }

// allowed says after what each may come.
var allowed = [...]states{
	afterNote:        except(afterContext),
	afterExtracted:   except(),
	afterReference:   except(),
	afterFlags:       except(),
	afterPrevious:    except(),
	afterContext:     except(afterContext, afterSource, afterPlural),
	afterSource:      except(afterSource, afterPlural),
	afterPlural:      only(afterNote, afterExtracted, afterPrevious, afterSource),
	afterTranslation: only(afterSource, afterPlural, afterNote),
	afterForm:        only(afterSource, afterForm, afterPlural, afterNote),
}

// continued are the states that a line in quotes continues.
var continued = only(afterPrevious, afterContext, afterSource, afterPlural, afterTranslation, afterForm)

var stateOf = map[Field]state{
	ContextField: afterContext, SourceField: afterSource, PluralField: afterPlural, TranslationField: afterTranslation,
}

var (
	errSyntax = errors.New("syntax error")
	errQuote  = errors.New("unescaped double quote")
	errOrder  = errors.New("not allowed here")
)

// readMessages reads a file as polib 1.1.1 does, the reader of the published
// evaluator: one line out of place loses the whole file.
func readMessages(text string) ([]Message, error) {
	var r messageReader
	var first string // the first word of the last line that is not blank
	for n, line := range pytext.SplitLines(text) {
		if n == 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line = pytext.Strip(line); line == "" {
			continue
		}
		word, err := r.line(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		first = word
	}
	if first != "" && first[0] != '#' {
		r.close()
	}
	return r.messages, nil
}

type messageReader struct {
	messages []Message
	Message
	last state
	text *Quoted // that a line in quotes continues
}

// line reads a line and returns the first word of it, that after "#~" if there is one.
func (r *messageReader) line(line string) (word string, err error) {
	word, rest := cutWord(line)
	if word == "#~|" {
		return word, nil
	}
	obsolete := word == "#~" && rest != ""
	if obsolete {
		line = rest
		word, rest = cutWord(line)
	}
	if f, ok := Keywords[word]; ok && rest != "" {
		return word, r.keyword(f, rest, obsolete)
	}
	switch {
	case rest == "" && (word == "#:" || word == "#," || word == "#."):
	case word == "#:":
		err = r.enter(afterReference)
		r.References = append(r.References, pytext.Fields(rest)...)
	case line[0] == '"':
		err = r.continuation(line)
	case strings.HasPrefix(line, "msgstr["):
		err = r.form(line)
	case word == "#,":
		err = r.enter(afterFlags)
		r.AddFlags(rest)
	case word == "#" || strings.HasPrefix(word, "##"):
		err = r.note(line)
	case word == "#.":
		err = r.enter(afterExtracted)
		r.Extracted = append(r.Extracted, rest)
	case word == "#|":
		err = r.previous(rest, obsolete)
	default:
		err = errSyntax
	}
	return word, err
}

// enter begins a part of an entry. Where the entry in hand is complete it opens a new one.
func (r *messageReader) enter(next state) error {
	if allowed[next]&only(r.last) == 0 {
		return errOrder
	}
	opens := next < afterPlural
	if opens && (r.last == afterTranslation || r.last == afterForm) {
		r.close()
	}
	r.last = next
	return nil
}

func (r *messageReader) close() {
	r.messages = plain.Append(r.messages, r.Message)
	r.Message = Message{}
}

func (r *messageReader) keyword(f Field, rest string, obsolete bool) error {
	text := inner(rest)
	if hasBareQuote(text) {
		return errQuote
	}
	if err := r.enter(stateOf[f]); err != nil {
		return err
	}
	if f == SourceField {
		r.Obsolete = obsolete
	}
	r.text = r.Begin(f, 0, Unescape(text))
	return nil
}

func (r *messageReader) form(line string) error {
	const indexAt = len("msgstr[")
	index, _ := utf8.DecodeRuneInString(line[indexAt:])
	if !unicode.IsDigit(index) {
		return errSyntax
	}
	if err := r.enter(afterForm); err != nil {
		return err
	}
	text := withoutLast(line[strings.Index(line, `"`)+1:])
	r.text = r.Begin(FormField, pytext.DigitValue(index), Unescape(text))
	return nil
}

func (r *messageReader) continuation(line string) error {
	text := inner(line)
	switch {
	case hasBareQuote(text):
		return errQuote
	case continued&only(r.last) == 0:
		return errOrder
	}
	r.text.Parts = append(r.text.Parts, Unescape(text))
	return nil
}

func (r *messageReader) note(line string) error {
	if r.last == atStart || r.last == afterCredits {
		r.last = afterCredits
		return nil
	}
	err := r.enter(afterNote)
	r.Notes = append(r.Notes, strings.TrimLeft(line, "#"))
	return err
}

func (r *messageReader) previous(rest string, obsolete bool) error {
	if strings.HasPrefix(rest, `"`) {
		return r.continuation(rest)
	}
	word, text := cutWord(rest)
	f, ok := PreviousKeywords[word]
	if !ok || text == "" || obsolete {
		return errSyntax
	}
	err := r.enter(afterPrevious)
	r.text = r.Begin(f, 0, Unescape(inner(text)))
	return err
}

// cutWord splits a trimmed line after its first word.
func cutWord(line string) (word, rest string) {
	end := strings.IndexFunc(line, pytext.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], pytext.StripLeft(line[end:])
}

// inner is a text without its first and last character, of any kind.
func inner(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return withoutLast(text[size:])
}

func withoutLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}

// hasBareQuote reports whether a quote stands after anything but a backslash.
func hasBareQuote(text string) bool { return strings.Contains(strings.ReplaceAll(text, `\"`, ""), `"`) }
