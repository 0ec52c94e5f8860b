package yamlsafe

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/peak"
)

// settings stand for what files are decoded into.
type settings struct {
	Name   string            `yaml:"name"`
	Body   map[string]any    `yaml:"body"`
	Of     *settings         `yaml:"of"`
	List   []settings        `yaml:"list"`
	Texts  map[string]string `yaml:"texts"`
	Wait   time.Duration     `yaml:"wait"`
	Hidden string            `yaml:"-"`
	Own    *own              `yaml:"own"`
}

// own decodes itself.
type own struct{ settings }

func (o *own) UnmarshalYAML(n *Node) error {
	if Decode(n, &o.Name) == nil {
		return nil
	}
	return Decode(n, &o.settings)
}

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]settings{
		"":                             {},
		"# nothing\n":                  {},
		"name: x\nwait: 90s":           {Name: "x", Wait: 90 * time.Second},
		"texts: {a: 5, b: true}":       {Texts: map[string]string{"a": "5", "b": "true"}},
		"body: {a: {b: [1, x, null]}}": {Body: map[string]any{"a": map[string]any{"b": []any{1, "x", nil}}}},
		"of: &a {name: x}\nlist: [*a, {<<: *a, wait: 1s}]": {
			Of: &settings{Name: "x"}, List: []settings{{Name: "x"}, {Name: "x", Wait: time.Second}}},
		"own: x":         {Own: &own{settings{Name: "x"}}},
		"own: {name: x}": {Own: &own{settings{Name: "x"}}},
	} {
		var got settings
		if err := Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(own{})); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// A map that is inline takes the keys that there are no fields for, also those of <<.
func TestAMapTakesAllOtherKeys(t *testing.T) {
	t.Parallel()
	type known struct {
		Name string `yaml:"name"`
	}
	var got struct {
		known  `yaml:",inline"`
		Others map[string]Node `yaml:",inline"`
	}
	if err := Unmarshal([]byte("name: x\nwait: 90s\n<<: {list: [1]}"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "x" || got.Others["wait"].Value != "90s" || len(got.Others["list"].Content) != 1 || len(got.Others) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestErrorsSayTheLineAndTheKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\nnmae: x":               `line 2: there is no key "nmae" here; there are body, list, name, of, own, texts, wait`,
		"of:\n  list:\n  - x: 1":  `line 3: there is no key "x"`,
		"own: {x: 1}":             `there is no key "x"`,
		"of: {<<: {x: 1}}":        `there is no key "x"`,
		"of: {<<: [{x: 1}]}":      `there is no key "x"`,
		"Hidden: x":               `there is no key "Hidden"`,
		"name: x\nname: y":        `line 2: mapping key "name" already defined at line 1`,
		"name: [x]":               "line 1: cannot unmarshal !!seq into string",
		"name: x\nwait: soon":     "line 2: cannot unmarshal !!str `soon` into time.Duration",
		"name: x\n---\nname: y":   "line 2: a second document begins",
		"name: 'x":                "found unexpected end of stream",
		"- x":                     "cannot unmarshal !!seq into yamlsafe.settings",
		"? {a: b}\n: c":           "there is no key",
		"name: \xff":              "invalid",
		"texts: {a: [x], b: {}}":  "cannot unmarshal !!seq into string; line 1: cannot unmarshal !!map into string",
		strings.Repeat("x", 2000): "cannot unmarshal",
	} {
		var got settings
		err := Unmarshal([]byte(text), &got)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 700 {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// bombs are texts that stand for far more than they are.
func bombs() map[string]string {
	aliases := "body:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		aliases += fmt.Sprintf("  a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	merges := "body:\n  m0: &m0 {k: x}\n"
	for i := 1; i < 20; i++ {
		merges += fmt.Sprintf("  m%d: &m%d {<<: [*m%d, *m%d]}\n", i, i, i-1, i-1)
	}
	deep := "body:\n  d0: &d0 [x]\n"
	for i := 1; i < 100; i++ {
		deep += fmt.Sprintf("  d%d: &d%d [*d%d]\n", i, i, i-1)
	}
	var keys strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&keys, "k%d: ,", i)
	}
	return map[string]string{
		"lists in each other":         "body: {a: " + strings.Repeat("[", 200_000),
		"closed lists in each other":  "body: {a: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + "}",
		"mappings in each other":      strings.Repeat("{a: ", 100_000),
		"blocks in each other":        "body:\n  a: " + strings.Repeat("- ", 100_000),
		"aliases of aliases":          aliases,
		"merges of merges":            merges,
		"aliases in each other":       deep,
		"a long text many times":      "body:\n  a: &a " + strings.Repeat("x", 100_000) + "\n  b: [" + strings.Repeat("*a, ", 1000) + "]\n",
		"an alias of what it is in":   "body: &a {b: *a}",
		"a list of many":              "body: {a: [" + strings.Repeat(",", 200_000) + "]}",
		"many empty keys":             "body: {" + keys.String() + "}",
		"a text of several megabytes": "name: " + strings.Repeat("x", 4<<20),
		"many lines":                  strings.Repeat("\n", 200_000),
		"many documents":              strings.Repeat("---\n", 50_000),
	}
}

func TestBombsAreRefusedBeforeTheyAreDecoded(t *testing.T) { // not in parallel: it measures memory
	for name, text := range bombs() {
		var err error
		took := peak.Heap(func() {
			var into settings
			err = Unmarshal([]byte(text), &into)
		})
		if err == nil || len(err.Error()) > 700 {
			t.Errorf("%s: %.200v", name, err)
		}
		const most = 64 << 20
		if took > most {
			t.Errorf("%s: %d bytes took %d MB, at most %d are meant", name, len(text), took>>20, most>>20)
		}
	}
}

func TestLimitsAreExact(t *testing.T) {
	t.Parallel()
	nested := func(levels int) string {
		return "body: {a: " + strings.Repeat("[", levels-2) + strings.Repeat("]", levels-2) + "}"
	}
	limits := DefaultLimits()
	repeated := func(times int) string {
		return "body:\n  a: &a [" + strings.Repeat("x, ", 98) + "x]\n  b: [" + strings.Repeat("*a, ", times-1) + "*a]\n"
	}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"as deep as may be":        {nested(limits.Levels), true},
		"a level more":             {nested(limits.Levels + 1), false},
		"as large as may be":       {"name: " + strings.Repeat("x", limits.Bytes-6), true},
		"a byte more":              {"name: " + strings.Repeat("x", limits.Bytes-5), false},
		"aliases within the limit": {repeated(900), true},
		"aliases over the limit":   {repeated(1000), false},
	} {
		var into settings
		err := Unmarshal([]byte(c.text), &into)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsMarshalledIsReadBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "x", "two\nlines\n", " \n a\n", "\ttab\n\n", "a: b # c", "- x", "on", "12", "\u0085\u2028\ufeff", "\x00\x1b", "a\r\nb", "…"} {
		raw, err := Marshal(map[string]string{"k": text})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := Unmarshal(raw, &got); err != nil || got["k"] != text {
			t.Errorf("%q became %q as %q, %v", text, got["k"], raw, err)
		}
	}
}

