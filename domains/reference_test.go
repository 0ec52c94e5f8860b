package domains_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// list is a domain of lines that begin with "item", and with "note" where nothing is
// counted. The published reader gives up at a "!"; foreign lines are forgiven.
func list() domains.Domain {
	return domains.New(domains.Spec[[]string]{
		Info: domains.Info{Patterns: []string{"*.list"}, Element: "item", Example: "item rope\nitem oar"},
		Parse: func(files vfs.Files) ([]string, error) {
			var all []string
			for _, name := range files.Names() {
				if strings.Contains(files[name], "!") {
					return nil, errors.New("line 1: !")
				}
				all = append(all, strings.Fields(files[name])...)
			}
			return all, nil
		},
		Score: func(reference, candidate []string, noted *domains.Notes) domains.Reading {
			value := 0.0
			if fmt.Sprint(reference) == fmt.Sprint(candidate) {
				value = 1
			}
			return domains.Reading{RS: value, Elements: domains.Elements{Reference: count(reference, "item"), Candidate: count(candidate, "item")}}
		},
		Stats:    func(words []string) domains.Stats { return domains.Stats{Elements: count(words, "item")} },
		Others:   func(words []string) int { return count(words, "note") },
		Evidence: domains.OfKinds("item", "note"),
		Elements: func(files vfs.Files) []domains.Element {
			var all []domains.Element
			for _, name := range files.Names() {
				for line := range strings.Lines(files[name]) {
					kind, text, _ := strings.Cut(strings.Trim(line, "!\n"), " ")
					switch kind {
					case "":
						continue
					case "item", "note", "comment":
					default:
						kind = domains.ForeignKind
					}
					all = append(all, domains.Element{Kind: kind, Key: text, Fields: []domains.Field{{Value: text}}})
				}
			}
			return all
		},
		Forgives: func(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
			return read(reference), read(candidate)
		},
	})
}

func count(words []string, word string) int {
	n := 0
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

func read(elements []domains.Element) []domains.Element {
	var all []domains.Element
	for _, e := range elements {
		if e.Kind != domains.ForeignKind {
			all = append(all, e)
		}
	}
	return all
}

func TestCheckReference(t *testing.T) {
	t.Parallel()
	const expected = "; expected *.list with lines such as\n    item rope\n    item oar"
	for rule, c := range map[string]struct {
		files vfs.Files
		want  string // the error without what is expected; empty for none
	}{
		"an element":                      {vfs.Files{"a.list": "item rope\n"}, ""},
		"an element in a folder":          {vfs.Files{"x/a.list": "item rope\n"}, ""},
		"a name in capitals":              {vfs.Files{"A.LIST": "item rope\n"}, ""},
		"an element beside foreign files": {vfs.Files{"a.list": "item rope\n", "b.md": "# soup\n"}, ""},
		"a part with a score of its own":  {vfs.Files{"a.list": "note wet\n"}, ""},
		"no file":                         {nil, "no item found in no file"},
		"a name of no list":               {vfs.Files{"a.md": "item rope\n"}, "no item found in a.md"},
		"an empty file":                   {vfs.Files{"a.list": ""}, "no item found in a.list"},
		"foreign text":                    {vfs.Files{"a.list": "soup\n", "b.list": "stew\n"}, "no item found in a.list, b.list"},
		"an element in a foreign file":    {vfs.Files{"a.list": "soup\n", "b.md": "item rope\n"}, "no item found in a.list"},
		"many files":                      {vfs.Files{"a": "", "b": "", "c": "", "d": "", "e": "", "f": ""}, "no item found in a, b, c, d and 2 more"},
		"a token that stops its reader":   {vfs.Files{"a.list": "item rope!\n"}, "the published reader cannot read a.list: line 1: !"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			err := list().CheckReference(c.files)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || err.Error() != c.want+expected {
				t.Errorf("%v, want %s", err, c.want+expected)
			}
		})
	}
}

func TestStrictOfWhatWasNotRead(t *testing.T) {
	t.Parallel()
	const most = 0.999
	for rule, c := range map[string]struct {
		reference, candidate string
		least, most          float64
		unreadable           bool
	}{
		"the same list":                         {"item rope\n", "item rope\n", 1, 1, false},
		"the same list with foreign lines":      {"item rope\nsoup\nstew\n", "item rope\nsoup\n", 1, 1, false},
		"foreign texts that differ":             {"soup\n", "stew\n", 0, 0, false},
		"the same foreign text":                 {"soup\n", "soup\n", 0, 0, false},
		"blank texts":                           {" \n", "\n\n", 0, 0, false},
		"comments alone":                        {"comment wet\n", "comment wet\n", 1, 1, false},
		"foreign text for a list":               {"item rope\n", "soup\n", 0, most, false},
		"comments for foreign text":             {"soup\nstew\n", "comment wet\n", 0, 0, false},
		"a reference that stops its reader":     {"item rope!\n", "item rope\n", 1, 1, false},
		"a candidate that stops the reader":     {"item rope\nitem oar\n", "item rope\nitem oar!\n", 1, 1, true},
		"a changed candidate that stops it":     {"item rope\nitem oar\n", "item rope\nitem bar!\n", 0.1, most, true},
		"a foreign candidate that stops it":     {"item rope\n", "soup!\n", 0, most, false},
		"all items left out, but not all parts": {"item rope\nnote wet\n", "note wet\n", 0, most, false},
		"nothing but another part, and unread":  {"item rope\nnote wet\n", "note wet!\n", 0, most, true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := list().Compare(vfs.Files{"a.list": c.reference}, vfs.Files{"a.list": c.candidate})
			if score.Strict < c.least || score.Strict > c.most || score.Unreadable != c.unreadable {
				t.Errorf("Strict is %v, want %v to %v; unreadable is %v, want %v", score.Strict, c.least, c.most, score.Unreadable, c.unreadable)
			}
			if score.Unreadable && (score.RS != 0 || score.Problem == "") {
				t.Errorf("an unreadable candidate scores %v with the problem %q", score.RS, score.Problem)
			}
		})
	}
}
