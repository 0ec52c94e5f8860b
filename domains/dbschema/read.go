package dbschema

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// document is a file of SQL as MySQL's client reads it, and what that would not
// read, in parts that print puts together again.
type document struct {
	parts   []*part
	closing []string // comments after the last statement
}

type partKind uint8

const (
	tablePart partKind = iota
	otherPart          // any other statement
	linePart           // a line of text that is no statement
)

// part is a statement, or a line that is none.
type part struct {
	kind    partKind
	above   []string // comments, with their marks
	beside  string   // a comment on the last line
	gap     bool     // a blank line stands above
	text    string   // of a part that is no table, without its end
	version string   // 40101 for a statement in /*!40101 ... */
	end     string   // the delimiter, empty if it is missing

	// Of a table:
	head     []token // up to the parenthesis
	entries  []*entry
	closing  []string // comments after the last entry
	options  []token  // after the parenthesis
	problems []string
}

// entry is a column, key or constraint in a table.
type entry struct {
	above  []string // comments, with their marks
	beside string   // a comment after it
	tokens []token
}

// read reads a file. It takes any text.
func read(content string) *document {
	text := strings.Join(plain.Lines(content), "\n")
	r := &reader{lexer: lexer{text: text}, delimiter: ";", doc: &document{}}
	for r.part() {
	}
	r.doc.closing = r.above
	return r.doc
}

// reader cuts a text into parts.
type reader struct {
	lexer
	delimiter string
	doc       *document
	above     []string // comments that wait for their statement
}

// last is the part before, nil if there is none.
func (r *reader) last() *part {
	if len(r.doc.parts) == 0 {
		return nil
	}
	return r.doc.parts[len(r.doc.parts)-1]
}

func (r *reader) add(p *part) *part {
	p.above, r.above = r.above, nil
	r.doc.parts = plain.Append(r.doc.parts, p)
	return p
}

// part reads a comment or part; false at the end.
func (r *reader) part() bool {
	t := r.next()
	switch {
	case t.kind == endToken:
		return false
	case t.kind == commentToken:
		r.comment(t)
	case t.kind == versionToken:
		r.versioned(t)
	case t.is("DELIMITER"):
		r.delimiterLine()
	case t.is(";"):
		if p := r.last(); p != nil && p.end == "" && p.kind == otherPart && p.version == "" {
			p.end = ";"
		}
	case t.kind == wordToken && r.isStatement(t):
		r.statement(t)
	default:
		gap := r.gapAbove()
		r.at = r.start
		r.add(&part{kind: linePart, text: r.restOfLine(), gap: gap})
	}
	return true
}

func (r *reader) comment(t token) {
	if p := r.last(); p != nil && !t.line && len(r.above) == 0 && p.beside == "" && p.kind != linePart {
		p.beside = t.text
		return
	}
	r.above = append(r.above, t.text)
}

// versioned reads /*!40101 SET NAMES utf8 */ as a statement.
func (r *reader) versioned(t token) {
	inner := strings.TrimSuffix(strings.TrimPrefix(t.text, "/*!"), "*/")
	digits := len(inner) - len(strings.TrimLeft(inner, "0123456789"))
	p := r.add(&part{kind: otherPart, version: inner[:digits], text: strings.TrimSpace(inner[digits:]), gap: r.gapAbove()})
	if digits == 0 {
		p.version = "0"
	}
	if r.ahead().is(";") {
		p.end = r.next().text
	}
}

func (r *reader) delimiterLine() {
	r.at = r.start
	p := r.add(&part{kind: otherPart, text: r.restOfLine(), end: "\n", gap: r.gapAbove()})
	if words := strings.Fields(p.text); len(words) == 2 {
		r.delimiter = words[1]
	}
}

func (r *reader) restOfLine() string {
	start := r.at
	r.at += lineLength(r.text[start:])
	return strings.TrimSpace(r.text[start:r.at])
}

// gapAbove reports whether a blank line stands above the last token, or above the comments that belong to it.
func (r *reader) gapAbove() bool {
	before := r.text[:r.start]
	if len(r.above) > 0 {
		first := r.above[0]
		if at := strings.LastIndex(before[max(0, len(before)-4096):], first); at >= 0 {
			before = before[:max(0, len(before)-4096)+at]
		}
	}
	ink := strings.TrimRight(before, " \t\n")
	return ink != "" && strings.Count(before[len(ink):], "\n") > 1
}

