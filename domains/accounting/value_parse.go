package accounting

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// transaction is a transaction as the published evaluator reads it.
type transaction struct {
	date     string // YYYY/MM/DD
	payee    string
	comments []string // its own and those of its postings
	postings []posting
}

type posting struct {
	account string
	amount  number // none where it is missing or cannot be read
}

// parse reads a document as the published evaluator does. It has no errors: what it does not understand it passes over.
func parse(files vfs.Files) (book, error) {
	var all []transaction
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".ledger", ".dat", ".txt":
			all = append(all, parseText(files[name])...)
		}
	}
	return bookOf(all), nil
}

func parseText(text string) []transaction {
	all := make([]transaction, 0, strings.Count(text, "\n")/usualLines)
	var open *transaction
	for line := range strings.SplitSeq(text, "\n") {
		stripped := pytext.Strip(line)
		if stripped == "" {
			open = nil
			continue
		}
		if date, payee, ok := parseHeader(line); ok {
			all = plain.Append(all, transaction{date: date, payee: payee})
			open = &all[len(all)-1]
			continue
		}
		if open == nil {
			continue
		}
		switch {
		case stripped[0] == ';':
			open.comments = append(open.comments, pytext.Strip(stripped[1:]))
		case strings.EqualFold(stripped[:min(len(stripped), len(receipt))], receipt):
			open.comments = append(open.comments, stripped)
		case pytext.StripLeft(line) != line:
			open.postings = append(open.postings, parsePosting(stripped))
		}
	}
	return all
}

// parseHeader reads four digits, two and two with slashes or hyphens between,
// white space and at least one more character.
func parseHeader(line string) (date, payee string, ok bool) {
	at := 0 // in runes
	for i, r := range line {
		switch {
		case at == 4 || at == 7:
			if r != '/' && r != '-' {
				return "", "", false
			}
		case at < 10:
			if !unicode.IsDigit(r) {
				return "", "", false
			}
		case at == 10:
			if !pytext.IsSpace(r) {
				return "", "", false
			}
			date = strings.ReplaceAll(line[:i], "-", "/")
		default:
			return date, parsePayee(pytext.Strip(line[i:])), true
		}
		at++
	}
	return "", "", false
}

// usualLines is about how many lines an entry takes, with the blank one below it.
const usualLines = 4

func parsePayee(text string) string {
	if text != "" && (text[0] == '*' || text[0] == '!') {
		text = pytext.StripLeft(text[1:])
	}
	payee, _, _ := strings.Cut(text, "|")
	return pytext.Strip(payee)
}

// receipt begins a line that counts as a comment.
const receipt = "receipt:"

// parsePosting splits at the first run of two or more white-space characters.
func parsePosting(stripped string) posting {
	start, length := 0, 0 // of the run in hand
	for i, r := range stripped {
		if pytext.IsSpace(r) {
			if length == 0 {
				start = i
			}
			length++
			continue
		}
		if length >= 2 {
			return posting{account: stripped[:start], amount: parseAmount(stripped[i:])}
		}
		length = 0
	}
	return posting{account: stripped}
}

// number is an exact decimal number. The zero value is no number.
type number struct {
	sign  int
	value jsontext.Decimal // without its sign
	float float64
}

var zero, _ = jsontext.ReadDecimal("0")

func parseAmount(text string) number {
	text = pytext.Strip(text)
	unsigned := strings.TrimLeft(text, "-")
	negative := unsigned != text
	unsigned = currencySigns.Replace(unsigned)
	for _, word := range []string{"USD", "EUR", "GBP"} {
		unsigned = deleteWord(unsigned, word)
	}
	amount := parseDecimal(pytext.Strip(unsigned))
	if negative {
		amount.sign = -amount.sign
	}
	return amount
}

// currencySigns are deleted, with thousands separators.
var currencySigns = strings.NewReplacer("$", "", "€", "", "£", "", ",", "")

