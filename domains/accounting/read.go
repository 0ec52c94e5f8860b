package accounting

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/accounting"
)

// journal is a ledger as Ledger itself reads it, in parts that print puts together again without loss.
type journal struct {
	opening []string // lines before the first entry
	entries []entry
	closing []string // lines after the last entry
}

// entry is a transaction with the words of its header as they are written.
type entry struct {
	above   []string // lines since the entry before, such as a heading in a comment
	date    string   // with an auxiliary date, as in 2016/06/01=2016/06/03
	mark    string   // "*", "!" or none
	code    string
	payee   string
	note    string // what follows the payee after a bar
	comment string // what follows on the header line after a semicolon
	lines   []line
}

type lineKind uint8

const (
	postingLine lineKind = iota
	commentLine
	marginLine // at column 0, so not a part of the entry it stands in
)

// line is a line below a header.
type line struct {
	kind    lineKind
	mark    string
	account string
	amount  string // as written, with price and balance assertion
	text    string // of a comment, also of one after a posting; of a margin line all
}

// read takes in any text. Lines that belong to no entry are kept as they are.
func read(text string) journal {
	lines := plain.Lines(text)
	r := reader{lines: make([]line, 0, len(lines))}
	r.entries = make([]entry, 0, len(lines)/published.UsualLines)
	r.starts = make([]int, 0, len(lines)/published.UsualLines)
	for _, line := range lines {
		r.take(strings.TrimRight(line, " \t"))
	}
	r.closing = lists.Trim(r.outside, isEmpty)
	for i, start := range r.starts {
		end := len(r.lines)
		if i+1 < len(r.starts) {
			end = r.starts[i+1]
		}
		r.entries[i].lines = r.lines[start:end:end]
	}
	return r.journal
}

type reader struct {
	journal
	lines     []line // those of all entries
	starts    []int  // for each entry, where its lines start
	open      bool   // indented lines belong to the last entry
	blank     bool   // there was a blank line since that entry's last line
	commented bool   // inside a block from "comment" to "end comment"
	outside   []string
}

func (r *reader) take(text string) {
	switch {
	case r.commented:
		r.outside = append(r.outside, text)
		r.commented = text != "end comment" && text != "end test" && text != "end"
	case text == "":
		r.blank = true
		if len(r.outside) > 0 {
			r.outside = append(r.outside, "")
		}
	case text[0] == ' ' || text[0] == '\t':
		if r.open {
			r.add(readLine(strings.TrimLeft(text, " \t")))
		} else {
			r.outside = append(r.outside, text)
		}
	case r.startEntry(text):
	case r.open && !r.blank && !startsBlock(text):
		r.add(line{kind: marginLine, text: text})
	default:
		r.outside = append(r.outside, text)
		r.open = false
		r.commented = text == "comment" || text == "test"
	}
}

func (r *reader) add(l line) {
	r.lines = append(r.lines, l)
	r.blank = false
}

func (r *reader) startEntry(text string) bool {
	e, ok := readHeader(text)
	if !ok {
		return false
	}
	if len(r.entries) == 0 {
		r.opening = lists.Trim(r.outside, isEmpty)
	} else {
		e.above = lists.Trim(r.outside, isEmpty)
	}
	r.entries = plain.Append(r.entries, e)
	r.starts = plain.Append(r.starts, len(r.lines))
	r.open, r.blank, r.outside = true, false, nil
	return true
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

func isEmpty(line string) bool { return line == "" }

// readHeader reads: date, mark, code in parentheses, payee, note after a bar, comment after a tab or two spaces and a
// semicolon. All but the date may be missing.
func readHeader(text string) (entry, bool) {
	date, rest, ok := cutDate(text)
	if !ok {
		return entry{}, false
	}
	e := entry{date: date}
	rest, e.comment = cutComment(rest)
	rest = strings.TrimLeft(rest, " \t")
	if rest != "" && (rest[0] == '*' || rest[0] == '!') {
		e.mark, rest = rest[:1], strings.TrimLeft(rest[1:], " \t")
	}
	if strings.HasPrefix(rest, "(") {
		if code, after, closed := strings.Cut(rest[1:], ")"); closed {
			e.code, rest = code, after
		}
	}
	payee, note, _ := strings.Cut(rest, "|")
	e.payee, e.note = strings.Trim(payee, " \t"), strings.Trim(note, " \t")
	return e, true
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

// readLine reads an indented line below a header, without its indentation.
func readLine(text string) line {
	if text[0] == ';' {
		return line{kind: commentLine, text: strings.TrimSpace(text[1:])}
	}
	var l line
	if text[0] == '*' || text[0] == '!' {
		l.mark, text = text[:1], strings.TrimLeft(text[1:], " \t")
	}
	l.account = text
	account, _, _ := strings.Cut(text, "\t")
	account, _, _ = strings.Cut(account, "  ")
	if at := len(account); at < len(text) {
		l.account = strings.TrimRight(text[:at], " ")
		l.amount, l.text = cutInline(text[at:])
	}
	return l
}

// cutInline splits an amount from a comment after it. A quoted commodity may hold a semicolon.
func cutInline(text string) (amount, comment string) {
	if strings.IndexByte(text, ';') < 0 {
		return strings.TrimSpace(text), ""
	}
	quoted := false
	for at := range len(text) {
		switch {
		case text[at] == '"':
			quoted = !quoted
		case text[at] == ';' && !quoted:
			return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
		}
	}
	return strings.TrimSpace(text), ""
}

// print is the reverse of read, with amounts aligned and one blank line between entries.
func (j journal) print() string {
	var lines []string
	add := func(section []string) {
		if len(lines) > 0 && len(section) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, section...)
	}
	add(j.opening)
	for i := range j.entries {
		add(j.entries[i].print())
	}
	add(j.closing)
	return plain.Text(lines)
}

func (e *entry) print() []string {
	lines := slices.Clone(e.above)
	lines = append(lines, e.header())
	for i := range e.lines {
		lines = append(lines, e.lines[i].print())
	}
	return lines
}

func (e *entry) header() string {
	words := []string{e.date}
	add := func(before, word, after string) {
		if word != "" {
			words = append(words, before+word+after)
		}
	}
	add("", e.mark, "")
	add("(", e.code, ")")
	add("", e.payee, "")
	add("| ", e.note, "")
	add(" ; ", e.comment, "")
	return strings.Join(words, " ")
}

// amountsEnd is the column at which amounts end.
const amountsEnd = 64

func (l *line) print() string {
	const indent = "    "
	switch l.kind {
	case marginLine:
		return l.text
	case commentLine:
		return strings.TrimRight(indent+"; "+l.text, " ")
	}
	printed := indent + l.markedAccount()
	if l.amount != "" {
		gap := amountsEnd - utf8.RuneCountInString(printed) - utf8.RuneCountInString(l.amount)
		printed += strings.Repeat(" ", max(gap, 2)) + l.amount
	}
	if l.text != "" {
		printed += "  ; " + l.text
	}
	return printed
}

func (l *line) markedAccount() string {
	if l.mark == "" {
		return l.account
	}
	return l.mark + " " + l.account
}
