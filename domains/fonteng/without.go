package fonteng

import (
	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// without leaves out language systems, classes, features and tables. What others
// need of them stays: a class is spelled out where it is used, and lookups and
// marks of a feature that others use stand alone.
func without(files vfs.Files, leave func() bool) vfs.Files {
	names := files.Match(patterns).Names()
	if len(names) == 0 {
		return files.Clone()
	}
	d := readFiles(files)
	left, defined := map[*entry]bool{}, newClasses(d)
	for _, e := range d.entries {
		left[e] = e.isCounted(defined) && leave()
	}
	s := speller{classes: newClasses(d), gone: map[string]bool{}, needed: d.lookupsUsed(left)}
	var kept []*entry
	for _, e := range d.entries {
		if left[e] {
			kept = append(kept, s.leftOver(e)...)
			continue
		}
		kept = append(kept, s.spelled(e))
	}
	d.entries = kept
	return vfs.Files{names[0]: d.print()}
}

func (e *entry) isCounted(classes *classes) bool {
	if _, _, ok := classes.definition(e); ok {
		return true
	}
	_, isBlock := e.blockName()
	switch e.text(0) {
	case "languagesystem":
		return e.body == nil && e.holds(3)
	case "feature", "table":
		return isBlock
	}
	return false
}

// lookupsUsed are the names of lookups that are used in the entries which stay.
func (d *document) lookupsUsed(left map[*entry]bool) map[string]bool {
	used := map[string]bool{}
	for _, e := range d.entries {
		if !left[e] {
			e.walk(func(inner *entry) {
				for i := 1; i < len(inner.words); i++ {
					if inner.words[i-1].text == "lookup" {
						used[inner.words[i].text] = true
					}
				}
			})
		}
	}
	return used
}

// walk calls do with an entry and those inside it, in their order.
func (e *entry) walk(do func(*entry)) {
	do(e)
	if e.body != nil {
		for _, inner := range e.body.entries {
			inner.walk(do)
		}
	}
}

// speller writes out the classes that are gone.
type speller struct {
	classes *classes
	gone    map[string]bool
	needed  map[string]bool // lookups
}

// leftOver is what stays of an entry that is left out.
func (s *speller) leftOver(e *entry) []*entry {
	if name, _, ok := s.classes.definition(e); ok {
		s.gone[name] = true
	}
	if e.body == nil {
		return nil
	}
	var stay []*entry
	for _, inner := range e.body.entries {
		name, isBlock := inner.blockName()
		if class, _, ok := s.classes.definition(inner); ok {
			s.gone[class] = true
		}
		if inner.text(0) == "markClass" || isBlock && inner.text(0) == "lookup" && s.needed[name] {
			stay = append(stay, s.spelled(inner))
		}
	}
	return stay
}

// spelled is an entry with the classes that are gone spelled out.
func (s *speller) spelled(e *entry) *entry {
	copied := *e
	copied.words = spelledOut(e.words, func(n int, _ bool) ([]string, bool) {
		name := e.words[n].text
		return s.classes.defined[name], n > 0 && s.gone[name]
	})
	if name, _, ok := s.classes.definition(e); ok {
		delete(s.gone, name)
	}
	if e.body != nil {
		inside := *e.body
		inside.entries = lists.Map(e.body.entries, s.spelled)
		copied.body = &inside
	}
	return &copied
}

// spelledOut writes classes as lists; within a list their glyphs are a part of it. glyphsOf says
// which words are such classes.
func spelledOut(words []word, glyphsOf func(n int, inList bool) (glyphs []string, isClass bool)) (spelled []word) {
	inList := false
	for n, w := range words {
		switch w.text {
		case "[":
			inList = true
		case "]":
			inList = false
		}
		glyphs, isClass := glyphsOf(n, inList)
		if !isClass {
			spelled = append(spelled, w)
			continue
		}
		list := listWords(glyphs)
		if inList {
			list = list[1 : len(list)-1]
		}
		if len(list) > 0 {
			list[0].lead = w.lead
		}
		spelled = append(spelled, list...)
	}
	return spelled
}

// listWords is a list of glyphs in brackets.
func listWords(glyphs []string) []word {
	words := make([]word, 0, len(glyphs)+2)
	words = append(words, word{" ", "["})
	for i, glyph := range glyphs {
		lead := " "
		if i == 0 {
			lead = ""
		}
		words = append(words, word{lead, escaped(glyph)})
	}
	return append(words, word{"", "]"})
}
