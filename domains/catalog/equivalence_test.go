package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
)

// A change that a format calls free, at a random place of a seed, keeps Strict 1; one
// that only looks like it does not.
func TestGeneratedEquivalences(t *testing.T) {
	t.Parallel()
	all := map[string][]domaintest.Equivalence{}
	for _, some := range []map[string][]domaintest.Equivalence{
		textEquivalences, xmlEquivalences, codeEquivalences, recordEquivalences, generalEquivalences, furtherEquivalences, fileEquivalences, answerEquivalences(),
	} {
		for name, list := range some {
			all[name] = append(slices.Clip(all[name]), list...)
		}
	}
	for _, d := range catalog.All() {
		name := d.Info().Name
		if all[name] == nil && !d.Info().Binary {
			t.Errorf("%s has no equivalences", name)
		}
	}
	equivalences, nearMisses := 0, 0
	for _, list := range all {
		for _, e := range list {
			if e.Same {
				equivalences++
			} else {
				nearMisses++
			}
		}
	}
	t.Logf("generated pairs: in %d domains, %d equivalences that keep Strict 1 and %d near misses that bring it below 1, each at random places",
		len(all), equivalences, nearMisses)
	for name, list := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := catalog.Lookup(name)
			if !ok {
				t.Fatal("no such domain")
			}
			domaintest.Equivalences(t, d, domaintest.Seed(t, name+"1"), list...)
		})
	}
}

// trailing is the equivalence of blanks at the end of a line.
var trailing = domaintest.Lines("blanks at a line's end", true,
	func(line string) bool { return strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\\\n") },
	func(_ *rapid.T, line string) string { return strings.TrimSuffix(line, "\n") + "  \n" })

// returns is the equivalence of lines that end in a carriage return, too.
var returns = domaintest.Everywhere("carriage returns", true, `\n`, "\r\n")

// anotherLetter is the near miss of a small letter that is another one, in a match's
// last group.
func anotherLetter(name, pattern string) domaintest.Equivalence {
	return inLastGroup(name, false, pattern, func(t *rapid.T, text string) string {
		var places []int
		for i := range len(text) {
			if text[i] >= 'a' && text[i] <= 'y' {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return text
		}
		at := rapid.SampledFrom(places).Draw(t, "letter")
		return text[:at] + string(text[at]+1) + text[at+1:]
	})
}

// anotherDigit is the near miss of a digit that is another one, in a match's last group.
func anotherDigit(pattern string) domaintest.Equivalence {
	return inLastGroup("another digit", false, pattern, func(t *rapid.T, text string) string {
		var places []int
		for i := range len(text) {
			if text[i] >= '1' && text[i] <= '9' {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return text
		}
		at := rapid.SampledFrom(places).Draw(t, "digit")
		return text[:at] + string('1'+(text[at]-'0')%9) + text[at+1:]
	})
}

func inLastGroup(name string, same bool, pattern string, change func(t *rapid.T, text string) string) domaintest.Equivalence {
	return domaintest.Match(name, same, pattern, func(t *rapid.T, groups []string) string {
		last := groups[len(groups)-1]
		at := strings.LastIndex(groups[0], last)
		return groups[0][:at] + change(t, last) + groups[0][at+len(last):]
	})
}

// lowered and raised change the letter case of a match.
func lowered(name string, same bool, pattern string) domaintest.Equivalence {
	return domaintest.Match(name, same, pattern, func(_ *rapid.T, groups []string) string { return strings.ToLower(groups[0]) })
}

func raised(name string, same bool, pattern string) domaintest.Equivalence {
	return domaintest.Match(name, same, pattern, func(_ *rapid.T, groups []string) string { return strings.ToUpper(groups[0]) })
}
