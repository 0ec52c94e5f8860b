package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/genealogy"
)

// marriage is a family record with its people.
type marriage struct {
	record   *published.Line
	spouses  []*published.Line // the first HUSB and the first WIFE line
	children []*published.Line // the CHIL lines
	first    string            // the least of the children's labels
	number   string            // tells families of the same couple apart
}

// claim is what a person's record says of a family.
type claim struct {
	person      *published.Line
	tag, family string
}

func newMarriage(record *published.Line) *marriage {
	m := &marriage{record: record}
	for _, tag := range []string{"HUSB", "WIFE"} {
		if spouse := first(record, tag); spouse != nil {
			m.spouses = append(m.spouses, spouse)
		}
	}
	for _, l := range record.Lines {
		if l.Tag == "CHIL" {
			m.children = append(m.children, l)
		}
	}
	return m
}

// familyFacts are the facts of a family that are not about its people.
func (f *flattener) familyFacts(m *marriage) []domains.Field {
	return f.factsOf(m.record, func(l *published.Line) bool { return l.Tag == "CHIL" || slices.Contains(m.spouses, l) })
}

// addFamily adds what each spouse's page would say, the couple, and every child's tie to each of them. Where there is
// no spouse, the child whose label is the least stands for one.
func (f *flattener) addFamily(m *marriage) {
	facts := f.familyFacts(m)
	for _, l := range m.spouses {
		fields := append([]domains.Field{
			{Name: "spouse", Value: f.who(l) + m.number},
			f.listing(l),
		}, facts...)
		f.add("family", "family of "+f.called(l), append(fields, f.claimed(l, "FAMS", m)...))
	}
	switch len(m.spouses) {
	case 0:
		f.add("family", "family without spouses "+m.first, append(facts, domains.Field{Name: "child", Value: m.first}))
	case 2:
		husband, wife := m.spouses[0], m.spouses[1]
		f.add("couple", f.called(husband)+" and "+f.called(wife), []domains.Field{
			{Name: "HUSB", Value: f.who(husband) + m.number}, {Name: "WIFE", Value: f.who(wife) + m.number},
		})
	}
	for _, l := range m.children {
		how := append(f.claimed(l, "FAMC", m), f.listing(l))
		f.addChild(f.who(l), f.called(l), m, how)
	}
}

// addChild adds the tie of a child to each spouse of a family.
func (f *flattener) addChild(child, key string, m *marriage, how []domains.Field) {
	tie := func(parent, called, role string) {
		fields := append([]domains.Field{
			{Name: "child", Value: child}, {Name: role, Value: parent + m.number},
		}, how...)
		f.add("child", key+", child of "+called, fields)
	}
	for _, l := range m.spouses {
		tie(f.who(l), f.called(l), l.Tag)
	}
	if len(m.spouses) == 0 {
		tie(m.first, "unnamed parents", "sibling")
	}
}

// claimed is the field for what the person that a line of a family points to
// says of this family, none if they say nothing.
func (f *flattener) claimed(l *published.Line, tag string, m *marriage) []domains.Field {
	if f.named[m.record.Pointer] != m.record {
		return nil
	}
	c := claim{f.named[lineLink(l)], tag, m.record.Pointer}
	lines := f.claims[c]
	if len(lines) == 0 {
		return nil
	}
	f.claims[c] = lines[1:]
	return []domains.Field{f.listing(lines[0])}
}

// listing says that a link is there, and what is said about it.
func (f *flattener) listing(l *published.Line) domains.Field {
	return domains.Field{Name: lineWritten(l), Value: "listed" + f.details(l, 1)}
}

// addUnreturned adds what people say of families that say nothing of them.
func (f *flattener) addUnreturned() {
	byRecord := map[*published.Line]*marriage{}
	for _, m := range f.marriages {
		byRecord[m.record] = m
	}
	for _, r := range f.individuals {
		for _, l := range r.Lines {
			c := claim{r, l.Tag, lineLink(l)}
			if len(f.claims[c]) == 0 || f.claims[c][0] != l {
				continue
			}
			f.claims[c] = f.claims[c][1:]
			f.addClaim(r, l, byRecord[f.named[c.family]])
		}
	}
}

