package docker

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	numberedFile = "Dockerfile.numbered"
	namesFile    = "names.csv"
)

// numberStages calls the stages s1, s2 and so on wherever they are named.
func numberStages(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"stage", "name"}}
	s.renameStages(func(name string) string {
		number := "s" + strconv.Itoa(len(table))
		table = append(table, []string{number, name})
		return number
	})
	return vfs.Files{numberedFile: s.print(), namesFile: plain.WriteCSV(table)}, nil
}

func nameStages(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "stage", "name")
	if err != nil {
		return nil, err
	}
	nameOf := map[string]string{}
	for _, row := range rows {
		nameOf[row[0]] = row[1]
	}
	s.renameStages(func(number string) string {
		if name, ok := nameOf[number]; ok {
			return name
		}
		return number
	})
	return asDocument(s), nil
}

// renameStages gives every stage the name that is made of its old one, also
// where instructions after it refer to it.
func (s script) renameStages(rename func(name string) string) {
	known := map[string]string{} // new names by old ones
	s.eachInstruction(func(_ string, p *part) {
		if !p.is("FROM") {
			p.eachWord(func(word string) string { return renamedSource(word, known) })
			return
		}
		was := readFrom(p.text).name
		is := rename(was)
		p.eachWord(func(word string) string {
			if name, ok := known[strings.ToLower(word)]; ok {
				return name
			}
			return word
		})
		p.setStageName(is)
		if was != "" {
			known[strings.ToLower(was)] = is
		}
	})
}

// renamedSource rewrites a word such as --from=build or --mount=…,from=build.
func renamedSource(word string, known map[string]string) string {
	renamed := func(name string) string {
		if name, ok := known[strings.ToLower(name)]; ok {
			return name
		}
		return name
	}
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
	first := true // the keyword
	done := false
	for i := range len(p.lines) - p.body {
		if strings.HasPrefix(strings.TrimSpace(p.lines[i]), "#") {
			continue
		}
		p.lines[i] = wordPattern.ReplaceAllStringFunc(p.lines[i], func(word string) string {
			if first || done {
				first = false
				return word
			}
			if strings.HasPrefix(word, "--") {
				return replace(word)
			}
			done = true
			if p.keyword == "FROM" {
				return replace(word)
			}
			return word
		})
	}
}

const (
	imagesScript = "Dockerfile.images"
	imagesFile   = "images.csv"
)

var imageColumns = []string{"arg", "repository", "tag", "digest", "stages"}

// nameImages makes a global ARG of each image that stages are built from.
func nameImages(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var images, arguments []string
	stagesOf := map[string][]string{}
	known := map[string]bool{"scratch": true}
	s.eachInstruction(func(stage string, p *part) {
		if !p.is("FROM") {
			return
		}
		opening := readFrom(p.text)
		if base := opening.base; base != "" && !known[strings.ToLower(base)] && !strings.Contains(base, "$") {
			if stagesOf[base] == nil {
				images = append(images, base)
				arguments = append(arguments, "ARG "+argument(len(images))+"="+base)
			}
			stagesOf[base] = append(stagesOf[base], stage)
			number := slices.Index(images, base) + 1
			p.eachWord(func(word string) string {
				if bare(word) == base {
					return "${" + argument(number) + "}"
				}
				return word
			})
		}
		known[strings.ToLower(opening.name)] = true
	})
	first := slices.IndexFunc(s.parts, isInstruction)
	s.parts = slices.Insert(s.parts, first, part{kind: instructionPart, keyword: "ARG", lines: arguments})
	table := [][]string{imageColumns}
	for i, image := range images {
		repository, tag, digest := cutImage(image)
		table = append(table, []string{argument(i + 1), repository, tag, digest, strings.Join(stagesOf[image], " ")})
	}
	return vfs.Files{imagesScript: s.print(), imagesFile: plain.WriteCSV(table)}, nil
}

func argument(number int) string { return "IMAGE_" + strconv.Itoa(number) }

// cutImage takes registry/name:tag@digest apart. A colon before the last slash
// is that of a registry's port.
func cutImage(image string) (repository, tag, digest string) {
	repository, digest, _ = strings.Cut(image, "@")
	if at := strings.LastIndexByte(repository, ':'); at > strings.LastIndexByte(repository, '/') {
		repository, tag = repository[:at], repository[at+1:]
	}
	return repository, tag, digest
}

func joinImage(repository, tag, digest string) string {
	if tag != "" {
		repository += ":" + tag
	}
	if digest != "" {
		repository += "@" + digest
	}
	return repository
}

// writeImages writes images where their ARGs are used. One that the table does
// not have is known from its ARG.
func writeImages(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, imagesScript)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, imagesFile, imageColumns[:4]...)
	if err != nil {
		return nil, err
	}
	imageOf := map[string]string{}
	var kept []part
	for _, p := range s.parts {
		name, image, _ := strings.Cut(p.text, "=")
		if number, ok := strings.CutPrefix(name, "IMAGE_"); ok && p.is("ARG") && isNumber(number) {
			imageOf["${"+name+"}"] = image
		} else {
			kept = append(kept, p)
		}
	}
	for _, row := range rows {
		imageOf["${"+row[0]+"}"] = joinImage(row[1], row[2], row[3])
	}
	s = script{kept}
	s.eachInstruction(func(_ string, p *part) {
		if p.is("FROM") {
			p.eachWord(func(word string) string {
				if image, ok := imageOf[word]; ok {
					return image
				}
				return word
			})
		}
	})
	return asDocument(s), nil
}
