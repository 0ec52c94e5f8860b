package dbschema

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// table reads a statement that makes a table of a list of columns; false, at
// the place where it was, if it is another one.
func (r *reader) table(p *part, first token) bool {
	was := r.position
	head := []token{first}
	for {
		t := r.next()
		switch {
		case t.kind == endToken, t.is(";"), len(head) > 12, len(head) == 2 && !isTableWord(head[1]),
			t.is("(") && !slices.ContainsFunc(head, func(t token) bool { return t.is("TABLE") }):
			r.position = was
			return false
		case t.kind == commentToken:
			p.above = append(p.above, t.text)
			continue
		case t.is("("):
			p.head = head
			r.entries(p)
			r.options(p)
			return true
		}
		head = append(head, t)
	}
}

func isTableWord(t token) bool { return t.is("TABLE") || t.is("TEMPORARY") || t.is("TEMP") }

// entries reads the list up to its closing parenthesis.
func (r *reader) entries(p *part) {
	e := &entry{}
	var waiting []string // comments above what comes next
	depth := 0
	finish := func() {
		if len(e.tokens) > 0 {
			p.entries = plain.Append(p.entries, e)
		}
		e = &entry{}
	}
	for {
		t := r.next()
		switch {
		case t.kind == endToken, r.startsAnother(t), t.is(";"):
			finish()
			r.again()
			p.closing = waiting
			p.problem("closing parenthesis missing")
			return
		case t.kind == commentToken:
			waiting = p.place(t, e, waiting)
			continue
		case t.is(",") && depth == 0:
			if len(e.tokens) == 0 {
				p.problem("surplus comma")
			}
			finish()
			if r.ahead().is(")") {
				p.problem("comma before the closing parenthesis")
			}
			continue
		case t.is(")") && depth == 0:
			if continuesColumn(r.ahead()) {
				p.problem("surplus parenthesis")
				continue
			}
			finish()
			p.closing = waiting
			return
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && t.line && t.kind == nameToken && e.isWhole():
			p.problem("comma missing")
			finish()
		case depth > 0 && t.line && t.kind == nameToken && e.opensLate():
			p.problem("parenthesis missing")
			e.tokens = e.tokens[:len(e.tokens)-1]
			depth = 0
			finish()
		}
		if len(e.tokens) == 0 {
			e.above, waiting = waiting, nil
		}
		e.tokens = append(e.tokens, t)
	}
}

func (p *part) problem(text string) { p.problems = append(p.problems, text) }

// place gives a comment in a table to the entry it stands next to, or to the
// comments that wait for the next entry.
func (p *part) place(t token, e *entry, waiting []string) []string {
	switch {
	case len(e.tokens) > 0:
		if e.beside == "" {
			e.beside = t.text
		} else {
			e.above = append(e.above, t.text)
		}
	case !t.line && len(waiting) == 0 && len(p.entries) > 0 && p.entries[len(p.entries)-1].beside == "":
		p.entries[len(p.entries)-1].beside = t.text
	default:
		waiting = append(waiting, t.text)
	}
	return waiting
}

// isWhole reports whether an entry could end where it ends.
func (e *entry) isWhole() bool {
	if len(e.tokens) < 2 {
		return false
	}
	last := e.tokens[len(e.tokens)-1]
	return last.kind != markToken && !slices.ContainsFunc(unfinished, last.is) || last.is(")")
}

// unfinished are the words that more must follow in an entry.
var unfinished = strings.Fields("REFERENCES KEY INDEX CONSTRAINT UNIQUE COLLATE DEFAULT SET FULLTEXT SPATIAL CHECK")

// continuesColumn reports whether a token after a parenthesis shows that the
// parenthesis did not close the table.
func continuesColumn(t token) bool {
	return slices.ContainsFunc([]string{",", "NOT", "NULL", "UNSIGNED", "PRIMARY", "UNIQUE", "REFERENCES", "ON"}, t.is)
}

// opensLate reports whether the parenthesis that is open was meant to close
// before the comma that is at hand, on its line, as those after a type are.
func (e *entry) opensLate() bool {
	return len(e.tokens) > 0 && e.tokens[len(e.tokens)-1].is(",") && e.tokens[0].kind == nameToken &&
		!slices.ContainsFunc(e.tokens[1:], func(t token) bool { return t.line })
}

// options reads from the closing parenthesis to the end of the statement.
func (r *reader) options(p *part) {
	for {
		t := r.next()
		switch {
		case t.kind == endToken || r.startsAnother(t) || t.line && t.kind == versionToken && len(p.options) > 0 && !isPartition(t):
			r.again()
			return
		case t.is(")") && len(p.options) == 0 && len(p.problems) > 0:
			continue
		case t.is(";"):
			p.end = ";"
			return
		case t.kind == commentToken:
			if t.line && len(p.options) > 0 && p.beside == "" {
				r.again()
				return
			}
			p.beside = t.text
			continue
		}
		p.options = append(p.options, t)
	}
}

func isPartition(t token) bool { return strings.Contains(t.text, "PARTITION") }
