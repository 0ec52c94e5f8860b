package makefile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberTargets gives the phony targets numbers for names.
func numberTargets(p struct {
	Document, To string
	First        string // such as task_1
	Table        string
}) exact.Steps {
	change := func(all *[]statement) (vfs.Files, error) {
		phony, names := phonyNames(*all), map[string]string{}
		codes := exact.Codes{New: exact.Counting(p.First)}
		for i := range *all {
			s := &(*all)[i]
			if s.kind != ruleLine {
				continue
			}
			for _, name := range s.rule.targets {
				if strings.HasPrefix(name, strings.TrimRight(p.First, "0123456789")) {
					return nil, fmt.Errorf("there is a target %s already", name)
				}
				if phony[name] && !strings.Contains(name, "$") {
					names[name] = codes.Of(name)
				}
			}
		}
		if len(names) == 0 {
			return nil, errors.New("no phony target")
		}
		rename(*all, names)
		return vfs.Files{p.Table: codes.CSV("name", "target")}, nil
	}
	return makefiles.Rewrite(p.Document, p.To, change, func(all *[]statement, files vfs.Files) error {
		names, err := exact.ReadRegister(files, p.Table, "name", "target")
		rename(*all, names)
		return err
	})
}

// rename gives targets other names: in the first lines of rules, before the
// colon of target-specific variables, and after $(MAKE) in recipes.
func rename(all []statement, names map[string]string) {
	for i := range all {
		s := &all[i]
		switch {
		case s.kind == ruleLine:
			s.text = renamed(s.text, ";#", names)
		case s.kind == variableLine && s.rule.targets != nil:
			s.text = renamed(s.text, ":", names)
		case s.kind == recipeLine:
			lines := strings.Split(s.text, "\n")
			for k, line := range lines {
				if before, after, calls := strings.Cut(line, "$(MAKE)"); calls {
					lines[k] = before + "$(MAKE)" + renamed(after, "", names)
				}
			}
			s.text = strings.Join(lines, "\n")
		}
	}
}

// renamed replaces the words of a text up to one of the stop characters.
func renamed(text, stops string, names map[string]string) string {
	const between = " \t\n:|;&\\"
	var b strings.Builder
	at := 0
	for at < len(text) && strings.IndexByte(stops, text[at]) < 0 {
		end := at
		for end < len(text) && strings.IndexByte(between, text[end]) < 0 && strings.IndexByte(stops, text[end]) < 0 {
			if text[end] == '$' {
				end = referenceEnd(text, end)
			} else {
				end++
			}
		}
		word := text[at:max(end, at+1)]
		if name, known := names[word]; known {
			word = name
		}
		b.WriteString(word)
		at = max(end, at+1)
	}
	return b.String() + text[at:]
}

// orderByNeed puts rules after those that make what they need. The lines that
// belong to no rule come first.
func orderByNeed(p struct{ Document, To, Table string }) exact.Steps {
	change := func(all *[]statement) (vfs.Files, error) {
		list := blocks(*all)
		lines := firstLines(list)
		rules, ordered := apart(list)
		if last := len(ordered) - 1; last >= 0 && ordered[last].kind != blankLine {
			ordered = append(ordered, statement{})
		}
		needs := needsOf(rules)
		levels := make([]int, len(rules))
		table := [][]string{{"line", "target", "level"}}
		for range rules {
			next := nextReady(needs, levels)
			levels[next] = 1
			for _, need := range needs[next] {
				levels[next] = max(levels[next], levels[need]+1)
			}
			ordered = append(ordered, rules[next].statements...)
			table = append(table, []string{strconv.Itoa(lines[next]), rules[next].name(), strconv.Itoa(levels[next])})
		}
		*all = ordered
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return makefiles.Rewrite(p.Document, p.To, change, func(all *[]statement, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "line", "target")
		rules, others := apart(blocks(*all))
		*all = restored(rules, others, rows)
		return err
	})
}

// needsOf lists, of each rule, the other rules for its prerequisites.
func needsOf(rules []block) [][]int {
	makers := map[string][]int{}
	for i := range rules {
		for _, target := range rules[i].statements[rules[i].rule].rule.targets {
			makers[normal(target)] = append(makers[normal(target)], i)
		}
	}
	needs := make([][]int, len(rules))
	for i := range rules {
		h := &rules[i].statements[rules[i].rule].rule
		for _, name := range slices.Concat(h.prerequisites, h.orderOnly) {
			for _, maker := range makers[normal(name)] {
				if maker != i && !slices.Contains(needs[i], maker) {
					needs[i] = append(needs[i], maker)
				}
			}
		}
	}
	return needs
}

// nextReady is the first rule without a level all of whose needs have one, or
// else the first without a level.
func nextReady(needs [][]int, levels []int) int {
	first := -1
	for i, level := range levels {
		if level > 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		if !slices.ContainsFunc(needs[i], func(need int) bool { return levels[need] == 0 }) {
			return i
		}
	}
	return first
}
