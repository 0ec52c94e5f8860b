package translation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// numbered is an edit that gives each entry a comment with its number and orders the entries.
// mark writes the comment and returns by what the entry is sorted. pattern finds the number in
// comments of that kind, of which the first counts.
func numbered(
	document, to string, kind lineKind, pattern string, mark func(e *entry, number int) (sortBy int),
) exact.Steps {
	comment := regexp.MustCompile(pattern)
	change := func(s *sections) {
		number := 0
		catalogues.SortByNumber(s, func(e *entry) (int, bool) {
			number++
			return mark(e, number), true
		})
	}
	return catalogues.Change(document, to, change, func(s *sections) {
		catalogues.SortByNumber(s, func(e *entry) (number int, there bool) {
			e.remove(func(l line) bool {
				found := comment.FindStringSubmatch(l.text)
				if l.kind != kind || found == nil {
					return false
				}
				if n, err := strconv.Atoi(found[1]); err == nil && !there {
					number, there = n, true
				}
				return true
			})
			return number, there
		})
	})
}

// queueForReview numbers the entries in comments and orders them by what a reviewer has to do
// with them.
func queueForReview(p struct {
	Document, To string
	Mark         string // the word before the number
}) exact.Steps {
	pattern := `^` + regexp.QuoteMeta(p.Mark) + `: (\d+)$`
	return numbered(p.Document, p.To, noteLine, pattern, func(e *entry, number int) int {
		e.lines = append([]line{readLine(fmt.Sprintf("# %s: %d", p.Mark, number))}, e.lines...)
		return reviewGroup(e)
	})
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

// noteLengths notes the lengths of source and translation in comments and orders the entries by
// their ratio, the largest first.
func noteLengths(p struct {
	Document, To string
	Mark         string // the word before the lengths
}) exact.Steps {
	pattern := `^` + regexp.QuoteMeta(p.Mark) + `: \d+/\d+ ratio \d+\.\d\d no (\d+)$`
	return numbered(p.Document, p.To, extractedLine, pattern, func(e *entry, number int) int {
		m := e.message()
		source, translation := utf8.RuneCountInString(m.text(sourceField)), utf8.RuneCountInString(m.firstTranslation())
		percent := 0
		if source > 0 {
			percent = (200*translation + source) / (2 * source) // rounded half up
		}
		ratio := fmt.Sprintf("%d.%02d", percent/100, percent%100)
		e.insert(fmt.Sprintf("#. %s: %d/%d ratio %s no %d", p.Mark, source, translation, ratio, number))
		return -percent
	})
}

func (m *message) firstTranslation() string {
	if m.has(pluralField) {
		return m.form(0).text()
	}
	return m.text(translationField)
}

// release takes the fuzzy flags off, marks extracted comments and orders the entries by their
// place in the source code.
func release(p struct {
	Document, To string
	Mark         string // before the first extracted comment of an entry
	List         string
}) exact.Steps {
	type item struct {
		identity
		Fuzzy bool `json:"fuzzy"`
	}
	change := func(s *sections) ([]item, error) {
		list := make([]item, len(s.messages))
		for i := range s.messages {
			e := &s.messages[i]
			m := e.message()
			list[i] = item{m.identity(), slices.Contains(m.flags, fuzzy)}
			e.setFuzzy(false)
			e.changeExtracted(func(text string) string { return p.Mark + " " + text })
		}
		catalogues.Sort(s, byPlace)
		return list, nil
	}
	return exact.Keeping(&catalogues, p.Document, p.To, p.List, change, func(s *sections, list []item) error {
		places := plain.Notes{}
		for n, of := range list {
			places[of.id()] = append(places[of.id()], []string{strconv.Itoa(n), strconv.FormatBool(of.Fuzzy)})
		}
		catalogues.SortByNumber(s, func(e *entry) (int, bool) {
			e.changeExtracted(func(text string) string { return strings.TrimPrefix(text, p.Mark) })
			row := places.Take(e.id())
			if row == nil {
				return 0, false
			}
			if row[1] == "true" {
				e.setFuzzy(true)
			}
			return plain.LineNumber(row[0]), true
		})
		return nil
	})
}

// changeExtracted changes the text of the first extracted comment.
func (e *entry) changeExtracted(change func(string) string) {
	if at := slices.IndexFunc(e.lines, func(l line) bool { return l.kind == extractedLine }); at >= 0 {
		e.lines = slices.Clone(e.lines)
		e.lines[at] = readLine(strings.TrimSpace("#. " + strings.TrimSpace(change(e.lines[at].text))))
	}
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

// byPlace orders entries by file and line of their first references, those without one last.
func byPlace(first, second *entry) int {
	a, b := placeOf(first), placeOf(second)
	if a.file == "" || b.file == "" {
		return -cmp.Compare(min(len(a.file), 1), min(len(b.file), 1))
	}
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
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
