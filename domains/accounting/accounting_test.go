package accounting

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "accounting1"),
		Generate: rapid.Custom(drawJournal),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "accounting1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "accounting1"))
}

// document is the file of the ledgers in these tests.
const document = "makerspace.ledger"

// drawJournal draws the books of a few months. Amounts are written $1,234.56; an
// entry has at most one posting without an amount and one person reimbursed.
func drawJournal(t *rapid.T) vfs.Files {
	d := drawer{t, rapid.SampledFrom([]string{"/", "-"}).Draw(t, "date separator")}
	var text strings.Builder
	for range d.upTo(3, "opening lines") {
		text.WriteString(d.one("opening", "; kept by H. Moe, £ and € in dollars", "# FY 2024", "; \"draft\", not audited") + "\n")
	}
	for range 1 + d.upTo(11, "entries") {
		text.WriteString("\n")
		if d.sometimes("heading") {
			text.WriteString(d.one("heading", "; ---- carried over ----", "* petty cash, tin 2", "account Assets:Till\n    note the grey one") + "\n\n")
		}
		d.entry(&text)
	}
	if d.sometimes("closing") {
		text.WriteString("\n; checked to here\n")
	}
	return vfs.Files{document: text.String()}
}

type drawer struct {
	*rapid.T
	separator string
}

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(4, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) entry(text *strings.Builder) {
	date := fmt.Sprintf("2024%s%02d%[1]s%02d", d.separator, 1+d.upTo(3, "month"), 1+d.upTo(27, "day"))
	header := []string{date}
	if mark := d.one("mark", "", "*", "!"); mark != "" {
		header = append(header, mark)
	}
	if d.sometimes("cheque") {
		header = append(header, fmt.Sprintf("(%d)", 2000+d.upTo(99, "code")))
	}
	header = append(header, d.one("payee", "Café Brück, Ltd.", "Menards", "Menards East", `"Big" Ole's`, "NBC", "O'Hara & Sons"))
	if d.sometimes("note") {
		header = append(header, "| "+d.one("note", "Feb, net 30", `the "good" ones`, "50% down"))
	}
	lines := []string{strings.Join(header, " ")}
	comments := func() {
		for range max(0, d.upTo(4, "comments")-2) {
			lines = append(lines, "    ; "+d.one("comment",
				"Receipt: IMG_0093.HEIC", "Receipt: a, b & c.pdf", `1/4" and 1/2"; birch`, "Grant: NF 24, yr 2", "split, see  board"))
		}
	}
	comments()
	for _, posting := range d.postings() {
		lines = append(lines, posting)
		comments()
	}
	text.WriteString(strings.Join(lines, "\n") + "\n")
}

// postings draws two to four postings that sum to zero.
func (d drawer) postings() []string {
	claimant := d.one("claimant", "Assets:NBC:Checking", "Liabilities:NBC Visa",
		"Liabilities:Reimbursement:Inga Halvorsen", "Liabilities:Reimbursement:Zoë O'Hara-Lind")
	var all []string
	add := func(account, amount string) {
		inline := ""
		if d.sometimes("inline comment") {
			inline = "  ; " + d.one("inline", "per board", "Receipt: till.jpg")
		}
		if amount != "" {
			account += strings.Repeat(" ", 2+d.upTo(20, "gap")) + amount
		}
		all = append(all, "    "+d.one("posting mark", "", "", "", "* ")+account+inline)
	}
	cents := 0
	for range 1 + d.upTo(2, "postings") {
		amount := rapid.IntRange(-250_000, 2_500_000).Draw(d.T, "cents")
		cents += amount
		add(d.one("account", "Expenses:Shop:Wood", "Expenses:Fees", "Income:Grants:Restricted", "Assets:NBC:Savings", "Equity:Opening Balances"),
			writtenCents(amount))
	}
	last := writtenCents(-cents)
	if d.upTo(2, "elided") > 0 {
		last = ""
	}
	add(claimant, last)
	return all
}

func writtenCents(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	if cents < 100_000 {
		return fmt.Sprintf("$%s%d.%02d", sign, cents/100, cents%100)
	}
	if cents < 100_000_000 {
		return fmt.Sprintf("$%s%d,%03d.%02d", sign, cents/100_000, cents/100%1000, cents%100)
	}
	return fmt.Sprintf("$%s%d,%03d,%03d.%02d", sign, cents/100_000_000, cents/100_000%1000, cents/100%1000, cents%100)
}

