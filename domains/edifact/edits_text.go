package edifact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// standardService announces the standard marks.
const standardService = "UNA:+.? '"

// segmentTable makes a row of each segment, its data in the standard marks.
func segmentTable(p struct{ Document, Table string }) exact.Steps {
	columns := []string{"message", "line", "tag", "data"}
	forward := func(t transmission) (vfs.Files, error) {
		rows := [][]string{columns}
		add := func(message, line string, segments ...segment) {
			for i := range segments {
				if s := &segments[i]; s.tag == "" {
					rows = append(rows, []string{message, line, "", s.text})
				} else if s.tag != service {
					rows = append(rows, []string{message, line, s.tag, s.data()})
				}
			}
		}
		for _, of := range t.parts {
			m := of.message
			if m == nil {
				add("", "", of.outside)
				continue
			}
			add(m.reference(), "", m.head...)
			for _, l := range m.lines {
				add(m.reference(), "", l.above...)
				add(m.reference(), l.segments[0].at(1, 1), l.segments...)
			}
			add(m.reference(), "", m.tail...)
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return interchanges.Whole(p.Document, forward, func(files vfs.Files) (transmission, error) {
		rows, err := plain.Table(files, p.Table, columns...)
		lines := []string{standardService}
		for _, row := range rows {
			tag, data := strings.TrimSpace(row[2]), row[3]
			if data != "" && tag != "" {
				data = string(standard.element) + data
			}
			if tag != "" {
				data = tag + data + string(standard.terminator)
			}
			lines = append(lines, data)
		}
		return read(plain.Text(lines)), err
	})
}

// data is what stands between the tag and the terminator, without the first
// separator.
func (s *segment) data() string {
	var b strings.Builder
	standard.write(&b, s)
	data := strings.TrimPrefix(b.String(), s.tag)
	return strings.TrimPrefix(strings.TrimSuffix(data, string(standard.terminator)), string(standard.element))
}

// wordsApart moves the first word of a pattern in each description into a segment after it.
func wordsApart(p struct {
	Document, To   string
	Pattern        string // of a whole word
	Mark           string // in its place
	Characteristic string // the code that says what it is, IMD 2
}) exact.Steps {
	pattern, err := regexp.Compile("^(?:" + p.Pattern + ")$")
	if err != nil {
		return exact.Refuse(err.Error())
	}
	// description is the place of the first IMD with a text, and its texts.
	description := func(l *line) (at int, texts []string) {
		for at := range l.segments {
			if s := &l.segments[at]; s.tag == "IMD" && len(s.elements) >= 3 && len(s.elements[2]) > 3 {
				return at, s.elements[2][3:]
			}
		}
		return -1, nil
	}
	cut := func(l *line) {
		at, texts := description(l)
		for i, text := range texts {
			words := strings.Split(text, " ")
			if k := slices.IndexFunc(words, pattern.MatchString); k >= 0 {
				apart := segment{tag: "IMD", elements: [][]string{{"F"}, {p.Characteristic}, {"", "", "", words[k]}}}
				words[k] = p.Mark
				texts[i] = strings.Join(words, " ")
				l.segments = slices.Insert(l.segments, at+1, apart)
				return
			}
		}
	}
	put := func(l *line) {
		at := slices.IndexFunc(l.segments, func(s segment) bool { return s.tag == "IMD" && s.at(2, 1) == p.Characteristic })
		if at < 0 {
			return
		}
		word := l.segments[at].at(3, 4)
		l.segments = slices.Delete(l.segments, at, at+1)
		_, texts := description(l)
		if i := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, p.Mark) }); i >= 0 {
			texts[i] = strings.Replace(texts[i], p.Mark, word, 1)
		}
	}
	return interchanges.Change(p.Document, p.To,
		func(t *transmission) { t.changeLines(cut) },
		func(t *transmission) { t.changeLines(put) })
}

// otherSeparators writes an interchange under another UNA, one segment a line. The numbers of
// some segments get its decimal sign.
func otherSeparators(p struct {
	Document, To string
	UNA          string
	Numbers      []string // tags
}) exact.Steps {
	marks, _, rest, ok := announced(p.UNA)
	if !ok || rest != "" {
		return exact.Refuse(fmt.Sprintf("%q is no UNA", p.UNA))
	}
	announce := func(t *transmission, una string, was, is rune) {
		t.each(func(s *segment) {
			if !slices.Contains(p.Numbers, s.tag) {
				return
			}
			for _, at := range numeric[s.tag] {
				if value := s.at(at.element, at.component); isNumber(value) {
					s.set(at.element, at.component, strings.Replace(value, string(was), string(is), 1))
				}
			}
		})
		t.parts = slices.DeleteFunc(t.parts, func(p part) bool { return p.outside.tag == service })
		t.parts = slices.Insert(t.parts, 0, part{outside: segment{tag: service, text: una}})
		t.continued = false
	}
	return interchanges.Change(p.Document, p.To,
		func(t *transmission) { announce(t, p.UNA, standard.decimal, marks.decimal) },
		func(t *transmission) { announce(t, standardService, marks.decimal, standard.decimal) })
}

// codeParties gives each party that is named by a location number of GS1 a code.
func codeParties(p struct {
	Document, To string
	First        string // code
	Agency       string // that assigned the codes, NAD 2.3
	Table        string
}) exact.Steps {
	const numbers = "9" // the agency of location numbers
	parties := func(t *transmission, agency string, rename func(*segment)) {
		t.each(func(s *segment) {
			if s.tag == "NAD" && s.at(2, 1) != "" && s.at(2, 3) == agency {
				rename(s)
			}
		})
	}
	change := func(t *transmission) (vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting(p.First)}
		parties(t, numbers, func(s *segment) {
			s.set(2, 1, codes.Of(s.at(2, 1)))
			s.set(2, 3, p.Agency)
		})
		return vfs.Files{p.Table: codes.CSV("code", "gln")}, nil
	}
	restore := func(t *transmission, files vfs.Files) error {
		numberOf, err := exact.ReadRegister(files, p.Table, "code", "gln")
		parties(t, p.Agency, func(s *segment) {
			if number, ok := numberOf[s.at(2, 1)]; ok {
				s.set(2, 1, number)
				s.set(2, 3, numbers)
			}
		})
		return err
	}
	return interchanges.Rewrite(p.Document, p.To, change, restore)
}