// deleteWord deletes a word and the white space around it wherever it stands.
func deleteWord(text, word string) string {
	if !strings.Contains(text, word) {
		return text
	}
	parts := strings.Split(text, word)
	for i := range parts {
		if i > 0 {
			parts[i] = pytext.StripLeft(parts[i])
		}
		if i < len(parts)-1 {
			parts[i] = pytext.StripRight(parts[i])
		}
	}
	return strings.Join(parts, "")
}

// parseDecimal reads an optional sign, digits with at most one point, and an optional exponent.
func parseDecimal(text string) number {
	n := number{sign: 1}
	unsigned := strings.TrimPrefix(text, "+")
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		n.sign, unsigned = -1, rest
	}
	var ok bool
	if n.value, ok = jsontext.ReadDecimal(unsigned); !ok || strings.HasPrefix(unsigned, "-") {
		return number{}
	}
	if n.value == zero {
		return number{value: zero}
	}
	n.float, _ = strconv.ParseFloat(unsigned, 64) // infinite beyond its range
	return n
}

// postingField names the fields that hold the postings of a transaction, in which
// postingGap stands between the account and the amount.
const (
	postingField = "posting"
	postingGap   = "  "
)

func stats(b book) domains.Stats {
	postings, comments := 0, 0
	accounts := map[string]bool{}
	for _, t := range b.transactions {
		postings += len(t.postings)
		comments += len(t.comments)
		for _, p := range t.postings {
			accounts[p.account] = true
		}
	}
	return domains.Stats{Elements: len(b.transactions), Counts: []domains.Count{
		{Name: "Transactions", Value: strconv.Itoa(len(b.transactions))},
		{Name: "Postings", Value: strconv.Itoa(postings)},
		{Name: "Accounts", Value: strconv.Itoa(len(accounts))},
		{Name: "Comments", Value: strconv.Itoa(comments)},
	}}
}

// score is coverage² · posting · amount · (½ + ½√comment). Transactions are matched so that their summed similarity is
// largest. Those of different dates have none, so each date is matched on its own.
func score(reference, candidate book, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference.transactions), Candidate: len(candidate.transactions)},
	}
	var coverage, posting, amount, comment float64
	if reading.Elements == (domains.Elements{}) {
		coverage, posting, amount, comment = 1, 1, 1, 1
	}
	const similar = 0.5
	covered, pairs := 0.0, 0.0
	for _, p := range matched(reference, candidate, noted) {
		if p.total > similar {
			covered++
		}
		if p.total >= similar {
			pairs++
			posting += p.account
			amount += p.amount
			comment += p.comment
		}
	}
	if pairs > 0 {
		coverage = covered / float64(reading.Elements.Reference)
		posting, amount, comment = posting/pairs, amount/pairs, comment/pairs
	}
	reading.RS = coverage * coverage * posting * amount * (0.5 + float64(0.5*math.Sqrt(comment)))
	reading.Components = map[string]float64{
		"coverage": coverage, "posting": posting, "amount": amount, "comment": comment,
	}
	return reading
}

func matched(reference, candidate book, noted *notes.Notes) []similarity {
	ratios := ratios{ratio.NewTable(noted)}
	pairs := make([]similarity, 0, min(len(reference.transactions), len(candidate.transactions)))
	for _, date := range candidate.dates {
		ref, got := reference.on[date], candidate.on[date]
		if len(ref) == 0 {
			continue
		}
		for _, p := range assign.MinByLabel(assign.Costs{
			Rows: len(ref), Cols: len(got),
			Cost: func(i, j int) float64 { return 1 - ratios.similarity(&ref[i], &got[j]).total },
		}, func(i int) string { return ref[i].label() }, func(j int) string { return got[j].label() }, noted) {
			pairs = append(pairs, ratios.similarity(&ref[p.Row], &got[p.Col]))
		}
	}
	return pairs
}

// features are what of a transaction is compared, normalised once.
type features struct {
	payee    string
	amount   number // the first positive one, otherwise 0
	accounts []string
	comments map[string]bool
}

// label is equal for equal features.
func (f *features) label() string {
	return fmt.Sprintf("%q %v %q %q", f.payee, f.amount, f.accounts, slices.Sorted(maps.Keys(f.comments)))
}

