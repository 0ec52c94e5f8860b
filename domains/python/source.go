package python

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
)

type partKind uint8

const (
	otherPart partKind = iota
	importPart
	assignmentPart // to names, and nothing else
	classPart
	functionPart
)

// part is a statement at the margin, with all that is indented below it.
type part struct {
	kind  partKind
	name  string // of a definition
	lead  string // the blank lines and comments above it
	code  string // its lines, decorators included
	lines []line // of the code, their places counted from its beginning
}

// sheet is a source file as its parts; what follows the last is the closing.
type sheet struct {
	parts   []part
	closing string
	fault   error // why it could not be read
}

// continuing are the words that go on with the statement before.
var continuing = []string{"elif", "else", "except", "finally"}

// readSheet divides a source. A line that is no Python is a fault.
func readSheet(text string) (s sheet) {
	source := plainSource(text)
	if source != "" && !strings.HasSuffix(source, "\n") {
		source += "\n"
	}
	lines, rest := scan(source)
	if rest < len(source) {
		return sheet{fault: fmt.Errorf("more than %d lines", mostLines)}
	}
	start, end := 0, 0 // of the code of the last part
	decorated := false
	for i := range lines {
		l := &lines[i]
		isComment := len(l.tokens) == 0
		switch {
		case l.broken:
			return sheet{fault: fmt.Errorf("line %d is no Python", 1+strings.Count(source[:l.start], "\n"))}
		case isComment && (l.indent == 0 || len(s.parts) == 0):
			continue
		case l.indent == 0 && !decorated && (len(s.parts) == 0 || !slices.Contains(continuing, l.tokens[0].text)):
			s.parts = append(s.parts, part{lead: source[end:l.start]})
			start = l.start
		case len(s.parts) == 0:
			return sheet{fault: fmt.Errorf("line %d is indented below nothing", 1+strings.Count(source[:l.start], "\n"))}
		}
		end = l.end
		s.parts[len(s.parts)-1].code = source[start:end]
		if !isComment {
			decorated = l.tokens[0].text == "@"
		}
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.lines, _ = scan(p.code)
		p.classify()
	}
	s.closing = source[end:]
	return s
}

// classify finds out what a part is, by its first line that is no decorator.
func (p *part) classify() {
	header := p.header()
	if header == nil {
		return
	}
	tokens := header.tokens
	switch word := tokens[0].text; word {
	case "import", "from":
		p.kind = importPart
	case "def", "async", "class":
		if p.name = definedName(tokens); p.name != "" && headerEnd(tokens) > 0 {
			p.kind = functionPart
			if word == "class" {
				p.kind = classPart
			} else if word == "async" && tokens[1].text != "def" {
				p.kind, p.name = otherPart, ""
			}
		}
	default:
		if len(p.assigned()) > 0 {
			p.kind = assignmentPart
		}
	}
}

// header is the first line of a part that is no decorator, nil if there is none.
func (p *part) header() *line {
	at := slices.IndexFunc(p.lines, func(l line) bool { return len(l.tokens) > 0 && l.tokens[0].text != "@" })
	if at < 0 {
		return nil
	}
	return &p.lines[at]
}

// assigned are the names to which a part that is one assignment gives values;
// none if it is something else.
func (p *part) assigned() []string {
	var names []string
	if len(p.lines) != 1 || len(split(p.lines[0].tokens, ";")) != 1 {
		return nil
	}
	for i, t := range p.lines[0].tokens {
		switch text := t.text; {
		case t.kind == nameToken && !keywords[text] && i%2 == 0:
			names = append(names, text)
		case i%2 == 1 && (text == "," || text == "=" || text == ":"):
			if text != "," {
				return names
			}
		default:
			return nil
		}
	}
	return nil
}

func (s sheet) print() string {
	var b strings.Builder
	for i := range s.parts {
		b.WriteString(s.parts[i].lead + s.parts[i].code)
	}
	b.WriteString(s.closing)
	return b.String()
}

// uses are the names that stand in the code of a part.
func (p *part) uses() map[string]bool {
	all := map[string]bool{}
	for _, l := range p.lines {
		eachName(l.tokens, func(t token) { all[t.text] = true })
	}
	return all
}

// uses are the names that stand in any of the parts.
func (s *sheet) uses() map[string]bool {
	all := map[string]bool{}
	for i := range s.parts {
		maps.Copy(all, s.parts[i].uses())
	}
	return all
}

// rewrite applies changes to the code of a part.
func (p *part) rewrite(changes []change) {
	p.code = rewritten(p.code, changes)
	p.lines, _ = scan(p.code)
}

// functions are the parts that are functions.
func (s *sheet) functions() []*part {
	return lists.Found(s.parts, func(p *part) (*part, bool) { return p, p.kind == functionPart })
}

// insert puts lines of code below the imports; without any, below the
// docstring, or at the top.
func (s *sheet) insert(code string) {
	at := 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.kind == importPart || i == 0 && p.isText() {
			at = i + 1
		}
	}
	p := part{code: code}
	p.lines, _ = scan(code)
	s.parts = slices.Insert(s.parts, at, p)
}

// isText reports whether a part is a text and nothing else, as docstrings are.
func (p *part) isText() bool {
	return len(p.lines) == 1 && len(p.lines[0].tokens) == 1 && p.lines[0].tokens[0].kind == stringToken
}

// remove takes out the parts that unwanted accepts. The lines above them stay,
// with the part that follows.
func (s *sheet) remove(unwanted func(*part) bool) {
	kept := s.parts[:0]
	lead := ""
	for _, p := range s.parts {
		if unwanted(&p) {
			lead += p.lead
			continue
		}
		p.lead, lead = lead+p.lead, ""
		kept = append(kept, p)
	}
	s.parts, s.closing = kept, lead+s.closing
}

// importsFrom reports whether a part imports from one of the modules.
func (p *part) importsFrom(modules ...string) bool {
	return p.kind == importPart && slices.Contains(modules, importedModule(p.lines[0].tokens))
}

// clashes says which of the modules or names, that a step would bring, the
// program has already.
func (s *sheet) clashes(modules []string, names func(name string) bool) error {
	for i := range s.parts {
		if p := &s.parts[i]; p.importsFrom(modules...) {
			return fmt.Errorf("it imports from %s already", strings.Join(modules, " or "))
		}
	}
	for name := range s.uses() {
		if names(name) {
			return fmt.Errorf("the name %s stands in it already", name)
		}
	}
	return nil
}

func baseName(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }
