package accounting

import (
	"slices"
	"strings"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
)

// format finds the transactions of a ledger of any name by Ledger's own rules, and the lines outside of them. Lines
// before the first transaction have an order; those after it may change places with transactions.
var format = doc.Format{
	Counted: counted,
	Orders:  map[string]doc.Order{outsideKind: doc.OpeningInOrder, commentKind: doc.OpeningInOrder},
	Read: func(text string) []doc.Part {
		lines := doc.Lines(text)
		r := reader{parts: make([]doc.Part, 0, len(lines)/usualLines)}
		wrapped := wrappedTexts(text)
		for n, line := range lines {
			if text := strings.TrimRight(line.Text, " \t"); wrapped[n] && len(r.parts) > 0 {
				r.goOn(line, text)
			} else {
				r.take(line, text)
			}
		}
		r.close()
		return r.parts
	},
}

const (
	counted     = "transaction"
	outsideKind = "line"
	commentKind = "comment"
)

// usualLines is how many lines a transaction takes at least as a rule.
const usualLines = 4

type reader struct {
	parts     []doc.Part
	entry     int  // the place of the open transaction
	open      bool // indented lines belong to it
	blank     bool // there was a blank line since its last one
	commented bool // inside a block from "comment" to "end comment"
	margins   []doc.Part
}

// take reads a line, of which text has no blanks at its end.
func (r *reader) take(line doc.Line, text string) {
	switch {
	case r.commented:
		r.outside(line, text)
		r.commented = text != "end comment" && text != "end test" && text != "end"
	case text == "":
		r.blank = true
	case text[0] == ' ' || text[0] == '\t':
		if !r.open {
			r.outside(line, text)
			return
		}
		p := r.reach(line)
		l := readLine(strings.TrimLeft(text, " \t"))
		p.Add(postingField, l.posting())
		p.Add(commentField, remark(l.comment))
	case dateLength(text) > 0 && r.start(line, text):
	case r.open && !r.blank && !startsBlock(text):
		r.reach(line)
		r.margins = append(r.margins, outside(line, text)) // at column 0, so no part of the transaction that it stands in
	default:
		r.close()
		r.outside(line, text)
		r.commented = text == "comment" || text == "test"
	}
}

// goOn takes a line into the text in quotes that the line above has opened.
func (r *reader) goOn(line doc.Line, text string) {
	p := &r.parts[len(r.parts)-1]
	p.To = line.To
	if text = pytext.Collapse(text); text != "" {
		p.Fields[len(p.Fields)-1].Value += "\n" + text
	}
}

// wrappedTexts are the lines, from 0, that begin within a text in quotes, as Beancount has them. A date at the margin ends one whose quote is
// missing.
func wrappedTexts(text string) map[int]bool {
	if !isBeancount(text) {
		return nil
	}
	wrapped, open := map[int]bool{}, false
	for n, line := range strings.Split(pytext.UniversalNewlines(text), "\n") {
		if open = open && dateLength(line) == 0; open {
			wrapped[n] = true
		}
		for at := 0; at < len(line); at++ {
			switch {
			case line[at] == '"':
				open = !open
			case open && line[at] == '\\':
				at++
			case !open && line[at] == ';':
				at = len(line)
			}
		}
	}
	return wrapped
}

// reach takes a line into the open transaction.
func (r *reader) reach(line doc.Line) *doc.Part {
	r.blank = false
	r.parts[r.entry].To = line.To
	return &r.parts[r.entry]
}

// start reads the header of a transaction: date, mark, code in parentheses, payee, note after a bar, comment after a tab
// or two spaces and a semicolon. All but the date may be missing.
func (r *reader) start(line doc.Line, text string) bool {
	date, rest, ok := cutDate(text)
	if !ok {
		return false
	}
	r.close()
	r.entry, r.open, r.blank = len(r.parts), true, false
	rest, comment := cutComment(rest)
	rest = strings.TrimLeft(rest, " \t")
	var mark, code string
	if rest != "" && (rest[0] == '*' || rest[0] == '!') {
		mark, rest = rest[:1], strings.TrimLeft(rest[1:], " \t")
	}
	if strings.HasPrefix(rest, "(") {
		if inner, after, closed := strings.Cut(rest[1:], ")"); closed {
			code, rest = inner, after
		}
	}
	payee, note, _ := strings.Cut(rest, "|")
	date, payee = normalDate(date), pytext.Collapse(payee)
	p := doc.At(line, counted, date+" "+payee)
	const room = 10
	p.Fields = make([]element.Field, 0, room)
	p.Add("date", date)
	p.Add("mark", mark)
	p.Add("code", pytext.Collapse(code))
	p.Add("payee", payee)
	p.Add("note", pytext.Collapse(note))
	p.Add(commentField, remark(comment))
	r.parts = append(r.parts, p)
	return true
}

