package jobboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// codeCompanies replaces the company of each posting in all of the posting's lines.
func codeCompanies(p struct{ Document, To, Code, Table string }) exact.Steps {
	begins := "[" + p.Code + "_"
	return steps(p.Document, func(b board) (vfs.Files, error) {
		if strings.Contains(b.print(), begins) {
			return nil, fmt.Errorf("the board has a company hidden as %s already", begins)
		}
		codes := exact.Codes{New: func(_ string, codes int) string { return begins + letters(codes) + "]" }}
		for n, one := range b.postings {
			if company := one.value(companyLabel); company != "" {
				b.postings[n].lines = hidden(&one, company, codes.Of(company))
			}
		}
		return vfs.Files{p.To: b.print(), p.Table: codes.CSV("code", "company")}, nil
	}, func(files vfs.Files) (board, error) {
		text, err := plain.File(files, p.To)
		if err != nil {
			return board{}, err
		}
		rows, err := plain.Table(files, p.Table, "code", "company")
		var pairs []string
		for _, row := range rows {
			if !strings.HasPrefix(row[0], begins) {
				return board{}, fmt.Errorf("%q in %s is no code of a company", row[0], p.Table)
			}
			pairs = append(pairs, row[0], row[1])
		}
		return read(strings.NewReplacer(pairs...).Replace(text)), err
	})
}

// hidden are the lines of a posting with a code for its company. The head and
// the labels stay as they are.
func hidden(p *posting, company, code string) []string {
	lines := slices.Clone(p.lines)
	for n, line := range lines[1:] {
		start := 0
		if _, _, labelled := cutLabel(line); labelled {
			start = strings.Index(line, ":") + 1
		}
		lines[n+1] = line[:start] + strings.ReplaceAll(line[start:], company, code)
	}
	return lines
}

// letters numbers from 0: A to Z, then AA, AB and so on.
func letters(n int) string {
	const alphabet = 26
	text := ""
	for n++; n > 0; n = (n - 1) / alphabet {
		text = string(rune('A'+(n-1)%alphabet)) + text
	}
	return text
}

// lines are the postings on a line each.
type lines struct{ Document, To, Frame, Table string }

// oneLine puts each posting on a line and sorts the lines by company; those without one come
// last.
func oneLine(p lines) exact.Steps { return steps(p.Document, p.write, p.read) }

func (l *lines) write(b board) (vfs.Files, error) {
	frame, err := b.frame()
	if err != nil {
		return nil, err
	}
	positions := boards.Sort(&b, func(x, y *posting) int {
		c, d := pytext.Lower(x.value(companyLabel)), pytext.Lower(y.value(companyLabel))
		if (c == "") != (d == "") {
			return strings.Compare(d, c)
		}
		return strings.Compare(c, d)
	})
	rows := [][]string{{"id", "posting"}}
	var all []string
	for n, p := range b.postings {
		line, err := p.inOneLine()
		if err != nil {
			return nil, err
		}
		all = append(all, line)
		rows = append(rows, []string{p.id(), strconv.Itoa(positions[n])})
	}
	return vfs.Files{l.To: plain.Text(all), l.Table: plain.WriteCSV(rows), l.Frame: plain.Text(frame)}, nil
}

func (p *posting) inOneLine() (string, error) {
	var parts []string
	for _, line := range p.lines {
		if strings.Contains(line, "|") {
			return "", fmt.Errorf("%s has a pipe in the line %q", p.id(), line)
		}
		if !isBlank(line) {
			parts = append(parts, pytext.Strip(line))
		}
	}
	return strings.Join(parts, pipeMark), nil
}

func (l *lines) read(files vfs.Files) (none board, err error) {
	frame, err := plain.File(files, l.Frame)
	if err != nil {
		return none, err
	}
	text, err := plain.File(files, l.To)
	if err != nil {
		return none, err
	}
	order, err := tableOf(files, l.Table)
	if err != nil {
		return none, err
	}
	lines := slices.DeleteFunc(plain.Lines(text), isBlank)
	if len(lines) != len(order) {
		return none, fmt.Errorf("%s has %d lines, %s lists %d", l.To, len(lines), l.Table, len(order))
	}
	postings := map[int][]string{}
	for k, line := range lines {
		postings[order[k].posting] = strings.Split(line, pipeMark)
	}
	return fill(plain.Lines(frame), postings)
}

// matrix is a table with a column for each skill.
type matrix struct{ Document, To, Table string }

// skillsMatrix moves the skills to a table: a cell has the places of the skill in the list of
// the posting.
func skillsMatrix(p matrix) exact.Steps { return steps(p.Document, p.write, p.read) }

func (m *matrix) write(b board) (vfs.Files, error) {
	header := []string{"posting", "id"}
	columns := map[string]int{}
	var rows [][]string
	for n, p := range b.postings {
		row := []string{strconv.Itoa(n + 1), p.id()}
		for k, skill := range listed(p.value(skillsLabel)) {
			at, known := columns[skill]
			if !known {
				at = len(header)
				columns[skill] = at
				header = append(header, skill)
			}
			for len(row) <= at {
				row = append(row, "")
			}
			row[at] = strings.TrimSpace(row[at] + " " + strconv.Itoa(k+1))
		}
		rows = append(rows, row)
		if at, _ := p.find(skillsLabel); at >= 0 {
			b.postings[n] = p.with(skillsLabel, "")
		}
	}
	const mostCells = 4 << 20
	if len(header)*(len(rows)+1) > mostCells {
		return nil, fmt.Errorf("%d skills of %d postings are too many for a table", len(header), len(rows)+1)
	}
	table := plain.Sparse{Header: header, Rows: rows}
	return vfs.Files{m.To: b.print(), m.Table: table.CSV()}, nil
}

// listed are the skills of a line as written.
func listed(list string) []string { return pytext.Parts(list, ",") }

func (m *matrix) read(files vfs.Files) (board, error) {
	b, err := boardOf(files, m.To)
	if err != nil {
		return b, err
	}
	table, err := plain.ReadSparse(files, m.Table)
	if err != nil {
		return b, err
	}
	if len(table.Rows) != len(b.postings) {
		return b, fmt.Errorf("%s has %d records for %d postings", m.Table, len(table.Rows)+1, len(b.postings))
	}
	for n, p := range b.postings {
		skills, err := ranked(table.Header, table.Rows[n])
		if err != nil {
			return b, fmt.Errorf("%s in %s: %w", p.id(), m.Table, err)
		}
		if len(skills) == 0 {
			continue
		}
		if at, _ := p.find(skillsLabel); at < 0 {
			return b, fmt.Errorf("%s has no line for its skills", p.id())
		}
		b.postings[n] = p.with(skillsLabel, strings.Join(skills, ", "))
	}
	return b, nil
}

// ranked lists the skills of a row of the matrix by their places.
func ranked(header, row []string) ([]string, error) {
	const firstSkill = 2
	at := map[int]string{}
	for k := firstSkill; k < min(len(header), len(row)); k++ {
		for place := range strings.FieldsSeq(row[k]) {
			n, err := strconv.Atoi(place)
			if err != nil {
				return nil, fmt.Errorf("the place of %s is %q", header[k], place)
			}
			at[n] = header[k]
		}
	}
	skills := make([]string, len(at))
	for n := range skills {
		skill, ok := at[n+1]
		if !ok {
			return nil, fmt.Errorf("no skill has place %d", n+1)
		}
		skills[n] = skill
	}
	return skills, nil
}
