package makefile

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
)

// function is one of Make's, by its numbers of arguments; most 0 is any number.
// Arguments of a lazy one are not expanded before.
type function struct {
	least, most int
	lazy        bool
	each        func(first, word string) string // of the last argument, with the first one
	of          func(args []string) string      // that needs nothing but its arguments
}

var functions = map[string]function{
	"and": {least: 1, lazy: true}, "call": {least: 1}, "error": {most: 1}, "eval": {most: 1},
	"file": {least: 1, most: 2}, "filter": {least: 2, most: 2}, "filter-out": {least: 2, most: 2},
	"foreach": {least: 3, most: 3, lazy: true}, "guile": {most: 1}, "if": {least: 2, most: 3, lazy: true},
	"info": {most: 1}, "or": {least: 1, lazy: true}, "origin": {most: 1}, "patsubst": {least: 3, most: 3},
	"realpath": {most: 1}, "shell": {most: 1}, "subst": {least: 3, most: 3}, "warning": {most: 1},
	"wildcard": {most: 1}, "word": {least: 2, most: 2}, "wordlist": {least: 3, most: 3},

	"abspath": {most: 1, each: func(_, w string) string {
		if strings.HasPrefix(w, "/") {
			return path.Clean(w)
		}
		return path.Join("/tmp", w)
	}},
	"addprefix": {least: 2, most: 2, each: func(prefix, w string) string { return prefix + w }},
	"addsuffix": {least: 2, most: 2, each: func(suffix, w string) string { return w + suffix }},
	"basename":  {most: 1, each: func(_, w string) string { return strings.TrimSuffix(w, path.Ext(w)) }},
	"dir":       {most: 1, each: func(_, w string) string { return cmp.Or(w[:strings.LastIndexByte(w, '/')+1], "./") }},
	"notdir":    {most: 1, each: func(_, w string) string { return w[strings.LastIndexByte(w, '/')+1:] }},
	"suffix":    {most: 1, each: func(_, w string) string { return path.Ext(w) }},

	"findstring": {least: 2, most: 2, of: func(args []string) string {
		if strings.Contains(args[1], args[0]) {
			return args[0]
		}
		return ""
	}},
	"firstword": {most: 1, of: func(args []string) string {
		list := strings.Fields(args[0])
		return strings.Join(list[:min(1, len(list))], " ")
	}},
	"lastword": {most: 1, of: func(args []string) string {
		list := strings.Fields(args[0])
		return strings.Join(list[max(0, len(list)-1):], " ")
	}},
	"sort": {most: 1, of: func(args []string) string {
		return strings.Join(slices.Compact(slices.Sorted(strings.FieldsSeq(args[0]))), " ")
	}},
	"strip": {most: 1, of: func(args []string) string { return plain.SingleBlanks(args[0]) }},
	"words": {most: 1, of: func(args []string) string { return strconv.Itoa(len(strings.Fields(args[0]))) }},
}

// callCost is what calling a function takes from the budget.
const callCost = 8

// invoke calls a function with its arguments as written.
func (m *maker) invoke(name string, f function, text string, open byte) string {
	args := arguments(text, open, f.most)
	if len(args) < f.least {
		m.fail("too few arguments of %s", name)
		return ""
	}
	if !f.lazy {
		for i := range args {
			args[i] = m.expand(args[i])
		}
	}
	if m.err != nil || !m.spend(callCost) {
		return ""
	}
	switch {
	case f.each != nil:
		return m.eachWord(args[len(args)-1], func(word string) string { return f.each(args[0], word) })
	case f.of != nil:
		return f.of(args)
	}
	switch name {
	case "and", "or":
		return m.choose(args, name == "or")
	case "call":
		return m.call(args)
	case "error":
		m.fail("%s", args[0])
	case "eval":
		m.read(args[0])
	case "filter", "filter-out":
		return m.filter(args[0], args[1], name == "filter")
	case "origin":
		return m.origin(args[0])
	case "foreach":
		return m.foreach(args)
	case "if":
		return m.conditional(args)
	case "shell":
		m.shell(args[0])
	case "subst":
		return m.subst(args[0], args[1], args[2])
	case "patsubst":
		return m.patsubst(args[0], args[1], args[2])
	case "word":
		return m.wordList(name, args[0], args[0], args[1])
	case "wordlist":
		return m.wordList(name, args[0], args[1], args[2])
	}
	return ""
}

// arguments divides at commas outside of brackets, at most into that many.
func arguments(text string, open byte, most int) []string {
	closer := byte(')')
	if open == '{' {
		closer = '}'
	}
	var args []string
	depth, start := 0, 0
	for at := 0; at < len(text) && len(args)+1 != most; at++ {
		switch text[at] {
		case open:
			depth++
		case closer:
			depth--
		case ',':
			if depth == 0 {
				args = append(args, text[start:at])
				start = at + 1
			}
		}
	}
	return append(args, text[start:])
}

