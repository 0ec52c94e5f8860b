package docker

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberComments moves blocks of comment lines to a file of notes and leaves marks such as
// "# [C1]".
func numberComments(p struct {
	Document, To string
	First, Notes string // the first mark, and the file
}) exact.Steps {
	number, prefix := exact.Counting(p.First), strings.TrimRight(p.First, "0123456789")
	change := func(s *script) (vfs.Files, error) {
		var kept []part
		var notes []string
		count := 0
		for i, of := range s.parts {
			if of.kind != commentLine {
				kept = append(kept, of)
				continue
			}
			if i == 0 || s.parts[i-1].kind != commentLine {
				mark := number("", count)
				if count > 0 {
					notes = append(notes, "")
				}
				count++
				notes = append(notes, "## "+mark, "")
				kept = append(kept, part{kind: commentLine, lines: []string{"# [" + mark + "]"}})
			}
			notes = append(notes, of.comment())
		}
		s.parts = kept
		return vfs.Files{p.Notes: plain.Text(notes)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		text, err := plain.File(files, p.Notes)
		notes := map[string][]string{}
		mark := ""
		for line := range strings.SplitSeq(text, "\n") {
			if number, ok := strings.CutPrefix(line, "## "+prefix); ok && plain.IsDigits(strings.TrimSpace(number)) {
				mark = "[" + prefix + strings.TrimSpace(number) + "]"
			} else {
				notes[mark] = append(notes[mark], line)
			}
		}
		for i := range s.parts {
			of := &s.parts[i]
			if lines, ok := notes[of.text]; ok && of.kind == commentLine {
				of.lines = lists.Map(lists.Trim(lines, isBlankLine), commentOf)
			}
		}
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

// singlePairs makes an instruction of each pair of ENV and LABEL instructions with several, in
// order of their names. On the way back neighbouring instructions of one pair are joined as the
// table has them.
func singlePairs(p struct{ Document, To, Table string }) exact.Steps {
	columns := []string{"group", "stage", "instruction", "key"}
	change := func(s *script) (vfs.Files, error) {
		table := [][]string{columns}
		group := 0
		for stage, of := range s.instructions("") {
			pairs := severalPairs(of)
			if pairs == nil {
				continue
			}
			group++
			for _, pair := range pairs {
				table = append(table, []string{strconv.Itoa(group), stage, of.keyword, pair.name})
			}
			slices.SortStableFunc(pairs, func(a, b pair) int { return strings.Compare(a.name, b.name) })
			of.lines = nil
			for _, pair := range pairs {
				of.lines = append(of.lines, of.keyword+" "+pair.name+"="+pair.value)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		slices.SortStableFunc(rows, plain.ByNumber)
		groups := groupsOf(rows)
		var names stageNames
		for i := 0; i < len(s.parts); i++ {
			names.pass(&s.parts[i])
			for k, g := range groups {
				if g.stage != names.stage || !s.parts[i].is(g.instruction) {
					continue
				}
				// Of a damaged group, most pairs must still stand together.
				if n := g.run(s.parts[i:]); 2*n > len(g.keys) {
					s.parts[i].lines = g.joined(s.parts[i : i+n])
					s.parts = slices.Delete(s.parts, i+1, i+n)
					groups = groups[k+1:]
					break
				}
			}
		}
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

// severalPairs are the pairs of an ENV or LABEL with more than one. One with
// comments between its lines, a word that is no pair or a name twice is left
// alone.
func severalPairs(p *part) []pair {
	if !p.is("ENV") && !p.is("LABEL") || len(p.inside) > 0 {
		return nil
	}
	pairs := readPairs(p.text)
	if len(pairs) < 2 || slices.ContainsFunc(words(p.text), func(w string) bool { return !strings.Contains(w, "=") }) {
		return nil
	}
	names := map[string]bool{}
	for _, pair := range pairs {
		names[pair.name] = true
	}
	if len(names) < len(pairs) {
		return nil
	}
	return pairs
}

// group is the pairs that one instruction had, in their order.
type group struct {
	stage, instruction string
	keys               []string
}

func groupsOf(rows [][]string) []group {
	var groups []group
	for i, row := range rows {
		if i == 0 || rows[i-1][0] != row[0] {
			groups = append(groups, group{stage: row[1], instruction: row[2]})
		}
		last := &groups[len(groups)-1]
		last.keys = append(last.keys, row[3])
	}
	return groups
}

// run is the number of parts, from the first on, that are pairs of the group in
// ascending order.
func (g *group) run(parts []part) int {
	before := ""
	for n := range parts {
		key := soleKey(&parts[n])
		if n == len(g.keys) || !parts[n].is(g.instruction) || key <= before || !slices.Contains(g.keys, key) {
			return n
		}
		before = key
	}
	return len(parts)
}

// joined is the instruction that the parts make together.
func (g *group) joined(parts []part) []string {
	var pairs []string
	for _, key := range g.keys {
		for i := range parts {
			if pair := readPairs(parts[i].text)[0]; pair.name == key {
				pairs = append(pairs, key+"="+pair.value)
			}
		}
	}
	return strings.Split(g.instruction+" "+strings.Join(pairs, " \\\n    "), "\n")
}

// soleKey is the name of an instruction's only pair, empty if it has not one.
func soleKey(p *part) string {
	if pairs := readPairs(p.text); len(pairs) == 1 {
		return pairs[0].name
	}
	return ""
}
