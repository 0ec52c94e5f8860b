package domains_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// rows is a domain of lines with the fields that the words "name=value" in them
// give; a line that begins with "#" is a heading.
func rows(sampling domains.Sampling) domains.Domain {
	elements := func(files vfs.Files) []domains.Element {
		var all []domains.Element
		for _, name := range files.Names() {
			for line := range strings.Lines(files[name]) {
				e := domains.Element{Kind: "row", Key: line}
				if strings.HasPrefix(line, "#") {
					e.Kind = "heading"
				}
				for _, word := range strings.Fields(line) {
					name, value, _ := strings.Cut(word, "=")
					e.Fields = append(e.Fields, domains.Field{Name: name, Value: value})
				}
				all = append(all, e)
			}
		}
		return all
	}
	return domains.New(domains.Spec[int]{Info: domains.Info{Element: "row"}, Elements: elements, Sampling: sampling})
}

// categories lists entries as "category: numbers".
func categories(entries []domains.Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, fmt.Sprintf("%s: %v", e.Category, e.Elements))
	}
	return all
}

func TestEntries(t *testing.T) {
	t.Parallel()
	nine := func(line string) string {
		var b strings.Builder
		for i := range 9 {
			fmt.Fprintf(&b, line, i, i%3, i%2)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		sampling domains.Sampling
		files    vfs.Files
		want     []string // the first entries
	}{
		"a field as category": {domains.Sampling{Category: domains.ByField("band")}, vfs.Files{"a": "band=20M\nband=40M\n\n"},
			[]string{"20M: [0]", "40M: [1]", ": [2]"}},
		"parts of an entry stand together": {domains.Sampling{Entry: "heading", Category: domains.ByField("by")}, vfs.Files{"a": "# by=Una\nx\ny\n# by=Bo\nz\n"},
			[]string{"Una: [0 1]", "Bo: [2]"}},
		"files in name order": {domains.Sampling{Entry: "heading", Category: domains.ByField("by")}, vfs.Files{"b": "x\n# by=Bo\ny\n", "a": "# by=Una\nz\n"},
			[]string{"Una: [0]", ": [1]", "Bo: [2]"}},
		"the field that divides best": {domains.Sampling{}, vfs.Files{"a": nine("id=%d kind=%d side=%d\n")},
			[]string{"0: [0]", "1: [1]", "2: [2]", "0: [3]"}},
		"no field divides": {domains.Sampling{}, vfs.Files{"a": nine("id=%d %d=%d\n")},
			[]string{"stretch 1: [0]", "stretch 2: [1]", "stretch 3: [2]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries, err := rows(c.sampling).Entries(c.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := categories(entries); len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestADocumentThatIsNoListSaysWhy(t *testing.T) {
	t.Parallel()
	_, err := rows(domains.Sampling{Not: "a move depends on those before it"}).Entries(vfs.Files{"a": "x\n"})
	if !errors.Is(err, domains.ErrNoEntries) || !strings.Contains(err.Error(), "a move depends") {
		t.Errorf("%v", err)
	}
}
