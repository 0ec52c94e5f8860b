package spreadsheet

import (
	"maps"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const charges = `Date,Invoice,Customer,Category,Item,Amount
2023-05-06,00403,"Jamieson, Tommy",Fuel,Diesel 60/40,81.88
2023-05-06,00404,"M/Y ""Sjøbris""",Fuel,Diesel 60-40,62.5
2023-05-12,00404,"M/Y ""Sjøbris""",Lift & launch,Mast step,81.88
2023-05-19,00403,"Jamieson, Tommy",Payments,,-81.88
2023-05-19,00409,Mrs Janet Tulloch,Fuel,Diesel 60/40,7
`

// forwardResults are the exact files after the forward step on the charges.
var forwardResults = map[string]vfs.Files{
	"split_by_category": {
		"fuel.csv": `Date,Invoice,Customer,Category,Item,Amount
2023-05-06,00403,"Jamieson, Tommy",Fuel,Diesel 60/40,81.88
2023-05-06,00404,"M/Y ""Sjøbris""",Fuel,Diesel 60-40,62.5
2023-05-19,00409,Mrs Janet Tulloch,Fuel,Diesel 60/40,7
`,
		"lift_launch.csv": `Date,Invoice,Customer,Category,Item,Amount
2023-05-12,00404,"M/Y ""Sjøbris""",Lift & launch,Mast step,81.88
`,
		"payments.csv": `Date,Invoice,Customer,Category,Item,Amount
2023-05-19,00403,"Jamieson, Tommy",Payments,,-81.88
`,
		"row_order.csv": "row,file\n1,fuel.csv\n2,fuel.csv\n3,lift_launch.csv\n4,payments.csv\n5,fuel.csv\n",
	},
	"json_lines": {
		"charges.jsonl": `{"Date": "2023-05-06", "Invoice": "00403", "Customer": "Jamieson, Tommy", "Category": "Fuel", "Item": "Diesel 60/40", "Amount": "81.88"}
{"Date": "2023-05-06", "Invoice": "00404", "Customer": "M/Y \"Sjøbris\"", "Category": "Fuel", "Item": "Diesel 60-40", "Amount": "62.5"}
{"Date": "2023-05-12", "Invoice": "00404", "Customer": "M/Y \"Sjøbris\"", "Category": "Lift & launch", "Item": "Mast step", "Amount": "81.88"}
{"Date": "2023-05-19", "Invoice": "00403", "Customer": "Jamieson, Tommy", "Category": "Payments", "Item": "", "Amount": "-81.88"}
{"Date": "2023-05-19", "Invoice": "00409", "Customer": "Mrs Janet Tulloch", "Category": "Fuel", "Item": "Diesel 60/40", "Amount": "7"}
`,
	},
	"code_book": {
		"coded.csv": `Date,Invoice,Customer,Category,Item,Amount
2023-05-06,00403,JT,Fuel,D1,81.88
2023-05-06,00404,MYS,Fuel,D2,62.5
2023-05-12,00404,MYS,Lift & launch,MS,81.88
2023-05-19,00403,JT,Payments,,-81.88
2023-05-19,00409,MJT,Fuel,D1,7
`,
		"codes.csv": `column,code,value
Customer,JT,"Jamieson, Tommy"
Customer,MYS,"M/Y ""Sjøbris"""
Customer,MJT,Mrs Janet Tulloch
Item,D1,Diesel 60/40
Item,D2,Diesel 60-40
Item,MS,Mast step
`,
	},
	"sort_by_amount": {
		"by_amount.csv": `Date,Invoice,Customer,Category,Item,Amount,row
2023-05-06,00403,"Jamieson, Tommy",Fuel,Diesel 60/40,81.88,1
2023-05-12,00404,"M/Y ""Sjøbris""",Lift & launch,Mast step,81.88,3
2023-05-06,00404,"M/Y ""Sjøbris""",Fuel,Diesel 60-40,62.5,2
2023-05-19,00409,Mrs Janet Tulloch,Fuel,Diesel 60/40,7,5
2023-05-19,00403,"Jamieson, Tommy",Payments,,-81.88,4
`,
	},
	"subtotals": {
		"with_totals.csv": `Date,Invoice,Customer,Category,Item,Amount
2023-05-06,00403,"Jamieson, Tommy",Fuel,Diesel 60/40,81.88
2023-05-06,00404,"M/Y ""Sjøbris""",Fuel,Diesel 60-40,62.5
TOTAL,,,Fuel,,144.38
2023-05-12,00404,"M/Y ""Sjøbris""",Lift & launch,Mast step,81.88
TOTAL,,,Lift & launch,,81.88
2023-05-19,00403,"Jamieson, Tommy",Payments,,-81.88
TOTAL,,,Payments,,-81.88
2023-05-19,00409,Mrs Janet Tulloch,Fuel,Diesel 60/40,7
TOTAL,,,Fuel,,7
`,
		"totals.json": "[3,5,7,9]\n",
	},
	"star_schema": {
		"facts.csv": `Date,Invoice,customer_id,Category,item_id,Amount
2023-05-06,00403,1,Fuel,1,81.88
2023-05-06,00404,2,Fuel,2,62.5
2023-05-12,00404,2,Lift & launch,3,81.88
2023-05-19,00403,1,Payments,,-81.88
2023-05-19,00409,3,Fuel,1,7
`,
		"customers.csv": "id,name\n1,\"Jamieson, Tommy\"\n2,\"M/Y \"\"Sjøbris\"\"\"\n3,Mrs Janet Tulloch\n",
		"items.csv":     "id,name\n1,Diesel 60/40\n2,Diesel 60-40\n3,Mast step\n",
	},
	"debit_credit": {
		"journal.csv": `Date,Invoice,Customer,Account,Item,Debit,Credit
2023-05-06,00403,"Jamieson, Tommy",4010,Diesel 60/40,81.88,
2023-05-06,00404,"M/Y ""Sjøbris""",4010,Diesel 60-40,62.5,
2023-05-12,00404,"M/Y ""Sjøbris""",4020,Mast step,81.88,
2023-05-19,00403,"Jamieson, Tommy",4030,,,81.88
2023-05-19,00409,Mrs Janet Tulloch,4010,Diesel 60/40,7,
`,
		"accounts.csv": "code,category\n4010,Fuel\n4020,Lift & launch\n4030,Payments\n",
	},
	"krone_restatement": {
		"charges_nok.csv": `Date,Invoice,Customer,Category,Item,Amount NOK
2023-05-06,00403,"Jamieson, Tommy",Fuel,Diesel 60/40,1075.31
2023-05-06,00404,"M/Y ""Sjøbris""",Fuel,Diesel 60-40,820.80
2023-05-12,00404,"M/Y ""Sjøbris""",Lift & launch,Mast step,1075.31
2023-05-19,00403,"Jamieson, Tommy",Payments,,-1075.31
2023-05-19,00409,Mrs Janet Tulloch,Fuel,Diesel 60/40,91.93
`,
		"amounts_gbp.csv": "row,amount\n1,81.88\n2,62.5\n3,81.88\n4,-81.88\n5,7\n",
	},
}

// document is the file of the documents in these tests.
const document = "marina_charges.csv"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "spreadsheet1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: charges}, forwardResults, domaintest.ToTheLetter)
}

