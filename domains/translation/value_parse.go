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

// document is the files of a document. How they are read depends on the side: the
// published evaluator repairs only a candidate.
type document vfs.Files

// published is what the published evaluator makes of a document.
type published struct {
	metadata map[string]string
	entries  []message
	problem  string // why a file could not be read; all of its entries are lost
}

func parse(files vfs.Files) (document, error) { return document(files), nil }

func isCatalogue(name string) bool {
	return strings.HasSuffix(name, ".po") || strings.HasSuffix(name, ".pot")
}

func (d document) asReference() published { return d.read(func(text string) string { return text }) }
func (d document) asCandidate() published { return d.read(repaired) }

func (d document) read(prepared func(string) string) published {
	var all published
	for _, name := range vfs.Files(d).Names() {
		if !isCatalogue(name) {
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

func readPublished(text string) (map[string]string, []message, error) {
	messages, err := readMessages(text)
	if err != nil {
		return nil, nil, err
	}
	metadata := map[string]string{}
	if header := findHeader(messages); header >= 0 {
		readMetadata(messages[header].text(translationField), metadata)
		at, err := firstEqual(messages, header)
		if err != nil {
			return nil, nil, err
		}
		messages = slices.Delete(messages, at, at+1)
	}
	return metadata, slices.DeleteFunc(messages, func(m message) bool { return m.obsolete }), nil
}

// findHeader returns, of the messages with an empty source, the last one without context, otherwise the first, or -1.
func findHeader(messages []message) int {
	header := -1
	for i := range messages {
		m := &messages[i]
		if m.obsolete || m.text(sourceField) != "" {
			continue
		}
		if header < 0 || m.text(contextField) == "" {
			header = i
		}
	}
	return header
}

// firstEqual is the place of the first message that is equal to one of them, which is the one that gets removed in its
// stead. Messages with plural forms cannot be compared.
func firstEqual(messages []message, with int) (int, error) {
	other := &messages[with]
	for i := range messages[:with] {
		m := &messages[i]
		if !m.alike(other) {
			continue
		}
		if len(m.forms) > 0 || len(other.forms) > 0 {
			return 0, errForms
		}
		if m.text(sourceField) == other.text(sourceField) && m.text(translationField) == other.text(translationField) {
			return i, nil
		}
	}
	return with, nil
}

// alike compares what is compared before the plural forms.
func (m *message) alike(other *message) bool {
	return m.obsolete == other.obsolete && m.text(contextField) == other.text(contextField) &&
		m.text(pluralField) == other.text(pluralField) &&
		slices.Equal(slices.Sorted(slices.Values(m.references)), slices.Sorted(slices.Values(other.references)))
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

var stateOf = map[field]state{
	contextField: afterContext, sourceField: afterSource, pluralField: afterPlural, translationField: afterTranslation,
}

var (
	errSyntax = errors.New("syntax error")
	errQuote  = errors.New("unescaped double quote")
	errOrder  = errors.New("not allowed here")
	errForms  = errors.New("the header cannot be told from an entry with plural forms")
)

// readMessages reads a file as polib 1.1.1 does, the reader of the published
// evaluator: one line out of place loses the whole file.
func readMessages(text string) ([]message, error) {
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
	messages []message
	message
	last state
	text *quoted // that a line in quotes continues
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
	if f, ok := keywords[word]; ok && rest != "" {
		return word, r.keyword(f, rest, obsolete)
	}
	switch {
	case rest == "" && (word == "#:" || word == "#," || word == "#."):
	case word == "#:":
		err = r.enter(afterReference)
		r.references = append(r.references, pytext.Fields(rest)...)
	case line[0] == '"':
		err = r.continuation(line)
	case strings.HasPrefix(line, "msgstr["):
		err = r.form(line)
	case word == "#,":
		err = r.enter(afterFlags)
		r.addFlags(rest)
	case word == "#" || strings.HasPrefix(word, "##"):
		err = r.note(line)
	case word == "#.":
		err = r.enter(afterExtracted)
		r.extracted = append(r.extracted, rest)
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
	r.messages = plain.Append(r.messages, r.message)
	r.message = message{}
}

func (r *messageReader) keyword(f field, rest string, obsolete bool) error {
	text := inner(rest)
	if hasBareQuote(text) {
		return errQuote
	}
	if err := r.enter(stateOf[f]); err != nil {
		return err
	}
	if f == sourceField {
		r.obsolete = obsolete
	}
	r.text = r.begin(f, 0, unescape(text))
	return nil
}

func (r *messageReader) form(line string) error {
	const indexAt = len("msgstr[")
	runes := []rune(line[indexAt:])
	if len(runes) == 0 || !unicode.IsDigit(runes[0]) {
		return errSyntax
	}
	if err := r.enter(afterForm); err != nil {
		return err
	}
	text := withoutLast(line[strings.Index(line, `"`)+1:])
	r.text = r.begin(formField, pytext.DigitValue(runes[0]), unescape(text))
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
	r.text.parts = append(r.text.parts, unescape(text))
	return nil
}

func (r *messageReader) note(line string) error {
	if r.last == atStart || r.last == afterCredits {
		r.last = afterCredits
		return nil
	}
	err := r.enter(afterNote)
	r.notes = append(r.notes, strings.TrimLeft(line, "#"))
	return err
}

func (r *messageReader) previous(rest string, obsolete bool) error {
	if strings.HasPrefix(rest, `"`) {
		if continued&only(r.last) == 0 {
			return errOrder
		}
		r.text.parts = append(r.text.parts, unescape(inner(rest)))
		return nil
	}
	word, text := cutWord(rest)
	f, ok := previousKeywords[word]
	if !ok || text == "" || obsolete {
		return errSyntax
	}
	err := r.enter(afterPrevious)
	r.text = r.begin(f, 0, unescape(inner(text)))
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
