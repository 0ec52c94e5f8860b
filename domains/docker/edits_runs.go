package docker

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	packagesScript = "Dockerfile.packages"
	packagesFile   = "packages.csv"
)

// listPackages moves what apt-get installs to a table and leaves marks such as
// [P1].
func listPackages(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	lists := 0
	s.eachInstruction(func(stage string, p *part) {
		if !p.is("RUN") {
			return
		}
		head := p.head()
		var marked strings.Builder
		from := 0
		for _, list := range installed(head) {
			lists++
			mark := "P" + strconv.Itoa(lists)
			for i, name := range list.packages {
				rows = append(rows, []string{name, stage, mark, strconv.Itoa(i + 1)})
			}
			marked.WriteString(head[from:list.start] + "[" + mark + "]")
			from = list.end
		}
		p.setHead(marked.String() + head[from:])
	})
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	table := slices.Concat([][]string{{"package", "stage", "list", "position"}}, rows)
	return vfs.Files{packagesScript: s.print(), packagesFile: plain.WriteCSV(table)}, nil
}

var shellWord = regexp.MustCompile(`[^\s;&|]+|[;&|]+`)

// packageList is what one apt-get install names, and where in a text.
type packageList struct {
	packages   []string
	start, end int
}

// installed finds the lists of packages after "apt-get install" and its
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

var packageMark = regexp.MustCompile(`\[(P[0-9]+)\]`)

// writePackages fills in the packages in the order of their positions.
func writePackages(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, packagesScript)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, packagesFile, "position", "package", "list")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	packagesOf := map[string][]string{}
	for _, row := range rows {
		packagesOf[row[2]] = append(packagesOf[row[2]], row[1])
	}
	s.eachInstruction(func(_ string, p *part) {
		if !p.is("RUN") {
			return
		}
		p.setHead(packageMark.ReplaceAllStringFunc(p.head(), func(mark string) string {
			if packages := packagesOf[mark[1:len(mark)-1]]; packages != nil {
				return strings.Join(packages, " ")
			}
			return mark
		}))
	})
	return asDocument(s), nil
}

const (
	layersScript = "Dockerfile.layers"
	layersFile   = "layers.csv"
)

// reviewLayers moves what RUN instructions run to a table and leaves marks such
// as [L1].
func reviewLayers(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"layer", "stage", "kind", "command"}}
	s.eachInstruction(func(stage string, p *part) {
		if p.is("RUN") {
			keyword, command := p.cutKeyword()
			mark := "L" + strconv.Itoa(len(table))
			table = append(table, []string{mark, stage, layerKind(p.text), command})
			p.lines = strings.Split(keyword+"["+mark+"]", "\n")
		}
	})
	return vfs.Files{layersScript: s.print(), layersFile: plain.WriteCSV(table)}, nil
}

// layerKinds are told by the first phrase that a command contains, word by word.
var layerKinds = []struct {
	kind    string
	phrases []string
}{
	{"install", []string{"apt-get install", "apk add", "pip install", "npm ci"}},
	{"user", []string{"useradd", "adduser", "groupadd", "addgroup"}},
	{"build", []string{"make", "cargo build", "npm run build", "pip wheel"}},
}

func layerKind(text string) string {
	words := " " + strings.Join(shellWord.FindAllString(text, -1), " ") + " "
	for _, k := range layerKinds {
		for _, phrase := range k.phrases {
			if strings.Contains(words, " "+phrase+" ") {
				return k.kind
			}
		}
	}
	return "other"
}

func writeLayers(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, layersScript)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, layersFile, "layer", "command")
	if err != nil {
		return nil, err
	}
	commandOf := map[string]string{}
	for _, row := range rows {
		commandOf["["+row[0]+"]"] = row[1]
	}
	s.eachInstruction(func(_ string, p *part) {
		if command, ok := commandOf[p.text]; ok && p.is("RUN") {
			keyword, _ := p.cutKeyword()
			p.lines = strings.Split(keyword+command, "\n")
			p.body = 0
		}
	})
	return asDocument(s), nil
}
