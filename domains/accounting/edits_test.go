package accounting

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const books = `; books of the shed
; in dollars

2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring "Per", evenings
    Expenses:Heat:Oil                                  $1,310.50
    Assets:Bank
    ; Receipt: scan 4.pdf

2024/03/02 Ola
    Expenses:Tools                                        $19.90
    Liabilities:Reimbursement:Ola Vik

2024/03/09 ! Visa
    Liabilities:NBC Visa                                  $40.00
    Expenses:Tools                                        $-9.05  ; Receipt: IMG_2.jpg
    Assets:Bank                                          $-30.95
`

var forwardResults = map[string]vfs.Files{
	"split_by_claimant": {
		"other.ledger": `; books of the shed
; in dollars

2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring "Per", evenings
    Expenses:Heat:Oil                                  $1,310.50
    Assets:Bank
    ; Receipt: scan 4.pdf

2024/03/09 ! Visa
    Liabilities:NBC Visa                                  $40.00
    Expenses:Tools                                        $-9.05  ; Receipt: IMG_2.jpg
    Assets:Bank                                          $-30.95
`,
		"ola_vik.ledger": `2024/03/02 Ola
    Expenses:Tools                                        $19.90
    Liabilities:Reimbursement:Ola Vik
`,
		"order.csv": `position,file
1,other.ledger
2,ola_vik.ledger
3,other.ledger
`,
	},
	"csv_journal": {
		"journal.csv": `entry,date,mark,code,payee,note,account,amount,comment
0,,,,,,,,; books of the shed
0,,,,,,,,; in dollars
1,2024/02/28,*,12,Hagen's Oil,tank 2,,,"ring ""Per"", evenings"
1,2024/02/28,*,12,Hagen's Oil,tank 2,Expenses:Heat:Oil,"$1,310.50",
1,2024/02/28,*,12,Hagen's Oil,tank 2,Assets:Bank,,
1,2024/02/28,*,12,Hagen's Oil,tank 2,,,Receipt: scan 4.pdf
2,2024/03/02,,,Ola,,Expenses:Tools,$19.90,
2,2024/03/02,,,Ola,,Liabilities:Reimbursement:Ola Vik,,
3,2024/03/09,!,,Visa,,Liabilities:NBC Visa,$40.00,
3,2024/03/09,!,,Visa,,Expenses:Tools,$-9.05,Receipt: IMG_2.jpg
3,2024/03/09,!,,Visa,,Assets:Bank,$-30.95,
`,
	},
	"receipt_register": {
		"registered.ledger": replaced("scan 4.pdf", "#001", "IMG_2.jpg", "#002"),
		"receipts.csv": `id,date,payee,file
001,2024/02/28,Hagen's Oil,scan 4.pdf
002,2024/03/09,Visa,IMG_2.jpg
`,
	},
	"short_accounts": {
		"coded.ledger": `; books of the shed
; in dollars

2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring "Per", evenings
    E1                                                 $1,310.50
    A1
    ; Receipt: scan 4.pdf

2024/03/02 Ola
    E2                                                    $19.90
    L1

2024/03/09 ! Visa
    L2                                                    $40.00
    E2                                                    $-9.05  ; Receipt: IMG_2.jpg
    A1                                                   $-30.95
`,
		"accounts.json": `{
  "E1": "Expenses:Heat:Oil",
  "A1": "Assets:Bank",
  "E2": "Expenses:Tools",
  "L1": "Liabilities:Reimbursement:Ola Vik",
  "L2": "Liabilities:NBC Visa"
}
`,
	},
	"monthly_books": {
		"2024-02.ledger": `; books of the shed
; in dollars

2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring "Per", evenings
    Expenses:Heat:Oil                                  $1,310.50
    Assets:Bank
    ; Receipt: scan 4.pdf
`,
		"2024-03.ledger": `2024/03/02 Ola
    Expenses:Tools                                        $19.90
    Liabilities:Reimbursement:Ola Vik

2024/03/09 ! Visa
    Liabilities:NBC Visa                                  $40.00
    Expenses:Tools                                        $-9.05  ; Receipt: IMG_2.jpg
    Assets:Bank                                          $-30.95
`,
		"balances.csv": `month,account,balance
2024-02,Assets:Bank,-1310.50
2024-02,Expenses:Heat:Oil,1310.50
2024-03,Assets:Bank,-1341.45
2024-03,Expenses:Heat:Oil,1310.50
2024-03,Expenses:Tools,10.85
2024-03,Liabilities:NBC Visa,40.00
2024-03,Liabilities:Reimbursement:Ola Vik,-19.90
`,
	},
	"explicit_amounts": {
		"explicit.ledger": replaced(
			"    Assets:Bank\n", "    Assets:Bank                                       $-1,310.50  ; auto\n",
			"    Liabilities:Reimbursement:Ola Vik\n", "    Liabilities:Reimbursement:Ola Vik                    $-19.90  ; auto\n"),
	},
	"approval_filter": {
		"needs_approval.ledger": `2024/02/28 * (12) Hagen's Oil | tank 2
    ; ring "Per", evenings
    Expenses:Heat:Oil                                  $1,310.50
    Assets:Bank
    ; Receipt: scan 4.pdf

2024/03/09 ! Visa
    Liabilities:NBC Visa                                  $40.00
    Expenses:Tools                                        $-9.05  ; Receipt: IMG_2.jpg
    Assets:Bank                                          $-30.95
`,
		"approved.ledger": `; books of the shed
; in dollars

2024/03/02 Ola
    Expenses:Tools                                        $19.90
    Liabilities:Reimbursement:Ola Vik
`,
		"decisions.csv": `position,file,reason
1,needs_approval.ledger,amount
2,approved.ledger,none
3,needs_approval.ledger,account
`,
	},
	"euro_restatement": {
		"makerspace_eur.ledger": replaced(
			"  $1,310.50", "€1,207.8879", "  $19.90", "€18.3418", "  $40.00", "€36.8680", "  $-9.05", "€-8.3414", "  $-30.95", "€-28.5266"),
		"rates.json": `{
  "from": "USD",
  "to": "EUR",
  "rate": 0.9217
}
`,
	},
}