// addClaim adds a claim on a family, nil if there is none.
func (f *flattener) addClaim(r, l *published.Line, m *marriage) {
	how := f.listing(l)
	how.Name += " only"
	if m == nil {
		m = &marriage{record: &published.Line{}, first: plain.SingleBlanks(l.Value)}
	}
	if l.Tag == "FAMC" {
		f.addChild(r.Title.Label, r.Title.Key, m, []domains.Field{how})
		return
	}
	fields := []domains.Field{how, {Name: "spouse", Value: r.Title.Label}}
	for _, spouse := range m.spouses {
		fields = append(fields, domains.Field{Name: "beside " + spouse.Tag, Value: f.who(spouse) + m.number})
	}
	if len(m.spouses) == 0 {
		fields = append(fields, domains.Field{Name: "beside child", Value: m.first})
	}
	f.add("family", "family of "+r.Title.Key, fields)
}

// labelRecords names every record after what it says. Labels of sources and the
// like come first, since facts of individuals hold them.
func (f *flattener) labelRecords() {
	for _, r := range f.others {
		label := recordTitle(r)
		r.Title = &published.Title{Label: label, Key: r.Tag + " " + label}
	}
	for _, r := range f.individuals {
		r.Title = personTitle(r)
	}
	f.number(f.others, nil)
	f.number(f.individuals, f.relatives())
	f.numberMarriages()
}

func recordTitle(r *published.Line) string {
	title := plain.SingleBlanks(fullText(r))
	for _, tag := range []string{"TITL", "NAME", "ABBR", "FILE"} {
		if l := first(r, tag); l != nil && title == "" {
			title = plain.SingleBlanks(fullText(l))
		}
	}
	const most = 48 // what comes after may change without a new title
	if runes := []rune(title); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return title
}

// personTitle is the name and the year of the first event of life, in the form
// for comparing and as a person would write it.
func personTitle(r *published.Line) *published.Title {
	year := ""
	for _, tag := range []string{"BIRT", "CHR", "BAPM"} {
		if year = yearIn(normalDate(lineBelow(r, tag, "DATE"))); year != "" {
			break
		}
	}
	label, key := "unnamed", "unnamed"
	if l := first(r, "NAME"); l != nil {
		if name := withoutSlashes(pytext.Lower(readName(l).String())); name != "" {
			label, key = name, name
		}
		if written := withoutSlashes(l.Value); written != "" {
			key = written
		}
	}
	return &published.Title{Label: strings.TrimSpace(label + " " + year), Key: strings.TrimSpace(key + " " + year)}
}

func withoutSlashes(name string) string {
	return plain.SingleBlanks(strings.ReplaceAll(name, "/", " "))
}

// number tells records of equal label apart.
func (f *flattener) number(records []*published.Line, relatives map[*published.Line]string) {
	label := func(r *published.Line) string { return r.Title.Label }
	facts := func(r *published.Line) string { return factsText(f.facts(r)) }
	numberAlike(records, label, facts, func(a, b *published.Line) int {
		return cmp.Or(cmp.Compare(f.uses[b.Pointer], f.uses[a.Pointer]), cmp.Compare(relatives[b], relatives[a]))
	}, func(r *published.Line, n int) { r.Title.Label += " (" + strconv.Itoa(n) + ")" })
}

// numberAlike calls number for the second and each further one of those with equal names, in an order that follows from
// their facts, and where these are equal from compare. So facts which change places among them show in the links.
func numberAlike[T comparable](all []T, name, facts func(T) string, compare func(a, b T) int, number func(t T, n int)) {
	groups := map[string][]T{}
	for _, t := range all {
		groups[name(t)] = append(groups[name(t)], t)
	}
	for _, group := range groups {
		if len(group) == 1 {
			continue
		}
		said := make(map[T]string, len(group))
		for _, t := range group {
			said[t] = facts(t)
		}
		slices.SortStableFunc(group, func(a, b T) int { return cmp.Or(cmp.Compare(said[a], said[b]), compare(a, b)) })
		for n, t := range group[1:] {
			number(t, n+2)
		}
	}
}

