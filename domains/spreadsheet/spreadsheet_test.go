package spreadsheet

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const document = "marina_charges.csv"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "spreadsheet1") }

func TestDomain(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "spreadsheet1"),
		Generate: rapid.Custom(drawRegister),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "spreadsheet1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "spreadsheet1"))
}

// drawRegister draws a register of charges as different programs write it.
func drawRegister(t *rapid.T) vfs.Files {
	columns := slices.Concat(
		[]string{"Customer", "Category", "Item", "Amount", "Date", "Note"},
		rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"Invoice", "Berth", "Qty", "Boat (LOA, m)", "Ref \"old\"", "Mva %", "customer_ref",
		}), 0, 3, rapid.ID).Draw(t, "further columns"))
	columns = rapid.Permutation(columns).Draw(t, "columns")

	records := [][]string{columns}
	for range rapid.IntRange(1, 12).Draw(t, "rows") {
		if len(records) > 1 && rapid.IntRange(0, 9).Draw(t, "repeated") == 0 {
			records = append(records, records[len(records)-1])
			continue
		}
		row := make([]string, len(columns))
		for k, column := range columns {
			row[k] = rapid.SampledFrom(cellsOf(column)).Draw(t, column)
		}
		records = append(records, row)
	}
	return vfs.Files{document: drawText(t, records)}
}

func cellsOf(column string) []string {
	switch column {
	case "Amount":
		return []string{"12.50", "-12.50", "0.00", "1188.48", "7", "-0.5", "81.875", "1000000.10", "0012.00"}
	case "Category":
		return []string{"Fuel", "fuel", "Lift & launch", "Deposits / refunds", "Øvrig", "(misc.)", "4711", ""}
	case "Customer":
		return []string{
			"D. Mouat", "Dora Mouat", "Halvorsen & Søn, AS", `M/Y "Sjøbris"`, `"Tystie"`, "Ltd\nQuay 2", "00417", "ßeta", "",
		}
	case "Item":
		return []string{"Diesel 60/40", "Diesel 60-40", "Diesel", "12 V", "Anode, pear", "Crane\u00a0hour", ""}
	case "Note":
		return []string{"", "n/a", "TOTAL", "half now,\nhalf June", "  see \"Tirrick\" ", "ok w. Magnie", "```", `""`, "'"}
	case "Date":
		return []string{"2023-04-03", "2023-12-31", "n/a", ""}
	default:
		return []string{"", "007", "7", "7.0", "+47 95 00 00", "1e5", "1_000", "4006381333931", "2023-04-03", "TOTAL", "n/a", "NaN", "-"}
	}
}

