package spreadsheet

import (
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// GroupKey are the columns whose equal values make rows a group; empty if the order of all rows has meaning.
type GroupKey []string

func ReadGroupKey(option string) GroupKey { return pytext.Parts(option, ",") }

// Stats counts rows and columns.
func Stats(doc Table) domains.Stats {
	return domains.Stats{
		Elements: len(doc.rows),
		Counts: []domains.Count{
			{Name: "Rows", Value: strconv.Itoa(len(doc.rows))},
			{Name: "Columns", Value: strconv.Itoa(len(doc.header))},
		},
	}
}

// Score compares two tables by the formula of the package.
func (key GroupKey) Score(ref, got Table) domains.Reading {
	refForms, gotForms := ref.forms(), got.forms()
	rows := sets.Jaccard(refForms, gotForms)
	order := key.order(ref, got, refForms, gotForms)
	header := sets.Names(ref.header, got.header, 0.9)

	nRef, nGot := float64(len(ref.rows)), float64(len(got.rows))
	kept := min(nRef, nGot) / max(nRef, 1)
	count := 1 - (max(nRef, nGot)-min(nRef, nGot))/max(nRef, nGot, 1)
	value := float64(0.60*rows) + float64(0.25*kept*kept*order) + float64(0.15*count)
	return domains.Reading{
		RS:         value * (0.85 + float64(0.15*header)),
		Components: map[string]float64{"rows": rows, "order": order, "header": header, "count": count},
		Elements:   domains.Elements{Reference: len(ref.rows), Candidate: len(got.rows)},
	}
}

// forms returns the forms of the rows that have one.
func (doc Table) forms() []string {
	return lists.Found(doc.rows, func(r *row) (string, bool) { return r.form, r.form != "" })
}

// order is how much of the rows' order survives: of all rows or, where the
// columns of the key are there, of the groups and their contents.
func (key GroupKey) order(ref, got Table, refForms, gotForms []string) float64 {
	if len(refForms) == 0 || len(gotForms) == 0 {
		return sets.Jaccard(refForms, gotForms) // 1 if neither side has rows, otherwise 0
	}
	refNames, refGroups := key.groups(ref)
	gotNames, gotGroups := key.groups(got)
	if len(refNames) == 0 || len(gotNames) == 0 {
		return ratio.Tokens(refForms, gotForms, true)
	}
	contents := 0.0
	for _, name := range refNames {
		if group, ok := gotGroups[name]; ok {
			contents += sets.Jaccard(refGroups[name], group)
		}
	}
	contents /= float64(len(refNames))
	return float64(0.4*ratio.Tokens(refNames, gotNames, true)) + float64(0.6*contents)
}

// groups returns the names of the groups in order of first appearance, and the
// forms of the rows of each, wherever they stand.
func (key GroupKey) groups(doc Table) (names []string, forms map[string][]string) {
	forms = map[string][]string{}
	for _, r := range doc.rows {
		blank := true
		name := ""
		for _, column := range key {
			cell := r.cell(column)
			blank = blank && cell == ""
			name += cell + "\xff"
		}
		if blank {
			continue
		}
		if _, known := forms[name]; !known {
			names = append(names, name)
		}
		forms[name] = append(forms[name], r.form)
	}
	return names, forms
}