func factsText(fields []domains.Field) string {
	texts := lists.Map(fields, func(f domains.Field) string { return f.Name + " " + f.Value })
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// relatives names for each person the spouses and parents, and one child of each family, as far as that fits on a line.
func (f *flattener) relatives() map[*published.Line]string {
	relatives := map[*published.Line]string{}
	add := func(l *published.Line, text string) {
		const most = 200
		if r := f.named[lineLink(l)]; r != nil && len(relatives[r]) < most {
			relatives[r] += text
		}
	}
	for _, m := range f.marriages {
		spouses := f.couple(m)
		for _, l := range m.spouses {
			add(l, "with "+spouses+"parent of "+f.firstChild(m)+"\n")
		}
		for _, l := range m.children {
			add(l, "child of "+spouses)
		}
	}
	return relatives
}

// couple names the spouses of a family.
func (f *flattener) couple(m *marriage) string {
	couple := ""
	for _, l := range m.spouses {
		couple += l.Tag + " " + f.who(l) + "\n"
	}
	return couple
}

// firstChild is the least label among a family's children.
func (f *flattener) firstChild(m *marriage) string {
	least := ""
	for n, l := range m.children {
		if who := f.who(l); n == 0 || who < least {
			least = who
		}
	}
	return least
}

// numberMarriages tells families of the same couple apart.
func (f *flattener) numberMarriages() {
	couples := make(map[*marriage]string, len(f.marriages))
	var wed []*marriage
	for _, m := range f.marriages {
		m.first = f.firstChild(m)
		if couples[m] = f.couple(m); couples[m] != "" {
			wed = append(wed, m)
		}
	}
	couple := func(m *marriage) string { return couples[m] }
	facts := func(m *marriage) string { return factsText(f.familyFacts(m)) }
	numberAlike(wed, couple, facts, func(a, b *marriage) int {
		return cmp.Or(cmp.Compare(len(b.children), len(a.children)), cmp.Compare(a.first, b.first))
	}, func(m *marriage, n int) { m.number = " (family " + strconv.Itoa(n) + ")" })
}

// titleOf is the title of the record that a line points to, otherwise the line's text.
func (f *flattener) titleOf(l *published.Line) published.Title {
	if r := f.named[lineLink(l)]; r != nil && r.Title != nil {
		return *r.Title
	}
	return published.Title{Label: plain.SingleBlanks(l.Value), Key: plain.SingleBlanks(l.Value)}
}

// who is the label of the record that a line points to, called its key.
func (f *flattener) who(l *published.Line) string    { return f.titleOf(l).Label }
func (f *flattener) called(l *published.Line) string { return f.titleOf(l).Key }

// value is the line's own text, normalised by what it is.
func (f *flattener) value(l *published.Line) string {
	text := fullText(l)
	switch {
	case lineLink(l) != "":
		return "@" + f.who(l) + "@"
	case l.Tag == "DATE":
		return normalDate(text)
	case l.Tag == "PLAC":
		return normalPlace(text)
	}
	return normalText(text)
}

// whole is the line's text and all facts below it.
func (f *flattener) whole(l *published.Line) string {
	return strings.TrimSpace(f.value(l) + f.details(l, 1))
}

// details are the facts below the line, each after as many dots as it is levels lower. Their order means nothing.
func (f *flattener) details(l *published.Line, depth int) string {
	var parts []string
	for _, below := range l.Lines {
		if below.IsText() {
			continue
		}
		part := " " + strings.Repeat("·", depth) + " " + lineWritten(below)
		if value := f.value(below); value != "" {
			part += " " + value
		}
		parts = append(parts, part+f.details(below, depth+1))
	}
	slices.Sort(parts)
	return strings.Join(parts, "")
}
