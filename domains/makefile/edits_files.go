package makefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	rootFile     = "root.mk"
	sectionsFile = "sections.csv"
	sectionMark  = "##@"
)

func isSection(s statement) bool {
	return s.kind == commentLine && strings.HasPrefix(s.text, sectionMark)
}

// splitSections makes a file of each section. What stands above the first stays
// in the root, which includes the files.
func splitSections(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(all, isSection)
	if first < 0 {
		return nil, fmt.Errorf("no section: no line begins with %s", sectionMark)
	}
	root := printed(all[:first])
	table := [][]string{{"file", "title"}}
	out := vfs.Files{}
	for rest := all[first:]; len(rest) > 0; {
		end := 1 + slices.IndexFunc(rest[1:], isSection)
		if end == 0 {
			end = len(rest)
		}
		title := strings.TrimSpace(strings.TrimPrefix(rest[0].text, sectionMark))
		name := fmt.Sprintf("%02d_%s.mk", len(table), fileWord(title))
		out[name] = printed(rest[:end])
		table = append(table, []string{name, title})
		root += "include " + name + "\n"
		rest = rest[end:]
	}
	out[rootFile], out[sectionsFile] = root, plain.WriteCSV(table)
	return out, nil
}

// fileWord is the first word of a title in small letters, as a file name has it.
func fileWord(title string) string {
	word, _ := firstWord(strings.ToLower(title))
	word = strings.Map(func(r rune) rune {
		if r < 128 && (isLetter(byte(r)) || isDigit(byte(r))) {
			return r
		}
		return -1
	}, word)
	if word == "" {
		return "section"
	}
	return word
}

func mergeSections(files vfs.Files) (vfs.Files, error) {
	root, err := plain.File(files, rootFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, sectionsFile, "file")
	if err != nil {
		return nil, err
	}
	sections := ""
	for _, row := range rows {
		text, err := plain.File(files, row[0])
		if err != nil {
			return nil, err
		}
		root = strings.Replace(root, "include "+row[0]+"\n", "", 1)
		sections += text
	}
	return asDocument(root + sections), nil
}

// The files of blocks by the kind of their rules.
const (
	phonyFile   = "phony.mk"
	plainFile   = "files.mk"
	patternFile = "patterns.mk"
	baseFile    = "base.mk"
	placesFile  = "places.csv"
)

// splitKinds makes a file of the rules of each kind.
func splitKinds(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	phony := phonyNames(all)
	rules, others := apart(blocks(all))
	out := vfs.Files{baseFile: printed(others)}
	table := [][]string{{"line", "target", "file"}}
	lines := firstLines(blocks(all))
	for i := range rules {
		b := &rules[i]
		file := kindFile(&b.statements[b.rule].rule, phony)
		table = append(table, []string{strconv.Itoa(lines[i]), b.name(), file})
		out[file] += printed(b.statements)
	}
	out[placesFile] = plain.WriteCSV(table)
	return out, nil
}

// firstLines are the lines on which the blocks of rules begin, from 1.
func firstLines(list []block) []int {
	var all []int
	line := 1
	for _, b := range list {
		if b.rule >= 0 {
			all = append(all, line)
		}
		for i := range b.statements {
			line += b.statements[i].lines()
		}
	}
	return all
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

func kindFile(h *ruleHead, phony map[string]bool) string {
	switch {
	case h.pattern != "" || hasPercent(h.targets[0]):
		return patternFile
	case phony[normal(h.targets[0])]:
		return phonyFile
	}
	return plainFile
}

func mergeKinds(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, placesFile, "line", "target")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	others := read(files[baseFile])
	var rules []block
	for _, name := range []string{phonyFile, plainFile, patternFile} {
		own, more := apart(blocks(read(files[name])))
		rules, others = append(rules, own...), append(others, more...)
	}
	if len(rules) == 0 {
		return nil, errNoRule
	}
	return restored(rules, others, rows), nil
}

const (
	withoutRecipesFile = "without_recipes.mk"
	recipesFile        = "recipes.csv"
	longRecipe         = 3 // lines
)

func recipeName(number int) string  { return "recipe_" + strconv.Itoa(number) + ".txt" }
func recipeMark(name string) string { return "\t[" + name + "]" }

// takeRecipes makes a file of each long recipe.
func takeRecipes(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	table := [][]string{{"file", "target", "lines"}}
	var kept []statement
	rule := statement{}
	for at := 0; at < len(all); {
		end := at
		for end < len(all) && all[end].kind == recipeLine {
			end++
		}
		if end == at {
			if all[at].kind == ruleLine {
				rule = all[at]
			}
			kept = append(kept, all[at])
			at++
			continue
		}
		lines := strings.Split(strings.TrimSuffix(printed(all[at:end]), "\n"), "\n")
		if len(lines) < longRecipe {
			kept = append(kept, all[at:end]...)
			at = end
			continue
		}
		name := recipeName(len(table))
		out[name] = plain.Text(lines)
		table = append(table, []string{name, normal(rule.rule.targets[0]), strconv.Itoa(len(lines))})
		kept = append(kept, statement{kind: recipeLine, text: recipeMark(name)})
		at = end
	}
	out[withoutRecipesFile], out[recipesFile] = printed(kept), plain.WriteCSV(table)
	return out, nil
}

func writeRecipes(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, withoutRecipesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, recipesFile, "file")
	if err != nil {
		return nil, err
	}
	recipes := map[string]string{}
	for _, row := range rows {
		text, err := plain.File(files, row[0])
		if err != nil {
			return nil, err
		}
		recipes[recipeMark(row[0])] = strings.TrimSuffix(text, "\n")
	}
	for i := range all {
		if recipe, ok := recipes[all[i].text]; ok {
			all[i].text = recipe
		}
	}
	return asDocument(printed(all)), nil
}
