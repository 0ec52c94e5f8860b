package protein

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/protein"
)

// layout says what the columns of a record mean.
type layout struct {
	kind    string // of the element that a line is
	columns []column
	others  []column // between them and after
}

type column struct {
	name     string
	from, to int // from 0, to after the last
	isNumber bool
	isKey    bool // the element is called by it
}

// layouts are the records of one line each, by the format's guide, version 3.3. In a list of columns, * marks what a
// record is called by, # a number; names that begin with "1 " and "2 " are the partners of a bond, of which none is the
// first.
var layouts = map[string]*layout{
	"HEADER": newLayout("header", "classification 11-50, date 51-59, id code 63-66"),
	"REVDAT": newLayout("revision", "number*# 8-10, continuation 11-12, date 14-22, id code 24-27, kind 32-32, records 40-66"),
	"NUMMDL": newLayout("number of models", "number# 11-14"),
	"DBREF":  newLayout("database reference", "id code 8-11, chain* 13-13, first# 15-18, first insertion 19-19, last# 21-24, last insertion 25-25, database* 27-32, accession 34-41, name 43-54, first there# 56-60, first there insertion 61-61, last there# 63-67, last there insertion 68-68"),
	"DBREF1": newLayout("long database reference", "id code 8-11, chain* 13-13, first# 15-18, first insertion 19-19, last# 21-24, last insertion 25-25, database 27-32, name 48-67"),
	"DBREF2": newLayout("long database accession", "id code 8-11, chain* 13-13, accession 19-40, first there# 46-55, last there# 58-67"),
	"SEQADV": newLayout("sequence conflict", "id code 8-11, residue* 13-15, chain* 17-17, number*# 19-22, insertion 23-23, database 25-28, accession 30-38, residue there 40-42, number there# 44-48, comment 50-70"),
	"MODRES": newLayout("modified residue", "id code 8-11, residue* 13-15, chain* 17-17, number*# 19-22, insertion 23-23, standard 25-27, comment 30-70"),
	"HET":    newLayout("hetero group", "residue* 8-10, chain* 13-13, number*# 14-17, insertion 18-18, atoms# 21-25, text 31-70"),
	"HETNAM": newLayout("name of hetero group", "continuation# 9-10, residue* 12-14, text 16-70"),
	"HETSYN": newLayout("synonym of hetero group", "continuation# 9-10, residue* 12-14, text 16-70"),
	"FORMUL": newLayout("formula", "component# 9-10, residue* 13-15, continuation# 17-18, water 19-19, text 20-70"),
	"HELIX":  newLayout("helix", "serial# 8-10, id* 12-14, first residue 16-18, chain 20-20, first# 22-25, first insertion 26-26, last residue 28-30, last chain 32-32, last# 34-37, last insertion 38-38, class# 39-40, comment 41-70, length# 72-76"),
	"SHEET":  newLayout("strand", "strand*# 8-10, sheet* 12-14, strands# 15-16, first residue 18-20, chain 22-22, first# 23-26, first insertion 27-27, last residue 29-31, last chain 33-33, last# 34-37, last insertion 38-38, sense# 39-40, atom 42-45, residue 46-48, residue chain 50-50, number# 51-54, insertion 55-55, previous atom 57-60, previous residue 61-63, previous chain 65-65, previous number# 66-69, previous insertion 70-70"),
	"TURN":   newLayout("turn", "serial# 8-10, id* 12-14, first residue 16-18, chain 20-20, first# 21-24, first insertion 25-25, last residue 27-29, last chain 31-31, last# 32-35, last insertion 36-36, comment 41-70"),
	"SSBOND": newLayout("disulfide bond", "serial# 8-10, 1 residue 12-14, 1 chain 16-16, 1 number 18-21, 1 insertion 22-22, 2 residue 26-28, 2 chain 30-30, 2 number 32-35, 2 insertion 36-36, 1 symmetry 60-65, 2 symmetry 67-72, length# 74-78"),
	"LINK":   newLayout("link", "1 atom 13-16, 1 alternate 17-17, 1 residue 18-20, 1 chain 22-22, 1 number 23-26, 1 insertion 27-27, 2 atom 43-46, 2 alternate 47-47, 2 residue 48-50, 2 chain 52-52, 2 number 53-56, 2 insertion 57-57, 1 symmetry 60-65, 2 symmetry 67-72, length# 74-78"),
	"CISPEP": newLayout("cis peptide", "serial# 8-10, residue* 12-14, chain* 16-16, number*# 18-21, insertion 22-22, next residue 26-28, next chain 30-30, next number# 32-35, next insertion 36-36, model# 44-46, angle# 54-59"),
	"SITE":   newLayout("site", "serial*# 8-10, id* 12-14, residues# 16-17, residue 19-28, residue 30-39, residue 41-50, residue 52-61"),
	"CRYST1": newLayout("unit cell", "a# 7-15, b# 16-24, c# 25-33, alpha# 34-40, beta# 41-47, gamma# 48-54, space group 56-66, z# 67-70"),
	"ORIGX1": transformation("first row of ORIGX"),
	"ORIGX2": transformation("second row of ORIGX"),
	"ORIGX3": transformation("third row of ORIGX"),
	"SCALE1": transformation("first row of SCALE"),
	"SCALE2": transformation("second row of SCALE"),
	"SCALE3": transformation("third row of SCALE"),
	"MTRIX1": transformation("first row of MTRIX"),
	"MTRIX2": transformation("second row of MTRIX"),
	"MTRIX3": transformation("third row of MTRIX"),
	"SEQRES": newLayout("SEQRES", "serial*# 8-10, chain* 12-12, length# 14-17"),
	"TER":    newLayout("TER", "serial# 7-11, residue* 18-20, chain* 22-22, number*# 23-26, insertion 27-27"),
	"CONECT": newLayout("CONECT", "atom*# 7-11, to# 12-16, to# 17-21, to# 22-26, to# 27-31"),
	"MASTER": newLayout("MASTER", "remarks# 11-15, zero# 16-20, hetero groups# 21-25, helices# 26-30, strands# 31-35, turns# 36-40, sites# 41-45, transformations# 46-50, atoms# 51-55, ends# 56-60, connections# 61-65, sequence lines# 66-70"),
}