func FuzzMarshal(f *testing.F) {
	f.Add("two\nlines", " \n a\n")
	f.Add("<<", "x")
	f.Fuzz(func(t *testing.T, key, text string) {
		if !utf8.ValidString(key) || !utf8.ValidString(text) {
			return
		}
		want := map[string]any{"list": []any{map[string]any{key: text}}}
		raw, err := Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := Unmarshal(raw, &got); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%q became %q, %v", raw, got, err)
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("name: x\nbody: {a: &a [1], b: *a}\nof: {<<: *a}\nown: y"))
	for _, text := range bombs() {
		if len(text) < 2000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var into settings
		if Unmarshal(text, &into) != nil {
			return
		}
		if n := count(into.Body); n > DefaultLimits().Values {
			t.Errorf("%d bytes decode to %d values", len(text), n)
		}
	})
}

func count(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			n += count(inner)
		}
	case map[string]any:
		for _, inner := range v {
			n += 1 + count(inner)
		}
	}
	return n
}

// BenchmarkMemory measures the peak of the heap for texts that are taken, and take as
// much as possible, and for those that are refused.
func BenchmarkMemory(b *testing.B) {
	limits := DefaultLimits()
	texts := bombs()
	texts["empty lists, as many as may be"] = "body: {a: [" + strings.Repeat("[],", limits.Values/2-10) + "]}"
	texts["empty mappings, as many as may be"] = "body: {a: [" + strings.Repeat("{},", limits.Values/2-10) + "]}"
	texts["items, as many as may be"] = "body:\n a:\n" + strings.Repeat(" -\n", limits.Values/2-10)
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			peak.Benchmark(b, len(text), func() {
				var into settings
				_ = Unmarshal([]byte(text), &into) // most are refused
			})
		})
	}
}
