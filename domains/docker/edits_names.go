package docker

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberStages gives the stages names with numbers wherever they are named.
func numberStages(p struct {
	Document, To string
	First, Table string // the first name, such as s1
}) exact.Steps {
	number := exact.Counting(p.First)
	change := func(s *script) (vfs.Files, error) {
		table := [][]string{{"stage", "name"}}
		s.renameStages(func(name string) string {
			number := number("", len(table)-1)
			table = append(table, []string{number, name})
			return number
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		nameOf, err := exact.ReadRegister(files, p.Table, "stage", "name")
		s.renameStages(func(number string) string {
			if name, ok := nameOf[number]; ok {
				return name
			}
			return number
		})
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

// renameStages gives every stage the name that is made of its old one, also
// where instructions after it refer to it.
func (s script) renameStages(rename func(name string) string) {
	known := map[string]string{} // new names by old ones
	renamed := func(name string) string { return cmp.Or(known[strings.ToLower(name)], name) }
	for _, p := range s.instructions("") {
		if !p.is("FROM") {
			p.eachWord(func(word string) string { return renamedSource(word, renamed) })
			continue
		}
		was := readFrom(p.text).name
		is := rename(was)
		p.eachWord(renamed)
		p.setStageName(is)
		if was != "" {
			known[strings.ToLower(was)] = is
		}
	}
}

// renamedSource rewrites a word such as --from=build or --mount=…,from=build.
func renamedSource(word string, renamed func(name string) string) string {
	if name, ok := strings.CutPrefix(word, "--from="); ok {
		return "--from=" + renamed(name)
	}
	options, ok := strings.CutPrefix(word, "--mount=")
	if !ok {
		return word
	}
	all := strings.Split(options, ",")
	for i, option := range all {
		if name, ok := strings.CutPrefix(option, "from="); ok {
			all[i] = "from=" + renamed(name)
		}
	}
	return "--mount=" + strings.Join(all, ",")
}

// nameClause is the end of a FROM line.
var nameClause = regexp.MustCompile(`(?i)(\s+as\s+)\S+\s*$`)

// setStageName writes the name after the base of a FROM line; an empty one is
// taken away.
func (p *part) setStageName(name string) {
	head := p.head()
	clause := nameClause.FindStringSubmatchIndex(head)
	switch {
	case clause == nil && name != "":
		head = strings.TrimRight(head, " \t") + " AS " + name
	case clause != nil && name == "":
		head = head[:clause[0]]
	case clause != nil:
		head = head[:clause[3]] + name
	}
	p.setHead(head)
}

var wordPattern = regexp.MustCompile(`[^\s\\]\S*`)

// eachWord replaces the options and, of FROM, the base of an instruction.
func (p *part) eachWord(replace func(word string) string) {
	first, done := true, false // the first word is the keyword
	for i := range len(p.lines) - p.body {
		if strings.HasPrefix(strings.TrimSpace(p.lines[i]), "#") {
			continue
		}
		p.lines[i] = wordPattern.ReplaceAllStringFunc(p.lines[i], func(word string) string {
			if first || done {
				first = false
				return word
			}
			done = !strings.HasPrefix(word, "--")
			if done && p.keyword != "FROM" {
				return word
			}
			return replace(word)
		})
	}
}

// imageArguments makes a global ARG of each image that stages are built from. On the way back an
// image that the table does not have is known from its ARG.
func imageArguments(p struct {
	Document, To string
	First, Table string // the first name, such as IMAGE_1
}) exact.Steps {
	columns := []string{"arg", "repository", "tag", "digest"}
	prefix := strings.TrimRight(p.First, "0123456789")
	change := func(s *script) (vfs.Files, error) {
		arguments := exact.Codes{New: exact.Counting(p.First)}
		stagesOf := map[string][]string{}
		known := map[string]bool{"scratch": true}
		for stage, of := range s.instructions("FROM") {
			opening := readFrom(of.text)
			if base := opening.base; base != "" && !known[strings.ToLower(base)] && !strings.Contains(base, "$") {
				argument := arguments.Of(base)
				stagesOf[base] = append(stagesOf[base], stage)
				of.eachWord(func(word string) string {
					if bare(word) == base {
						return "${" + argument + "}"
					}
					return word
				})
			}
			known[strings.ToLower(opening.name)] = true
		}
		var lines []string
		table := [][]string{append(columns, "stages")}
		arguments.Each(func(argument, image string) {
			lines = append(lines, "ARG "+argument+"="+image)
			repository, tag, digest := cutImage(image)
			table = append(table, []string{argument, repository, tag, digest, strings.Join(stagesOf[image], " ")})
		})
		first := slices.IndexFunc(s.parts, func(p part) bool { return p.kind == instructionPart })
		s.parts = slices.Insert(s.parts, first, part{kind: instructionPart, keyword: "ARG", lines: lines})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, files vfs.Files) error {
		imageOf := map[string]string{}
		s.parts = slices.DeleteFunc(s.parts, func(of part) bool {
			name, image, _ := strings.Cut(of.text, "=")
			number, ok := strings.CutPrefix(name, prefix)
			if ok = ok && of.is("ARG") && plain.IsDigits(number); ok {
				imageOf["${"+name+"}"] = image
			}
			return ok
		})
		rows, err := plain.Table(files, p.Table, columns...)
		for _, row := range rows {
			image := row[1]
			if row[2] != "" {
				image += ":" + row[2]
			}
			if row[3] != "" {
				image += "@" + row[3]
			}
			imageOf["${"+row[0]+"}"] = image
		}
		for _, of := range s.instructions("FROM") {
			of.eachWord(func(word string) string { return cmp.Or(imageOf[word], word) })
		}
		return err
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

// cutImage takes registry/name:tag@digest apart. A colon before the last slash
// is that of a registry's port.
func cutImage(image string) (repository, tag, digest string) {
	repository, digest, _ = strings.Cut(image, "@")
	if at := strings.LastIndexByte(repository, ':'); at > strings.LastIndexByte(repository, '/') {
		repository, tag = repository[:at], repository[at+1:]
	}
	return repository, tag, digest
}
