package crystal

import (
	"slices"
	"strings"

	"agentd/vfs"
)

// without leaves atom sites out of the first data block, with their displacements
// and all geometry that names them.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	documents := map[string]document{}
	var loops []*loop
	blocks := 0
	for _, name := range files.Names() {
		d := read(files[name])
		documents[name] = d
		for i := range d.parts {
			switch p := &d.parts[i]; {
			case p.kind == blockPart:
				blocks++
			case p.kind == loopPart && blocks <= 1:
				loops = append(loops, p.loop)
			}
		}
	}
	gone := leaveSites(loops, leave)
	for _, l := range loops {
		l.leaveOut(gone)
	}
	for name, d := range documents {
		d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return p.kind == loopPart && len(p.loop.rows) == 0 })
		left[name] = d.print()
	}
	return left
}

// leaveSites takes rows out of the tables of sites and returns their labels,
// save those that a site which is left has too.
func leaveSites(loops []*loop, leave func() bool) map[string]bool {
	gone := map[string]bool{}
	var kept []string
	for _, l := range loops {
		if !slices.ContainsFunc(siteTags, func(tag string) bool { return l.column(tag) >= 0 }) {
			continue
		}
		at := l.column(siteTags[0])
		l.rows = slices.DeleteFunc(l.rows, func(w row) bool {
			label := ""
			if 0 <= at && at < len(w.values) {
				label = w.values[at].text()
			}
			if leave() {
				gone[label] = true
				return true
			}
			kept = append(kept, label)
			return false
		})
	}
	for _, label := range kept {
		delete(gone, label)
	}
	return gone
}

// column is the place of a tag, -1 if the loop has it not.
func (l *loop) column(tag string) int {
	return slices.IndexFunc(l.tags, func(t string) bool { return normalTag(t) == tag })
}

// leaveOut takes out the rows of displacements and geometry that name one of
// the atoms.
func (l *loop) leaveOut(gone map[string]bool) {
	columns := l.columns(isLabel)
	l.rows = slices.DeleteFunc(l.rows, func(w row) bool {
		return slices.ContainsFunc(columns, func(at int) bool { return at < len(w.values) && gone[w.values[at].text()] })
	})
}

// columns are those whose tags are of a kind.
func (l *loop) columns(ofKind func(tag string) bool) []int {
	var columns []int
	for i, tag := range l.tags {
		if ofKind(normalTag(tag)) {
			columns = append(columns, i)
		}
	}
	return columns
}

// isLabel reports whether the values of a tag name atoms.
func isLabel(tag string) bool {
	return tag == siteTags[0] || tag == anisoTags[0] || tag == "_atom_site_calc_attached_atom" ||
		strings.HasPrefix(tag, "_geom_") && strings.Contains(tag, "_atom_site_label_")
}

// print puts the parts of a document together, loops of the rows that they have.
func (d document) print() string {
	var b strings.Builder
	open := false // the last line has no end yet
	write := func(text string) {
		if open {
			b.WriteByte('\n')
		}
		b.WriteString(text)
		open = text != "" && text[len(text)-1] != '\n'
	}
	for _, p := range d.parts {
		if p.kind != loopPart {
			write(p.source)
			continue
		}
		write(p.loop.header)
		for _, w := range p.loop.rows {
			write(w.source)
		}
	}
	write("")
	return b.String()
}