// book is a document as the published evaluator reads it.
type book struct {
	transactions []transaction
	dates        []string // in the order of their first transaction
	on           map[string][]features
}

func bookOf(transactions []transaction) book {
	b := book{transactions: transactions, on: map[string][]features{}}
	accounts := map[string]string{} // they recur
	for i := range transactions {
		date := transactions[i].date
		of, known := b.on[date]
		if !known {
			b.dates = append(b.dates, date)
		}
		b.on[date] = append(of, featuresOf(&transactions[i], accounts))
	}
	return b
}

// featuresOf remembers the normal forms of accounts.
func featuresOf(t *transaction, accounts map[string]string) features {
	f := features{
		payee: normalText(t.payee), amount: number{value: zero},
		accounts: make([]string, 0, len(t.postings)), comments: map[string]bool{},
	}
	for _, p := range t.postings {
		if f.amount.sign == 0 && p.amount.sign > 0 {
			f.amount = p.amount
		}
		account, known := accounts[p.account]
		if !known {
			account = strings.Join(pytext.Fields(pytext.Lower(p.account)), "")
			accounts[p.account] = account
		}
		f.accounts = append(f.accounts, account)
	}
	for _, comment := range t.comments {
		f.comments[quotes.Replace(normalText(comment))] = true
	}
	return f
}

var quotes = strings.NewReplacer(`"`, "", "'", "")

func normalText(s string) string { return pytext.Strip(pytext.Lower(s)) }

// similarity is how alike two transactions are, and their parts.
type similarity struct{ total, amount, account, comment float64 }

// ratios are those of texts; account names and payees recur.
type ratios struct{ *ratio.Table }

func (r ratios) similarity(ref, got *features) similarity {
	payee := r.payee(ref.payee, got.payee)
	if payee < leastPayee {
		return similarity{}
	}
	s := similarity{
		amount:  amountSimilarity(ref.amount, got.amount),
		account: r.accounts(ref.accounts, got.accounts),
		comment: commentSimilarity(ref.comments, got.comments),
	}
	// The conversions keep products and sums from being fused on some machines.
	s.total = float64(0.3*s.amount) + float64(0.4*s.account) + float64(0.2*s.comment) + float64(0.1*payee)
	return s
}

// leastPayee is the least ratio of payees of one transaction.
const leastPayee = 0.8

// payee is 0 where the ratio is below the least for certain.
func (r ratios) payee(ref, got string) float64 {
	switch {
	case ref == got, startsWith(ref, got), startsWith(got, ref):
		return 1
	}
	a, b := r.Number(ref), r.Number(got)
	if r.AtMost(a, b) < leastPayee {
		return 0
	}
	return r.Ratio(a, b)
}

// startsWith reports whether a text starts with words, and goes on.
func startsWith(text, words string) bool {
	rest, found := strings.CutPrefix(text, words)
	return found && strings.HasPrefix(rest, " ")
}

// accounts is the mean over the reference's postings of the most similar account on the other side, whichever posting has it.
func (r ratios) accounts(ref, got []string) float64 {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s
	}
	has := make(map[string]bool, len(got))
	for _, other := range got {
		has[other] = true
	}
	sum := 0.0
	for _, account := range ref {
		if has[account] {
			sum++
			continue
		}
		best := 0.0
		for _, other := range got {
			if best = max(best, r.Of(account, other)); best == 1 {
				break
			}
		}
		sum += best
	}
	return sum / float64(len(ref))
}

func amountSimilarity(ref, got number) float64 {
	switch {
	case ref.value == got.value:
		return 1
	case ref.sign == 0 || got.sign == 0:
		return 0
	}
	share := min(ref.float, got.float) / max(ref.float, got.float)
	if math.IsNaN(share) { // both beyond the range of floats
		return 0
	}
	return share
}

func commentSimilarity(ref, got map[string]bool) float64 {
	if len(ref) == 0 {
		return 1
	}
	common := 0
	for comment := range ref {
		if got[comment] {
			common++
		}
	}
	return float64(common) / float64(len(ref)+len(got)-common)
}

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
