package python

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// without leaves definitions out, each with what stands in it and the comments
// above it; of a script that has none, lines. A statement goes if its first line
// does, with its block.
func without(files vfs.Files, leave func() bool) vfs.Files {
	result := vfs.Files{}
	isScript := stats(files).Counts[0].Value == "0" && stats(files).Counts[1].Value == "0"
	for _, name := range files.Names() {
		source := plainSource(files[name])
		lines, rest := scan(source)
		r := remover{source: source, lines: lines, gone: make([]bool, len(lines))}
		if isScript {
			r.removeLines(leave)
		} else {
			r.removeDefinitions(leave)
		}
		result[name] = r.print() + source[rest:]
	}
	return result
}

// remover takes logical lines out of a source.
type remover struct {
	source string
	lines  []line
	gone   []bool
}

func (r *remover) first(i int) string {
	if len(r.lines[i].tokens) == 0 {
		return ""
	}
	return r.lines[i].tokens[0].text
}

func (r *remover) removeDefinitions(leave func() bool) {
	for i := range r.lines {
		if word := r.first(i); word != "def" && word != "class" || len(r.lines[i].tokens) < 2 {
			continue
		}
		if leave() {
			r.removeBlock(i)
			r.removeAbove(i)
		}
	}
}

func (r *remover) removeLines(leave func() bool) {
	at := 0
	for i := range r.lines {
		l := &r.lines[i]
		isFirst := true
		for text := range strings.Lines(r.source[at:l.end]) {
			if pytext.Strip(text) == "" {
				continue
			}
			if leave() && isFirst {
				r.removeBlock(i)
			}
			isFirst = false
		}
		at = l.end
	}
}

// continuing are the words that go on with the statement before.
var continuing = []string{"elif", "else", "except", "finally"}

// removeBlock removes a line and what is indented below it, with the branches
// that go on with it.
func (r *remover) removeBlock(i int) {
	indent := r.lines[i].indent
	r.gone[i] = true
	if len(r.lines[i].tokens) == 0 {
		return
	}
	last := i
	for k := i + 1; k < len(r.lines); k++ {
		isComment, isDeeper := len(r.lines[k].tokens) == 0, r.lines[k].indent > indent
		if isDeeper && (!isComment || last == k-1) || r.lines[k].indent == indent && slices.Contains(continuing, r.first(k)) {
			last = k
		} else if !isComment {
			break
		}
	}
	for k := i; k <= last; k++ {
		r.gone[k] = true
	}
}

// removeAbove removes the decorators and comments of a definition.
func (r *remover) removeAbove(i int) {
	for k := i - 1; k >= 0 && r.lines[k].indent <= r.lines[i].indent; k-- {
		if word := r.first(k); word != "" && word != "@" {
			return
		}
		r.gone[k] = true
	}
}

// print writes what is left. A block of which nothing is left passes.
func (r *remover) print() string {
	var b strings.Builder
	header, emptied := -1, false // of a block that has no line yet; whether it had any
	pass := func(indent int) {
		if header >= 0 && emptied && indent <= r.lines[header].indent {
			b.WriteString(strings.Repeat(" ", r.lines[header].indent+4) + "pass\n")
		}
	}
	at := 0
	for i := range r.lines {
		l := &r.lines[i]
		text := r.source[at:l.end]
		at = l.end
		if r.gone[i] {
			emptied = true
			continue
		}
		if len(l.tokens) > 0 {
			pass(l.indent)
			header, emptied = -1, false
			if !l.broken && headerEnd(l.tokens) == len(l.tokens) {
				header = i
			}
		}
		b.WriteString(text)
	}
	pass(0)
	return b.String()
}