// drawText writes records with the quoting, padding and line ends of some
// program.
func drawText(t *rapid.T, records [][]string) string {
	end := "\n"
	all := strings.Join(slices.Concat(records...), "")
	if !strings.Contains(all, "\n") && rapid.Bool().Draw(t, "CRLF") {
		end = "\r\n"
	}
	quoteAll := rapid.Bool().Draw(t, "quotes round all cells")
	unevenRows := rapid.Bool().Draw(t, "no empty cells at the end of rows")
	var b strings.Builder
	for n, record := range records {
		if unevenRows && n > 0 {
			for len(record) > 2 && record[len(record)-1] == "" {
				record = record[:len(record)-1]
			}
		}
		for k, cell := range record {
			if k > 0 {
				b.WriteByte(',')
			}
			if quoteAll || strings.ContainsAny(cell, "\",\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString(end)
		if rapid.IntRange(0, 19).Draw(t, "blank line") == 0 {
			b.WriteString(end)
		}
	}
	if rapid.Bool().Draw(t, "no line end at the end") {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

const stock = `SKU,Name,Bin,Count,Price
00417,"Shackle, galv. 12 mm",A1,40,4.60
00418,"Rope 14 mm ""Super"", per m",A2,220,3.15
4006381333931,Marker black,B1,12,1.50
00502,Anode pear,B1,n/a,21.50
00503,Fender F3,C4,8,44.00
00504,"Flag, courtesy
Norway",C4,3,9.00
`

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, old, new string
		least          float64 // that Strict must still give
	}{
		{"a code without its leading zeros", "00417", "417", 0.9},
		{"leading zeros that were none", ",40,", ",040,", 0.9},
		{"the thirteenth digit of a code", "4006381333931", "4006381333932", 0.9},
		{"a code cut to ten digits with an exponent", "4006381333931", "4.006381334e+12", 0.9},
		{"a code made a decimal number", "00502,", "502.0,", 0.9},
		{"a no-break space", "14 mm", "14\u00a0mm", 0.9},
		{"a zero width space", "Marker", "Mark\u200ber", 0.9},
		{"one digit of a number", "21.50", "21.05", 0.9},
		{"a sign", "9.00", "-9.00", 0.9},
		{"a separator of thousands", ",220,", `,"2,20",`, 0.9},
		{"n/a made empty", "n/a", "", 0.9},
		{"a letter's case in a cell", "Anode pear", "anode pear", 0.9},
		{"a line break in a cell", "courtesy\nNorway", "courtesy Norway", 0.9},
		{"a row that is repeated", "00503,Fender F3,C4,8,44.00\n", "00503,Fender F3,C4,8,44.00\n00503,Fender F3,C4,8,44.00\n", 0.8},
		{"a row replaced by its neighbour", "00502,Anode pear,B1,n/a,21.50", "00503,Fender F3,C4,8,44.00", 0.6},
		{"a row that was invented", "00503,", "00600,Cleat 200 mm,C1,6,12.40\n00503,", 0.8},
		{"rows that changed places", "00502,Anode pear,B1,n/a,21.50\n00503,Fender F3,C4,8,44.00", "00503,Fender F3,C4,8,44.00\n00502,Anode pear,B1,n/a,21.50", 0.8},
		{"a column name in lower case", "SKU", "sku", 0.6},
		{"a cell beyond the header", "44.00", "44.00,checked", 0.9},
		{"a comma that lost its quotes", `"Shackle, galv. 12 mm"`, "Shackle, galv. 12 mm", 0.7},
		{"two cells that changed places", "C4,8", "8,C4", 0.9},
		{"a sentence above the table", "SKU,", "Here is the table:\nSKU,", 0.8},
		{"a sentence below the table", "9.00\n", "9.00\nLet me know if anything is missing!\n", 0.8},
		{"a row of empty cells", "00503,", ",,,,\n00503,", 0.8},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(stock, test.old, test.new, 1)
			strict := New().Compare(vfs.Files{"stock.csv": stock}, vfs.Files{"stock.csv": changed}).Strict
			if strict >= 1 || strict < test.least {
				t.Errorf("Strict is %.4f, want at least %.2f and less than 1", strict, test.least)
			}
		})
	}
}

