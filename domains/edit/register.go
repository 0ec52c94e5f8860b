package edit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// codePrefix is what codes may begin with.
var codePrefix = lazyregexp.New(`^[A-Z]{1,8}$`)

// codes matches the codes of a prefix.
func codes(prefix string) *lazyregexp.Regexp { return lazyregexp.New(`\b` + prefix + `\d+\b`) }

// What Aside leaves where a value stood.
const (
	aNumber = "number"
	nothing = "nothing"
)

// register puts a code in place of each value, also where other attributes refer to it, and lists
// the codes in the order in which the document has them first.
func (s *step) register() (vfs.Files, error) {
	given := make(map[string]string)
	table, err := s.encode(func(value string, next string) string {
		if given[value] == "" {
			given[value] = next
		}
		return given[value]
	})
	if err != nil {
		return nil, err
	}
	files := s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: table})
	for _, name := range slices.Sorted(maps.Keys(s.verb.Also)) {
		text, err := s.refer(files, name, given)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}

// refer is the text of a file with codes in place of the values that its attributes refer to.
func (s *step) refer(files vfs.Files, name string, given map[string]string) (string, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return "", err
	}
	if name != s.name {
		if err := s.uncoded(name, text); err != nil {
			return "", err
		}
	}
	format := s.whole.of(name, text)
	pieces := format.Cut(text)
	for _, attribute := range s.verb.Also[name] {
		a, err := format.attribute(attribute)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		for i := range pieces.Parts {
			pieces.Parts[i] = a.replace(pieces.Parts[i], func(value string) string {
				if code, known := given[value]; known {
					return code
				}
				return value
			})
		}
	}
	return pieces.Text(), nil
}

// number puts a number in place of each value, and lists them.
func (s *step) number() (vfs.Files, error) {
	table, err := s.encode(func(_, next string) string { return next })
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: table}), err
}

// encode puts in place of each value the code that is given for it, of which next is the first
// that is free, and returns the list of codes.
func (s *step) encode(give func(value, next string) string) (string, error) {
	if err := s.uncoded(s.name, s.Text()); err != nil {
		return "", err
	}
	table := [][]string{{"code", "text"}}
	for i := range s.Parts {
		s.Parts[i] = s.by.replace(s.Parts[i], func(value string) string {
			next := s.verb.Code + strconv.Itoa(len(table))
			code := give(value, next)
			if code == next {
				table = append(table, []string{code, value})
			}
			return code
		})
	}
	return plain.WriteCSV(table), nil
}

// uncoded fails if a text has something that looks like a code.
func (s *step) uncoded(name, text string) error {
	if found := codes(s.verb.Code).FindString(text); found != "" {
		return fmt.Errorf("%w: %s has %s already, so that codes cannot begin with %s", ErrInexact, name, found, s.verb.Code)
	}
	return nil
}

// decode puts the values of the list in place of codes. A code that is not listed stays.
func (p *Program) decode(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, p.verb.Table, "code", "text")
	if err != nil {
		return nil, err
	}
	listed := make(map[string]string, len(rows))
	for _, row := range rows {
		listed[row[0]] = row[1]
	}
	if _, err := p.read(files); err != nil {
		return nil, err
	}
	all := p.to(files, p.verb.Table).rest
	for _, name := range p.verb.edited() {
		text, err := plain.File(files, name)
		if err != nil {
			return nil, err
		}
		all[name] = codes(p.verb.Code).ReplaceAllStringFunc(text, func(code string) string {
			if value, known := listed[code]; known {
				return value
			}
			return code
		})
	}
	return all, nil
}

// takeOut takes each line in which the attribute stands out of its part, and lists them with the
// numbers of the part and of the line in it, from 1; also blank lines that would come last.
func (s *step) takeOut() (vfs.Files, error) {
	table := [][]string{{"position", "line", "text"}}
	for i, part := range s.Parts {
		at := make(map[int]bool)
		for _, place := range s.by.spans(part) {
			for n := strings.Count(part[:place.from], "\n"); n <= strings.Count(part[:place.to], "\n"); n++ {
				at[n] = true
			}
		}
		lines := strings.Split(part, "\n")
		for n := len(lines) - 1; n > 0 && (at[n] || len(at) > 0 && blank(lines[n])); n-- {
			at[n] = true // a part does not end with a blank line
		}
		var kept []string
		for n, line := range lines {
			if at[n] {
				table = append(table, []string{strconv.Itoa(i + 1), strconv.Itoa(n + 1), line})
				continue
			}
			kept = append(kept, line)
		}
		if len(kept) == 0 {
			return nil, fmt.Errorf("%s %d is all %s: nothing would be left of it", s.format.Part, i+1, s.by.Name)
		}
		s.Parts[i] = strings.Join(kept, "\n")
	}
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: plain.WriteCSV(table)}), nil
}

// putIn puts the lines of the list into their parts. What has no part there is dropped.
func (p *Program) putIn(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, p.verb.Table, "position", "line", "text")
	if err != nil {
		return nil, err
	}
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		i, n := plain.LineNumber(row[0])-1, plain.LineNumber(row[1])-1
		if i < 0 || i >= len(d.Parts) || n < 0 {
			continue
		}
		lines := strings.Split(d.Parts[i], "\n")
		d.Parts[i] = strings.Join(slices.Insert(lines, min(n, len(lines)), row[2]), "\n")
	}
	return d.with(vfs.Files{d.name: d.Text()}), nil
}
