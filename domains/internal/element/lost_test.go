package element

import "testing"

func TestWhatAChangedElementLoses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ref, got []string // fields: name, value, name, value …
		gone     bool
	}{
		"a field that is not there any more":    {[]string{"a", "1", "b", "2"}, []string{"a", "1"}, true},
		"one of several of a name":              {[]string{"tag", "1", "tag", "2", "z", "0"}, []string{"tag", "2", "z", "0"}, true},
		"an empty field that is gone":           {[]string{"a", "1", "b", ""}, []string{"a", "1"}, true},
		"a value that is empty":                 {[]string{"a", "1", "b", "2"}, []string{"a", "1", "b", ""}, true},
		"a text that is empty in its quotes":    {[]string{"a", "1", "b", `"2"`}, []string{"a", "1", "b", `" "`}, true},
		"a null":                                {[]string{"a", "1", "b", "2"}, []string{"a", "1", "b", "null"}, true},
		"a dash for nothing":                    {[]string{"a", "1", "b", "2"}, []string{"a", "1", "b", "–"}, true},
		"a number cut out":                      {[]string{"a", "1", "b", "Assets:Cash 12 EUR"}, []string{"a", "1", "b", "Assets:Cash"}, true},
		"an end that is missing":                {[]string{"a", "1"}, []string{"a", "1", "end", "missing"}, true},
		"a type that is missing":                {[]string{"a", "1", "type", "Point"}, []string{"a", "1", "type", "missing"}, true},
		"a field that was added":                {[]string{"a", "1"}, []string{"a", "1", "b", "2"}, false},
		"an empty field that was added":         {[]string{"a", "1"}, []string{"a", "1", "b", ""}, false},
		"another value":                         {[]string{"a", "1", "b", "2"}, []string{"a", "1", "b", "3"}, false},
		"a number that is 0 now":                {[]string{"a", "1", "b", "2"}, []string{"a", "1", "b", "0"}, false},
		"another number among words":            {[]string{"a", "1", "b", "Cash 12 EUR"}, []string{"a", "1", "b", "Cash 13 EUR"}, false},
		"a number that is written in one word":  {[]string{"a", "1", "b", "1 000 EUR"}, []string{"a", "1", "b", "1000 EUR"}, false},
		"a word less in a sentence":             {[]string{"a", "1", "b", "We have met."}, []string{"a", "1", "b", "We met."}, false},
		"one spelling of nothing by another":    {[]string{"a", "1", "b", "null"}, []string{"a", "1", "b", `""`}, false},
		"an end that was missing and is there":  {[]string{"a", "1", "end", "missing"}, []string{"a", "1"}, false},
		"columns that were put right":           {[]string{"a", "1", "columns", "out of place"}, []string{"a", "1"}, false},
		"a cell of the reader's own words":      {[]string{"a", "1", "state", "missing"}, []string{"a", "1"}, true},
		"columns that are out of place are not": {[]string{"a", "1"}, []string{"a", "1", "columns", "out of place"}, false},
	} {
		got := Compare([]Element{cue("k", c.ref...)}, []Element{cue("k", c.got...)}, "cue")
		if len(got.Differences) != 1 || got.Differences[0].Kind != Changed || got.Differences[0].Gone != c.gone {
			t.Errorf("%s: %+v, want one change with Gone %v", name, got.Differences, c.gone)
			continue
		}
		if lost := got.Differences[0].Verdict() == Lost; lost != c.gone {
			t.Errorf("%s: the verdict is %v", name, got.Differences[0].Verdict())
		}
	}
}