// close ends the open transaction. Its postings and comments have no order, so they are sorted, and transactions that
// differ only in it are recognised as identical.
func (r *reader) close() {
	if !r.open {
		return
	}
	r.open = false
	fields := r.parts[r.entry].Fields
	first := slices.IndexFunc(fields, func(f element.Field) bool { return f.Name == postingField || f.Name == commentField })
	if first >= 0 {
		slices.SortFunc(fields[first:], func(a, b element.Field) int {
			if a.Name != b.Name {
				return strings.Compare(b.Name, a.Name) // postings before comments
			}
			return strings.Compare(a.Value, b.Value)
		})
	}
	r.parts = append(r.parts, r.margins...)
	r.margins = nil
}

func (r *reader) outside(line doc.Line, text string) {
	if text != "" {
		r.parts = append(r.parts, outside(line, text))
	}
}

func outside(line doc.Line, text string) doc.Part {
	if text = pytext.Collapse(text); text != "" && (text[0] == ';' || text[0] == '#') {
		return doc.Loose(line, commentKind, "comment outside entries", remark(text))
	}
	return doc.Loose(line, outsideKind, "line outside entries", text)
}

// startsBlock reports whether a line at column 0 is a directive, or an automated
// or periodic transaction, to which the indented lines below it belong.
func startsBlock(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "account", "payee", "commodity", "tag", "comment", "test":
		return true
	}
	return text[0] == '=' || text[0] == '~'
}

// cutDate splits a line after a date, which may have an auxiliary date after
// "=". Year, month and day are divided by slashes, hyphens or points.
func cutDate(text string) (date, rest string, ok bool) {
	end := dateLength(text)
	if end == 0 {
		return "", "", false
	}
	if aux := text[end:]; strings.HasPrefix(aux, "=") {
		end += 1 + len(aux[1:]) - len(strings.TrimLeft(aux[1:], "0123456789/-."))
	}
	if end < len(text) && text[end] != ' ' && text[end] != '\t' {
		return "", "", false
	}
	return text[:end], text[end:], true
}

// dateLength is the length of the date at the start of a text, 0 if there is none.
func dateLength(text string) int {
	at := 0
	for part, most := range []int{4, 2, 2} {
		if part > 0 {
			if at == len(text) || !strings.ContainsRune("/-.", rune(text[at])) {
				return 0
			}
			at++
		}
		start := at
		for at < len(text) && at-start < most && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		if at == start || part == 0 && at < most {
			return 0
		}
	}
	return at
}

// cutComment splits the words of a header from a comment after them.
func cutComment(text string) (words, comment string) {
	for at := 0; ; at++ {
		semicolon := strings.IndexByte(text[at:], ';')
		if semicolon < 0 {
			return text, ""
		}
		at += semicolon
		if strings.HasSuffix(text[:at], "  ") || strings.HasSuffix(text[:at], "\t") {
			return text[:at], strings.TrimSpace(text[at+1:])
		}
	}
}

// line is what an indented line below a header says: a posting, a comment, or one after the other.
type line struct {
	account string // with its mark
	amount  string // as written, with price and balance assertion
	comment string
}

// readLine reads a line without its indentation.
func readLine(text string) line {
	if text[0] == ';' {
		return line{comment: text[1:]}
	}
	mark := ""
	if text[0] == '*' || text[0] == '!' {
		mark, text = text[:1]+" ", strings.TrimLeft(text[1:], " \t")
	}
	account, _, _ := strings.Cut(text, "\t")
	account, _, _ = strings.Cut(account, "  ")
	l := line{account: mark + text}
	if at := len(account); at < len(text) {
		l.account = mark + strings.TrimRight(account, " ")
		l.amount, l.comment = cutInline(text[at:])
	}
	return l
}

// posting is the line without its comment, empty if it has no account.
func (l *line) posting() string {
	account := pytext.Collapse(l.account)
	if l.amount == "" {
		return account
	}
	return account + postingGap + normalAmount(l.amount)
}

// cutInline splits an amount from a comment after it. A quoted commodity may hold a semicolon.
func cutInline(text string) (amount, comment string) {
	quoted := false
	for at := range len(text) {
		switch {
		case text[at] == '"':
			quoted = !quoted
		case text[at] == ';' && !quoted:
			return strings.TrimSpace(text[:at]), text[at+1:]
		}
	}
	return strings.TrimSpace(text), ""
}
