package latex

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

// equations are the environments of displayed mathematics.
var equations = sets.Words("equation align gather multline eqnarray displaymath flalign alignat")

// tables are the environments of rows and cells.
var tables = sets.Words("tabular tabular* tabularx tabulary longtable supertabular array")

// display reads a displayed formula, line by line.
func (f *flow) display(s *source, environment string, lo, hi int) {
	f.endSentence()
	p := newPiece(f.key("formula"))
	p.field("environment", environment)
	for _, row := range s.rows(lo, hi) {
		if text := p.between(s, row[0], row[1], writer{math: 1}); text != "" {
			p.numbered("line", text)
		}
	}
	for i := range p.fields {
		if p.fields[i].Name == "label" {
			p.key = "formula " + p.fields[i].Value
		}
	}
	f.put(p)
}

// rows are the ranges between the \\ of a table or formula, with the token that
// ends them: those of groups and environments inside are part of their row.
func (s *source) rows(lo, hi int) (rows [][2]int) {
	start := lo
	for i := lo; i < hi; i++ {
		switch t := s.tokens[i]; {
		case int(t.partner) > i && int(t.partner) < hi && t.kind != mathToken:
			i = int(t.partner)
		case t.kind == symbolToken && s.of(i) == `\\`:
			rows = append(rows, [2]int{start, i})
			start = i + 1
		}
	}
	return append(rows, [2]int{start, hi})
}

// rules are the commands that draw lines between rows.
var rules = sets.Words("hline toprule midrule bottomrule cmidrule cline addlinespace specialrule")

// table reads the rows of a table, cell by cell.
func (f *flow) table(s *source, lo, hi int) {
	for n, row := range s.rows(lo, hi) {
		if f.position >= mostElements {
			f.rest.WriteString(pytext.Collapse(s.between(row[0], hi)))
			f.rest.WriteByte('\n')
			return
		}
		p := newPiece(fmt.Sprintf("row %d of table %d", n+1, f.tables))
		at := p.rules(s, row[0], row[1])
		if s.skip(at) >= row[1] && row[1] == hi && len(p.fields) == 0 {
			return
		}
		start := at
		for i := at; i <= row[1]; i++ {
			switch {
			case i == row[1] || s.tokens[i].kind == cellToken:
				p.numbered("cell", p.between(s, start, i, writer{}))
				start = i + 1
			case int(s.tokens[i].partner) > i && int(s.tokens[i].partner) < row[1]:
				i = int(s.tokens[i].partner)
			}
		}
		f.put(p)
	}
}

// rules reads the lines drawn above a row and returns the token after them.
func (p *piece) rules(s *source, lo, hi int) int {
	at := lo
	for {
		i := at
		for i < hi && slices.Contains([]tokenKind{blankToken, commentToken, paragraphToken}, s.tokens[i].kind) {
			i++
		}
		if i >= hi || s.tokens[i].kind != commandToken || !rules[s.of(i)[1:]] {
			return at
		}
		end := i + 1
		for ; end < hi; end++ {
			t := &s.tokens[end]
			if t.kind != openToken && t.kind != optionToken && (t.kind != wordToken || s.text[t.at] != '(') {
				break
			}
			if partner := int(t.partner); partner > end {
				end = partner
			}
		}
		p.field("rule", p.between(s, i, end, writer{}))
		at = end
	}
}

// verbatim reads text that TeX does not read, line by line.
func (f *flow) verbatim(text string) {
	text = strings.Trim(text, "\n")
	for more := true; more && f.position < mostElements; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		p := newPiece(f.key("verbatim line"))
		p.field("text", strings.TrimRight(line, " \t"))
		f.put(p)
	}
	if f.position >= mostElements {
		f.rest.WriteString(text)
	}
}