func transformation(kind string) *layout {
	return newLayout(kind, "serial*# 8-10, 1st# 11-20, 2nd# 21-30, 3rd# 31-40, shift# 46-55, given# 60-60")
}

func newLayout(kind, columns string) *layout {
	l := &layout{kind: kind}
	end := 6
	for _, text := range strings.Split(columns, ", ") {
		at := strings.LastIndexByte(text, ' ')
		from, to, _ := strings.Cut(text[at+1:], "-")
		c := column{name: strings.TrimRight(text[:at], "*#")}
		marks := text[len(c.name):at]
		c.isKey, c.isNumber = strings.Contains(marks, "*"), strings.Contains(marks, "#")
		c.from, _ = strconv.Atoi(from)
		c.from--
		c.to, _ = strconv.Atoi(to)
		l.columns = append(l.columns, c)
	}
	inOrder := slices.SortedFunc(slices.Values(l.columns), func(a, b column) int { return a.from - b.from })
	for _, c := range inOrder {
		if c.from > end {
			l.others = append(l.others, column{from: end, to: c.from})
		}
		end = c.to
	}
	l.others = append(l.others, column{from: end, to: published.ToEnd})
	return l
}

// element reads a line by its columns.
func (l *layout) element(line string) domains.Element {
	e := domains.Element{Kind: l.kind, Key: l.kind, Fields: []domains.Field{}}
	var partners [2]string
	for k := range l.columns {
		c := &l.columns[k]
		if c.from >= len(line) {
			continue
		}
		value := pytext.Collapse(published.Part(line, c.from, c.to))
		if value == "" {
			continue
		}
		if c.isNumber {
			value = plain.Number(value)
		}
		if c.isKey {
			e.Key += " " + value
		}
		switch {
		case strings.HasPrefix(c.name, "1 "):
			partners[0] += " " + value
		case strings.HasPrefix(c.name, "2 "):
			partners[1] += " " + value
		default:
			e.Fields = append(e.Fields, domains.Field{Name: c.name, Value: value})
		}
	}
	if partners[0]+partners[1] != "" {
		slices.Sort(partners[:])
		e.Key += partners[0] + " -" + partners[1]
		for _, partner := range partners {
			e.Fields = append(e.Fields, domains.Field{Name: "partner", Value: strings.TrimPrefix(partner, " ")})
		}
	}
	if others := l.otherColumns(line); others != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "other columns", Value: others})
	}
	return e
}

