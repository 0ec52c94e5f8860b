package mathlean

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// section is a named section that stands in no other, from the line that opens
// it to the one that ends it.
type section struct {
	name         string
	place        int // among the sections, from 1
	start, end   int // in the text, without the last line feed
	head         int // the end of its first line
	declarations int
}

// sections finds the named sections of a document.
func (l *lean) sections() ([]section, error) {
	var all []section
	var open []string // names of the scopes that are open
	inside := -1      // the depth of the section in hand
	for _, c := range l.commands {
		name := ""
		if c.at+1 < c.last && l.tokens[c.at+1].kind == word {
			name = l.at(c.at + 1)
		}
		switch {
		case c.isDeclaration() && inside >= 0:
			all[len(all)-1].declarations++
		case c.keyword == "namespace":
			open = append(open, name)
		case c.keyword == "section":
			if name != "" && inside < 0 {
				inside = len(open)
				first := int(l.tokens[c.first].start)
				start, head := lineStart(l.text, first), lineEnd(l.text, first)
				all = append(all, section{name: name, place: len(all) + 1, start: start, head: head})
			}
			open = append(open, name)
		case c.keyword == "end":
			if len(open) == 0 || open[len(open)-1] != name {
				return nil, fmt.Errorf("end %s ends nothing that is open", name)
			}
			open = open[:len(open)-1]
			if len(open) == inside {
				all[len(all)-1].end = lineEnd(l.text, int(l.tokens[c.last-1].end))
				inside = -1
			}
		}
	}
	if inside >= 0 {
		return nil, fmt.Errorf("section %s does not end", all[len(all)-1].name)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no named section")
	}
	return all, l.apart(all)
}

// apart reports sections that share a line or a name.
func (l *lean) apart(all []section) error {
	seen := map[string]bool{}
	end := -1
	for _, s := range all {
		if s.start <= end || s.head >= s.end {
			return fmt.Errorf("section %s does not stand on lines of its own", s.name)
		}
		if seen[s.name] {
			return fmt.Errorf("two sections %s", s.name)
		}
		seen[s.name], end = true, s.end
	}
	return nil
}

// sectionMark is the line that stands for a section.
var sectionMark = regexp.MustCompile(`(?m)^-- \[section (\S+)\]$`)

// splitBySection makes a file of each named section.
func splitBySection(p struct {
	Document string
	Begins   string // names of files: a section and .lean follow
	Rest     string // the file for all else
}) exact.Steps {
	return sources.Rewrite(p.Document, p.Rest, func(l *lean) (vfs.Files, error) {
		sections, err := l.sections()
		if mark := sectionMark.FindString(l.text); err == nil && mark != "" {
			err = fmt.Errorf("there is a line %q already", mark)
		}
		split := vfs.Files{}
		for _, s := range sections {
			split[p.Begins+s.name+".lean"] = l.text[s.start:s.end] + "\n"
			l.put(s.start, s.end, "-- [section "+s.name+"]")
		}
		return split, err
	}, func(l *lean, files vfs.Files) error {
		for _, at := range sectionMark.FindAllStringSubmatchIndex(l.text, -1) {
			text, err := plain.File(files, p.Begins+l.text[at[2]:at[3]]+".lean")
			if err != nil {
				return err
			}
			l.put(at[0], at[1], strings.TrimSuffix(text, "\n"))
		}
		if len(l.patches) == 0 {
			return fmt.Errorf("%s names no section", p.Rest)
		}
		return nil
	})
}

// sortSections puts the sections in order of their numbers of declarations, the largest first. A
// remark after the head of each says which it was. What stands between sections stays.
func sortSections(p struct{ Document, To, Remark string }) exact.Steps {
	remark := " -- " + p.Remark + " "
	place := regexp.MustCompile(regexp.QuoteMeta(remark) + `(\d+)$`)
	return sources.Rewrite(p.Document, p.To, func(l *lean) (vfs.Files, error) {
		sections, err := l.sections()
		for _, s := range sections {
			if place.MatchString(l.text[s.start:s.head]) {
				return nil, fmt.Errorf("section %s has a place already", s.name)
			}
		}
		sorted := slices.Clone(sections)
		slices.SortStableFunc(sorted, func(a, b section) int { return cmp.Compare(b.declarations, a.declarations) })
		for n, now := range sorted {
			text := l.text[now.start:now.head] + remark + strconv.Itoa(now.place) + l.text[now.head:now.end]
			l.put(sections[n].start, sections[n].end, text)
		}
		return nil, err
	}, func(l *lean, _ vfs.Files) error {
		sections, err := l.sections()
		texts := make([]string, len(sections))
		for _, s := range sections {
			head := l.text[s.start:s.head]
			found := place.FindStringSubmatchIndex(head)
			if found == nil {
				return fmt.Errorf("section %s does not say which it was", s.name)
			}
			place, err := strconv.Atoi(head[found[2]:found[3]])
			if err != nil || place < 1 || place > len(texts) || texts[place-1] != "" {
				return fmt.Errorf("section %s cannot have been section %s", s.name, head[found[2]:found[3]])
			}
			texts[place-1] = head[:found[0]] + l.text[s.head:s.end]
			l.put(s.start, s.end, "")
		}
		for n := range l.patches {
			l.patches[n].text = texts[n]
		}
		return err
	})
}
