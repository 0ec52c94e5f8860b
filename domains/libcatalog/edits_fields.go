package libcatalog

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Files of the catalogue with subjects by number.
const (
	subjectsFile = "subjects.json"
	linkedFile   = "linked_subjects.xml"
	linkCode     = "0"
)

// heading is a subject heading in the list.
type heading struct {
	ID         string `json:"id"`
	Tag        string `json:"tag"`
	Indicators string `json:"indicators"` // a backslash for a blank
	Subfields  string `json:"subfields"`
}

// listSubjects replaces the subject headings of records by their numbers in a
// list, in the order in which they first occur.
func listSubjects(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var list []heading
	ids := map[heading]string{}
	eachSubject(records, func(f *field) {
		h := heading{Tag: f.tag, Indicators: backslashed(f.indicator[0] + f.indicator[1]), Subfields: f.mnemonic()}
		id, ok := ids[h]
		if !ok {
			id = "S" + strconv.Itoa(len(ids)+1)
			ids[h] = id
			h.ID = id
			list = append(list, h)
		}
		f.subfields = []subfield{{linkCode, id}}
	})
	return vfs.Files{linkedFile: printed(records), subjectsFile: jsonArray(list)}, nil
}

func expandSubjects(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, linkedFile)
	if err != nil {
		return nil, err
	}
	var list []heading
	if err := plain.JSON(files, subjectsFile, &list); err != nil {
		return nil, err
	}
	byID := map[string]heading{}
	for _, h := range list {
		byID[h.ID] = h
	}
	eachSubject(records, func(f *field) {
		link := f.first(linkCode)
		if link == nil {
			return
		}
		if h, ok := byID[strings.TrimSpace(*link)]; ok {
			f.tag, f.indicator, f.subfields = h.Tag, indicatorsIn(h.Indicators), subfieldsIn(h.Subfields)
		}
	})
	return asDocument(records), nil
}

// eachSubject calls do with every field whose tag begins with 6, to change it.
func eachSubject(records []record, do func(*field)) {
	eachField(records, func(_ *record, f *field) {
		if strings.HasPrefix(f.tag, "6") && !f.control {
			do(f)
		}
	})
}

// Files of the catalogue with names as they are spoken.
const (
	displayFile = "display_names.xml"
	namesFile   = "contributors.csv"
)

// turnNames writes the names of persons with the forename first.
func turnNames(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"control_number", "display", "heading"}}
	eachName(records, func(r *record, name *string) {
		display := displayed(*name)
		table = append(table, []string{r.id(), display, *name})
		*name = display
	})
	return vfs.Files{displayFile: printed(records), namesFile: plain.WriteCSV(table)}, nil
}

// displayed turns "Rolt, L. T. C.," into "L. T. C. Rolt,". A name without a
// forename stays.
func displayed(name string) string {
	bare, end := name, ""
	if before, ok := strings.CutSuffix(name, ","); ok {
		bare, end = before, ","
	}
	last, first, ok := strings.Cut(bare, ", ")
	if !ok {
		return name
	}
	return first + " " + last + end
}

// invertNames gives each name of a record that the table lists its heading;
// if two are displayed alike, in the order of the table.
func invertNames(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, displayFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "control_number", "display", "heading")
	if err != nil {
		return nil, err
	}
	type key struct{ id, display string }
	headings := map[key][]string{}
	for _, row := range rows {
		k := key{strings.TrimSpace(row[0]), row[1]}
		headings[k] = append(headings[k], row[2])
	}
	eachName(records, func(r *record, name *string) {
		k := key{r.id(), *name}
		if left := headings[k]; len(left) > 0 {
			*name, headings[k] = left[0], left[1:]
		}
	})
	return asDocument(records), nil
}

// eachName calls do with the name in every 100 and 700 field that has it under
// the surname, to change it.
func eachName(records []record, do func(*record, *string)) {
	const surname = "1"
	eachField(records, func(r *record, f *field) {
		name := f.first("a")
		if (f.tag == "100" || f.tag == "700") && f.indicator[0] == surname && name != nil {
			do(r, name)
		}
	})
}

// Files of the catalogue with addresses by number.
const (
	registeredFile = "registered.xml"
	registryFile   = "url_registry.tsv"
	locationTag    = "856"
)

// registerURLs replaces addresses by their numbers in a table.
func registerURLs(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	lines := []string{"id\tcontrol_number\tindicators\turl"}
	eachURL(records, func(r *record, f *field, url *string) {
		id := fmt.Sprintf("U%d", len(lines))
		lines = append(lines, strings.Join([]string{id, r.id(), backslashed(f.indicator[0] + f.indicator[1]), *url}, "\t"))
		*url = id
	})
	return vfs.Files{registeredFile: printed(records), registryFile: plain.Text(lines)}, nil
}

func expandURLs(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, registeredFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, registryFile)
	if err != nil {
		return nil, err
	}
	urls := map[string]string{}
	for _, line := range plain.Lines(text) {
		if cells := strings.Split(line, "\t"); len(cells) > 1 {
			urls[strings.TrimSpace(cells[0])] = cells[len(cells)-1]
		}
	}
	eachURL(records, func(_ *record, _ *field, id *string) {
		if url, ok := urls[strings.TrimSpace(*id)]; ok {
			*id = url
		}
	})
	return asDocument(records), nil
}

// eachURL calls do with every address in an 856 field, to change it.
func eachURL(records []record, do func(*record, *field, *string)) {
	eachField(records, func(r *record, f *field) {
		for i := range f.subfields {
			if f.tag == locationTag && f.subfields[i].code == "u" {
				do(r, f, &f.subfields[i].value)
			}
		}
	})
}