func TestStrictSeesInWholeTables(t *testing.T) {
	t.Parallel()
	reference := "Berth,Length,Holder\nA1,6.4,Tommy\nA2,7.4,Ruth\nA3,8.8,Isbister\n"
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		least     float64
	}{
		{"columns in another order", vfs.Files{"b.csv": "Length,Berth,Holder\n6.4,A1,Tommy\n7.4,A2,Ruth\n8.8,A3,Isbister\n"}, 0.7},
		{"a column of row numbers without a name", vfs.Files{"b.csv": ",Berth,Length,Holder\n0,A1,6.4,Tommy\n1,A2,7.4,Ruth\n2,A3,8.8,Isbister\n"}, 0.4},
		{"rows in reverse", vfs.Files{"b.csv": "Berth,Length,Holder\nA3,8.8,Isbister\nA2,7.4,Ruth\nA1,6.4,Tommy\n"}, 0.5},
		{"a helper file left after", vfs.Files{"b.csv": reference, "codes.csv": "code,holder\nT,Tommy\n"}, 0.6},
		{"a helper file that comes first", vfs.Files{"a_codes.csv": "code,holder\nT,Tommy\n", "b.csv": reference}, 0.6},
		{"a helper file and the table split", vfs.Files{"a_codes.csv": "code,holder\nT,Tommy\n", "b1.csv": "Berth,Length,Holder\nA1,6.4,Tommy\n", "b2.csv": "Berth,Length,Holder\nA2,7.4,Ruth\nA3,8.8,Isbister\n"}, 0.6},
		{"parts in the wrong order", vfs.Files{"1.csv": "Berth,Length,Holder\nA3,8.8,Isbister\n", "2.csv": "Berth,Length,Holder\nA1,6.4,Tommy\nA2,7.4,Ruth\n"}, 0.7},
		{"a semicolon for each comma", vfs.Files{"b.csv": strings.ReplaceAll(reference, ",", ";")}, 0},
		{"values of columns with the same name", vfs.Files{"b.csv": "Berth,Berth,Holder\nA1,6.4,Tommy\n"}, 0},
		{"nothing", vfs.Files{}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			strict := New().Compare(vfs.Files{"b.csv": reference}, test.candidate).Strict
			if strict >= 1 || strict < test.least {
				t.Errorf("Strict is %.4f, want at least %.2f and less than 1", strict, test.least)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	header, first, rest := cutStock()
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
	}{
		{"another file name", vfs.Files{"inventory.csv": stock}},
		{"another file extension", vfs.Files{"stock.txt": stock}},
		{"a byte order mark", vfs.Files{"stock.csv": "\ufeff" + stock}},
		{"CRLF", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "\n", "\r\n")}},
		{"a code fence left in", vfs.Files{"stock.csv": "```csv\n" + stock + "```\n"}},
		{"blank lines", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "\n00", "\n\n00")}},
		{"no line end at the end", vfs.Files{"stock.csv": strings.TrimSpace(stock)}},
		{"quotes that are not needed", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "A1", `"A1"`)}},
		{"text after a closing quote", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "A1", `"A"1`)}},
		{"padding round cells", vfs.Files{"stock.csv": strings.ReplaceAll(stock, ",A", " , A")}},
		{"a comma at the end of rows", vfs.Files{"stock.txt": strings.ReplaceAll(stock, "0\n", "0,\n")}},
		{"no zeros at the end of a fraction", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "44.00", "44")}},
		{"more zeros at the end of a fraction", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "21.50", "21.500")}},
		{"an exponent that keeps all digits", vfs.Files{"stock.csv": strings.ReplaceAll(stock, ",220,", ",2.2e+02,")}},
		{"what floating point leaves", vfs.Files{"stock.csv": strings.ReplaceAll(stock, "4.60", "4.6000000000000005")}},
		{"the table split over two files", vfs.Files{"1.csv": header + first, "2.csv": header + rest}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"stock.csv": stock}
			if strict := New().Compare(reference, test.candidate).Strict; strict != 1 {
				t.Errorf("Strict is %.4f, want 1: %v", strict, New().Differences(reference, test.candidate))
			}
		})
	}
}

// cutStock cuts the stock list after its first row.
func cutStock() (header, first, rest string) {
	lines := strings.SplitAfterN(stock, "\n", 3)
	return lines[0], lines[1], lines[2]
}

// A program that takes codes for numbers writes other codes, and no reader forgives that.
func TestCodesAreNoNumbers(t *testing.T) {
	t.Parallel()
	const parts = "part,qty,phone\nAB-1,1,+49301234\n1E5,2,0049301234\n007,-4,x\n"
	for rule, c := range map[string]struct{ old, new string }{
		"an exponent worked out":  {"1E5", "100000"},
		"a plus sign lost":        {"+49301234", "49301234"},
		"leading zeros lost":      {"0049301234", "49301234"},
		"a column without a name": {"\n", ",\n"},
	} {
		if strict := New().Compare(vfs.Files{"t.csv": parts}, vfs.Files{"t.csv": strings.ReplaceAll(parts, c.old, c.new)}).Strict; strict == 1 {
			t.Errorf("%s: Strict is 1", rule)
		}
	}
}

