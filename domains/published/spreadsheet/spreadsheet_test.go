package spreadsheet

import (
	"reflect"
	"strings"
	"testing"

	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// TestParse states what the published reading makes of two rows of files.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		files  vfs.Files
		header []string
		rows   [][]string
	}{
		{"numbers are cut to ten digits", vfs.Files{"t.csv": "a,b\n007,4006381333931\n1.50,15e-1\n"},
			[]string{"a", "b"}, [][]string{{"7", "4.006381334e+12"}, {"1.5", "1.5"}}},
		{"numbers are those of float()", vfs.Files{"t.csv": "a,b\nInfinity,-NaN\n1_000,0x10\n١٢,-0.0\n-1e400,.5\n"},
			[]string{"a", "b"}, [][]string{{"inf", "nan"}, {"1000", "0x10"}, {"12", "-0"}, {"-inf", "0.5"}}},
		{"other files keep their numbers", vfs.Files{"t.txt": "a,b\n007,1.50\n"}, []string{"a", "b"}, [][]string{{"007", "1.50"}}},
		{"the extension is case-sensitive", vfs.Files{"t.CSV": "a\n007\n"}, []string{"a"}, [][]string{{"007"}}},
		{"columns without a name are removed", vfs.Files{"t.csv": ",a, \n0,1,2\n"}, []string{"a"}, [][]string{{"1"}}},
		{"a table of such columns alone is nothing", vfs.Files{"t.csv": " ,\n1,2\n"}, nil, nil},
		{"surplus cells are dropped", vfs.Files{"t.csv": "a\n1,2\n3\n"}, []string{"a"}, [][]string{{"1"}, {"3"}}},
		{"in other files the row is", vfs.Files{"t.txt": "a\n1,\n3\n"}, []string{"a"}, [][]string{{"3"}}},
		{"short rows are filled", vfs.Files{"t.csv": "a,b\n1\n"}, []string{"a", "b"}, [][]string{{"1", ""}}},
		{"no-break spaces are blanks", vfs.Files{"t.csv": "a\u00a0b\n\u00a0x\u00a0y\n"}, []string{"a b"}, [][]string{{"x y"}}},
		{"names of the header stay", vfs.Files{"t.csv": "007, b ,c\n1,2,3\n"}, []string{"007", " b ", "c"}, [][]string{{"1", "2", "3"}}},
		{"a byte order mark is part of the first name", vfs.Files{"t.csv": "\ufeffa\n1\n"}, []string{"\ufeffa"}, [][]string{{"1"}}},
		{"files follow each other in name order", vfs.Files{"b.csv": "b\n2\n", "a.csv": "a\n1\n", "0.csv": "\n"}, []string{"a"}, [][]string{{"1"}, {"2"}}},
		{"an error makes a file nothing", vfs.Files{"a.csv": "x\ry\n", "b.csv": "b\n2\n"}, []string{"b"}, [][]string{{"2"}}},
		{"a table too large to be filled up is nothing", vfs.Files{"a.csv": strings.Repeat("a,", 5000) + "\n" + strings.Repeat("1\n", 1000), "b.csv": "b\n2\n"}, []string{"b"}, [][]string{{"2"}}},
		{"a cell may have 131072 characters and no more", vfs.Files{"a.csv": "a\n" + strings.Repeat("ø", 131_072+1), "b.csv": "b\n2\n"}, []string{"b"}, [][]string{{"2"}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse(test.files)
			if err != nil {
				t.Fatal(err)
			}
			var rows [][]string
			for _, r := range doc.rows {
				rows = append(rows, r.cells)
			}
			if !reflect.DeepEqual(doc.header, test.header) || !reflect.DeepEqual(rows, test.rows) {
				t.Errorf("parsed as %q, %q, want %q, %q", doc.header, rows, test.header, test.rows)
			}
		})
	}
}

func TestRowsCountAsEqual(t *testing.T) {
	t.Parallel()
	form := func(columns, cells string) string {
		return former(strings.Split(columns, ","))(strings.Split(cells, ","))
	}
	for _, test := range []struct {
		rule                 string
		columns, cells       string
		otherColumns, others string
		equal                bool
	}{
		{"any order of columns", "a,b", "1,2", "b,a", "2,1", true},
		{"whatever is round names and cells", "a,b", "1,2", " a,b ", " 1,2 ", true},
		{"if the last of repeated columns is equal", "a,a", "1,2", "a", "2", true},
		{"unless a name differs in case", "a", "1", "A", "1", false},
		{"unless one has an empty column more", "a", "1", "a,b", "1,", false},
		{"what stands in columns without a name", "a,", "1,2", "a", "1", true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got := form(test.columns, test.cells) == form(test.otherColumns, test.others); got != test.equal {
				t.Errorf("equal: %v, want %v", got, test.equal)
			}
		})
	}
	if form("", "1") != "" {
		t.Error("a row without any named column has a form")
	}
}

func TestHeaderSimilarity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, ref, got string
		want           float64
	}{
		{"case and padding do not count", "Date,Amount", " date ,AMOUNT", 1},
		{"another order costs a tenth", "a,b,c", "c,a,b", 0.9},
		{"a repeated name is no other set", "a,b", "a,b,b", 0.9},
		{"names are a set", "a,b,c", "a,b,d", 0.5},
		{"two empty headers are equal", "", "", 1},
		{"an empty one is nothing like a full one", "a", " ", 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got := sets.Names(strings.Split(test.ref, ","), strings.Split(test.got, ","), 0.9); got != test.want {
				t.Errorf("similarity is %v, want %v", got, test.want)
			}
		})
	}
}
