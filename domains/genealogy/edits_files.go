package genealogy

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// splitByMaleLine makes a file of each male line of two or more people, with the pointer of the
// first of them in its name. A family goes with its husband. On the way back records that the
// table does not place come before the trailer.
func splitByMaleLine(p struct {
	Document string
	Begins   string // names of files: a pointer and .ged follow
	Others   string // the file of the other people
	Shared   string // that of records which are neither people nor families
	Table    string
}) exact.Steps {
	return trees.Whole(p.Document, func(records []*line) (vfs.Files, error) {
		fileOf := lineFiles(records, p.Begins, p.Others)
		return trees.DivideByTable(records, p.Others, p.Table, func(r **line) (string, []string) {
			switch (*r).tag {
			case "INDI":
				return cmp.Or(fileOf[(*r).pointer], p.Others), nil
			case "FAM":
				return cmp.Or(fileOf[husbandOrWife(*r)], p.Others), nil
			}
			return p.Shared, nil
		}), nil
	}, func(files vfs.Files) ([]*line, error) {
		records, err := trees.MergeByTable(files, "", p.Table)
		isTrailer := func(r *line) bool { return r.tag == "TRLR" }
		if at := slices.IndexFunc(records, isTrailer); at >= 0 {
			trailer := records[at]
			records = append(slices.DeleteFunc(records, isTrailer), trailer)
		}
		return records, err
	})
}

// lineFiles names for every individual's pointer the file of the line, which begins with
// a text.
func lineFiles(records []*line, begins, others string) map[string]string {
	k := kinshipOf(records)
	heads, size, names := map[string]string{}, map[string]int{}, map[string]string{}
	for _, r := range ofTag(records, "INDI") {
		if r.pointer != "" {
			k.noteHead(r.pointer, heads)
		}
	}
	for _, head := range heads {
		size[head]++
	}
	for pointer, head := range heads {
		names[pointer] = others
		if size[head] > 1 {
			names[pointer] = begins + fileName(head) + ".ged"
		}
	}
	return names
}

// fileName is a pointer without its signs and what no file name should have.
func fileName(pointer string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < ' ' {
			return '_'
		}
		return r
	}, strings.Trim(pointer, "@"))
}

// noteHead goes from father to father, as far as that leads without meeting
// someone twice, and notes the last one as the head of all on the way.
func (k kinship) noteHead(pointer string, heads map[string]string) {
	var way []string
	met := map[string]bool{}
	for pointer != "" && heads[pointer] == "" && !met[pointer] {
		met[pointer] = true
		way = append(way, pointer)
		pointer = k.father(pointer)
	}
	head := heads[pointer]
	for n, p := range slices.Backward(way) {
		if head == "" {
			head = way[n]
		}
		heads[p] = head
	}
}

// father is the husband of the family in the person's first FAMC line, empty
// if there is none.
func (k kinship) father(pointer string) string {
	child := k.ofPointer[pointer].first("FAMC")
	if child == nil {
		return ""
	}
	family := k.ofPointer[child.link()]
	if family == nil {
		return ""
	}
	husband := family.first("HUSB")
	if husband == nil || k.ofPointer[husband.link()] == nil {
		return ""
	}
	return husband.link()
}

func husbandOrWife(family *line) string {
	for _, tag := range []string{"HUSB", "WIFE"} {
		if l := family.first(tag); l != nil && l.link() != "" {
			return l.link()
		}
	}
	return ""
}

// hideLiving leaves of people who may be alive only a surname, the sex and their links. The list
// has all else.
func hideLiving(p struct {
	Document, To string
	After        int    // the year of birth
	Name         string // instead of the given names
	List         string
}) exact.Steps {
	return exact.Keeping(&trees, p.Document, p.To, p.List, func(records *[]*line) (map[string][]string, error) {
		private := map[string][]string{}
		for _, r := range ofTag(*records, "INDI") {
			if !mayLive(r, p.After) || private[r.pointer] != nil {
				continue
			}
			private[r.pointer] = strings.Split(strings.TrimSuffix(print(r.lines), "\n"), "\n")
			r.lines = append([]*line{{level: 1, tag: "NAME", value: livingName(r, p.Name)}},
				slices.DeleteFunc(r.lines, func(l *line) bool { return l.tag != "SEX" && l.tag != "FAMC" && l.tag != "FAMS" })...)
		}
		return private, nil
	}, func(records *[]*line, private map[string][]string) error {
		for _, r := range ofTag(*records, "INDI") {
			if lines, ok := private[r.pointer]; ok {
				r.lines = read(r.text() + "\n" + strings.Join(lines, "\n"))[0].lines
				delete(private, r.pointer)
			}
		}
		return nil
	})
}

func mayLive(r *line, after int) bool {
	for _, tag := range []string{"DEAT", "BURI", "CREM"} {
		if r.first(tag) != nil {
			return false
		}
	}
	return birthYear(r) > after
}

// livingName is a word and the surname.
func livingName(r *line, word string) string {
	_, rest, _ := strings.Cut(r.below("NAME"), "/")
	if surname, _, _ := strings.Cut(rest, "/"); surname != "" {
		return word + " /" + surname + "/"
	}
	return word
}

// moveNotes makes records, in a file of their own, of the notes in the text of individuals and
// families.
func moveNotes(p struct{ Document, To, First, Notes string }) exact.Steps {
	next := pointers(p.First)
	return trees.Rewrite(p.Document, p.To, func(records *[]*line) (vfs.Files, error) {
		var notes []*line
		for _, r := range *records {
			if r.tag != "INDI" && r.tag != "FAM" {
				continue
			}
			r.each(func(l *line) {
				if l.tag != "NOTE" || l.link() != "" {
					return
				}
				note := &line{pointer: next("", len(notes)), tag: "NOTE", value: l.value, lines: l.lines}
				note.toLevel(0)
				notes = append(notes, note)
				l.value, l.lines = note.pointer, nil
			})
		}
		return vfs.Files{p.Notes: print(notes)}, nil
	}, func(records *[]*line, files vfs.Files) error {
		notes, err := trees.Named(files, p.Notes)
		ofPointer := map[string]*line{}
		for _, note := range notes {
			if note.pointer != "" {
				ofPointer[note.pointer] = note
			}
		}
		each(inTree(*records), "NOTE", func(l *line) {
			if note := ofPointer[l.link()]; note != nil {
				delete(ofPointer, note.pointer)
				l.value, l.lines = note.value, note.lines
				l.toLevel(l.level)
			}
		})
		return err
	})
}
