package json

import (
	"strings"
	"testing"

	"agentd/vfs"
)

// one is a document of one file.
func one(name, text string) vfs.Files { return vfs.Files{name: text} }

func TestPlainScalarsOfYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Node{
		"":     {Kind: Null, Text: "null"},
		"~":    {Kind: Null, Text: "null"},
		"NULL": {Kind: Null, Text: "null"},
		"nUll": {Kind: Text, Text: "nUll"},
		"Yes":  {Kind: Bool, Text: "true"},
		"oFF":  {Kind: Text, Text: "oFF"},
		"y":    {Kind: Text, Text: "y"},
		"014":  {Kind: Number, Text: "12"}, "08": {Kind: Text, Text: "08"}, "0o502": {Kind: Text, Text: "0o502"},
		"-0x1F": {Kind: Number, Text: "-31"}, "0b101": {Kind: Number, Text: "5"}, "+1_000": {Kind: Number, Text: "1000"},
		"14:00": {Kind: Number, Text: "840"}, "06:00": {Kind: Text, Text: "06:00"}, "1:60": {Kind: Text, Text: "1:60"},
		"190:20:30": {Kind: Number, Text: "685230"}, "1:30.5": {Kind: Number, Text: "90.5"},
		"1e3": {Kind: Text, Text: "1e3"}, "1.0e3": {Kind: Text, Text: "1.0e3"}, "1.0e+3": {Kind: Number, Text: "1.0e+3"},
		".5": {Kind: Number, Text: ".5"}, "1.": {Kind: Number, Text: "1."}, "-.inf": {Kind: Number, Text: "-Infinity"}, ".NaN": {Kind: Number, Text: "NaN"},
		"-.nan":      {Kind: Text, Text: "-.nan"},
		"2021-03-09": {Kind: Typed, Text: "2021-03-09"}, "2021-3-9": {Kind: Text, Text: "2021-3-9"},
		"2021-02-30":                {Kind: Invalid, Text: `"2021-02-30" is no timestamp`},
		"2001-12-14t21:59:43.10-05": {Kind: Typed, Text: "2001-12-15 02:59:43.1Z"},
		"2001-12-14 21:59:43":       {Kind: Typed, Text: "2001-12-14 21:59:43"},
		"431-05-17":                 {Kind: Text, Text: "431-05-17"},
	} {
		if k, got := PlainScalar(text); k != want.Kind || got != want.Text {
			t.Errorf("%q is %q of kind %d, want %q of kind %d", text, got, k, want.Text, want.Kind)
		}
	}
}

func TestYAMLIsReadAsPyYAMLDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                      "null",
		"prose, of some words":                  `"prose, of some words"`,
		"a: 1\na: 2":                            `{"a":2}`,
		"d: &d {x: 1, y: 1}\ne: {<<: *d, y: 2}": `{"d":{"x":1,"y":1},"e":{"x":1,"y":2}}`,
		"e: {<<: [{x: 1}, {x: 2, y: 2}]}":       `{"e":{"x":1,"y":2}}`,
		"d: &d {x: 1, <<: *d}":                  `{"d":{"x":1}}`,
		"- &a [1]\n- *a":                        `[[1],[1]]`,
		"a: !!str 12\nb: !!int '3'\nc: !!float 3": `{"a":"12","b":3,"c":3}`,
		"a: ! 12":          `{"a":12}`,
		"a: |\n  x\ty\n":   `{"a":"x\ty\n"}`,
		"---\na: 1\n...\n": `{"a":1}`,
		"1: a\n2.5: b\n":   `{"1":"a","2.5":"b"}`,
		"\ufeffa: 1":       `{"a":1}`,
	} {
		got, err := Parse(one("a.yaml", text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		wanted, err := Parse(one("a.txt", want))
		if err != nil {
			t.Fatal(err)
		}
		if similarity(wanted, got) != 1 && !strings.HasPrefix(text, "1: ") || len(wanted.paths()) != len(got.paths()) {
			t.Errorf("%q is not %s", text, want)
		}
	}
	for text, reason := range map[string]string{
		"a: 1\n---\nb: 2":            "single document",
		"a: b: c":                    "mapping values are not allowed",
		"\ta: 1":                     "tab",
		"a:\t1":                      "tab",
		"a: !x 1":                    `the tag !x of "1" is unknown`,
		"a: !x [1]":                  "the tag !x is unknown",
		"a: *b":                      "unknown anchor",
		"a: &x 1\nb: &x 2":           "stands twice",
		"a: &x [*x]":                 "stands in its own anchor",
		"? [a]\n: 1":                 "a list or an object as name",
		"a: =":                       "does not read =",
		"a: <<":                      "<< is no value",
		"<<: 1":                      "<< names what is no object",
		"404: a\nb: c":               "names of different types",
		"a: 2021-02-30":              "is no timestamp",
		bomb():                       "stand for too much",
		strings.Repeat("-\n", 1<<20): "too much YAML",
	} {
		if _, err := Parse(one("a.yaml", text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.30q: error %v, want %q in it", text, err, reason)
		}
	}
}

// bomb is a small YAML text that stands for 10^9 values.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := range 9 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+", ", 10) + "]\n")
	}
	return b.String()
}
