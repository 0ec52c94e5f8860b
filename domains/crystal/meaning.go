package crystal

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/crystal"
	"agentd/vfs"
)

// category is a table of the core dictionary.
type category struct {
	prefix string // of its tags, in lower case
	row    string // what a row is called
	// ordered says that the order of rows has a meaning, if none of them is the column by which they are numbered.
	ordered bool
	numbers string
}

var categories = []category{
	{prefix: "_atom_site_aniso_", row: "displacement"},
	{prefix: "_atom_site_", row: counted},
	{prefix: "_atom_type_", row: "atom type"},
	{prefix: "_geom_bond_", row: bondRow},
	{prefix: "_geom_angle", row: "angle"},
	{prefix: "_geom_hbond_", row: "hydrogen bond"},
	{prefix: "_geom_torsion", row: "torsion angle"},
	{prefix: "_geom_contact_", row: "contact"},
	{prefix: "_symmetry_equiv_", row: "symmetry operation", ordered: true, numbers: "_symmetry_equiv_pos_site_id"},
	{prefix: "_publ_author_", row: "author", ordered: true},
	{prefix: "_audit_author_", row: "author of the data", ordered: true},
}

func categoryOf(tag string) int {
	return slices.IndexFunc(categories, func(c category) bool { return strings.HasPrefix(tag, c.prefix) })
}

// elements flattens files of any name by the rules of CIF.
func elements(files vfs.Files) []domains.Element {
	f := flattener{headings: map[string]heading{}, places: map[string]int{}}
	f.newBlock("")
	for number, name := range files.Names() {
		d := read(files[name])
		f.file = number
		preface := d.preface()
		for i := range d.parts {
			f.part(&d.parts[i], i < preface)
		}
	}
	f.closeBlock()
	return f.all
}

// preface is the number of parts at the beginning that belong to no CIF, such as a sentence before it.
func (d document) preface() int {
	for i := range d.parts {
		if kind := d.parts[i].kind; kind != foreignPart && kind != commentPart {
			return i
		}
	}
	return 0
}

type flattener struct {
	all      []domains.Element
	file     int
	headings map[string]heading // of the data blocks so far, by their names in lower case
	places   map[string]int     // so far, in the kinds that have an order
	block    string             // the data block in hand, empty in the first
	items    map[string]string
	loops    map[string][2]int // the elements of the loops of the block, by their tags
	single   map[int][]domains.Field
}

// heading is that of a data block.
type heading struct {
	file  int
	block string // what its elements are said to belong to
}

func (f *flattener) newBlock(name string) {
	f.closeBlock()
	f.block = name
	f.items, f.loops, f.single = map[string]string{}, map[string][2]int{}, map[int][]domains.Field{}
}

// closeBlock makes rows of the items that are a table of one row without a loop.
func (f *flattener) closeBlock() {
	for number := range categories {
		if fields := f.single[number]; fields != nil {
			c := &categories[number]
			f.add(c.row, c.row+" "+fields[0].Value, domains.Bounded(fields, mostFields), c.ordered)
		}
	}
}

func (f *flattener) add(kind, key string, fields []domains.Field, ordered bool) {
	e := domains.Element{Kind: kind, Key: key, Fields: fields}
	if f.block != "" {
		e.Key += " in " + f.block
		e.Fields = append(e.Fields, domains.Field{Name: "block", Value: f.block})
	}
	if ordered {
		f.places[kind+f.block]++
		e.Position = f.places[kind+f.block]
	}
	f.all = plain.Append(f.all, e)
}

func (f *flattener) part(p *part, preface bool) {
	f.comment(p.note)
	switch p.kind {
	case commentPart:
		f.comment(p.text)
	case foreignPart:
		if !preface {
			f.add("line", "line", []domains.Field{{Value: plain.SingleBlanks(p.text)}}, false)
		}
	case blockPart:
		f.heading(p.text)
	case itemPart:
		f.item(p)
	case loopPart:
		f.loop(p.loop)
	}
}

// heading opens a data block, or goes on with one of another file.
func (f *flattener) heading(name string) {
	folded := strings.ToLower(name)
	known, goesOn := f.begun(folded)
	if goesOn {
		if known.block != f.block {
			f.newBlock(known.block)
		}
		return
	}
	f.newBlock("")
	f.add("data block", "data block "+name, []domains.Field{{Name: "name", Value: name}}, false)
	if len(f.headings) > 0 {
		f.block = name
	}
	f.headings[folded] = heading{f.file, f.block}
}

