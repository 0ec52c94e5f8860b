package genealogy

import (
	"slices"

	"agentd/domains"
)

// marriage is a family record with its people.
type marriage struct {
	record   *line
	spouses  []*line // the first HUSB and the first WIFE line
	children []*line // the CHIL lines
	first    string  // the least of the children's labels
	number   string  // tells families of the same couple apart
}

// claim is what a person's record says of a family.
type claim struct {
	person      *line
	tag, family string
}

func newMarriage(record *line) *marriage {
	m := &marriage{record: record}
	for _, tag := range []string{"HUSB", "WIFE"} {
		if spouse := record.first(tag); spouse != nil {
			m.spouses = append(m.spouses, spouse)
		}
	}
	for _, l := range record.lines {
		if l.tag == "CHIL" {
			m.children = append(m.children, l)
		}
	}
	return m
}

// familyFacts are the facts of a family that are not about its people.
func (f *flattener) familyFacts(m *marriage) []domains.Field {
	return f.factsOf(m.record, func(l *line) bool { return l.tag == "CHIL" || slices.Contains(m.spouses, l) })
}

// addFamily adds what each spouse's page would say, the couple, and every
// child's tie to each of them. Where there is no spouse, the child whose label
// is the least stands for one.
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
		tie(f.who(l), f.called(l), l.tag)
	}
	if len(m.spouses) == 0 {
		tie(m.first, "unnamed parents", "sibling")
	}
}

// claimed is the field for what the person that a line of a family points to
// says of this family, none if they say nothing.
func (f *flattener) claimed(l *line, tag string, m *marriage) []domains.Field {
	if f.named[m.record.pointer] != m.record {
		return nil
	}
	c := claim{f.named[l.link()], tag, m.record.pointer}
	lines := f.claims[c]
	if len(lines) == 0 {
		return nil
	}
	f.claims[c] = lines[1:]
	return []domains.Field{f.listing(lines[0])}
}

// listing says that a link is there, and what is said about it.
func (f *flattener) listing(l *line) domains.Field {
	return domains.Field{Name: l.written(), Value: "listed" + f.details(l, 1)}
}

// addUnreturned adds what people say of families that say nothing of them.
func (f *flattener) addUnreturned() {
	byRecord := map[*line]*marriage{}
	for _, m := range f.marriages {
		byRecord[m.record] = m
	}
	for _, r := range f.individuals {
		for _, l := range r.lines {
			c := claim{r, l.tag, l.link()}
			if len(f.claims[c]) == 0 || f.claims[c][0] != l {
				continue
			}
			f.claims[c] = f.claims[c][1:]
			f.addClaim(r, l, byRecord[f.named[c.family]])
		}
	}
}

// addClaim adds a claim on a family, nil if there is none.
func (f *flattener) addClaim(r, l *line, m *marriage) {
	how := f.listing(l)
	how.Name += " only"
	if m == nil {
		m = &marriage{record: &line{}, first: folded(l.value)}
	}
	if l.tag == "FAMC" {
		f.addChild(r.title.label, r.title.key, m, []domains.Field{how})
		return
	}
	fields := []domains.Field{how, {Name: "spouse", Value: r.title.label}}
	for _, spouse := range m.spouses {
		fields = append(fields, domains.Field{Name: "beside " + spouse.tag, Value: f.who(spouse) + m.number})
	}
	if len(m.spouses) == 0 {
		fields = append(fields, domains.Field{Name: "beside child", Value: m.first})
	}
	f.add("family", "family of "+r.title.key, fields)
}
