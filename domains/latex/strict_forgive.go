package latex

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
)

// forgives leaves out the comments that only one side has, since no one who reads the
// paper sees them, and gives entries that have another key than in the reference
// their old one, also where they are cited.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = element.ForgiveRemarks(reference, candidate, commentElement)
	return withoutNames(ref, got)
}

// withoutNames leaves out by which names .bib files are asked for. Those that the candidate lacks
// count only if it has no entries at all, or asks for others than the reference: else the files have
// other names, and say the same.
func withoutNames(reference, candidate []domains.Element) (ref, got []domains.Element) {
	asked := map[string]bool{}
	for i := range reference {
		if names := reference[i].Value(namesField); names != "" {
			asked[names] = true
		}
	}
	if len(asked) == 0 {
		return reference, withOldKeys(reference, candidate)
	}
	if len(entriesByKey(candidate)) == 0 {
		asked = nil
	}
	ref = withoutFileNames(reference, nil)
	return ref, withOldKeys(ref, withoutFileNames(candidate, asked))
}

// withoutFileNames leaves the names of files out, and those that are missing where the names are
// among some.
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

// withOldKeys renames entries that only have another key, if the reference has
// none of that name and the candidate none of the old one. A citation that still
// has the old key leads nowhere then.
func withOldKeys(reference, candidate []domains.Element) []domains.Element {
	was, is := entriesByKey(reference), entriesByKey(candidate)
	byContent := map[string][]string{} // keys that are gone
	for i := range reference {
		if key, ok := entryKey(&reference[i]); ok && is[key] == 0 {
			content := contentOf(&reference[i])
			byContent[content] = append(byContent[content], key)
		}
	}
	if len(byContent) == 0 {
		return candidate
	}
	old := map[string]string{} // by new key
	for i := range candidate {
		key, ok := entryKey(&candidate[i])
		if !ok || was[key] > 0 || is[key] > 1 {
			continue
		}
		content := contentOf(&candidate[i])
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
	for i := range elements {
		if key, ok := entryKey(&elements[i]); ok {
			keys[key]++
		}
	}
	return keys
}

func entryKey(e *domains.Element) (string, bool) {
	if e.Kind != entryKind {
		return "", false
	}
	return e.Value("key"), true
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
