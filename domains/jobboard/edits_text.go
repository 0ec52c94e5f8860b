package jobboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	blindFile  = "blind_board.txt"
	legendFile = "legend.csv"
	codeStart  = "[COMPANY_"
)

// hideCompanies replaces the company of each posting in all of the posting's
// lines.
func hideCompanies(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	if strings.Contains(b.print(), codeStart) {
		return nil, fmt.Errorf("the board has a company hidden as %s already", codeStart)
	}
	rows := [][]string{{"code", "company"}}
	codes := map[string]string{}
	for n, p := range b.postings {
		company := p.value(companyLabel)
		if company == "" {
			continue
		}
		code, known := codes[company]
		if !known {
			code = codeStart + letters(len(codes)) + "]"
			codes[company] = code
			rows = append(rows, []string{code, company})
		}
		b.postings[n].lines = hidden(&p, company, code)
	}
	return vfs.Files{blindFile: b.print(), legendFile: plain.WriteCSV(rows)}, nil
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

func nameCompanies(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, blindFile)
	if err != nil {
		return nil, err
	}
	legend, err := plain.Table(files, legendFile, "code", "company")
	if err != nil {
		return nil, err
	}
	var pairs []string
	for _, row := range legend {
		if !strings.HasPrefix(row[0], codeStart) {
			return nil, fmt.Errorf("%q in %s is no code of a company", row[0], legendFile)
		}
		pairs = append(pairs, row[0], row[1])
	}
	return vfs.Files{boardFile: strings.NewReplacer(pairs...).Replace(text)}, nil
}

const (
	oneLineFile = "by_company.txt"
	orderFile   = "order.csv"
)

// toOneLine puts each posting on a line and sorts the lines by company; those
// without one come last.
func toOneLine(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	frame, err := b.frame()
	if err != nil {
		return nil, err
	}
	type entry struct {
		company, id, line string
		number            int
	}
	entries := make([]entry, len(b.postings))
	for n, p := range b.postings {
		line, err := p.inOneLine()
		if err != nil {
			return nil, err
		}
		entries[n] = entry{pytext.Lower(p.value(companyLabel)), p.id(), line, n + 1}
	}
	slices.SortStableFunc(entries, func(x, y entry) int {
		if (x.company == "") != (y.company == "") {
			return strings.Compare(y.company, x.company)
		}
		return strings.Compare(x.company, y.company)
	})
	rows := [][]string{{"id", "posting"}}
	var lines []string
	for _, e := range entries {
		lines = append(lines, e.line)
		rows = append(rows, []string{e.id, strconv.Itoa(e.number)})
	}
	return vfs.Files{
		oneLineFile: plain.Text(lines), orderFile: plain.WriteCSV(rows), frameFile: plain.Text(frame),
	}, nil
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

func fromOneLine(files vfs.Files) (vfs.Files, error) {
	frame, err := frameOf(files)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, oneLineFile)
	if err != nil {
		return nil, err
	}
	order, err := plain.Table(files, orderFile, "posting")
	if err != nil {
		return nil, err
	}
	lines := slices.DeleteFunc(plain.Lines(text), isBlank)
	if len(lines) != len(order) {
		return nil, fmt.Errorf("%s has %d lines, %s lists %d", oneLineFile, len(lines), orderFile, len(order))
	}
	postings := map[int][]string{}
	for k, line := range lines {
		n, err := numberIn(order[k][0])
		if err != nil {
			return nil, err
		}
		postings[n] = strings.Split(line, pipeMark)
	}
	return fill(frame, postings)
}

const (
	matrixFile    = "skills_matrix.csv"
	skilllessFile = "board_without_skills.txt"
)

// toMatrix moves the skills to a table with a column for each: a cell has the
// places of the skill in the list of the posting.
func toMatrix(files vfs.Files) (vfs.Files, error) {
	b, err := document(files)
	if err != nil {
		return nil, err
	}
	header := []string{"posting", "id"}
	columns := map[string]int{}
	rows := [][]string{nil}
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
	if len(header)*len(rows) > mostCells {
		return nil, fmt.Errorf("%d skills of %d postings are too many for a table", len(header), len(rows))
	}
	rows[0] = header
	for n := range rows {
		rows[n] = append(rows[n], make([]string, len(header)-len(rows[n]))...)
	}
	return vfs.Files{skilllessFile: b.print(), matrixFile: plain.WriteCSV(rows)}, nil
}

// listed are the skills of a line as written.
func listed(list string) []string {
	var skills []string
	for skill := range strings.SplitSeq(list, ",") {
		if skill = pytext.Strip(skill); skill != "" {
			skills = append(skills, skill)
		}
	}
	return skills
}

func fromMatrix(files vfs.Files) (vfs.Files, error) {
	b, err := boardOf(files, skilllessFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, matrixFile)
	if err != nil {
		return nil, err
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", matrixFile, err)
	}
	if len(records) != len(b.postings)+1 {
		return nil, fmt.Errorf("%s has %d records for %d postings", matrixFile, len(records), len(b.postings))
	}
	for n, p := range b.postings {
		skills, err := ranked(records[0], records[n+1])
		if err != nil {
			return nil, fmt.Errorf("%s in %s: %w", p.id(), matrixFile, err)
		}
		if len(skills) == 0 {
			continue
		}
		if at, _ := p.find(skillsLabel); at < 0 {
			return nil, fmt.Errorf("%s has no line for its skills", p.id())
		}
		b.postings[n] = p.with(skillsLabel, strings.Join(skills, ", "))
	}
	return vfs.Files{boardFile: b.print()}, nil
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