func TestGroupKey(t *testing.T) {
	t.Parallel()
	grouped := New().With(domains.Metadata{"group_key": "Year, Fund"})
	table := func(rows ...string) vfs.Files {
		return vfs.Files{"t.csv": "Year,Fund,Amount\n" + strings.Join(rows, "\n") + "\n"}
	}
	reference := table("2021,Pier,1", "2021,Pier,2", "2021,Boats,3", "2021,Boats,4")
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		value     float64
		same      bool
	}{
		{"rows may change places inside a group", table("2021,Pier,2", "2021,Pier,1", "2021,Boats,4", "2021,Boats,3"), 1, true},
		{"groups may not be torn apart, which Value does not see", table("2021,Pier,1", "2021,Boats,3", "2021,Pier,2", "2021,Boats,4"), 1, false},
		{"groups have an order", table("2021,Boats,3", "2021,Boats,4", "2021,Pier,1", "2021,Pier,2"), 0.95, false},
		{"a group that is missing", table("2021,Pier,1", "2021,Pier,2"), 0.60*0.5 + 0.25*0.25*(0.4*2/3+0.6*0.5) + 0.15*0.5, false},
		{"rows without a group are in no group", table("2021,Pier,1", "2021,Pier,2", "2021,Boats,3", ",,4"), 0.60*3/5 + 0.25*(0.4+0.6*0.75) + 0.15, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			score := grouped.Compare(reference, test.candidate)
			if math.Abs(score.RS-test.value) > 1e-12 {
				t.Errorf("Value is %v, want %v", score.RS, test.value)
			}
			if (score.Strict == 1) != test.same {
				t.Errorf("Strict is %v, want 1: %v; %v", score.Strict, test.same, grouped.Differences(reference, test.candidate))
			}
		})
	}
	if strict := New().Compare(reference, table("2021,Pier,2", "2021,Pier,1", "2021,Boats,3", "2021,Boats,4")).Strict; strict == 1 {
		t.Error("without a group_key rows changed places unseen")
	}
}

func TestDifferencesNameTheRow(t *testing.T) {
	t.Parallel()
	changed := strings.Replace(stock, "21.50", "21.05", 1)
	differences := New().Differences(vfs.Files{"stock.csv": stock}, vfs.Files{"stock.csv": changed})
	want := "row 4 (00502 Anode pear), Price: 21.5 -> 21.05"
	if len(differences) != 1 || differences[0].String() != want {
		t.Errorf("differences are %v, want one: %s", differences, want)
	}
}

func TestPlainNumber(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1.50": "1.5", "1.": "1", ".5": "0.5", "+5": "+5", "+5.50": "5.5", "-0.0": "0", "0": "0", "-12.50": "-12.5",
		"2.393866e+06": "2393866", "1E5": "1E5", "1E+5": "100000", "+49301234": "+49301234", "100": "100", "15e-1": "1.5", "1e400": "1e400", "25e-3": "0.025",
		"007": "007", "00.50": "00.50", "0x10": "0x10", "1_000": "1_000", "1,000": "1,000", "NaN": "NaN",
		"": "", "-": "-", ".": ".", "e5": "e5", "--1": "--1", "+-1": "+-1", "1e": "1e", "1e99999999": "1e99999999", "1.2.3": "1.2.3",
		"4006381333931": "4006381333931", "10000000000001": "10000000000001", "3.14159265358979": "3.14159265358979",
		"1896622.0000001": "1896622", "0.30000000000000004": "0.3", "24.299999999999997": "24.3",
		"99.99999999999999": "100", "0.9999999999999999": "1", "1.0000001": "1.0000001", "0.00000000012345678901": "0.00000000012345678901",
	} {
		if got := plainNumber(cell); got != want {
			t.Errorf("plainNumber(%q) = %q, want %q", cell, got, want)
		}
		if once := plainNumber(cell); plainNumber(once) != once {
			t.Errorf("plainNumber(%q) is %q, and of that %q", cell, once, plainNumber(once))
		}
		if _, isFloat := pytext.Float(cell); !isFloat && plainNumber(cell) != cell {
			t.Errorf("%q is rewritten as %q but is no number", cell, plainNumber(cell))
		}
	}
}
