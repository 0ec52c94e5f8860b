// Package accounting is the published reading and score of the domain accounting.
//
// Main amount of a transaction: the first posting, in order, whose amount is present and > 0; else 0. Amount
// similarity: 1 if equal as decimals; 0 if exactly one is 0; else min/max as float. Account key: lower case with all
// white space removed. Account similarity: mean over reference postings of the best R(ref key, gen key) over all
// candidate postings (a candidate posting may serve several); both lists empty 1, one empty 0. Comment set: all
// comments of transaction and postings, lower-cased, trimmed, " and ' deleted, as a set. Comment similarity: reference
// set empty 1; candidate set empty 0; else Jaccard. Payee similarity: lower-cased and trimmed; equal 1; one is the
// other plus a space plus more text 1; else R.
//
// Pair similarity: 0 unless the dates are equal and payee similarity >= 0.8; else 0.3*amount + 0.4*account +
// 0.2*comment + 0.1*payee.
//
// Matching: one optimal assignment (Hungarian, rectangular, minimum of 1 - sim). Any optimal assignment is acceptable;
// ties between equal totals can only matter for near-duplicate entries.
//
//   - coverage = (assigned pairs with sim > 0.5) / (reference transactions)
//   - posting, amount, comment = mean over assigned pairs with sim >= 0.5 of account, amount and comment similarity; 0
//     when there is no such pair
//   - both lists empty: all four are 1; exactly one empty: all four are 0
//
// score = coverage^2 * posting * amount * (0.5 + 0.5*sqrt(comment)), not rounded.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package accounting

import (
	"fmt"
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

// Parse reads a document as the published evaluator does. It has no errors: what it does not understand it passes over.
func Parse(files vfs.Files) (Book, error) {
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
	all := make([]transaction, 0, strings.Count(text, "\n")/UsualLines)
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

// UsualLines is about how many lines an entry takes, with the blank one below it.
const UsualLines = 4

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
	if strings.ContainsAny(unsigned, "UEG") {
		unsigned = currencyWords.ReplaceAllLiteralString(unsigned, "")
	}
	amount := parseDecimal(pytext.Strip(unsigned))
	if negative {
		amount.sign = -amount.sign
	}
	return amount
}

// currencySigns are deleted, with thousands separators.
var currencySigns = strings.NewReplacer("$", "", "€", "", "£", "", ",", "")

// currencyWords are deleted with the white space around them.
var currencyWords = pytext.Pattern(`\s*(?:USD|EUR|GBP)\s*`)

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

// features are what of a transaction is compared, normalised once.
type features struct {
	payee    string
	amount   number // the first positive one, otherwise 0
	accounts []string
	comments []string // different ones, in order
}

// Book is a document as the published evaluator reads it.
type Book struct {
	transactions []transaction
	dates        []string // in the order of their first transaction
	on           map[string][]features
}

func bookOf(transactions []transaction) Book {
	b := Book{transactions: transactions, on: map[string][]features{}}
	for i := range transactions {
		date := transactions[i].date
		of, known := b.on[date]
		if !known {
			b.dates = append(b.dates, date)
		}
		b.on[date] = append(of, featuresOf(&transactions[i]))
	}
	return b
}

func featuresOf(t *transaction) features {
	f := features{payee: normalText(t.payee), amount: number{value: zero}, accounts: make([]string, 0, len(t.postings))}
	for _, p := range t.postings {
		if f.amount.sign == 0 && p.amount.sign > 0 {
			f.amount = p.amount
		}
		f.accounts = append(f.accounts, strings.Join(pytext.Fields(pytext.Lower(p.account)), ""))
	}
	for _, comment := range t.comments {
		f.comments = append(f.comments, quotes.Replace(normalText(comment)))
	}
	slices.Sort(f.comments)
	f.comments = slices.Compact(f.comments)
	return f
}

var quotes = strings.NewReplacer(`"`, "", "'", "")

func normalText(s string) string { return pytext.Strip(pytext.Lower(s)) }

// Stats counts the parts of a document.
func Stats(b Book) domains.Stats {
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

// Score is coverage² · posting · amount · (½ + ½√comment). Transactions are matched so that their summed similarity is
// largest. Those of different dates have none, so each date is matched on its own.
func Score(reference, candidate Book, noted *notes.Notes) domains.Reading {
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

func matched(reference, candidate Book, noted *notes.Notes) []similarity {
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

// label is equal for equal features.
func (f *features) label() string {
	return fmt.Sprintf("%q %v %q %q", f.payee, f.amount, f.accounts, f.comments)
}

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
		comment: 1,
	}
	if len(ref.comments) > 0 {
		s.comment = sets.Jaccard(ref.comments, got.comments)
	}
	// The conversions keep products and sums from being fused on some machines.
	s.total = float64(0.3*s.amount) + float64(0.4*s.account) + float64(0.2*s.comment) + float64(0.1*payee)
	return s
}

// leastPayee is the least ratio of payees of one transaction.
const leastPayee = 0.8

// payee is 0 where the ratio is below the least for certain.
func (r ratios) payee(ref, got string) float64 {
	if ref == got || strings.HasPrefix(ref, got+" ") || strings.HasPrefix(got, ref+" ") {
		return 1
	}
	a, b := r.Number(ref), r.Number(got)
	if r.AtMost(a, b) < leastPayee {
		return 0
	}
	return r.Ratio(a, b)
}

// accounts is the mean over the reference's postings of the most similar account on the other side, whichever posting has it.
func (r ratios) accounts(ref, got []string) float64 {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s
	}
	sum := 0.0
	for _, account := range ref {
		best := sets.OneIf(slices.Contains(got, account))
		for i := 0; i < len(got) && best < 1; i++ {
			best = max(best, r.Of(account, got[i]))
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