// TestBackwardOfDamage states what the oracles make of files that lost or
// changed something on the way.
func TestBackwardOfDamage(t *testing.T) {
	t.Parallel()
	const header = "Date,Customer,Category,Item,Amount\n"
	for _, test := range []struct {
		rule, edit string
		files      vfs.Files
		want       string
	}{
		{"rows that the order does not list follow", "split_by_category", vfs.Files{
			"fuel.csv":      header + "1 May,Ruth,Fuel,Diesel,5\n3 May,Ruth,Fuel,Calor,6\n",
			"row_order.csv": "row,file\n2,fuel.csv\n1,payments.csv\n",
		}, header + "1 May,Ruth,Fuel,Diesel,5\n3 May,Ruth,Fuel,Calor,6\n"},
		{"lines that are no object are skipped", "json_lines", vfs.Files{
			"charges.jsonl": "[1]\n{\"Item\": \"Diesel\", \"Amount\": 5.50}\n{\"Item\": \"Cal\n{\"Amount\": null, \"Item\": \"Calor\", \"Note\": \"exch.\"}\n",
		}, "Item,Amount,Note\nDiesel,5.50,\nCalor,,exch.\n"},
		{"an unknown code stays", "code_book", vfs.Files{
			"coded.csv": header + "1 May,RP,Fuel,D1,5\n",
			"codes.csv": "column,code,value\nCustomer,RP,Ruth Peterson\nCustomer,D1,Davie\n",
		}, header + "1 May,Ruth Peterson,Fuel,D1,5\n"},
		{"a row without a number comes last", "sort_by_amount", vfs.Files{
			"by_amount.csv": "Item,Amount,row\nCalor,9,\nDiesel,5,2\nWater,1,1\n",
		}, "Item,Amount\nWater,1\nDiesel,5\nCalor,9\n"},
		{"where the list does not fit, totals go by their mark", "subtotals", vfs.Files{
			"with_totals.csv": header + "1 May,Ruth,Fuel,Diesel,5\nTOTAL,,Fuel,,5\n2 May,Ruth,Payments,Card,-5\nTOTAL,,Payments,,-5\n",
			"totals.json":     "[3,5]\n",
		}, header + "1 May,Ruth,Fuel,Diesel,5\n2 May,Ruth,Payments,Card,-5\n"},
		{"where it fits, other rows with the mark stay", "subtotals", vfs.Files{
			"with_totals.csv": header + "TOTAL,Ruth,Fuel,Diesel,5\nTOTAL,,Fuel,,5\n",
			"totals.json":     "[2]\n",
		}, header + "TOTAL,Ruth,Fuel,Diesel,5\n"},
		{"an unknown id stays", "star_schema", vfs.Files{
			"facts.csv":     "customer_id,item_id\n1,9\n",
			"customers.csv": "id,name\n1,Ruth\n",
			"items.csv":     "id,name\n1,Diesel\n",
		}, "Customer,Item\nRuth,9\n"},
		{"of a debit and a credit the debit counts", "debit_credit", vfs.Files{
			"journal.csv":  "Account,Debit,Credit\n4010,5,5\n4010,,6\n4020,,\n",
			"accounts.csv": "code,category\n4010,Fuel\n",
		}, "Category,Amount\nFuel,5\nFuel,-6\n4020,\n"},
		{"amounts of other rows are computed instead", "krone_restatement", vfs.Files{
			"charges_nok.csv": "Item,Amount NOK\nDiesel,1075.31\nCalor,91.93\n",
			"amounts_gbp.csv": "row,amount\n1,81.88\n2,62.5\n",
		}, "Item,Amount\nDiesel,81.88\nCalor,7.00\n"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, err := domaintest.Edit(t, demonstration(t), test.edit).Backward(test.files)
			if err != nil {
				t.Fatal(err)
			}
			expectFiles(t, got, vfs.Files{document: test.want})
		})
	}
}