func (l *layout) otherColumns(line string) string {
	var words []string
	for _, c := range l.others {
		if c.from >= len(line) {
			break
		}
		words = append(words, pytext.Fields(published.Part(line, c.from, c.to))...)
	}
	return strings.Join(words, " ")
}

var continuedRecords = []string{
	"TITLE", "COMPND", "SOURCE", "KEYWDS", "EXPDTA", "AUTHOR", "JRNL", "CAVEAT", "MDLTYP", "OBSLTE", "SPRSDE", "SPLIT",
}

func isContinued(record string) bool { return slices.Contains(continuedRecords, record) }

// continued is a text that goes on over several lines.
type continued struct {
	record  string
	part    string // of a citation, such as AUTH
	texts   []string
	shifted bool // out of its columns
}

// addText begins a text, or goes on with the one in hand.
func (f *flattener) addText(record, line string) {
	t := &continued{record: record}
	number, text := published.Part(line, 6, 10), published.Part(line, 10, published.ToEnd)
	if record == "JRNL" {
		t.part, number, text = pytext.Strip(published.Part(line, 12, 16)), published.Part(line, 16, 18), published.Part(line, 18, published.ToEnd)
	}
	number = pytext.Strip(number)
	if _, isNumber := published.Integer(number); number != "" && !isNumber {
		t.shifted, number, text = true, "", published.Part(line, 6, published.ToEnd)
	}
	if f.text != nil && f.text.record == t.record && f.text.part == t.part && number != "" {
		f.text.texts = append(f.text.texts, text)
		return
	}
	f.closeText()
	t.texts = append(t.texts, text)
	f.text = t
}

func (f *flattener) closeText() {
	if f.text == nil {
		return
	}
	t, text := f.text, published.Joined(f.text.texts)
	f.text = nil
	e := domains.Element{Kind: t.record, Key: t.record}
	if t.part != "" {
		e.Key += " " + t.part
		e.Fields = append(e.Fields, domains.Field{Name: "part", Value: t.part})
	}
	if t.shifted {
		e.Fields = append(e.Fields, domains.Field{Name: element.Columns, Value: element.OutOfPlace})
	}
	switch {
	case t.record == "COMPND" || t.record == "SOURCE":
		f.addMolecules(e, text)
		return
	case t.record == "KEYWDS":
		e.Fields = append(e.Fields, listed("keyword", strings.ToUpper(text))...)
	case t.record == "AUTHOR" || t.part == "AUTH" || t.part == "EDIT":
		e.Fields = append(e.Fields, numbered(listed("author", strings.ToUpper(text)))...)
	default:
		e.Fields = append(e.Fields, domains.Field{Value: strings.ToUpper(text)})
	}
	f.add(e)
}

// listed makes a field of each item between commas.
func listed(name, text string) []domains.Field {
	return lists.Map(pytext.Parts(text, ","), func(item string) domains.Field { return domains.Field{Name: name, Value: item} })
}

// numbered says the place of each field in its name.
func numbered(fields []domains.Field) []domains.Field {
	for n := range fields {
		fields[n].Name += fmt.Sprintf(" %d", n+1)
	}
	return fields
}

// addMolecules adds an element for each molecule of a COMPND or SOURCE text, which is a list such as "MOL_ID: 1; CHAIN:
// A, B". Letter case tells chains apart, nothing else.
func (f *flattener) addMolecules(e domains.Element, text string) {
	begun := false
	for item := range strings.SplitSeq(text, ";") {
		if item = pytext.Strip(item); item == "" {
			continue
		}
		fields, number := moleculeFields(item)
		if number != "" {
			if begun {
				f.add(e)
			}
			e = domains.Element{Kind: e.Kind, Key: e.Kind + " of molecule " + number}
		}
		begun = true
		e.Fields = append(e.Fields, fields...)
	}
	f.add(e)
}

// moleculeFields reads an item, and the number of the molecule if it opens one.
func moleculeFields(item string) (fields []domains.Field, number string) {
	key, value, found := strings.Cut(item, ":")
	if !found {
		key, value = "", key
	}
	key, value = strings.ToUpper(pytext.Strip(key)), pytext.Strip(value)
	switch key {
	case "CHAIN":
		return listed(key, value), ""
	case "SYNONYM":
		return listed(key, strings.ToUpper(value)), ""
	case "MOL_ID":
		number = value
	}
	return []domains.Field{{Name: key, Value: strings.ToUpper(value)}}, number
}