// shell is what a shell would be asked: nothing comes of it, but outside of a
// repository git complains, which the published program reads.
func (m *maker) shell(command string) {
	words := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()`", r) })
	m.git = m.git || !strings.Contains(command, "2>") && slices.Contains(words, "git")
}

func (m *maker) eachWord(text string, change func(string) string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		changed := change(word)
		if !m.spend(len(changed)) {
			return ""
		}
		if changed == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(changed)
	}
	return b.String()
}

// choose is $(or …), or $(and …).
func (m *maker) choose(args []string, or bool) string {
	value := ""
	for _, arg := range args {
		if value = m.expand(trimBlanks(arg)); (value != "") == or {
			return value
		}
	}
	return value
}

func (m *maker) conditional(args []string) string {
	if m.expand(trimBlanks(args[0])) != "" {
		return m.expand(args[1])
	}
	if len(args) > 2 {
		return m.expand(args[2])
	}
	return ""
}

// call sets $0, $1 and so on while it expands a variable.
func (m *maker) call(args []string) string {
	name := trimBlanks(args[0])
	v := m.variables[name]
	if v == nil {
		return ""
	}
	defer m.local(v.value, args)()
	if m.depth++; m.depth > deepest {
		m.fail("calls too deep")
	}
	defer func() { m.depth-- }()
	if !m.spend(10*callCost + len(v.value)) {
		return ""
	}
	return m.expand(v.value)
}

// local sets the numbered variables and returns what takes them back.
func (m *maker) local(body string, args []string) (restore func()) {
	saved := map[string]*variable{}
	for i := range max(len(args), 10) {
		name := strconv.Itoa(i)
		saved[name] = m.variables[name]
		m.variables[name] = &variable{}
		if i < len(args) {
			m.variables[name].value = args[i]
		}
	}
	return func() { m.restore(saved) }
}

func (m *maker) restore(saved map[string]*variable) {
	for name, v := range saved {
		if v == nil {
			delete(m.variables, name)
		} else {
			m.variables[name] = v
		}
	}
}

func (m *maker) foreach(args []string) string {
	name := trimBlanks(m.expand(args[0]))
	defer m.restore(map[string]*variable{name: m.variables[name]})
	var results []string
	for _, word := range strings.Fields(m.expand(args[1])) {
		m.variables[name] = &variable{value: word}
		results = append(results, m.expand(args[2]))
		if !m.spend(1 + len(args[2])) {
			return ""
		}
	}
	return strings.Join(results, " ")
}

func (m *maker) origin(name string) string {
	if v := m.variables[name]; v != nil {
		return [...]string{"default", "environment", "file", "override"}[v.origin]
	}
	return "undefined"
}

func (m *maker) subst(from, to, text string) string {
	if from == "" {
		return text + to
	}
	if !m.spend(strings.Count(text, from) * len(to)) {
		return ""
	}
	return strings.ReplaceAll(text, from, to)
}

func (m *maker) patsubst(from, to, text string) string {
	return m.eachWord(text, func(word string) string {
		if stem, ok := stemOf(from, word); ok && strings.Contains(from, "%") {
			return strings.Replace(to, "%", stem, 1)
		} else if word == from {
			return to
		}
		return word
	})
}

// stemOf returns what the percent sign of a pattern stands for in a word.
func stemOf(pattern, word string) (stem string, ok bool) {
	before, after, _ := strings.Cut(pattern, "%")
	if len(word) < len(before)+len(after) || !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		return "", false
	}
	return word[len(before) : len(word)-len(after)], true
}

func (m *maker) filter(patterns, text string, matching bool) string {
	exact := map[string]bool{}
	var wild []string
	for pattern := range strings.FieldsSeq(patterns) {
		if strings.Contains(pattern, "%") {
			wild = append(wild, pattern)
		} else {
			exact[pattern] = true
		}
	}
	return m.eachWord(text, func(word string) string {
		m.spend(len(wild))
		fits := func(pattern string) bool { _, ok := stemOf(pattern, word); return ok }
		if (exact[word] || slices.ContainsFunc(wild, fits)) == matching {
			return word
		}
		return ""
	})
}

// wordList are the words of a list from one place to another.
func (m *maker) wordList(name, from, to, text string) string {
	list := strings.Fields(text)
	first, err := strconv.Atoi(trimBlanks(from))
	last, toErr := strconv.Atoi(trimBlanks(to))
	if err != nil || toErr != nil || first < 1 {
		m.fail("%s: no number", name)
		return ""
	}
	if last = min(last, len(list)); first > last {
		return ""
	}
	return strings.Join(list[first-1:last], " ")
}