const sample = `; books of the shed

2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring first
    Expenses:Heat:Oil                                  $1,310.50
    Assets:Bank
    ; Receipt: scan 4.pdf

2024/03/02 Ola
    Expenses:Tools                                        $19.90
    ; for the lathe
    Liabilities:Reimbursement:Ola Vik
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"shed.ledger": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a comment below another posting":          {"    ; ring first\n    Expenses:Heat:Oil                                  $1,310.50\n", "    Expenses:Heat:Oil                                  $1,310.50\n    ; ring first\n"},
		"an entry that was added":                  {"\n2024/03/02", "\n2024/03/01 Ghost\n    A  $1\n    B\n\n2024/03/02"},
		"a repeated entry":                         {"\n2024/03/02 Ola\n", "\n2024/03/02 Ola\n    Expenses:Tools  $19.90\n    ; for the lathe\n    Liabilities:Reimbursement:Ola Vik\n\n2024/03/02 Ola\n"},
		"a posting that was added":                 {"    Assets:Bank\n", "    Assets:Bank\n    Expenses:Misc  $1\n"},
		"a posting that was lost":                  {"    Assets:Bank\n", ""},
		"debit and credit swapped":                 {"Expenses:Tools                                        $19.90\n    ; for the lathe\n    Liabilities:Reimbursement:Ola Vik", "Liabilities:Reimbursement:Ola Vik  $19.90\n    ; for the lathe\n    Expenses:Tools"},
		"the currency":                             {"$", "€"},
		"the sign":                                 {"$19.90", "$-19.90"},
		"a cent":                                   {"$19.90", "$19.91"},
		"an amount written into an elided posting": {"Assets:Bank", "Assets:Bank  $-1310.50"},
		"a longer payee":                           {"02 Ola\n", "02 Ola Vik\n"},
		"the payee's case":                         {"02 Ola\n", "02 OLA\n"},
		"the note after the bar":                   {"tank 2", "tank 3"},
		"a note that was lost":                     {" | tank 2", ""},
		"the cheque code":                          {"(12)", "(13)"},
		"the mark":                                 {"* (12)", "! (12)"},
		"a mark that was added":                    {"02 Ola\n", "02 * Ola\n"},
		"a mark on one posting":                    {"    Assets:Bank", "    * Assets:Bank"},
		"the account's leaf":                       {"Heat:Oil", "Heat:Gas"},
		"the account's case":                       {"Assets:Bank", "assets:bank"},
		"a comment that was lost":                  {"    ; ring first\n", ""},
		"a comment that was repeated":              {"    ; ring first\n", "    ; ring first\n    ; ring first\n"},
		"a comment at column 0, outside the entry": {"    ; ring first", "; ring first"},
		"text outside entries that was lost":       {"; books of the shed\n", ""},
		"text outside entries that was added":      {"; books of the shed\n", "; books of the shed\nHere is the merged ledger:\n"},
		"a receipt without semicolon":              {"    ; Receipt:", "    Receipt:"},
		"an amount after one space":                {"Expenses:Tools                                        $19.90", "Expenses:Tools $19.90"},
		"the date":                                 {"2024/03/02", "2024/03/03"},
		"an auxiliary date":                        {"2024/03/02", "2024/03/02=2024/03/05"},
		"a price":                                  {"$19.90", "$19.90 @ €1"},
		"a balance assertion":                      {"Assets:Bank", "Assets:Bank  = $0"},
		"an entry inside a block comment":          {"2024/03/02 Ola", "comment\n2024/03/02 Ola"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"shed.ledger": sample}
			score := New().Compare(reference, change(t, edit[0], edit[1]))
			if score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a tab before the amount":          {"Expenses:Tools                                        $19.90", "Expenses:Tools\t$19.90"},
		"indentation by a tab":             {"    ", "\t"},
		"unpadded dates":                   {"2024/0", "2024/"},
		"hyphens in dates":                 {"2024/03/02", "2024-03-02"},
		"dots in dates":                    {"2024/03/02", "2024.03.02"},
		"thousands without separator":      {"$1,310.50", "$1310.50"},
		"trailing zeros":                   {"$19.90", "$19.9"},
		"the comma as decimal sign":        {"$1,310.50", "$1.310,50"},
		"a space after the currency":       {"$19.90", "$ 19.90"},
		"the currency after the number":    {"$19.90", "19.90 $"},
		"letter case of a comment":         {"    ; ring first", "    ; Ring First"},
		"letter case of a comment outside": {"; books", "; Books"},
		"a comment after the amount":       {"$19.90\n    ; for the lathe", "$19.90  ; for the lathe"},
		"a comment after an account":       {"Assets:Bank\n    ; Receipt", "Assets:Bank  ; Receipt"},
		"the order of postings":            {"    Expenses:Tools                                        $19.90\n    ; for the lathe\n    Liabilities:Reimbursement:Ola Vik", "    Liabilities:Reimbursement:Ola Vik\n    ; for the lathe\n    Expenses:Tools  $19.90"},
		"blank lines that were lost":       {"\n\n2024/03", "\n2024/03"},
		"a blank line inside an entry":     {"    Assets:Bank\n", "\n    Assets:Bank\n"},
		"a code fence":                     {"; books", "```ledger\n; books"},
		"a byte order mark":                {"; books", "\ufeff; books"},
		"CRLF":                             {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"shed.ledger": sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	first, second, _ := strings.Cut(sample, "2024/03")
	for rule, candidate := range map[string]vfs.Files{
		"another extension":        {"shed.journal": sample},
		"no extension":             {"out/shed": sample},
		"two files":                {"a.ledger": first, "b.ledger": "2024/03" + second},
		"entries in another order": {"a.ledger": "2024/03" + second, "b.ledger": first},
	} {
		if score := New().Compare(vfs.Files{"shed.ledger": sample}, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "accounting1")
	one := vfs.Files{document: strings.Replace(seed[document], "$31.87", "$31.78", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong amount of 191 leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "2023-01-05 Denny's Ace Hardware, posting",
		Was: "Expenses:Shop:Repairs  $31.87", Is: "Expenses:Shop:Repairs  $31.78",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a\n"
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"entries that were added are free":                  {reference + "\n2016/06/01 Uber\n  X  $1\n", 1},
		"postings that were added are free":                 {"2016/06/01 Uber\n  Ground  $8\n  Food  $9\n  Bank\n  ; Receipt: a", 1},
		"the currency is free":                              {"2016/06/01 Uber\n  Ground  €8\n  Bank\n  ; Receipt: a", 1},
		"the side of an amount is free":                     {"2016/06/01 Uber\n  Bank  $8\n  Ground\n  ; Receipt: a", 1},
		"case and quotes in comments are free":              {"2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; 'RECEIPT: A\"", 1},
		"a payee may go on":                                 {"2016/06/01 Uber trip\n  Ground  $8\n  Bank\n  ; Receipt: a", 1},
		"a payee below 0.8 is another entry":                {"2016/06/01 Lyft\n  Ground  $8\n  Bank\n  ; Receipt: a", 0},
		"another date is another entry":                     {"2016/06/02 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a", 0},
		"half the amount is half the score":                 {"2016/06/01 Uber\n  Ground  $4\n  Bank\n  ; Receipt: a", 0.5},
		"no amount is no score":                             {"2016/06/01 Uber\n  Ground\n  Bank\n  ; Receipt: a", 0},
		"only the first positive amount counts":             {"2016/06/01 Uber\n  X  $-3\n  Ground  $8\n  Bank  $7\n  ; Receipt: a", 1},
		"without its comments an entry is half":             {"2016/06/01 Uber\n  Ground  $8\n  Bank", 0.5},
		"one comment more is a Jaccard of a half":           {"2016/06/01 Uber\n  Ground  $8\n  Bank\n  ; Receipt: a\n  ; b", 0.5 + 0.5*math.Sqrt(0.5)},
		"an account that is lost is the likest of the rest": {"2016/06/01 Uber\n  Ground  $8\n  ; Receipt: a", (1 + 0.2) / 2},
		"an empty candidate":                                {"", 0},
	} {
		score := New().Compare(vfs.Files{"a.ledger": reference}, vfs.Files{"a.ledger": c.candidate})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	if score := New().Compare(vfs.Files{"a.ledger": ""}, vfs.Files{"a.ledger": ""}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("two empty documents: %+v", score)
	}
}
