package libcatalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// moveFields moves the fields of a tag to a table. On the way back those of records that are
// gone are left out.
func moveFields(p struct{ Document, To, Tag, Table string }) exact.Steps {
	change := func(records *[]record) (vfs.Files, error) {
		rows := [][]string{{"control_number", "field", "indicators", "subfields"}}
		for i := range *records {
			r, place := &(*records)[i], 0
			r.fields = slices.DeleteFunc(r.fields, func(f field) bool {
				place++
				if f.tag == p.Tag {
					rows = append(rows, []string{r.id(), strconv.Itoa(place), f.indicators(), f.mnemonic()})
				}
				return f.tag == p.Tag
			})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(records *[]record, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "field", "control_number", "indicators", "subfields")
		slices.SortStableFunc(rows, plain.ByNumber)
		of := plain.NotesBy(rows, func(row []string) string { return strings.TrimSpace(row[1]) })
		for i := range *records {
			r := &(*records)[i]
			for row := of.Take(r.id()); row != nil; row = of.Take(r.id()) {
				place := min(max(plain.LineNumber(row[0]), 1)-1, len(r.fields))
				back := field{tag: p.Tag, indicator: indicatorsIn(row[2]), subfields: subfieldsIn(row[3])}
				r.fields = slices.Insert(r.fields, place, back)
			}
		}
		return err
	}
	return catalogs.Rewrite(p.Document, p.To, change, restore)
}

// codeFields replaces the fields whose tag begins as given by codes in a list, in the order in
// which they first occur.
func codeFields(p struct {
	Document, To string
	Tags         string // how they begin
	First        string // code
	List         string
}) exact.Steps {
	const link = "0" // the subfield for the number of a heading
	type heading struct {
		ID         string `json:"id"`
		Tag        string `json:"tag"`
		Indicators string `json:"indicators"` // a backslash for a blank
		Subfields  string `json:"subfields"`
	}
	has := func(f *field) bool { return strings.HasPrefix(f.tag, p.Tags) && !f.control }
	change := func(records *[]record) (vfs.Files, error) {
		var list []heading
		next := exact.Counting(p.First)
		ids := map[heading]string{}
		for _, f := range fieldsOf(*records) {
			if !has(f) {
				continue
			}
			h := heading{Tag: f.tag, Indicators: f.indicators(), Subfields: f.mnemonic()}
			id, known := ids[h]
			if !known {
				id = next("", len(ids))
				ids[h] = id
				h.ID = id
				list = append(list, h)
			}
			f.subfields = []subfield{{link, id}}
		}
		text, err := jsonArray(list)
		return vfs.Files{p.List: text}, err
	}
	restore := func(records *[]record, files vfs.Files) error {
		var list []heading
		err := plain.JSON(files, p.List, &list)
		byID := map[string]heading{}
		for _, h := range list {
			byID[h.ID] = h
		}
		for _, f := range fieldsOf(*records) {
			id := f.first(link)
			if id == nil || !has(f) {
				continue
			}
			if h, ok := byID[strings.TrimSpace(*id)]; ok {
				f.tag, f.indicator, f.subfields = h.Tag, indicatorsIn(h.Indicators), subfieldsIn(h.Subfields)
			}
		}
		return err
	}
	return catalogs.Rewrite(p.Document, p.To, change, restore)
}

// codeSubfields replaces every value of a subfield by its code in a table with tabs.
func codeSubfields(p struct {
	Document, To  string
	Tag, Subfield string
	First         string // code
	Column        string // of the values
	Table         string
}) exact.Steps {
	each := func(records []record, do func(*record, *field, *string)) {
		for r, f := range fieldsOf(records) {
			for i := range f.subfields {
				if s := &f.subfields[i]; f.tag == p.Tag && s.code == p.Subfield {
					do(r, f, &s.value)
				}
			}
		}
	}
	change := func(records *[]record) (vfs.Files, error) {
		next := exact.Counting(p.First)
		lines := []string{"id\tcontrol_number\tindicators\t" + p.Column}
		each(*records, func(r *record, f *field, value *string) {
			id := next("", len(lines)-1)
			lines = append(lines, strings.Join([]string{id, r.id(), f.indicators(), *value}, "\t"))
			*value = id
		})
		return vfs.Files{p.Table: plain.Text(lines)}, nil
	}
	restore := func(records *[]record, files vfs.Files) error {
		text, err := plain.File(files, p.Table)
		values := map[string]string{}
		for _, line := range plain.Lines(text) {
			if cells := strings.Split(line, "\t"); len(cells) > 1 {
				values[strings.TrimSpace(cells[0])] = cells[len(cells)-1]
			}
		}
		each(*records, func(_ *record, _ *field, id *string) {
			if value, ok := values[strings.TrimSpace(*id)]; ok {
				*id = value
			}
		})
		return err
	}
	return catalogs.Rewrite(p.Document, p.To, change, restore)
}

// turnNames writes the names of persons with the forename first. On the way back each name of
// a record that the table lists gets its heading; if two are displayed alike, in the order of
// the table.
func turnNames(p struct{ Document, To, Table string }) exact.Steps {
	each := func(records []record, do func(r *record, name *string)) {
		const surname = "1" // comes first
		for r, f := range fieldsOf(records) {
			if name := f.first("a"); (f.tag == "100" || f.tag == "700") && f.indicator[0] == surname && name != nil {
				do(r, name)
			}
		}
	}
	change := func(records *[]record) (vfs.Files, error) {
		rows := [][]string{{"control_number", "display", "heading"}}
		each(*records, func(r *record, name *string) {
			display := displayed(*name)
			rows = append(rows, []string{r.id(), display, *name})
			*name = display
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(records *[]record, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "control_number", "display", "heading")
		key := func(id, display string) string { return fmt.Sprintf("%q %q", id, display) }
		of := plain.NotesBy(rows, func(row []string) string { return key(strings.TrimSpace(row[0]), row[1]) })
		each(*records, func(r *record, name *string) {
			if row := of.Take(key(r.id(), *name)); row != nil {
				*name = row[2]
			}
		})
		return err
	}
	return catalogs.Rewrite(p.Document, p.To, change, restore)
}

// displayed turns "Vik, O. T.," into "O. T. Vik,". A name without a
// forename stays.
func displayed(name string) string {
	bare, comma := strings.CutSuffix(name, ",")
	last, first, ok := strings.Cut(bare, ", ")
	switch {
	case !ok:
		return name
	case comma:
		last += ","
	}
	return first + " " + last
}

// dataFields are sorted in their own record.
var dataFields = exact.Format[[]field, field]{Parts: func(fields *[]field) *[]field { return fields }}

// sortFields sorts the data fields of each record by tag, then by the value of the first
// subfield. On the way back those without a place come last.
func sortFields(p struct{ Document, To, List string }) exact.Steps {
	type order struct {
		ControlNumber string `json:"control_number"`
		Places        []int  `json:"places"` // from 1, in the order they are in now
	}
	change := func(records *[]record) (vfs.Files, error) {
		orders := make([]order, len(*records))
		for i := range *records {
			r := &(*records)[i]
			data := r.dataFields()
			orders[i] = order{r.id(), dataFields.Sort(&data, func(a, b *field) int {
				return cmp.Or(cmp.Compare(a.tag, b.tag), cmp.Compare(a.firstText(), b.firstText()))
			})}
			r.putDataFields(data)
		}
		text, err := jsonArray(orders)
		return vfs.Files{p.List: text}, err
	}
	restore := func(records *[]record, files vfs.Files) error {
		var orders []order
		err := plain.JSON(files, p.List, &orders)
		of := map[string][]int{}
		for _, o := range orders {
			of[o.ControlNumber] = o.Places
		}
		for i := range *records {
			r := &(*records)[i]
			data := r.dataFields()
			lists.Arrange(data, of[r.id()])
			r.putDataFields(data)
		}
		return err
	}
	return catalogs.Rewrite(p.Document, p.To, change, restore)
}

func (f *field) firstText() string {
	if len(f.subfields) == 0 {
		return ""
	}
	return f.subfields[0].value
}

// dataFields are the fields of a record that are no control fields.
func (r *record) dataFields() []field {
	return slices.DeleteFunc(slices.Clone(r.fields), func(f field) bool { return f.control })
}

// putDataFields puts data fields in the given order where there are data
// fields now.
func (r *record) putDataFields(data []field) {
	for i := range r.fields {
		if !r.fields[i].control {
			r.fields[i], data = data[0], data[1:]
		}
	}
}