// statementStarts are the words that begin a statement, with those of which one
// must follow, if that is needed to tell it from prose.
var statementStarts = map[string][]string{
	"CREATE": {
		"TABLE", "TEMPORARY", "TEMP", "UNIQUE", "INDEX", "FULLTEXT", "SPATIAL", "VIEW", "OR", "TRIGGER", "PROCEDURE", "FUNCTION",
		"EVENT", "DATABASE", "SCHEMA", "USER", "DEFINER", "ALGORITHM", "SEQUENCE", "TYPE", "EXTENSION", "DOMAIN", "MATERIALIZED",
		"ROLE", "POLICY", "RULE", "AGGREGATE", "CAST", "OPERATOR", "COLLATION", "PUBLICATION", "LANGUAGE", "STATISTICS", "FOREIGN",
		"CLUSTERED", "NONCLUSTERED", "PROC", "LOGIN", "RECURSIVE", "CONSTRAINT", "SERVER", "SYNONYM", "PACKAGE", "TEXT",
	},
	"DROP": {
		"TABLE", "TEMPORARY", "INDEX", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT", "DATABASE", "SCHEMA", "USER",
		"SEQUENCE", "TYPE", "EXTENSION", "DOMAIN", "MATERIALIZED", "ROLE", "POLICY", "RULE", "AGGREGATE", "CAST", "OPERATOR", "COLLATION",
		"PUBLICATION", "LANGUAGE", "STATISTICS", "FOREIGN", "PROC", "LOGIN", "CONSTRAINT", "SERVER", "OWNED", "CONCURRENTLY",
	},
	"ALTER": {
		"TABLE", "DATABASE", "SCHEMA", "VIEW", "SEQUENCE", "IGNORE", "ONLINE", "USER", "TYPE", "FUNCTION", "PROCEDURE", "INDEX",
		"TRIGGER", "EXTENSION", "DOMAIN", "MATERIALIZED", "ROLE", "POLICY", "DEFAULT", "PUBLICATION", "LANGUAGE", "FOREIGN", "EVENT", "SYSTEM",
	},
	"INSERT":   {"INTO", "IGNORE", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "OR"},
	"REPLACE":  {"INTO", "LOW_PRIORITY", "DELAYED"},
	"DELETE":   {"FROM"},
	"LOCK":     {"TABLES", "TABLE"},
	"UNLOCK":   {"TABLES", "TABLE"},
	"START":    {"TRANSACTION"},
	"RENAME":   {"TABLE"},
	"TRUNCATE": {"TABLE"},
	"COMMENT":  {"ON"},
	"ANALYZE":  {"TABLE"},
	"OPTIMIZE": {"TABLE"},
	"GRANT":    nil, "SET": nil, "USE": nil, "UPDATE": nil, "COMMIT": nil, "BEGIN": nil, "PRAGMA": nil, "CALL": nil,
	"SELECT": nil, "ROLLBACK": nil, "REVOKE": nil, "MERGE": {"INTO"}, "REFRESH": {"MATERIALIZED"}, "VACUUM": {";", "ANALYZE", "FULL"},
	"REINDEX": {"TABLE", "INDEX", "DATABASE", "SCHEMA"}, "EXPLAIN": {"ANALYZE", "SELECT", "QUERY"},
}

// isStatement reports whether a word that was taken begins a statement.
func (r *reader) isStatement(t token) bool {
	followers, known := statementStarts[strings.ToUpper(t.text)]
	if !known {
		return t.is("WITH") && r.namesQuery() || t.is("DO") && r.followedBy(func(t token) bool { return t.kind == stringToken || t.isDollarQuote() || t.is("LANGUAGE") })
	}
	was := r.position
	second := r.next()
	for second.kind == commentToken {
		second = r.next()
	}
	r.position = was
	if followers == nil {
		return second.kind != markToken || second.is(";") || second.is("@")
	}
	return slices.ContainsFunc(followers, second.is)
}

// followedBy reports whether the next token is one of those.
func (r *reader) followedBy(is func(token) bool) bool {
	was := r.position
	defer func() { r.position = was }()
	return is(r.next())
}

// namesQuery reports whether what follows WITH names a query, as in "late AS (" or "late (boat) AS (".
func (r *reader) namesQuery() bool {
	was := r.position
	defer func() { r.position = was }()
	name := r.next()
	if name.is("RECURSIVE") {
		name = r.next()
	}
	after := r.next()
	return name.kind != markToken && (after.is("AS") || after.is("("))
}

// startsAnother reports whether a token inside a statement is the first of the
// next one, so that the end of this one is missing.
func (r *reader) startsAnother(t token) bool {
	starts := []string{"CREATE", "DROP", "ALTER", "INSERT", "LOCK", "UNLOCK"}
	return t.line && slices.ContainsFunc(starts, t.is) && r.isStatement(t)
}

func (r *reader) statement(first token) {
	p := r.add(&part{gap: r.gapAbove()})
	if r.delimiter != ";" {
		p.kind = otherPart
		r.upToDelimiter(p)
		return
	}
	if first.is("CREATE") && r.table(p, first) {
		return
	}
	p.kind, p.head = otherPart, nil
	r.other(p)
}

func (r *reader) upToDelimiter(p *part) {
	p.end = r.delimiter
	length := strings.Index(r.text[r.start:], r.delimiter)
	if length < 0 {
		p.end, length = "", len(r.text)-r.start
	}
	p.text = strings.TrimSpace(r.text[r.start : r.start+length])
	r.at = r.start + length + len(p.end)
}

// other reads a statement that makes no table. Within dollar quotes no token ends it.
func (r *reader) other(p *part) {
	begin, last := r.start, r.at
	depth, isRoutine, quote := 0, false, ""
	for {
		t := r.next()
		switch {
		case quote != "" && t.kind != endToken:
			if t.text == quote {
				quote = ""
			}
		case t.isDollarQuote() && strings.Contains(r.text[r.at:], t.text):
			quote = t.text
		case t.kind == endToken || !isRoutine && r.startsAnother(t):
			p.text = strings.TrimSpace(r.text[begin:last])
			r.at = last // comments after it are read again
			return
		case t.is(";") && depth == 0:
			p.text, p.end = strings.TrimSpace(r.text[begin:r.start]), ";"
			return
		case t.is("TRIGGER"), t.is("PROCEDURE"), t.is("FUNCTION"), t.is("EVENT"):
			isRoutine = true
		case isRoutine && (t.is("BEGIN") || t.is("CASE")):
			depth++
		case isRoutine && t.is("END"):
			if after := r.next(); !after.is("IF") && !after.is("LOOP") && !after.is("WHILE") && !after.is("REPEAT") {
				depth--
				r.again()
				continue
			}
		}
		if t.kind != commentToken {
			last = r.at
		}
	}
}

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

// place gives a comment in a table to the entry it stands next to, or to the comments that wait for the next entry.
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

// continuesColumn reports whether a token after a parenthesis shows that the parenthesis did not close the table.
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
