package edit

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// others is the file, without extension, of the parts that have no file of their own.
const others = "other"

// slug makes a name for a file or an edit of any text: lower case letters, digits and hyphens
// of its first forty.
func slug(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), 40)], "_")
}

// fileOf names the file of a part.
func (s *step) fileOf(part string) string {
	name := slug(s.by.value(part))
	if name == "" || s.verb.Only != "" && s.by.value(part) != s.verb.Only {
		name = others
	}
	return path.Join(path.Dir(s.name), name+s.extension())
}

// split hands the parts out to files, each with what the document begins and ends with, and
// lists the file of each.
func (s *step) split() (vfs.Files, error) {
	groups := make(map[string][]string)
	table := [][]string{{"position", "file"}}
	for i, part := range s.Parts {
		name := s.fileOf(part)
		groups[name] = append(groups[name], part)
		table = append(table, []string{strconv.Itoa(i + 1), name})
	}
	files := vfs.Files{s.verb.Table: plain.WriteCSV(table)}
	for name, parts := range groups {
		files[name] = s.Pieces.with(parts, s.separator()).Text()
	}
	return s.document.with(files), nil
}

// merge takes in what split made. Parts that the table does not place come last.
func (p *Program) merge(files vfs.Files) (vfs.Files, error) {
	rows, err := p.table(files, "position", "file")
	if err != nil {
		return nil, err
	}
	d := p.to(files, p.verb.Table)
	var all []Pieces
	place := make(map[string]int) // of a file in all
	for _, row := range rows {
		name := row[1]
		if _, known := place[name]; known {
			continue
		}
		text, err := plain.File(files, name)
		if err != nil {
			return nil, err
		}
		place[name] = len(all)
		all = append(all, p.format.of(name, text).Cut(text))
		delete(d.rest, name)
	}
	endAlike(all)
	var parts []string
	taken := make([]int, len(all))
	for _, row := range rows {
		k := place[row[1]]
		if left := all[k].Parts[taken[k]:]; len(left) > 0 {
			parts = append(parts, left[0])
			taken[k]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(place)) {
		k := place[name]
		parts = append(parts, all[k].Parts[taken[k]:]...)
	}
	return d.with(vfs.Files{d.name: all[0].with(parts, commonSeparator(all)).Text()}), nil
}

// endAlike gives the last part of each file what stands below it there and in no other file, such
// as a comment: it belongs to the part, as it would between two.
func endAlike(all []Pieces) {
	end := all[0].After
	for _, p := range all {
		if len(p.After) < len(end) {
			end = p.After
		}
	}
	for i := range all {
		p := &all[i]
		more, ok := strings.CutSuffix(p.After, end)
		if n := len(p.Parts); ok && n > 0 && strings.TrimSpace(more) != "" {
			p.Parts[n-1] += strings.TrimRight(more, " \t\r\n")
			p.After = end
		}
	}
}

// commonSeparator is the separator of most pieces.
func commonSeparator(all []Pieces) string {
	var together Pieces
	for _, p := range all {
		together.Between = append(together.Between, p.Between...)
	}
	return together.separator()
}

// numbered is the name of the k-th file of a document that splitEvery divides, from 1.
func numbered(name string, k int) string {
	return fmt.Sprintf("%s_%02d%s", strings.TrimSuffix(name, path.Ext(name)), k, path.Ext(name))
}

// splitEvery makes files of so many parts, in order.
func (s *step) splitEvery() (vfs.Files, error) {
	files := vfs.Files{}
	separator, k := s.separator(), 0
	for parts := range slices.Chunk(s.Parts, s.verb.SplitEvery) {
		k++
		files[numbered(s.name, k)] = s.Pieces.with(parts, separator).Text()
	}
	return s.document.with(files), nil
}

// mergeEvery takes in what splitEvery made, up to the first number that is missing.
func (p *Program) mergeEvery(files vfs.Files) (vfs.Files, error) {
	d := p.to(files, "")
	var all []Pieces
	for {
		name := numbered(d.name, len(all)+1)
		text, ok := files[name]
		if !ok {
			break
		}
		delete(d.rest, name)
		all = append(all, p.format.of(name, text).Cut(text))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: there is no %s", ErrNoParts, numbered(d.name, 1))
	}
	endAlike(all)
	var parts []string
	for _, pieces := range all {
		parts = append(parts, pieces.Parts...)
	}
	return d.with(vfs.Files{d.name: all[0].with(parts, commonSeparator(all)).Text()}), nil
}
