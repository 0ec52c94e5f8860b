// Package equivalences has, for each domain, changes of which its format says whether they mean
// something. They are made for the seed of the domain's first built-in environment.
package equivalences

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// All returns the changes by the names of domains.
func All() map[string][]domaintest.Equivalence {
	all := map[string][]domaintest.Equivalence{}
	for _, some := range []map[string][]domaintest.Equivalence{
		textEquivalences, xmlEquivalences, codeEquivalences, recordEquivalences, generalEquivalences, furtherEquivalences, fileEquivalences, answerEquivalences(),
	} {
		for name, list := range some {
			all[name] = append(slices.Clip(all[name]), list...)
		}
	}
	return all
}

// trailing is the equivalence of blanks at the end of a line.
var trailing = domaintest.Lines("blanks at a line's end", true,
	func(line string) bool { return strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\\\n") },
	func(_ *rapid.T, line string) string { return strings.TrimSuffix(line, "\n") + "  \n" })

// trailingInMail is trailing, but for the lines of flowed texts, which go on in the next one where they end in a blank (RFC 3676).
var trailingInMail = domaintest.Equivalence{Name: trailing.Name, Same: true, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
	changed := trailing.Apply(t, files)
	for name, text := range changed {
		at := 0
		for at < len(text) && at < len(files[name]) && text[at] == files[name][at] {
			at++
		}
		heads := strings.Split(text[:at], "\nContent-Type:")
		if head, _, _ := strings.Cut(heads[len(heads)-1], "\n\n"); len(heads) > 1 && strings.Contains(head, "format=flowed") {
			changed[name] = files[name]
		}
	}
	return changed
}}

// returns is the equivalence of lines that end in a carriage return, too.
var returns = domaintest.Everywhere("carriage returns", true, `\n`, "\r\n")

// anotherLetter is the near miss of a small letter that is another one, in a match's last group.
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
