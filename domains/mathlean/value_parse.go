package mathlean

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// source is a document as the published evaluator reads it.
type source struct {
	imports      []string // names of modules, repeated ones too
	sections     []string // names of sections and namespaces
	declarations []statement
	text         string
}

// statement is a declaration as the published evaluator reads it.
type statement struct{ keyword, name, signature string }

var patterns = []string{"*.lean"}

func parse(files vfs.Files) (source, error) {
	var s source
	files = files.Match(patterns)
	var text strings.Builder
	imports, sections := follower{fragments: []string{"import"}}, follower{fragments: []string{"section", "namespace"}}
	for _, name := range files.Names() {
		content := files[name]
		imports.after, sections.after = false, false
		for word := range strings.FieldsFuncSeq(content, pytext.IsSpace) {
			imports.meet(word)
			sections.meet(word)
		}
		s.declarations = statements(s.declarations, content)
		text.WriteString(content)
		text.WriteByte('\n')
	}
	s.imports, s.sections = imports.found, sections.found
	s.text = text.String()
	return s, nil
}

// follower finds the words that stand after one that ends with one of the fragments, in comments
// too.
type follower struct {
	fragments []string
	found     []string
	after     bool // the word before ends so
}

func (f *follower) meet(word string) {
	if f.after {
		f.found = plain.Append(f.found, word)
	}
	ends := func(fragment string) bool { return strings.HasSuffix(word, fragment) }
	f.after = !f.after && slices.ContainsFunc(f.fragments, ends)
}

func firstWord(text string) string {
	if end := strings.IndexFunc(text, pytext.IsSpace); end >= 0 {
		return text[:end]
	}
	return text
}

// opening are the keywords that open a declaration for the published
// evaluator, where they begin a line.
var opening = []string{"theorem", "lemma", "def", "abbrev", "instance", "example"}

// statements appends the declarations of a file: each from a line that opens it
// up to the first line with `:=`, joined by blanks. A line that opens another
// discards one that is not finished.
func statements(all []statement, text string) []statement {
	var open []string
	for rest := text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = pytext.Strip(line)
		if keywordOf(line) != "" {
			open = open[:0]
		} else if len(open) == 0 {
			continue
		}
		open = append(open, line)
		if strings.Contains(line, ":=") {
			if d, ok := statementOf(strings.Join(open, " ")); ok {
				all = plain.Append(all, d)
			}
			open = open[:0]
		}
	}
	return all
}

// keywordOf is the keyword with which a trimmed line opens a declaration, empty
// if it opens none.
func keywordOf(line string) string {
	for _, keyword := range opening {
		if after, ok := strings.CutPrefix(line, keyword); ok {
			if r, _ := utf8.DecodeRuneInString(after); after != "" && pytext.IsSpace(r) {
				return keyword
			}
		}
	}
	return ""
}

// statementOf reads the joined lines of a declaration. Its name is the longest
// start of the first word after which a `:=` follows, its signature what stands
// after the last colon.
func statementOf(text string) (statement, bool) {
	keyword := keywordOf(text)
	after := pytext.StripLeft(text[len(keyword):])
	last := strings.LastIndex(after, ":=")
	length := min(len(firstWord(after)), last)
	if length <= 0 {
		return statement{}, false
	}
	rest := after[length:]
	rest = pytext.Strip(rest[:strings.Index(rest, ":=")])
	colon := strings.LastIndexByte(rest, ':')
	signature := ""
	if colon >= 0 {
		signature = pytext.Strip(rest[colon+1:])
	}
	return statement{keyword, after[:length], signature}, true
}
