package makefile

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

// splitAtComments makes a file from each comment that begins with a mark, up to the next. What
// stands above the first stays in the root, which includes the files.
func splitAtComments(p struct{ Document, Mark, Root, Table string }) exact.Steps {
	begins := func(s statement) bool { return s.kind == commentLine && strings.HasPrefix(s.text, p.Mark) }
	forward := func(all []statement) (vfs.Files, error) {
		first := slices.IndexFunc(all, begins)
		if first < 0 {
			return nil, fmt.Errorf("no section: no line begins with %s", p.Mark)
		}
		root := printed(all[:first])
		table := [][]string{{"file", "title"}}
		made := vfs.Files{}
		for rest := all[first:]; len(rest) > 0; {
			end := 1 + slices.IndexFunc(rest[1:], begins)
			if end == 0 {
				end = len(rest)
			}
			title := strings.TrimSpace(strings.TrimPrefix(rest[0].text, p.Mark))
			name := fmt.Sprintf("%02d_%s.mk", len(table), fileWord(title))
			made[name] = printed(rest[:end])
			table = append(table, []string{name, title})
			root += "include " + name + "\n"
			rest = rest[end:]
		}
		made[p.Root], made[p.Table] = root, plain.WriteCSV(table)
		return made, nil
	}
	return makefiles.Whole(p.Document, forward, func(files vfs.Files) ([]statement, error) {
		text, err := plain.File(files, p.Root)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, "file")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			section, err := plain.File(files, row[0])
			if err != nil {
				return nil, err
			}
			text = strings.Replace(text, "include "+row[0]+"\n", "", 1) + section
		}
		return read(text), nil
	})
}

var noWord = regexp.MustCompile(`\W+`)

// fileWord is the first word of a title in small letters, as a file name has it.
func fileWord(title string) string {
	word, _ := firstWord(strings.ToLower(title))
	return cmp.Or(noWord.ReplaceAllString(word, ""), "section")
}

// splitByKind makes a file of the rules of each kind.
func splitByKind(p struct {
	Document               string
	Phony, Files, Patterns string // phony rules, those for files, those with a pattern
	Base                   string // all else
	Table                  string
}) exact.Steps {
	kindFile := func(h *ruleHead, phony map[string]bool) string {
		switch {
		case h.pattern != "" || hasPercent(h.targets[0]):
			return p.Patterns
		case phony[normal(h.targets[0])]:
			return p.Phony
		}
		return p.Files
	}
	forward := func(all []statement) (vfs.Files, error) {
		phony := phonyNames(all)
		list := blocks(all)
		rules, others := apart(list)
		made := vfs.Files{p.Base: printed(others)}
		table := [][]string{{"line", "target", "file"}}
		lines := firstLines(list)
		for i := range rules {
			b := &rules[i]
			file := kindFile(&b.statements[b.rule].rule, phony)
			table = append(table, []string{strconv.Itoa(lines[i]), b.name(), file})
			made[file] += printed(b.statements)
		}
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}
	return makefiles.Whole(p.Document, forward, func(files vfs.Files) ([]statement, error) {
		rows, err := plain.Table(files, p.Table, "line", "target")
		slices.SortStableFunc(rows, plain.ByNumber)
		others := read(files[p.Base])
		var rules []block
		for _, name := range []string{p.Phony, p.Files, p.Patterns} {
			own, more := apart(blocks(read(files[name])))
			rules, others = append(rules, own...), append(others, more...)
		}
		return restored(rules, others, rows), err
	})
}

func phonyNames(all []statement) map[string]bool {
	names := map[string]bool{}
	for i := range all {
		if s := &all[i]; s.kind == ruleLine && s.rule.targets[0] == ".PHONY" {
			for _, name := range s.rule.prerequisites {
				names[normal(name)] = true
			}
		}
	}
	return names
}

// takeRecipes makes a file of each long recipe, and leaves its name in brackets.
func takeRecipes(p struct {
	Document, To string
	Lines        int    // of a recipe that is long
	Begins       string // names of files: a number and .txt follow
	Table        string
}) exact.Steps {
	if p.Lines < 1 {
		return exact.Refuse("lines must be 1 or more")
	}
	mark := func(name string) string { return "\t[" + name + "]" }
	change := func(all *[]statement) (vfs.Files, error) {
		made := vfs.Files{}
		table := [][]string{{"file", "target", "lines"}}
		var kept []statement
		target := ""
		for rest := *all; len(rest) > 0; {
			run := 0
			for run < len(rest) && rest[run].kind == recipeLine {
				run++
			}
			recipe := printed(rest[:run])
			if lines := strings.Count(recipe, "\n"); lines >= p.Lines {
				name := p.Begins + strconv.Itoa(len(table)) + ".txt"
				made[name] = recipe
				table = append(table, []string{name, target, strconv.Itoa(lines)})
				kept, rest = append(kept, statement{kind: recipeLine, text: mark(name)}), rest[run:]
				continue
			}
			if rest[0].kind == ruleLine {
				target = normal(rest[0].rule.targets[0])
			}
			run = max(run, 1)
			kept, rest = append(kept, rest[:run]...), rest[run:]
		}
		*all = kept
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}
	restore := func(all *[]statement, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "file")
		if err != nil {
			return err
		}
		recipes := map[string]string{}
		for _, row := range rows {
			text, err := plain.File(files, row[0])
			if err != nil {
				return err
			}
			recipes[mark(row[0])] = strings.TrimSuffix(text, "\n")
		}
		for i := range *all {
			if recipe, ok := recipes[(*all)[i].text]; ok {
				(*all)[i].text = recipe
			}
		}
		return nil
	}
	return makefiles.Rewrite(p.Document, p.To, change, restore)
}
