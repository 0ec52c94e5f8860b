package jsontext

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shown makes of each value what was read: texts in ", other scalars as they are, and after
// that, in reading order, what is no value.
type shown struct{ beside []string }

func (*shown) Scalar(kind Kind, text string) *string {
	switch kind {
	case Null:
		text = "null"
	case Text:
		text = `"` + text + `"`
	}
	return &text
}

func (*shown) List(items []*string) *string {
	var texts []string
	for _, item := range items {
		texts = append(texts, *item)
	}
	return new("[" + strings.Join(texts, " ") + "]")
}

func (*shown) Object() *string { return new("{}") }

func (*shown) Member(object *string, name string, value *string) {
	inside := strings.TrimSuffix(*object, "}")
	if inside != "{" {
		inside += " "
	}
	*object = inside + name + "=" + *value + "}"
}

func (s *shown) Outside(name string) { s.beside = append(s.beside, name) }
func (s *shown) Comment(text string) { s.beside = append(s.beside, text) }

func TestDecode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` {"b": 1, "a": [true, null, -2.50], "b": {}} `: `{b=1 a=[true null -2.50] b={}}`, // order, repeated names and numbers as written
		`007`:                        `007`,
		`-`:                          `0`,
		`1.`:                         `1.`,
		`1e+3`:                       `1e+3`,
		`[NaN, Infinity, -Infinity]`: `[NaN Infinity -Infinity]`,
		"\"a\tb\nc\"":                "\"a\tb\nc\"",
		`"\u00e9\ud83d\ude00\n\/"`:   "\"é😀\n/\"",
		`"\ud83d"`:                   "\"\ufffd\"",
		`""`:                         `""`,
		`[]`:                         `[]`,
		strings.Repeat("[", Deepest) + strings.Repeat("]", Deepest): strings.Repeat("[", Deepest) + strings.Repeat("]", Deepest),
	} {
		got, err := Decode(text, Rules{}, &shown{})
		if err != nil || *got != want {
			t.Errorf("%.40s: %v, want %.40s", text, err, want)
		}
	}
	half, err := Decode(`"\ud83d"`, Rules{Halves: true}, &shown{})
	if err != nil || *half != "\"\xed\xa0\xbd\"" {
		t.Errorf("half a pair is kept as %q, %v", *half, err)
	}
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                             "line 1: no value",
		`nul`:                          "line 1: no value",
		"{\n\"a\" 1}":                  `line 2: no colon after the name "a"`,
		`{a: 1}`:                       "line 1: no name in quotes where a member should begin",
		`{"a": 1,}`:                    "line 1: no name in quotes where a member should begin",
		`{"a": 1`:                      "line 1: an object goes on without a comma, or is not closed",
		`[1 2]`:                        "line 1: a list goes on without a comma, or is not closed",
		`[1,]`:                         "line 1: no value",
		"1\n2":                         "line 2: text after the end of the value",
		`"a`:                           "line 1: a string is not closed",
		`"\x"`:                         "line 1: an unknown escape in a string",
		`"\u12"`:                       "line 1: an unknown escape in a string",
		"\"\x00\"":                     "line 1: a NUL in a string",
		`1e`:                           "line 1: an exponent without digits",
		`-.`:                           "line 1: a number without digits",
		strings.Repeat("1", 4301):      "line 1: an integer of 4301 digits",
		strings.Repeat("[", Deepest+1): "line 1: more than 1024 lists and objects in each other",
	} {
		if _, err := Decode(text, Rules{}, &shown{}); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func TestReaderForgives(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1, "b": [2, "c"]}`:           `{a=1 b=[2 "c"]}`,
		`{'a': 'b', c: d}`:                  `{a="b" c="d"}`,
		`{a: undefined, b: None, c: True}`:  `{a=null b=null c=true}`,
		`[1, 2,, 3,]`:                       `[1 2 3]`,
		`[1 2]`:                             `["1 2"]`, // a bare word goes on to a comma
		`[{"a": 1}{"b": 2}]`:                `[{a=1} {b=2}]`,
		`[{"a": [1, 2}, 3]`:                 `[{a=[1 2]} 3]`, // a bracket is missing
		`{"a": {"b": 1`:                     `{a={b=1}}`,
		`{"a": , "b": }`:                    `{a=null b=null}`,
		`{"a": "say "hi" now", "b": 1}`:     `{a="say "hi" now" b=1}`,
		"{\"a\": \"two\nlines\", \"b\": 1}": "{a=\"two\nlines\" b=1}",
		"{\"a\": \"not closed,\n\"b\": 1}":  `{a="not closed" b=1}`,
		`{"a": "\q\u00e9"}`:                 `{a="\qé"}`,
		"[1, // one\n2, /* two */ 3]":       `[1 2 3] // one|/* two `,
		`{"a" 1}`:                           `{} a" 1}`, // no colon, and the quote ends no string
		"[\x001]":                           `[1]`,
	} {
		s := &shown{}
		r := NewReader(text, Deepest, Rules{}, s)
		r.Skip()
		got := *r.Value()
		if len(s.beside) > 0 {
			got += " " + strings.Join(s.beside, "|")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	s := &shown{}
	if got := *NewReader(`[[[1], 2]]`, 2, Rules{}, s).Value(); got != `[[[] 1] 2]` {
		t.Errorf("what is too deep is read as %s", got)
	}
}

// A reader comes to the end of any text, and reads what is no damaged text as Decode does.
func TestReaderComesToTheEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("[]{}:,\"'\\/*#\n ab01-.eu\x00"))).Draw(t, "text")
		r := NewReader(text, 8, Rules{}, &shown{})
		for r.Skip(); r.Peek() != 0; r.Skip() {
			r.Value()
		}
		decoded, err := Decode(text, Rules{}, &shown{})
		if err != nil || strings.ContainsAny(text, "'\\/#") || strings.Count(text, "[")+strings.Count(text, "{") > 8 {
			return
		}
		again := NewReader(text, 8, Rules{}, &shown{})
		again.Skip()
		if read := again.Value(); *read != *decoded && text[0] != '-' {
			t.Errorf("%q is read as %s, decoded as %s", text, *read, *decoded)
		}
	})
}

func TestCanonicalNumbers(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{
		"0": "0", "-0": "0", "1.50": "1.5", "007": "7", "1e2": "100", "100": "100", "-2.5E-3": "-0.0025", "1.": "1", ".5": "0.5",
		"1e20": "100000000000000000000", "1e21": "1.0e+21", "12e21": "12.0e+21", "1e-22": "1.0e-22", "NaN": "NaN", "1e9999999999999999999": "1e9999999999999999999",
	} {
		if got := CanonicalNumber(literal); got != want {
			t.Errorf("%s: %s, want %s", literal, got, want)
		}
	}
}

// A text is quoted so that it reads as it was.
func TestQuotedTextsReadAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		got, err := Decode(Quote(text), Rules{}, &shown{})
		if err != nil || *got != `"`+text+`"` {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	})
}
