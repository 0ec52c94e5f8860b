package pycsv

import (
	"reflect"
	"testing"
)

func TestRecords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, text string
		want       [][]string
	}{
		{"a doubled quote is one", `"a""b"`, [][]string{{`a"b`}}},
		{"text after the closing quote belongs to the cell", `"x"y,z`, [][]string{{"xy", "z"}}},
		{"a quote after that is literal", `"x"y"z",w`, [][]string{{`xy"z"`, "w"}}},
		{"a quote later in a cell is literal", `5" pipe,a"b,c"`, [][]string{{`5" pipe`, `a"b`, `c"`}}},
		{"a quote after a blank is literal", `a, "b,c"`, [][]string{{"a", ` "b`, `c"`}}},
		{"a quoted cell holds line breaks", "\"a\nb\r\nc\",d", [][]string{{"a\nb\r\nc", "d"}}},
		{"a quote that is never closed runs to the end", "a,\"b\nc,d", [][]string{{"a", "b\nc,d"}}},
		{"LF and CRLF end a row", "a\r\nb\nc", [][]string{{"a"}, {"b"}, {"c"}}},
		{"empty lines are no records", "a\n\n\r\nb\n", [][]string{{"a"}, {"b"}}},
		{"an empty quoted cell is a record", "a\n\"\"\nb", [][]string{{"a"}, {""}, {"b"}}},
		{"blanks stay", " a , b ", [][]string{{" a ", " b "}}},
		{"an empty cell at the end", "a,\nb,", [][]string{{"a", ""}, {"b", ""}}},
		{"a carriage return at the very end", "a,b\r", [][]string{{"a", "b"}}},
		{"a carriage return inside a row is an error", "a\rb", nil},
		{"also after a closing quote", "\"a\"\rb", nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, err := Records(test.text)
			if !reflect.DeepEqual(got, test.want) || (err != nil) != (test.want == nil) {
				t.Errorf("Records(%q) = %q, %v, want %q", test.text, got, err, test.want)
			}
		})
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]byte{
		"": '"', "a,b\n": '"', "a,'b'\n": '"', "a,'b'\nc,'d'\n": '\'', "O'Brien,it's\n'tis,don't\n": '"',
		"'a','b',\"c\"\n": '"', "1,'it''s'\n2,'b'": '\'', "'": '"', "','": '"',
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %c, want %c", text, got, want)
		}
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	for text, comments := range map[string]string{
		"# tides, by hand\n#\nday,low,high\n1,2,3\n": "# tides, by hand\n#\n",
		"# tides, by hand\nday;low\n1;2\n":           "# tides, by hand\n",
		"#day,low\n1,2\n":                            "",
		"# tides\n#day,low\n1,\"2, or 3\"\n":         "# tides\n",
		"#tag,uses\n#rope,12\ntar,3\n":               "",
		"# a\n# b\n":                                 "",
		"# a\nb\n":                                   "",
		"day,low\n# a\n1,2\n":                        "",
		"# a\n1,2\n\n# b\n1,2\n":                     "",
		"#":                                          "",
		"":                                           "",
	} {
		if got, table := Comments(text); got != comments || got+table != text {
			t.Errorf("%q: %q, %q", text, got, table)
		}
	}
}
