package accounting

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const counted = "transaction"

// elements flattens files of any name by Ledger's own rules. Lines before the
// first entry have an order; those after it may change places with entries.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	place, started := 1, false
	outside := func(lines []string) {
		for _, text := range lines {
			if text = pytext.Collapse(text); text == "" {
				continue
			}
			if text[0] == ';' || text[0] == '#' {
				text = remark(text)
			}
			all = append(all, domains.Element{
				Kind: "line", Key: "line outside entries", Fields: []domains.Field{{Value: text}}, Position: place,
			})
			if !started {
				place++
			}
		}
	}
	for _, name := range files.Names() {
		j := read(files[name])
		outside(j.opening)
		all = slices.Grow(all, len(j.entries))
		for i := range j.entries {
			started = true
			outside(j.entries[i].above)
			all = append(all, j.entries[i].element())
			outside(j.entries[i].margins())
		}
		outside(j.closing)
	}
	return all
}

// element lists postings and comments in a sorted way, so that entries that
// differ only in their order are recognised as identical.
func (e *entry) element() domains.Element {
	date, payee := normalDate(e.date), pytext.Collapse(e.payee)
	const words = 6 // of a header
	fields := make([]domains.Field, 0, words+2*len(e.lines))
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("date", date)
	add("mark", e.mark)
	add("code", pytext.Collapse(e.code))
	add("payee", payee)
	add("note", pytext.Collapse(e.note))
	postings := len(fields)
	for i := range e.lines {
		if l := &e.lines[i]; l.kind == postingLine {
			add(postingField, l.posting())
		}
	}
	comments := len(fields)
	add("comment", remark(e.comment))
	for i := range e.lines {
		if l := &e.lines[i]; l.kind != marginLine {
			add("comment", remark(l.text))
		}
	}
	sortByValue(fields[postings:comments])
	sortByValue(fields[comments:])
	return domains.Element{Kind: counted, Key: date + " " + payee, Fields: fields}
}

// remark is a comment without letter case and with one kind of quotes, which mean nothing in it.
func remark(text string) string {
	return strings.ReplaceAll(strings.ToLower(pytext.Collapse(text)), `"`, "'")
}

func sortByValue(fields []domains.Field) {
	slices.SortFunc(fields, func(a, b domains.Field) int { return strings.Compare(a.Value, b.Value) })
}

func (l *line) posting() string {
	account := pytext.Collapse(l.markedAccount())
	if l.amount == "" {
		return account
	}
	return account + postingGap + normalAmount(l.amount)
}

// isPosted reports whether an element is a transaction that posts an amount, or to two accounts. A line of a log that
// begins with a date looks like the header of a transaction, and what is indented below it like an account.
func isPosted(e *domains.Element) bool {
	postings := 0
	for _, f := range e.Fields {
		if f.Name != postingField {
			continue
		}
		if postings++; postings > 1 || strings.Contains(f.Value, postingGap) {
			return true
		}
	}
	return false
}

// without leaves out entries; the lines around them stay.
func without(_, text string, leave func() bool) string {
	j := read(text)
	entries := j.entries
	j.entries = nil
	var above []string
	for _, e := range entries {
		above = append(above, e.above...)
		if !leave() {
			e.above, above = above, nil
			j.entries = append(j.entries, e)
		}
	}
	j.closing = append(above, j.closing...)
	return j.print()
}

func (e *entry) margins() []string {
	return lists.Found(e.lines, func(l *line) (string, bool) { return l.text, l.kind == marginLine })
}

// amount is a quantity of a commodity, as in "$-1,234.50" or "10 AAPL".
type amount struct {
	commodity string // "$", "EUR"; empty where there is none
	number    string // without thousands separators and needless zeros, as in "-1234.5"
}

