package translation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numbered is an entry with the number by which an edit orders it.
type numbered struct {
	number int
	entry
}

func byNumber(a, b numbered) int { return cmp.Compare(a.number, b.number) }

// sortBy orders entries by a number of each; those of equal number keep their
// order.
func sortBy(entries []entry, number func(*entry) int) {
	all := make([]numbered, len(entries))
	for i := range entries {
		n := number(&entries[i]) // it may change the entry
		all[i] = numbered{n, entries[i]}
	}
	slices.SortStableFunc(all, byNumber)
	for i := range all {
		entries[i] = all[i].entry
	}
}

// takeNumber removes the comments of a kind that a pattern matches and returns
// the number that it finds in the first of them; entries without one come last.
func takeNumber(e *entry, kind lineKind, pattern *regexp.Regexp) int {
	const last = int(^uint(0) >> 1)
	number := last
	e.remove(func(l line) bool {
		found := pattern.FindStringSubmatch(l.text)
		if l.kind != kind || found == nil {
			return false
		}
		if n, err := strconv.Atoi(found[1]); err == nil && number == last {
			number = n
		}
		return true
	})
	return number
}

const reviewFile = "review.po"

var reviewNumber = regexp.MustCompile(`^review-seq: (\d+)$`)

// queueForReview numbers the entries and orders them by what a reviewer has to
// do with them.
func queueForReview(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i := range s.messages {
		e := &s.messages[i]
		e.lines = append([]line{readLine(fmt.Sprintf("# review-seq: %d", i+1))}, e.lines...)
	}
	sortBy(s.messages, reviewGroup)
	return vfs.Files{reviewFile: s.print()}, nil
}

// reviewGroup is 0 for fuzzy entries, 1 for those not fully translated, 2 for
// format strings and 3 for the rest.
func reviewGroup(e *entry) int {
	m := e.message()
	isFormat := func(flag string) bool { return strings.HasSuffix(flag, "-format") && !strings.HasPrefix(flag, "no-") }
	switch {
	case slices.Contains(m.flags, fuzzy):
		return 0
	case m.untranslated():
		return 1
	case slices.ContainsFunc(m.flags, isFormat):
		return 2
	}
	return 3
}

const fuzzy = "fuzzy"

func (m *message) untranslated() bool {
	return len(m.forms) == 0 && m.text(translationField) == "" ||
		slices.ContainsFunc(m.forms, func(f form) bool { return f.text() == "" })
}

func unqueue(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, reviewFile)
	if err != nil {
		return nil, err
	}
	sortBy(s.messages, func(e *entry) int { return takeNumber(e, noteLine, reviewNumber) })
	return asDocument(s), nil
}

const lengthsFile = "lengths.po"

var auditNumber = regexp.MustCompile(`^len: \d+/\d+ ratio \d+\.\d\d no (\d+)$`)

// auditLengths notes the lengths of source and translation and orders the
// entries by their ratio, the largest first.
func auditLengths(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	number := 0
	sortBy(s.messages, func(e *entry) int {
		number++
		m := e.message()
		source, translation := utf8.RuneCountInString(m.text(sourceField)), utf8.RuneCountInString(m.firstTranslation())
		percent := 0
		if source > 0 {
			percent = (200*translation + source) / (2 * source) // rounded half up
		}
		e.insert(fmt.Sprintf("#. len: %d/%d ratio %d.%02d no %d", source, translation, percent/100, percent%100, number))
		return -percent
	})
	return vfs.Files{lengthsFile: s.print()}, nil
}

func (m *message) firstTranslation() string {
	if m.has(pluralField) {
		return m.formText(0)
	}
	return m.text(translationField)
}

func removeAudit(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, lengthsFile)
	if err != nil {
		return nil, err
	}
	sortBy(s.messages, func(e *entry) int { return takeNumber(e, extractedLine, auditNumber) })
	return asDocument(s), nil
}

const (
	releaseFile     = "release.po"
	releaseListFile = "release.json"
	verified        = "[VERIFIED]"
)

// releaseItem is an entry in the list of the release.
type releaseItem struct {
	Context string `json:"context"`
	Source  string `json:"source"`
	Fuzzy   bool   `json:"fuzzy"`
}

// orderForRelease takes the fuzzy flags off, marks extracted comments as
// verified and orders the entries by their place in the source code.
func orderForRelease(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	list := make([]releaseItem, len(s.messages))
	for i := range s.messages {
		e := &s.messages[i]
		m := e.message()
		list[i] = releaseItem{m.text(contextField), m.text(sourceField), slices.Contains(m.flags, fuzzy)}
		e.setFuzzy(false)
		if at := slices.IndexFunc(e.lines, isExtracted); at >= 0 {
			e.setComment(at, strings.TrimSpace(verified+" "+e.lines[at].text))
		}
	}
	sortByPlace(s.messages)
	text, err := jsonText(list)
	return vfs.Files{releaseFile: s.print(), releaseListFile: text}, err
}

func isExtracted(l line) bool { return l.kind == extractedLine }

// setComment writes another text into a line with an extracted comment.
func (e *entry) setComment(at int, text string) {
	e.lines = slices.Clone(e.lines)
	e.lines[at] = readLine(strings.TrimSpace("#. " + text))
}

// place is where an entry stands in the source code.
type place struct {
	file string // empty if nothing refers to it
	line int
}

func placeOf(e *entry) place {
	m := e.message()
	if len(m.references) == 0 {
		return place{}
	}
	file := fileOf(m.references[0])
	line, _ := strconv.Atoi(strings.TrimPrefix(m.references[0][len(file):], ":"))
	return place{file, line}
}

// sortByPlace orders entries by file and line of their first references, those
// without one last.
func sortByPlace(entries []entry) {
	places := make([]place, len(entries))
	order := make([]int, len(entries))
	for i := range entries {
		places[i], order[i] = placeOf(&entries[i]), i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := places[i], places[j]
		if a.file == "" || b.file == "" {
			return -cmp.Compare(min(len(a.file), 1), min(len(b.file), 1))
		}
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	unsorted := slices.Clone(entries)
	for k, i := range order {
		entries[k] = unsorted[i]
	}
}

// setFuzzy sets or removes the flag; it is the first one, as gettext writes it.
func (e *entry) setFuzzy(is bool) {
	m := e.message()
	flags := slices.DeleteFunc(m.flags, func(flag string) bool { return flag == "" || flag == fuzzy })
	if is {
		flags = append([]string{fuzzy}, flags...)
	}
	e.remove(func(l line) bool { return l.kind == flagLine })
	if len(flags) > 0 {
		e.insert("#, " + strings.Join(flags, ", "))
	}
}

func orderForWork(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, releaseFile)
	if err != nil {
		return nil, err
	}
	var list []releaseItem
	if err := plain.JSON(files, releaseListFile, &list); err != nil {
		return nil, err
	}
	released := newPool(s.messages)
	var ordered []entry
	for _, item := range list {
		if e, ok := released.take(key{item.Context, item.Source}); ok {
			if item.Fuzzy {
				e.setFuzzy(true)
			}
			ordered = append(ordered, e)
		}
	}
	s.messages = append(ordered, released.rest(s.messages)...)
	for i := range s.messages {
		e := &s.messages[i]
		if at := slices.IndexFunc(e.lines, isExtracted); at >= 0 {
			if text, ok := strings.CutPrefix(e.lines[at].text, verified); ok {
				e.setComment(at, strings.TrimSpace(text))
			}
		}
	}
	return asDocument(s), nil
}

// jsonText prints a value with two blanks of indentation and letters such as &
// as they are.
func jsonText(value any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.String(), err
}
