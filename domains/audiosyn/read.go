package audiosyn

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

type section uint8

const (
	otherSection section = iota // of a license, of a front end, of embedded files
	outside
	optionSection
	orchestraSection
	scoreSection
)

// sections are those that Csound reads by the names of their tags.
var sections = map[string]section{
	"": outside, "csoptions": optionSection, "csinstruments": orchestraSection, "csscore": scoreSection,
}

// line is a line of a file, or the part of one before, after or between tags.
type line struct {
	text    string
	section section
	tag     bool // which opens or closes a section, or the whole
	glued   bool // to the part before it on the same line
}

// inOrchestra reports whether a line is one of the orchestra itself, not its tag.
func (l *line) inOrchestra() bool { return l.section == orchestraSection && !l.tag }

// source is a file as Csound reads it. Printing its lines gives the file.
type source struct {
	name   string
	lines  []line
	tagged bool     // as a CSD file is
	faults []string // in its tags
}

func readFiles(files vfs.Files) []source {
	all := lists.Map(files.Names(), func(name string) source { return readFile(name, files[name]) })
	// Csound takes an orchestra in where a file includes it, which is before the score.
	slices.SortStableFunc(all, func(a, b source) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

// rank is 0 for a file that is an orchestra, otherwise 1.
func (s *source) rank() int {
	if !s.tagged && strings.ToLower(path.Ext(s.name)) == ".orc" {
		return 0
	}
	return 1
}

func readFile(name, text string) source {
	s := source{name: name}
	lines := plain.Lines(text)
	s.lines = make([]line, 0, len(lines))
	for _, text := range lines {
		s.addParts(text)
	}
	if s.tagged {
		s.assignSections()
		return s
	}
	kind := bareSection(name, s.lines)
	for i := range s.lines {
		s.lines[i].section = kind
	}
	return s
}

// addParts adds a line, divided at its tags.
func (s *source) addParts(text string) {
	glued := false
	add := func(part string, tag bool) {
		s.lines = append(s.lines, line{text: part, tag: tag, glued: glued})
		glued = true
	}
	rest := text
	for at := 0; ; {
		n := strings.IndexByte(rest[at:], '<')
		if n < 0 {
			break
		}
		at += n
		end := tagLength(rest[at:])
		if end == 0 {
			at++
			continue
		}
		s.tagged = true
		if at > 0 {
			add(rest[:at], false)
		}
		add(rest[at:at+end], true)
		rest, at = rest[at+end:], 0
	}
	if rest != "" || !glued {
		add(rest, false)
	}
}

// longestTag is longer than any tag that Csound or a front end writes.
const longestTag = 200

// tagLength is the length of the tag that a text begins with, 0 if with none.
func tagLength(text string) int {
	name := strings.TrimPrefix(text[1:min(len(text), longestTag)], "/")
	if len(name) < 3 ||
		!strings.EqualFold(name[:2], "Cs") && !strings.HasPrefix(name, "bsb") && !strings.HasPrefix(name, "Cabbage") {
		return 0
	}
	end := strings.IndexAny(name, "<>")
	if end < 0 || name[end] == '<' {
		return 0
	}
	return strings.IndexByte(text, '>') + 1
}

// tagName is the name of a tag in lower case, without its slash and attributes.
func tagName(tag string) string {
	name := strings.Trim(tag, "</>")
	if n := strings.IndexAny(name, " \t"); n >= 0 {
		name = name[:n]
	}
	return strings.ToLower(name)
}

const wholeTag = "csoundsynthesizer"

// assignSections says of every line in which section it stands.
func (s *source) assignSections() {
	open := "" // the name of the section in hand
	wholes, ends := 0, 0
	for i := range s.lines {
		l := &s.lines[i]
		if !l.tag {
			l.section = sections[open]
			continue
		}
		name, closes := tagName(l.text), strings.HasPrefix(l.text, "</")
		switch {
		case name == wholeTag && closes:
			ends++
		case name == wholeTag:
			wholes++
		case closes && name == open:
			open = ""
			continue
		case closes:
			s.faults = append(s.faults, "</"+name+"> without its beginning")
			continue
		}
		if open != "" {
			s.faults = append(s.faults, "</"+open+"> missing")
		}
		open = ""
		if name != wholeTag {
			open = name
		}
	}
	if open != "" {
		s.faults = append(s.faults, "</"+open+"> missing")
	}
	if wholes == 0 {
		s.faults = append(s.faults, "<"+wholeTag+"> missing")
	}
	if ends < max(wholes, 1) {
		s.faults = append(s.faults, "</"+wholeTag+"> missing")
	}
}

// bareSection is what a file without tags is: by its name, otherwise by its lines.
func bareSection(name string, lines []line) section {
	switch strings.ToLower(path.Ext(name)) {
	case ".orc":
		return orchestraSection
	case ".sco":
		return scoreSection
	}
	found := outside
	for i := range lines {
		text := strings.TrimLeft(lines[i].text, " \t")
		if strings.HasPrefix(text, "instr ") || strings.HasPrefix(text, "instr\t") {
			return orchestraSection
		}
		if text != "" && (text[0] == 'i' || text[0] == 'f') && scoreKind(text, scoreWords(text)) != strayLine {
			found = scoreSection
		}
	}
	return found
}

func (s *source) print() string {
	var b strings.Builder
	for i := range s.lines {
		if i > 0 && !s.lines[i].glued {
			b.WriteByte('\n')
		}
		b.WriteString(s.lines[i].text)
	}
	if len(s.lines) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