// replaced is books with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(books) }

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "accounting1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{"makerspace.ledger": books}, forwardResults, domaintest.ToTheLetter)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	backward := map[string]func(vfs.Files) (vfs.Files, error){}
	for _, edit := range demonstration(t).Edits() {
		backward[edit.Name] = edit.Backward
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"split_by_claimant", vfs.Files{"other.ledger": books}, "order.csv is missing"},
		{"split_by_claimant", vfs.Files{"order.csv": "position,file\n"}, "no ledger file with an entry"},
		{"approval_filter", vfs.Files{"decisions.csv": "position,reason\n1,none\n"}, `reading decisions.csv: no column "file"`},
		{"csv_journal", vfs.Files{"journal.csv": ""}, "reading journal.csv: no header"},
		{"receipt_register", vfs.Files{"receipts.csv": "id,file\n"}, "registered.ledger is missing"},
		{"short_accounts", vfs.Files{"coded.ledger": books, "accounts.json": "A1"}, "reading accounts.json"},
		{"euro_restatement", vfs.Files{"makerspace_eur.ledger": books, "rates.json": "{}"}, "rates.json has no rate above zero"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the merged ledger.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{"makerspace.ledger": books})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				lines := strings.SplitAfter(text, "\n")
				if name == "journal.csv" || name == "order.csv" || name == "decisions.csv" {
					lines = lines[:len(lines)-2]
				}
				damaged[name] = strings.ReplaceAll(strings.Join(lines, ""), "2024/03/02 Ola", "2024/03/02 Olaf")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(vfs.Files{"makerspace.ledger": books}, back)
			if score.Strict >= 1 || score.Strict < 0.8 || score.Elements.Candidate != 3 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements,
					d.Differences(vfs.Files{"makerspace.ledger": books}, back))
			}
		})
	}
}
