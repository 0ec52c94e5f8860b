package genealogy

import (
	"slices"

	"agentd/vfs"
)

// without leaves out individuals, with every line that points to them, and the
// families that have no spouse left.
func without(files vfs.Files, leave func() bool) vfs.Files {
	gone, kept := map[*line]bool{}, map[string]bool{}
	pointers := map[string]bool{} // of what is left out
	records := map[string][]*line{}
	var families []*line
	for _, name := range files.Names() {
		records[name] = read(files[name])
		for _, r := range records[name] {
			switch {
			case r.tag == "FAM":
				families = append(families, r)
			case r.tag != "INDI":
			case leave():
				gone[r], pointers[r.pointer] = true, true
			default:
				kept[r.pointer] = true
			}
		}
	}
	for pointer := range kept {
		delete(pointers, pointer) // of a record that was there twice
	}
	delete(pointers, "")
	for _, r := range families {
		if losesSpouses(r, pointers) {
			gone[r] = true
		}
	}
	for r := range gone {
		if r.tag == "FAM" {
			pointers[r.pointer] = true
		}
	}
	left := vfs.Files{}
	for name, all := range records {
		all = slices.DeleteFunc(all, func(r *line) bool { return gone[r] })
		for _, r := range all {
			r.unlink(pointers)
		}
		left[name] = print(all)
	}
	return left
}

// losesSpouses reports whether a family has spouses and all of them are left
// out.
func losesSpouses(family *line, pointers map[string]bool) bool {
	had := false
	for _, l := range family.lines {
		if l.tag == "HUSB" || l.tag == "WIFE" {
			if !pointers[l.link()] {
				return false
			}
			had = true
		}
	}
	return had
}

// unlink takes out the lines below that point to one of the pointers.
func (l *line) unlink(pointers map[string]bool) {
	l.lines = slices.DeleteFunc(l.lines, func(below *line) bool { return pointers[below.link()] })
	for _, below := range l.lines {
		below.unlink(pointers)
	}
}
