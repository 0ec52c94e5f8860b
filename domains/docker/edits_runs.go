package docker

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// listPackages moves what apt-get installs to a table and leaves marks such as [P1].
func listPackages(p struct {
	Document, To string
	First, Table string // the first mark
}) exact.Steps {
	mark := exact.Counting(p.First)
	change := func(s *script) (vfs.Files, error) {
		var rows [][]string
		lists := 0
		for stage, run := range s.instructions("RUN") {
			head := run.head()
			run.setHead(plain.Splice(head, installed(head), func(list packageList) (start, end int, with string) {
				mark := mark("", lists)
				lists++
				for i, name := range list.packages {
					rows = append(rows, []string{name, stage, mark, strconv.Itoa(i + 1)})
				}
				return list.start, list.end, "[" + mark + "]"
			}))
		}
		slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
		table := slices.Concat([][]string{{"package", "stage", "list", "position"}}, rows)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "package", "list")
		slices.SortStableFunc(rows, plain.ByNumber)
		packagesOf := map[string]string{}
		for _, row := range rows {
			mark := "[" + row[2] + "]"
			packagesOf[mark] = strings.TrimLeft(packagesOf[mark]+" "+row[1], " ")
		}
		for _, run := range s.instructions("RUN") {
			run.setHead(packageMark.ReplaceAllStringFunc(run.head(), func(mark string) string { return cmp.Or(packagesOf[mark], mark) }))
		}
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

var packageMark = regexp.MustCompile(`\[[A-Za-z_]*[0-9]+\]`)

var shellWord = regexp.MustCompile(`[^\s;&|]+|[;&|]+`)

// packageList is what one apt-get install names, and where in a text.
type packageList struct {
	packages   []string
	start, end int
}

// installed finds the lists of packages after apt-get install and its
// options. An option or a comment ends a list.
func installed(text string) []packageList {
	var lists []packageList
	var list packageList
	command, install := false, false
	endCommand := func() {
		if list.packages != nil {
			lists = append(lists, list)
		}
		list, command, install = packageList{}, false, false
	}
	for _, at := range shellWord.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		switch {
		case word == `\`:
		case strings.ContainsAny(word[:1], ";&|#"), word[0] == '-' && list.packages != nil:
			endCommand()
		case !install:
			install = command && word == "install"
			command = command || word == "apt-get"
		case word[0] != '-':
			if list.packages == nil {
				list.start = at[0]
			}
			list.packages, list.end = append(list.packages, word), at[1]
		}
	}
	endCommand()
	return lists
}

// kinds of commands are told by the first phrase that a command contains, word by word.
type kinds []struct {
	Name    string
	Phrases []string
}

func (k kinds) of(text, others string) string {
	words := " " + strings.Join(shellWord.FindAllString(text, -1), " ") + " "
	for _, kind := range k {
		for _, phrase := range kind.Phrases {
			if strings.Contains(words, " "+phrase+" ") {
				return kind.Name
			}
		}
	}
	return others
}

// commandsApart moves what RUN instructions run to a table and leaves marks such as [L1].
func commandsApart(p struct {
	Document, To string
	Kinds        kinds
	Others       string // the kind of other commands
	First, Table string // the first mark
}) exact.Steps {
	mark := exact.Counting(p.First)
	change := func(s *script) (vfs.Files, error) {
		table := [][]string{{"layer", "stage", "kind", "command"}}
		for stage, run := range s.instructions("RUN") {
			keyword, command := run.cutKeyword()
			mark := mark("", len(table)-1)
			table = append(table, []string{mark, stage, p.Kinds.of(run.text, p.Others), command})
			run.lines = strings.Split(keyword+"["+mark+"]", "\n")
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		commandOf, err := exact.ReadRegister(files, p.Table, "layer", "command")
		for _, run := range s.instructions("RUN") {
			if command, ok := commandOf[strings.Trim(run.text, "[]")]; ok && strings.HasPrefix(run.text, "[") {
				keyword, _ := run.cutKeyword()
				run.lines = strings.Split(keyword+command, "\n")
				run.body = 0
			}
		}
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}
