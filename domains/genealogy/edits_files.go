package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Files of the male lines.
const (
	sharedFile = "shared.ged"
	othersFile = "others.ged"
	orderFile  = "order.csv"
)

// splitByLine makes a file of each male line of two or more people. A family
// goes with its husband.
func splitByLine(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	fileOf := lineFiles(records)
	parts := map[string][]*line{sharedFile: nil, othersFile: nil}
	order := [][]string{{"position", "file"}}
	for n, r := range records {
		name := sharedFile
		switch r.tag {
		case "INDI":
			name = cmp.Or(fileOf[r.pointer], othersFile)
		case "FAM":
			name = cmp.Or(fileOf[husbandOrWife(r)], othersFile)
		}
		parts[name] = append(parts[name], r)
		order = append(order, []string{strconv.Itoa(n + 1), name})
	}
	out := vfs.Files{orderFile: plain.WriteCSV(order)}
	for name, part := range parts {
		out[name] = print(part)
	}
	return out, nil
}

// lineFiles names for every individual's pointer the file of the line.
func lineFiles(records []*line) map[string]string {
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
		names[pointer] = othersFile
		if size[head] > 1 {
			names[pointer] = "line_" + fileName(head) + ".ged"
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

// mergeLines takes the records from the files that the order names. Records
// that it does not place come before the trailer.
func mergeLines(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	if _, err := readDocument(files); err != nil {
		return nil, err
	}
	left := map[string][]*line{}
	files = files.Match([]string{"*.ged"})
	for name, text := range files {
		left[name] = read(text)
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var records []*line
	for _, row := range rows {
		if part := left[row[1]]; len(part) > 0 {
			records = append(records, part[0])
			left[row[1]] = part[1:]
		}
	}
	for _, name := range files.Names() {
		records = append(records, left[name]...)
	}
	isTrailer := func(r *line) bool { return r.tag == "TRLR" }
	if at := slices.IndexFunc(records, isTrailer); at >= 0 {
		trailer := records[at]
		records = append(slices.DeleteFunc(records, isTrailer), trailer)
	}
	return asDocument(records), nil
}

// Files of the copy without living people.
const (
	publicFile  = "public.ged"
	privateFile = "private.json"
	// livingFrom is the first year of birth of people who may be alive.
	livingFrom = 1921
)

// hideLiving leaves of living people only a surname, the sex and their links.
func hideLiving(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	private := map[string][]string{}
	for _, r := range ofTag(records, "INDI") {
		if !mayLive(r) || private[r.pointer] != nil {
			continue
		}
		private[r.pointer] = strings.Split(strings.TrimSuffix(print(r.lines), "\n"), "\n")
		r.lines = append([]*line{{level: 1, tag: "NAME", value: livingName(r)}},
			slices.DeleteFunc(r.lines, func(l *line) bool { return l.tag != "SEX" && l.tag != "FAMC" && l.tag != "FAMS" })...)
	}
	return vfs.Files{publicFile: print(records), privateFile: toJSONText(private, "  ")}, nil
}

func mayLive(r *line) bool {
	for _, tag := range []string{"DEAT", "BURI", "CREM"} {
		if r.first(tag) != nil {
			return false
		}
	}
	return birthYear(r) >= livingFrom
}

func livingName(r *line) string {
	_, rest, _ := strings.Cut(r.below("NAME"), "/")
	surname, _, _ := strings.Cut(rest, "/")
	if surname == "" {
		return "Living"
	}
	return "Living /" + surname + "/"
}

func showLiving(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, publicFile)
	if err != nil {
		return nil, err
	}
	var private map[string][]string
	if err := plain.JSON(files, privateFile, &private); err != nil {
		return nil, err
	}
	for _, r := range ofTag(records, "INDI") {
		if lines, ok := private[r.pointer]; ok {
			r.lines = read(r.text() + "\n" + strings.Join(lines, "\n"))[0].lines
			delete(private, r.pointer)
		}
	}
	return asDocument(records), nil
}

// Files of the notes apart.
const (
	referencedFile = "referenced.ged"
	notesFile      = "notes.ged"
)

// moveNotes makes records of the notes in the text of individuals and families.
func moveNotes(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var notes []*line
	for _, r := range records {
		if r.tag != "INDI" && r.tag != "FAM" {
			continue
		}
		r.each(func(l *line) {
			if l.tag != "NOTE" || l.link() != "" {
				return
			}
			note := &line{pointer: "@T" + strconv.Itoa(len(notes)+1) + "@", tag: "NOTE", value: l.value, lines: l.lines}
			note.toLevel(0)
			notes = append(notes, note)
			l.value, l.lines = note.pointer, nil
		})
	}
	return vfs.Files{referencedFile: print(records), notesFile: print(notes)}, nil
}

func inlineNotes(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, referencedFile)
	if err != nil {
		return nil, err
	}
	notes, err := readNamed(files, notesFile)
	if err != nil {
		return nil, err
	}
	ofPointer := map[string]*line{}
	for _, note := range notes {
		if note.pointer != "" {
			ofPointer[note.pointer] = note
		}
	}
	for _, r := range inTree(records) {
		r.each(func(l *line) {
			if note := ofPointer[l.link()]; note != nil && l.tag == "NOTE" {
				delete(ofPointer, note.pointer)
				l.value, l.lines = note.value, note.lines
				l.toLevel(l.level)
			}
		})
	}
	return asDocument(records), nil
}
