package jsonsafe

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentd/internal/peak"
)

func TestWhatDecodesToTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	limits := Limits{Values: 10, Levels: 3}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"at the number of values":       {`[1,2,3,4,5,6,7,8]`, true},
		"empty objects":                 {`[{},{},{},{},{}]`, false},
		"members":                       {`{"a":1,"b":2,"c":3,"d":4,"e":5}`, false},
		"at the depth":                  {`[[[1]]]`, true},
		"over it":                       {`[[[[1]]]]`, false},
		"over it in objects":            {`{"a":{"a":{"a":{}}}}`, false},
		"brackets in strings":           {`["[[[[[[,,,,,,,,::::::{{{{"]`, true},
		"a quote that ends no string":   {`["\"[[[[[[[,,,,,,,,,,,,"]`, true},
		"a backslash that hides no end": {`["\\",[[[1]]]]`, false},
	} {
		var into any
		err := Unmarshal([]byte(c.text), &into, limits)
		if tooMuch := errors.Is(err, ErrTooMuch); tooMuch == c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x\"[",{}],"b\\":null}`))
	f.Add([]byte(`[[],{},"",[[]]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var into any
		if json.Unmarshal(text, &into) != nil {
			return
		}
		values, levels := measure(into)
		if Limits.Check(Limits{Values: values - 1, Levels: levels}, text) == nil {
			t.Errorf("%d values passed for fewer", values)
		}
		if levels > 0 && Limits.Check(Limits{Values: len(text) + 1, Levels: levels - 1}, text) == nil {
			t.Errorf("%d levels passed for fewer", levels)
		}
	})
}

// measure counts values, with the names of members, and levels. A name that
// stands twice counts once.
func measure(v any) (values, levels int) {
	values = 1
	add := func(inner any) {
		n, deep := measure(inner)
		values, levels = values+n, max(levels, deep)
	}
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			add(inner)
		}
	case map[string]any:
		for _, inner := range v {
			values++
			add(inner)
		}
	default:
		return 1, 0
	}
	return values, levels + 1
}

// BenchmarkMemory measures the peak of the heap for a text at the limits that
// decodes to as much as possible.
func BenchmarkMemory(b *testing.B) {
	limits := DefaultLimits()
	for name, element := range map[string]string{"objects": "{},", "lists": "[],", "numbers": "1,", "members": `{"a":1},`} {
		n := limits.Values / (1 + strings.Count(element, ",") + strings.Count(element, ":") + strings.Count(element, "{") + strings.Count(element, "["))
		text := []byte("[" + strings.Repeat(element, n) + "0]")
		b.Run(name, func(b *testing.B) {
			peak.Benchmark(b, len(text), func() {
				var into any
				if err := Unmarshal(text, &into, limits); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
