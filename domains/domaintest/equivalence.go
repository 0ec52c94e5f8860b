package domaintest

import (
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// Equivalence changes a document at random, in a way of which a domain's format says whether it means something.
type Equivalence struct {
	Name  string
	Apply func(t *rapid.T, files vfs.Files) vfs.Files
	// Same says that Strict is to be 1. Otherwise it is to be below 1, unless the change left the document as it was.
	Same bool
	// Needs is what some file must have a match of, nil if nothing.
	Needs *regexp.Regexp
}

// EquivalenceTrials is how often each change is applied, always at the same places.
const EquivalenceTrials = 12

// Candidates are what the change makes of a document n times. Their places are drawn at random from
// consecutive seeds that begin with first, so the same numbers give the same candidates. There are none
// of a document without what the change needs.
func (e Equivalence) Candidates(document vfs.Files, first, n int) []vfs.Files {
	if e.Needs != nil && len(filesWith(document, e.Needs)) == 0 {
		return nil
	}
	changed := rapid.Custom(func(t *rapid.T) vfs.Files { return e.Apply(t, document) })
	candidates := make([]vfs.Files, n)
	for i := range candidates {
		candidates[i] = changed.Example(first + i)
	}
	return candidates
}

// Lines is the equivalence that changes a line, chosen at random among those that
// wanted accepts; each line keeps its line feed.
func Lines(name string, same bool, wanted func(line string) bool, change func(t *rapid.T, line string) string) Equivalence {
	return Equivalence{Name: name, Same: same, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
		changed := files.Clone()
		file := rapid.SampledFrom(files.Names()).Draw(t, "file")
		lines := strings.SplitAfter(files[file], "\n")
		var places []int
		for i, line := range lines {
			if wanted(line) {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return changed
		}
		at := rapid.SampledFrom(places).Draw(t, "line")
		lines[at] = change(t, lines[at])
		changed[file] = strings.Join(lines, "")
		return changed
	}}
}

// AnotherDigit is the near miss of a line of which one digit is another, where the line has no comment mark.
func AnotherDigit(comment string) Equivalence {
	wanted := func(line string) bool {
		return !strings.Contains(line, comment) && strings.ContainsAny(line, "123456789")
	}
	return Lines("another digit", false, wanted, func(t *rapid.T, line string) string {
		var places []int
		for i := range len(line) {
			if line[i] >= '1' && line[i] <= '9' {
				places = append(places, i)
			}
		}
		at := rapid.SampledFrom(places).Draw(t, "digit")
		return line[:at] + string('1'+(line[at]-'0')%9) + line[at+1:]
	})
}

// WithComment is the equivalence of a document with one line of comment more, above a line that wanted accepts.
func WithComment(mark string, wanted func(line string) bool) Equivalence {
	return Lines("a comment more", true, wanted, func(_ *rapid.T, line string) string {
		return mark + " looked through by the night shift\n" + line
	})
}

// Match is the equivalence that rewrites one match of a pattern, chosen at random. The
// groups of a match are as regexp has them.
func Match(name string, same bool, pattern string, change func(t *rapid.T, groups []string) string) Equivalence {
	compiled := regexp.MustCompile(pattern)
	return Equivalence{Name: name, Same: same, Needs: compiled, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
		changed := files.Clone()
		file := rapid.SampledFrom(filesWith(files, compiled)).Draw(t, "file")
		text := files[file]
		at := rapid.SampledFrom(compiled.FindAllStringSubmatchIndex(text, -1)).Draw(t, "match")
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		changed[file] = text[:at[0]] + change(t, groups) + text[at[1]:]
		return changed
	}}
}

// Rewritten is Match with a template, in which ${1} is the first group.
func Rewritten(name string, same bool, pattern, template string) Equivalence {
	compiled := regexp.MustCompile(pattern)
	return Match(name, same, pattern, func(_ *rapid.T, groups []string) string {
		return compiled.ReplaceAllString(groups[0], template)
	})
}

// Everywhere rewrites all matches of a pattern, in every file.
func Everywhere(name string, same bool, pattern, template string) Equivalence {
	compiled := regexp.MustCompile(pattern)
	return Equivalence{Name: name, Same: same, Needs: compiled, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
		rapid.Bool().Draw(t, "rapid wants something drawn")
		changed := files.Clone()
		for file, text := range files {
			changed[file] = compiled.ReplaceAllString(text, template)
		}
		return changed
	}}
}

// Swapped exchanges two matches of a pattern in a file.
func Swapped(name string, same bool, pattern string) Equivalence {
	compiled := regexp.MustCompile(pattern)
	return Equivalence{Name: name, Same: same, Needs: compiled, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
		changed := files.Clone()
		file := rapid.SampledFrom(filesWith(files, compiled)).Draw(t, "file")
		text := files[file]
		places := compiled.FindAllStringIndex(text, -1)
		if len(places) < 2 {
			return changed
		}
		first := rapid.IntRange(0, len(places)-2).Draw(t, "first")
		second := rapid.IntRange(first+1, len(places)-1).Draw(t, "second")
		a, b := places[first], places[second]
		changed[file] = text[:a[0]] + text[b[0]:b[1]] + text[a[1]:b[0]] + text[a[0]:a[1]] + text[b[1]:]
		return changed
	}}
}

// filesWith are the files in which a pattern has a match.
func filesWith(files vfs.Files, pattern *regexp.Regexp) []string {
	return slices.DeleteFunc(files.Names(), func(name string) bool { return !pattern.MatchString(files[name]) })
}
