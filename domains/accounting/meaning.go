package accounting

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// remark is a comment without letter case and with one kind of quotes, which mean nothing in it.
func remark(text string) string {
	return strings.ReplaceAll(strings.ToLower(pytext.Collapse(text)), `"`, "'")
}

// directives are lines of files that hold accounts, prices or balances, and perhaps no transaction.
var directives = lazyregexp.New(`(?m)^(?:account[ \t]+\S+:\S|commodity[ \t]+\S|P[ \t]+\d{4}[-/.]\d|` +
	`\d{4}-\d\d-\d\d[ \t]+(?:open|close|commodity|balance|pad|price|note|document|event|query|custom)[ \t]+\S)`)

// evidence counts transactions, and the directives of a file that has none.
func evidence(files vfs.Files, elements []domains.Element) int {
	n := domains.Where(isPosted)(files, elements)
	if n > 0 {
		return n
	}
	for _, text := range files {
		n += len(directives.FindAllString(text, -1))
	}
	return n
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
	commentField = "comment"
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