// begun finds the data block of another file that has a name or the beginning of it, up to an underscore or hyphen.
func (f *flattener) begun(name string) (heading, bool) {
	const most = 200 // bytes that are looked at
	for end := 1; end <= len(name); end++ {
		if end < len(name) && (end > most || name[end] != '_' && name[end] != '-') {
			continue
		}
		if known, ok := f.headings[name[:end]]; ok && known.file != f.file {
			return known, true
		}
	}
	return heading{}, false
}

func (f *flattener) comment(text string) {
	if text = remark(text); text != "" {
		f.add("comment", "comment", []domains.Field{{Value: text}}, false)
	}
}

// item adds an item; one that is repeated with the same value says nothing new.
func (f *flattener) item(p *part) {
	tag := normalTag(p.text)
	text := p.value.normal(tag)
	if known, repeated := f.items[tag]; repeated && known == text {
		return
	}
	f.items[tag] = text
	if number := categoryOf(tag); number >= 0 {
		f.single[number] = append(f.single[number], domains.Field{Name: tag, Value: text})
		return
	}
	f.add(itemKind, p.text, append([]domains.Field{{Name: "tag", Value: tag}}, p.value.fields(tag)...), false)
}

// loop adds the rows of a loop, unless an equal one was in the block before.
func (f *flattener) loop(l *loop) {
	for _, comment := range l.comments {
		f.comment(comment)
	}
	s := shapeOf(l)
	label := strings.Join(slices.Sorted(slices.Values(s.tags)), " ")
	before, repeated := f.loops[label]
	start := len(f.all)
	for i := range l.rows {
		f.add(s.row, s.key(&l.rows[i]), domains.Bounded(s.fields(&l.rows[i]), mostFields), s.ordered)
	}
	sameFields := func(a, b domains.Element) bool { return slices.Equal(a.Fields, b.Fields) }
	if repeated && slices.EqualFunc(f.all[start:], f.all[before[0]:before[1]], sameFields) {
		f.all = f.all[:start]
	} else {
		f.loops[label] = [2]int{start, len(f.all)}
	}
	for i := range l.rows {
		for _, comment := range l.rows[i].comments {
			f.comment(comment)
		}
	}
}

// shape is what the rows of a loop have in common.
type shape struct {
	row     string
	tags    []string // normal
	keys    []int    // the columns that name a row
	ordered bool
}

func shapeOf(l *loop) shape {
	s := shape{row: "row"}
	counts := make([]int, len(categories))
	for i, tag := range l.tags {
		tag = normalTag(tag)
		s.tags = append(s.tags, tag)
		if number := categoryOf(tag); number >= 0 {
			counts[number]++
		}
		if strings.Contains(tag, "_label") || strings.Contains(tag, "_site_symmetry_") {
			s.keys = append(s.keys, i)
		}
	}
	if len(s.keys) == 0 {
		s.keys = []int{0}
	}
	if most := slices.Max(counts); most > 0 {
		c := &categories[slices.Index(counts, most)]
		s.row = c.row
		s.ordered = c.ordered && !slices.Contains(s.tags, c.numbers)
	}
	return s
}

// key names a row by its labels and symmetry codes, or by its first value.
func (s *shape) key(w *row) string {
	const most = 40 // bytes of a value
	key := s.row
	for _, column := range s.keys {
		if column < len(w.values) && w.values[column].raw != "." {
			raw := w.values[column].raw
			key += " " + strings.ToValidUTF8(raw[:min(len(raw), most)], "")
		}
	}
	return key
}

// fields are what a row says.
func (s *shape) fields(w *row) []domains.Field {
	all := make([]domains.Field, 0, len(w.values)+1)
	for i, v := range w.values {
		all = append(all, domains.Field{Name: s.tags[i], Value: v.normal(s.tags[i])})
		if v.isOpen() {
			all = append(all, notClosed)
		}
	}
	return all
}

// bondRow is what a row of the loop of bonds is called.
const bondRow = "bond"

// turned turns those bonds of a candidate around that the reference lists from their other end: a bond between two
// atoms of the list is the same from either. With a symmetry operation at an end the two are told apart.
func turned(ref, got []domains.Element) ([]domains.Element, []domains.Element) {
	known := map[string]bool{}
	for i := range ref {
		if ref[i].Kind == bondRow {
			known[text(ref[i].Fields)] = true
		}
	}
	cloned := false
	for i := range got {
		if got[i].Kind != bondRow || known[text(got[i].Fields)] {
			continue
		}
		fields := fromOtherEnd(got[i].Fields)
		if fields == nil || !known[text(fields)] {
			continue
		}
		if !cloned {
			got, cloned = slices.Clone(got), true
		}
		got[i].Fields = fields
	}
	return ref, got
}