func TestForwardOfDamage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, edit string
		files      vfs.Files
		want       vfs.Files
	}{
		{"a register in two files is one", "json_lines", vfs.Files{
			"a.csv": "Item,Amount\nDiesel,5\n", "b.csv": "Item,Amount\nCalor,6\n", "notes.csv": "Note\nx\n",
		}, vfs.Files{"charges.jsonl": "{\"Item\": \"Diesel\", \"Amount\": \"5\"}\n{\"Item\": \"Calor\", \"Amount\": \"6\"}\n"}},
		{"short and long rows are filled up", "json_lines", vfs.Files{
			"a.csv": "Item,Amount\nDiesel\nCalor,6,exch.\n",
		}, vfs.Files{"charges.jsonl": "{\"Item\": \"Diesel\", \"Amount\": \"\", \"\": \"\"}\n{\"Item\": \"Calor\", \"Amount\": \"6\", \"\": \"exch.\"}\n"}},
		{"what is no amount sorts last", "sort_by_amount", vfs.Files{
			"a.csv": "Item,Amount\nDiesel,n/a\nCalor,6\nWater,\nPower,10\n",
		}, vfs.Files{"by_amount.csv": "Item,Amount,row\nPower,10,4\nCalor,6,2\nDiesel,n/a,1\nWater,,3\n"}},
		{"what is no amount is not summed", "subtotals", vfs.Files{
			"a.csv": "Item,Category,Amount\nDiesel,Fuel,n/a\nCalor,Fuel,6.50\n",
		}, vfs.Files{"with_totals.csv": "Item,Category,Amount\nDiesel,Fuel,n/a\nCalor,Fuel,6.50\nTOTAL,Fuel,6.50\n", "totals.json": "[3]\n"}},
		{"a row may be without a category", "split_by_category", vfs.Files{
			"a.csv": "Item,Category\nDiesel,\n",
		}, vfs.Files{"uncategorised.csv": "Item,Category\nDiesel,\n", "row_order.csv": "row,file\n1,uncategorised.csv\n"}},
		{"categories of one file name share the file", "split_by_category", vfs.Files{
			"a.csv": "Item,Category\nStrop,Lift & launch\nDiesel,Fuel\nCrane,Lift/launch\n",
		}, vfs.Files{
			"fuel.csv":        "Item,Category\nDiesel,Fuel\n",
			"lift_launch.csv": "Item,Category\nStrop,Lift & launch\nCrane,Lift/launch\n",
			"row_order.csv":   "row,file\n1,lift_launch.csv\n2,fuel.csv\n3,lift_launch.csv\n",
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, err := domaintest.Edit(t, demonstration(t), test.edit).Forward(test.files)
			if err != nil {
				t.Fatal(err)
			}
			expectFiles(t, got, test.want)
		})
	}
}

func TestSplitRefusesACategoryOfItsOwnName(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "split_by_category").Forward(vfs.Files{document: "Item,Category\nDiesel,Row order\n"})
	if err == nil {
		t.Errorf("got %v, want an error", got)
	}
}

func expectFiles(t *testing.T, got, want vfs.Files) {
	t.Helper()
	if maps.Equal(got, want) {
		return
	}
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], content)
		}
	}
	for name := range got {
		if _, wanted := want[name]; !wanted {
			t.Errorf("unexpected file %s:\n%s", name, got[name])
		}
	}
}
