package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
)

// labelRecords names every record after what it says. Labels of sources and the
// like come first, since facts of individuals hold them.
func (f *flattener) labelRecords() {
	for _, r := range f.others {
		label := recordTitle(r)
		r.title = &title{label, r.tag + " " + label}
	}
	for _, r := range f.individuals {
		r.title = personTitle(r)
	}
	f.number(f.others, func(*line) string { return "" })
	relatives := f.relatives()
	f.number(f.individuals, func(r *line) string { return relatives[r] })
	f.numberMarriages()
}

func recordTitle(r *line) string {
	title := folded(r.fullText())
	for _, tag := range []string{"TITL", "NAME", "ABBR", "FILE"} {
		if l := r.first(tag); l != nil && title == "" {
			title = folded(l.fullText())
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
func personTitle(r *line) *title {
	year := ""
	for _, tag := range []string{"BIRT", "CHR", "BAPM"} {
		if year = yearIn(normalDate(r.below(tag, "DATE"))); year != "" {
			break
		}
	}
	label, key := "unnamed", "unnamed"
	if l := r.first("NAME"); l != nil {
		if name := withoutSlashes(readName(l).String()); name != "" {
			label, key = name, name
		}
		if written := withoutSlashes(l.value); written != "" {
			key = written
		}
	}
	return &title{strings.TrimSpace(label + " " + year), strings.TrimSpace(key + " " + year)}
}

func withoutSlashes(name string) string { return folded(strings.ReplaceAll(name, "/", " ")) }

// number tells records of equal label apart, in an order that follows from
// their facts, so that facts which change places among them show in the links.
func (f *flattener) number(records []*line, relatives func(*line) string) {
	groups := map[string][]*line{}
	for _, r := range records {
		groups[r.title.label] = append(groups[r.title.label], r)
	}
	for label, group := range groups {
		if len(group) == 1 {
			continue
		}
		type namesake struct {
			record           *line
			uses             int
			facts, relatives string
		}
		namesakes := make([]namesake, len(group))
		for n, r := range group {
			namesakes[n] = namesake{r, f.uses[r.pointer], factsText(f.facts(r)), relatives(r)}
		}
		slices.SortStableFunc(namesakes, func(a, b namesake) int {
			if order := cmp.Compare(a.facts, b.facts); order != 0 {
				return order
			}
			return cmp.Or(cmp.Compare(b.uses, a.uses), cmp.Compare(b.relatives, a.relatives))
		})
		for n, a := range namesakes[1:] {
			a.record.title.label = label + " (" + strconv.Itoa(n+2) + ")"
		}
	}
}

func factsText(fields []domains.Field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.Name + " " + f.Value
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// relatives names for each person the spouses and parents, and one child of
// each family, as far as that fits on a line.
func (f *flattener) relatives() map[*line]string {
	relatives := map[*line]string{}
	add := func(l *line, text string) {
		const most = 200
		if r := f.named[l.link()]; r != nil && len(relatives[r]) < most {
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
		couple += l.tag + " " + f.who(l) + "\n"
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

// numberMarriages tells families of the same couple apart, as number does
// records.
func (f *flattener) numberMarriages() {
	groups := map[string][]*marriage{}
	for _, m := range f.marriages {
		m.first = f.firstChild(m)
		couple := f.couple(m)
		groups[couple] = append(groups[couple], m)
	}
	for couple, group := range groups {
		if len(group) == 1 || couple == "" {
			continue
		}
		facts := make(map[*marriage]string, len(group))
		for _, m := range group {
			facts[m] = factsText(f.familyFacts(m))
		}
		slices.SortStableFunc(group, func(a, b *marriage) int {
			return cmp.Or(
				cmp.Compare(facts[a], facts[b]),
				cmp.Compare(len(b.children), len(a.children)),
				cmp.Compare(a.first, b.first))
		})
		for n, m := range group[1:] {
			m.number = " (family " + strconv.Itoa(n+2) + ")"
		}
	}
}

// who is the label of the record that a line points to.
func (f *flattener) who(l *line) string {
	if r := f.named[l.link()]; r != nil && r.title != nil {
		return r.title.label
	}
	return folded(l.value)
}

// called is the key of the record that a line points to.
func (f *flattener) called(l *line) string {
	if r := f.named[l.link()]; r != nil && r.title != nil {
		return r.title.key
	}
	return folded(l.value)
}

// value is the line's own text, normalised by what it is.
func (f *flattener) value(l *line) string {
	text := l.fullText()
	switch {
	case l.link() != "":
		return "@" + f.who(l) + "@"
	case l.tag == "DATE":
		return normalDate(text)
	case l.tag == "PLAC":
		return normalPlace(text)
	}
	return normalText(text)
}

// whole is the line's text and all facts below it.
func (f *flattener) whole(l *line) string { return strings.TrimSpace(f.value(l) + f.details(l, 1)) }

// details are the facts below the line, each after as many dots as it is
// levels lower. Their order means nothing.
func (f *flattener) details(l *line, depth int) string {
	var parts []string
	for _, below := range l.lines {
		if below.isText() {
			continue
		}
		part := " " + strings.Repeat("·", depth) + " " + below.written()
		if value := f.value(below); value != "" {
			part += " " + value
		}
		parts = append(parts, part+f.details(below, depth+1))
	}
	slices.Sort(parts)
	return strings.Join(parts, "")
}
