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

// slug makes a name for a file or an edit of any text: lower case letters, digits and hyphens of its first forty.
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

// splitName is a name for an edit that splits by conditions, after what they look at.
func (v Verb) splitName() string {
	seen := make(map[string]bool)
	for _, one := range v.SplitInto {
		for _, clause := range one.If {
			for name := range clause {
				seen[slug(name)] = true
			}
		}
	}
	return "split_into_files_by_" + strings.Join(slices.Sorted(maps.Keys(seen)), "_and_")
}

// checkCases returns what is wrong with SplitInto.
func (v Verb) checkCases() error {
	for n, one := range v.SplitInto {
		switch err := checkCondition(one.If); {
		case one.File == "":
			return fmt.Errorf("split_into, %d: file must be set", n+1)
		case err != nil:
			return fmt.Errorf("split_into, %s: %w", one.File, err)
		case len(one.If) == 0 && n+1 < len(v.SplitInto):
			return fmt.Errorf("split_into, %s: what follows a case without a condition gets nothing", one.File)
		}
	}
	return nil
}

// placed says where a split puts a part, and why.
type placed struct{ file, reason string }

// placing returns what places a part.
func (s *step) placing() (func(part string) placed, error) {
	dir := path.Dir(s.name)
	rest := placed{file: path.Join(dir, others+s.extension())}
	if len(s.verb.SplitInto) == 0 {
		return func(part string) placed {
			value := s.by.value(part)
			if name := slug(value); name != "" && (s.verb.Only == "" || value == s.verb.Only) {
				return placed{file: path.Join(dir, s.verb.fileOf(name, s.extension()))}
			}
			return rest
		}, nil
	}
	var meets []func(string) bool
	for _, one := range s.verb.SplitInto {
		meet, err := s.format.condition(one.If)
		if err != nil {
			return nil, err
		}
		meets = append(meets, meet)
	}
	return func(part string) placed {
		for i, meet := range meets {
			if meet(part) {
				return placed{s.verb.SplitInto[i].File, s.verb.SplitInto[i].Reason}
			}
		}
		return rest
	}, nil
}

// fileOf is the name of the file of a value.
func (v Verb) fileOf(value, extension string) string {
	if v.Files != "" {
		return strings.ReplaceAll(v.Files, hole, value)
	}
	return value + extension
}

// split hands the parts out to files, each with what the document begins and ends with, and lists the file of each.
func (s *step) split() (vfs.Files, error) {
	placing, err := s.placing()
	if err != nil {
		return nil, err
	}
	groups := make(map[string][]int)
	reasons := slices.ContainsFunc(s.verb.SplitInto, func(c Case) bool { return c.Reason != "" })
	table := [][]string{{"position", "file", "reason"}}
	for i, part := range s.Parts {
		to := placing(part)
		groups[to.file] = append(groups[to.file], i)
		table = append(table, []string{strconv.Itoa(i + 1), to.file, to.reason})
	}
	if !reasons {
		for i := range table {
			table[i] = table[i][:2]
		}
	}
	files := s.apart(groups)
	files[s.verb.Table] = plain.WriteCSV(table)
	return s.document.with(files), nil
}

// apart makes files of groups of parts. What stands below a part is written where it is not what
// merging takes for usual, which is what most parts in these files have below them.
func (p Pieces) apart(groups map[string][]int) vfs.Files {
	names := slices.Sorted(maps.Keys(groups))
	made := func(usual string) (files vfs.Files, fits bool) {
		var all []Pieces
		files = vfs.Files{}
		for _, name := range names {
			few := p.only(groups[name], usual)
			all = append(all, few)
			files[name] = few.Text()
		}
		return files, commonSeparator(all) == usual
	}
	first, fits := made(p.separator())
	if fits {
		return first
	}
	for _, other := range slices.Compact(slices.Sorted(slices.Values(append([]string{"\n"}, p.Between...)))) {
		if files, fits := made(other); fits {
			return files
		}
	}
	return first
}

// only is the document with some of its parts, in order. What stands below a part in a way of its
// own stays there: two blank lines where one is usual.
func (p Pieces) only(parts []int, usual string) Pieces {
	few := Pieces{Before: p.Before, After: p.After}
	for n, i := range parts {
		few.Parts = append(few.Parts, p.Parts[i])
		switch {
		case i == len(p.Parts)-1:
		case n+1 < len(parts):
			few.Between = append(few.Between, p.Between[i])
		case p.Between[i] != usual && blank(p.Between[i]):
			few.After = p.Between[i] + p.After
		}
	}
	return few
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

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
		all = append(all, p.format.cut(name, text))
		delete(d.rest, name)
	}
	m := newMerger(all)
	for _, row := range rows {
		m.take(place[row[1]], 1)
	}
	for _, name := range slices.Sorted(maps.Keys(place)) {
		m.take(place[name], len(all[place[name]].Parts))
	}
	return d.with(vfs.Files{d.name: m.together.Text()}), nil
}

// merger puts the parts of several files together.
type merger struct {
	all      []Pieces
	taken    []int // of each file
	usual    string
	gap      string // below the part that was taken last
	together Pieces
}

func newMerger(all []Pieces) *merger {
	m := &merger{all: all, taken: make([]int, len(all)), usual: commonSeparator(all)}
	m.together.Before, m.together.After = all[0].Before, endAlike(all)
	return m
}

// take takes so many parts of a file, as far as it has them.
func (m *merger) take(file, count int) {
	p := m.all[file]
	for ; count > 0 && m.taken[file] < len(p.Parts); count-- {
		n := m.taken[file]
		m.taken[file]++
		if len(m.together.Parts) > 0 {
			m.together.Between = append(m.together.Between, m.gap)
		}
		m.together.Parts = append(m.together.Parts, p.Parts[n])
		m.gap = m.usual
		if n < len(p.Between) {
			m.gap = p.Between[n]
		} else if own := strings.TrimSuffix(p.After, m.together.After); own != "" && blank(own) {
			m.gap = own
		}
	}
}

// endAlike returns what all files end with. It gives the last part of each file what stands below it there and in no
// other file, such as a comment: it belongs to the part, as it would between two.
func endAlike(all []Pieces) string {
	end := all[0].After
	for _, p := range all {
		if len(p.After) < len(end) {
			end = p.After
		}
	}
	for i := range all {
		p := &all[i]
		more, ok := strings.CutSuffix(p.After, end)
		if n := len(p.Parts); ok && n > 0 && !blank(more) {
			p.Parts[n-1] += more
			p.After = end
		}
	}
	return end
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
	groups := make(map[string][]int)
	for i := range s.Parts {
		name := numbered(s.name, i/s.verb.SplitEvery+1)
		groups[name] = append(groups[name], i)
	}
	return s.document.with(s.apart(groups)), nil
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
		all = append(all, p.format.cut(name, text))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: there is no %s", ErrNoParts, numbered(d.name, 1))
	}
	m := newMerger(all)
	for k, pieces := range all {
		m.take(k, len(pieces.Parts))
	}
	return d.with(vfs.Files{d.name: m.together.Text()}), nil
}
