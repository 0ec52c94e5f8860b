package latex

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// forgives leaves out the comments that only one side has, since no one who reads the paper sees them, and gives
// entries that have another key than in the reference their old one, also where they are cited.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = element.Harmless{Kind: commentElement, MayGo: true}.Forgive(reference, candidate)
	return withoutNames(ref, got)
}

// withoutNames leaves out by which names .bib files are asked for. Those that the candidate lacks count only if it has
// no entries at all, or asks for others than the reference: else the files have other names, and say the same.
func withoutNames(reference, candidate []domains.Element) (ref, got []domains.Element) {
	asked := map[string]bool{}
	for i := range reference {
		if names := reference[i].Value(namesField); names != "" {
			asked[names] = true
		}
	}
	if len(asked) == 0 {
		if !slices.ContainsFunc(reference, func(e domains.Element) bool { return e.Kind == textElement }) {
			return reference, candidate // of a bibliography alone: the papers that cite its keys are elsewhere
		}
		return reference, withOldKeys(reference, candidate)
	}
	if len(entriesByKey(candidate)) == 0 {
		asked = nil
	}
	ref = withoutFileNames(reference, nil)
	return ref, withOldKeys(ref, withoutFileNames(candidate, asked))
}

// withoutFileNames leaves the names of files out, and those that are missing where the names are among some.
func withoutFileNames(elements []domains.Element, renamed map[string]bool) []domains.Element {
	elements = slices.Clone(elements)
	for i := range elements {
		e := &elements[i]
		if e.Value(namesField) == "" {
			continue
		}
		free := renamed[e.Value(namesField)]
		e.Fields = slices.DeleteFunc(slices.Clone(e.Fields), func(f domains.Field) bool { return f.Name == namesField })
		for k := range e.Fields {
			if free && e.Fields[k].Name == missingField {
				e.Fields[k].Value = ""
			}
		}
	}
	return elements
}

// withOldKeys renames entries that only have another key, if the reference has none of that name and the candidate none
// of the old one. A citation that still has the old key leads nowhere then.
func withOldKeys(reference, candidate []domains.Element) []domains.Element {
	was, is := entriesByKey(reference), entriesByKey(candidate)
	byContent := map[string][]string{} // keys that are gone
	for key, e := range entries(reference) {
		if is[key] == 0 {
			byContent[contentOf(e)] = append(byContent[contentOf(e)], key)
		}
	}
	old := map[string]string{} // by new key
	for key, e := range entries(candidate) {
		if was[key] > 0 || is[key] > 1 {
			continue
		}
		content := contentOf(e)
		if gone := byContent[content]; len(gone) > 0 {
			old[key] = gone[0]
			byContent[content] = gone[1:]
		}
	}
	if len(old) == 0 {
		return candidate
	}
	return renamed(candidate, old)
}

func entriesByKey(elements []domains.Element) map[string]int {
	keys := map[string]int{}
	for key := range entries(elements) {
		keys[key]++
	}
	return keys
}

// entries are those of the bibliography, with their keys.
func entries(elements []domains.Element) iter.Seq2[string, *domains.Element] {
	return func(yield func(string, *domains.Element) bool) {
		for i := range elements {
			if e := &elements[i]; e.Kind == entryKind && !yield(e.Value("key"), e) {
				return
			}
		}
	}
}

// contentOf is an entry without its key, in one order.
func contentOf(e *domains.Element) string {
	var fields []string
	for _, f := range e.Fields {
		if f.Name != "key" {
			fields = append(fields, fmt.Sprintf("%q=%q", f.Name, f.Value))
		}
	}
	slices.Sort(fields)
	return strings.Join(fields, "\n")
}

// renamed are the elements with the old names of keys.
func renamed(elements []domains.Element, old map[string]string) []domains.Element {
	now := make(map[string]string, len(old)) // by old key
	for key, was := range old {
		now[was] = key
	}
	elements = slices.Clone(elements)
	for i := range elements {
		e := &elements[i]
		fields := slices.Clone(e.Fields)
		for k := range fields {
			f := &fields[k]
			switch {
			case e.Kind == entryKind && f.Name == "key" && old[f.Value] != "":
				f.Value = old[f.Value]
				e.Key = "entry " + brief(f.Value)
			case !strings.HasPrefix(f.Name, "citation "):
			case old[f.Value] != "":
				f.Value = old[f.Value]
			case now[f.Value] != "":
				f.Value += " (no such entry)"
			}
		}
		e.Fields = fields
	}
	return elements
}

// comments adds the comments of a source up to the end of the document.
func (f *flow) comments(s *source) {
	for i := range s.tokens {
		switch {
		case s.tokens[i].kind == commentToken:
			if text := commentText(s.of(i)); text != "" {
				f.note(commentOf(text))
			}
		case s.is(i, "end") && s.environmentName(i) == "document":
			return
		}
	}
}

// commentText is what a comment says, without its marks.
func commentText(text string) string {
	return plain.SingleBlanks(strings.TrimLeft(strings.TrimSpace(text), "%"))
}

// textOf is an element that is nothing but a text.
func textOf(kind, key, text string) domains.Element {
	return domains.Element{Kind: kind, Key: key, Fields: []domains.Field{{Name: "text", Value: text}}}
}

func commentOf(text string) domains.Element {
	return textOf(commentElement, "comment "+brief(text), text)
}
func lineOf(key, text string) domains.Element { return textOf(lineElement, key, text) }

// afterTheEnd takes what follows the end of the document for lines that are no part of it.
func (f *flow) afterTheEnd(s *source, i int) {
	number := 0
	for line := range strings.SplitSeq(s.text[s.tokens[i].at:], "\n") {
		if line = strings.TrimSpace(line); line != "" {
			number++
			f.note(lineOf(fmt.Sprintf("line %d after the document", number), line))
		}
	}
}

func (f *flow) note(e domains.Element) {
	if len(f.notes) >= mostElements {
		f.beyond(e.Fields)
		return
	}
	f.notes = append(f.notes, e)
}

// beyond adds to what is not told apart.
func (f *flow) beyond(fields []domains.Field) {
	for _, field := range fields {
		f.rest.WriteString(field.Value)
		f.rest.WriteByte('\n')
	}
}

// all are the elements of the sources.
func (f *flow) all() []domains.Element {
	all := append(f.elements, f.notes...)
	if f.rest.Len() > 0 {
		all = append(all, lineOf("the rest", f.rest.String()))
	}
	return all
}

// styles are commands for the style of words.
var styles = sets.Words("emph textbf textit texttt textsc")

// evidence counts the entries of the bibliography and the commands that LaTeX
// has and other languages with backslashes have not.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := domains.OfKinds(entryKind)(files, elements)
	for _, name := range files.Names() {
		if path.Ext(name) != ".tex" {
			continue
		}
		s := scan(name, files[name])
		for i := range s.tokens {
			if s.tokens[i].kind == commandToken && isLaTeX(s.of(i)[1:]) {
				found++
			}
		}
	}
	return found
}

func isLaTeX(command string) bool {
	name := strings.TrimSuffix(command, "*")
	switch {
	case inputs[name]: // other languages have an \include too
		return false
	case name == "begin" || name == "bibitem" || name == "label":
		return true
	}
	return blocks[command] || bareBlocks[command] || headings[name] || bibliographies[name] || styles[name] ||
		references[name] || isCitation(name)
}