// readAmount reads what Ledger takes for a plain amount: the commodity on either side of the number, the minus sign in
// front of either. Prices, balance assertions and expressions are not plain.
func readAmount(text string) (amount, bool) {
	rest, negative := cutSign(strings.Trim(text, " \t"))
	commodity, rest, ok := cutCommodity(rest)
	if !ok {
		return amount{}, false
	}
	rest = strings.TrimLeft(rest, " \t")
	if !negative {
		rest, negative = cutSign(rest)
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789.,"))
	number, ok := readNumber(rest[:digits])
	if !ok {
		return amount{}, false
	}
	if rest = strings.TrimLeft(rest[digits:], " \t"); commodity == "" {
		commodity, rest, ok = cutCommodity(rest)
	}
	if !ok || rest != "" {
		return amount{}, false
	}
	if negative && number != "0" {
		number = "-" + number
	}
	return amount{commodity, number}, true
}

func cutSign(text string) (rest string, negative bool) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return strings.TrimLeft(text[1:], " \t"), text[0] == '-'
	}
	return text, false
}

// cutCommodity splits after a symbol at the start of a text, if there is one.
// Only a quoted symbol may hold digits, spaces and operators.
func cutCommodity(text string) (symbol, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		symbol, rest, ok = strings.Cut(text[1:], `"`)
		return symbol, rest, ok
	}
	for i, r := range text {
		if r <= ' ' || unicode.IsDigit(r) || strings.ContainsRune(`.,;:?!-+*/^&|=<>{}[]()@"`, r) {
			return text[:i], text[i:], true
		}
	}
	return text, "", true
}

// readNumber reads digits with thousands separators. The last separator is the decimal sign if it is a point, or a
// comma that no groups of three digits follow.
func readNumber(text string) (string, bool) {
	whole, fraction, thousands := text, "", ","
	if at := strings.LastIndexAny(text, ".,"); at >= 0 && (text[at] == '.' || (len(text)-at-1)%3 != 0) {
		whole, fraction = text[:at], text[at+1:]
		if text[at] == ',' {
			thousands = "."
		}
	}
	digits := whole
	if strings.Contains(whole, thousands) {
		groups := strings.Split(whole, thousands)
		for _, group := range groups[1:] {
			if len(group) != 3 {
				return "", false
			}
		}
		digits = strings.Join(groups, "")
	}
	if digits == "" && fraction == "" || strings.ContainsAny(digits, ".,") {
		return "", false
	}
	digits = cmp.Or(strings.TrimLeft(digits, "0"), "0")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		digits += "." + fraction
	}
	return digits, true
}

// spelled are other spellings of a commodity: a sign and the ISO code of a currency mean the same.
var spelled = map[string]string{"USD": "$", "€": "EUR", "£": "GBP"}

// normalAmount is a text that is equal for equal amounts. What is no plain amount is kept as it is.
func normalAmount(text string) string {
	a, ok := readAmount(text)
	if !ok {
		return pytext.Collapse(text)
	}
	if other := spelled[a.commodity]; other != "" {
		a.commodity = other
	}
	if first, _ := utf8.DecodeRuneInString(a.commodity); unicode.IsLetter(first) {
		return a.number + " " + a.commodity
	}
	return a.commodity + a.number
}

// normalDate writes a date, and an auxiliary one, as YYYY-MM-DD.
func normalDate(text string) string {
	date, aux, both := strings.Cut(text, "=")
	date = paddedDate(date)
	if both {
		date += "=" + paddedDate(aux)
	}
	return date
}

func paddedDate(text string) string {
	if len(text) == len("YYYY-MM-DD") && dateLength(text) == len(text) { // so padded already
		return dateSigns.Replace(text)
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '-' || r == '.' })
	for i, part := range parts {
		if len(part) == 1 {
			parts[i] = "0" + part
		}
	}
	return strings.Join(parts, "-")
}

var dateSigns = strings.NewReplacer("/", "-", ".", "-")

// postingField names the fields that hold the postings of a transaction, in which
// postingGap stands between the account and the amount.
const (
	postingField = "posting"
	postingGap   = "  "
)

// purpose is what a transaction was for: the first two levels of its first
// expense or income account, or of its first account if it has neither.
func purpose(transaction domains.Element) string {
	first := ""
	for _, f := range transaction.Fields {
		if f.Name != postingField {
			continue
		}
		account, _, _ := strings.Cut(f.Value, postingGap)
		levels := strings.SplitN(account, ":", 3)
		name := strings.Join(levels[:min(2, len(levels))], ":")
		if levels[0] == "Expenses" || levels[0] == "Income" {
			return name
		}
		if first == "" {
			first = name
		}
	}
	return first
}