// text is equal for rows of equal fields.
func text(fields []domains.Field) string {
	var b strings.Builder
	for i := range fields {
		b.WriteString(fields[i].Name + "\x00" + fields[i].Value + "\x00")
	}
	return b.String()
}

// fromOtherEnd are the fields of a bond with its two atoms changed; nil if they may not be.
func fromOtherEnd(fields []domains.Field) []domains.Field {
	fields = slices.Clone(fields)
	var ends []*string
	for i := range fields {
		switch f := &fields[i]; {
		case strings.HasPrefix(f.Name, "_geom_bond_site_symmetry_") && f.Value != "" && f.Value != ".":
			return nil
		case f.Name == published.BondTags[0] || f.Name == published.BondTags[1]:
			ends = append(ends, &f.Value)
		}
	}
	if len(ends) != 2 {
		return nil
	}
	*ends[0], *ends[1] = *ends[1], *ends[0]
	return fields
}

const counted = "atom site"

const itemKind = "item"

// wellFormed checks what a reader of CIF 1.1 stops at: a text that is not closed, a tag without a value or said twice in
// its block, a value without a tag, a loop with a row that is not full, and a tag above the first block.
func wellFormed(_, text string) []domains.Slip {
	c := checker{lexer: lexer{text: text}, tags: map[string]bool{}, blocks: map[string]bool{}}
	for {
		word := c.next()
		c.line += strings.Count(text[c.counted:word.start], "\n")
		c.counted = word.start
		if word.kind == lexEnd {
			c.endItem()
			return c.slips
		}
		c.take(word)
	}
}

// checker is what was read of a block: the tag that waits for its value, or the loop in hand.
type checker struct {
	lexer
	slips         []domains.Slip
	counted, line int             // lines before a place of the text
	tags, blocks  map[string]bool // that were there
	early         bool            // a tag stood above the first block
	waiting       bool            // a tag has no value yet
	looping       bool            // between the word loop_ and the next item
	columns       int
	values        int
}

func (c *checker) slip(what string) {
	c.slips = append(c.slips, domains.Slip{Line: c.line + 1, What: what})
}

func (c *checker) take(w lexeme) {
	word := c.text[w.start:w.end]
	switch w.kind {
	case lexBlock:
		c.endItem()
		c.tags = map[string]bool{}
		if name := strings.ToLower(word); c.blocks[name] {
			c.slip("a block stands twice")
		} else {
			c.blocks[name] = true
		}
	case lexLoop:
		c.endItem()
		c.looping = true
	case lexTag:
		c.tag(strings.ToLower(word))
	case lexValue:
		c.value(w, word)
	}
}

func (c *checker) tag(name string) {
	if len(c.blocks) == 0 && !c.early {
		c.early = true
		c.slip("a name stands above the first data block")
	}
	if c.looping && c.values == 0 {
		c.columns++
	} else {
		c.endItem()
		c.waiting = true
	}
	if c.tags[name] {
		c.slip("a name stands twice in its block")
	}
	c.tags[name] = true
}

func (c *checker) value(w lexeme, word string) {
	switch {
	case w.form == fieldForm && (len(word) < 2 || !strings.HasSuffix(word, "\n;") && word[0] == ';'):
		c.slip("a text between semicolons is not closed")
	case w.form == quotedForm && (len(word) < 2 || word[len(word)-1] != word[0]):
		c.slip("a text in quotes is not closed")
	}
	switch {
	case c.looping && c.columns > 0:
		c.values++
	case c.waiting:
		c.waiting = false
	case strings.HasPrefix(strings.ToLower(word), "save_") || strings.EqualFold(word, "global_"):
	default:
		c.slip("a value has no name")
	}
}

// endItem checks that the item in hand is whole.
func (c *checker) endItem() {
	switch {
	case c.waiting:
		c.slip("a name has no value")
	case c.looping && c.columns == 0:
		c.slip("a loop has no names")
	case c.looping && c.values == 0:
		c.slip("a loop has no values")
	case c.looping && c.values%c.columns != 0:
		c.slip("the last row of a loop is not full")
	}
	c.waiting, c.looping, c.columns, c.values = false, false, 0, 0
}
