package catalog_test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// mishaps are what a model may do to a file between two steps.
var mishaps = map[string]func(string) string{
	"cut in the middle":      func(text string) string { return text[:len(text)/2] },
	"without its first half": func(text string) string { return text[len(text)/2:] },
	"empty":                  func(string) string { return "" },
	"last line first":        onLines(func(lines []string) []string { slices.Reverse(lines); return lines }),
	"each line twice":        onLines(func(lines []string) []string { return slices.Repeat(lines, 2) }),
	"without every other line": onLines(func(lines []string) []string {
		return slices.DeleteFunc(lines, func(line string) bool { return len(line)%2 == 0 })
	}),
	"other digits":     func(text string) string { return strings.ReplaceAll(text, "1", "7") },
	"large numbers":    func(text string) string { return regexp.MustCompile(`\d+`).ReplaceAllString(text, "9999999") },
	"negative numbers": func(text string) string { return regexp.MustCompile(`\d+`).ReplaceAllString(text, "-1") },
	"no numbers":       func(text string) string { return regexp.MustCompile(`\d`).ReplaceAllString(text, "") },
	"empty cells":      func(text string) string { return regexp.MustCompile(`,[^,\n]*`).ReplaceAllString(text, ",") },
	"no punctuation":   func(text string) string { return regexp.MustCompile(`[][{}()<>"':;]`).ReplaceAllString(text, "") },
}

func onLines(change func([]string) []string) func(string) string {
	return func(text string) string { return strings.Join(change(strings.Split(text, "\n")), "\n") }
}

// No file that a model leaves makes a backward step crash: it does its best, or it is an error.
func TestBackwardStepsSurviveDamage(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range envs {
		env := &envs[i]
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			d, _ := catalog.Lookup(env.Domain)
			for _, edit := range env.Edits {
				oracle, _ := env.OracleFor(edit, d)
				made, err := oracle.Forward(env.Seed)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range oneOfEachKind(made) {
					for how, mishap := range mishaps {
						damaged := vfs.Files(maps.Clone(made))
						damaged[name] = mishap(made[name])
						if crash := panics(func() { oracle.Backward(damaged) }); crash != nil {
							t.Errorf("%s with %s %s: %v", edit.Name, name, how, crash)
						}
					}
				}
			}
		})
	}
}

// oneOfEachKind is the first file of each extension: a split makes many that are alike.
func oneOfEachKind(files vfs.Files) []string {
	first := map[string]string{}
	for _, name := range slices.Backward(files.Names()) {
		first[path.Ext(name)] = name
	}
	return slices.Sorted(maps.Values(first))
}

// panics returns what a function panicked with.
func panics(do func()) (crash any) {
	defer func() {
		if crash = recover(); crash != nil {
			crash = fmt.Sprint(crash)
		}
	}()
	do()
	return nil
}
