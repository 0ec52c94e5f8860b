package published

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// literals are Python literals with what they are as JSON.
var literals = map[string]struct{ python, want string }{
	"a string":                  {`"a"`, `"a"`},
	"single quotes":             {`'say "a"'`, `"say \"a\""`},
	"adjacent strings":          {"(\"a \"\n  'b'\n \"\")", `"a b"`},
	"parentheses in each other": {`((["a"]))`, `["a"]`},
	"a list":                    {`["a", 'b',]`, `["a","b"]`},
	"adjacent strings in one":   {`["a" "b", "c"]`, `["ab","c"]`},
	"empty":                     {"[ {}, [ ], '' ]", `[{},[],""]`},
	"a dictionary in its order": {`{"z": 1, "a": {"m": None}, }`, `{"z":1,"a":{"m":null}}`},
	"a key of two strings":      {`{"a" 'b': 1}`, `{"ab":1}`},
	"constants":                 {`[True, False, None]`, `[true,false,null]`},
	"numbers":                   {`[0, -1, 12.5, 1e3, -0.25E-2]`, `[0,-1,12.5,1e3,-0.25E-2]`},
	"simple escapes":            {`"\n\t\r\\\'\"\a\b\f\v"`, `"\n\t\r\\'\"\u0007\b\f\u000b"`},
	"escapes by number":         {`"\x41\u00fc\U0001d11e\101\0\18"`, "\"Aü\U0001d11eA\\u0000\\u00018\""},
	"a joined line":             {"\"a\\\n  b\"", `"a  b"`},
	"an escaped quote":          {`'it\'s'`, `"it's"`},
	"no ASCII":                  {`"ünï 𝄞 <&>"`, `"ünï 𝄞 <&>"`},
	"space around":              {"\n\t [ 1 ]\n", `[1]`},
}

func TestLiteralsAreReadAsPythonReadsThem(t *testing.T) {
	t.Parallel()
	var asked [][2]string
	for name, c := range literals {
		got, err := toJSON(c.python, 0)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
		asked = append(asked, [2]string{strings.TrimSpace(c.python), string(got)})
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("python3", "-c", "import ast, json, sys\nfor python, ours in json.load(sys.stdin):\n"+
		"    if list(json.dumps(ast.literal_eval(python))) != list(json.dumps(json.loads(ours))): print(python)")
	command.Stdin = strings.NewReader(string(raw))
	if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("Python reads otherwise (%v): %s", err, out)
	}
}

func TestWhatIsNoLiteralIsNamedByItsByte(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ python, want string }{
		"nothing":                {"  ", "byte 102: a value is missing at the end"},
		"a name":                 {`[a]`, "byte 101: neither a string"},
		"a call":                 {`["a".upper()]`, "byte 104: a comma or ] is missing"},
		"a prefix":               {`[f"a"]`, "byte 101: neither"},
		"two values":             {`[1] [2]`, "byte 104: something follows"},
		"no comma":               {`[1 2]`, "byte 103: a comma or ] is missing"},
		"two commas":             {`[1,,2]`, "byte 103: neither"},
		"no end after a comma":   {`["a",`, "byte 105: a value is missing at the end"},
		"no end of a list":       {`["a"`, "byte 104: a comma or ] is missing"},
		"no end of a string":     {`["a]`, "byte 102: the string has no end"},
		"a line end in one":      {"[\"a\nb\"]", "byte 102: the string has no end"},
		"a backslash at the end": {`"a\`, "byte 101: the string has no end"},
		"triple quotes":          {`["""a"""]`, "byte 101: a string in triple quotes"},
		"a tuple":                {`("a", "b")`, "byte 104: a closing parenthesis"},
		"an empty tuple":         {`()`, "byte 101: neither"},
		"a set":                  {`{"a"}`, "byte 104: a colon is missing"},
		"a number as key":        {`{1: 2}`, "byte 101: a string is missing"},
		"a key twice":            {`{"a": 1, 'a': 2}`, `byte 109: the key "a" occurs twice`},
		"a comment":              {"[1, # one\n2]", "byte 104: neither"},
		"a long integer":         {`[1_000]`, `byte 101: "1_000" is no number`},
		"a sum":                  {`[1+2]`, `byte 101: "1+2" is no number`},
		"a complex number":       {`[1j]`, `byte 101: "1j" is no number`},
		"a leading zero":         {`[01]`, `byte 101: "01" is no number`},
		"an unknown escape":      {`["ab\q"]`, `byte 104: the escape \q is unknown`},
		"a named character":      {`["\N{DASH}"]`, `byte 102: the escape \N is unknown`},
		"a short escape":         {`["\x4"]`, `byte 102: the escape \x4 is cut off`},
		"no hexadecimal digits":  {`["\u12g4"]`, `byte 102: the escape \u12g4 is no character`},
		"half a character":       {`["\ud800"]`, `byte 102: the escape \ud800 is no character`},
		"a large octal":          {`["\777"]`, `byte 102: the escape \777 is no character`},
		"no UTF-8":               {"[\"\xff\"]", "byte 102: the string is no UTF-8"},
		"too deep":               {strings.Repeat("[", 1000), "values in each other"},
		"deep parentheses":       {strings.Repeat("(", 1000), "values in each other"},
	} {
		if got, err := toJSON(c.python, 100); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

func FuzzToJSON(f *testing.F) {
	for _, c := range literals {
		f.Add(c.python)
	}
	f.Fuzz(func(t *testing.T, python string) {
		got, err := toJSON(python, 0)
		if err == nil && !json.Valid(got) {
			t.Errorf("%q becomes %q, which is no JSON", python, got)
		}
	})
}

func TestSpaceAtTheEndsIsKept(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":              "",
		"a":             "a",
		" \n":           `{{" \n"}}`,
		"\n a b\n\n":    `{{"\n "}}a b{{"\n\n"}}`,
		"\u00a0a\r\n\t": `{{"` + "\\u00a0" + `"}}a{{"\r\n\t"}}`,
	} {
		if diff := cmp.Diff(want, keepingEnds(source)); diff != "" {
			t.Errorf("%q: %s", source, diff)
		}
	}
}
