package molecule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "aroma_standards.sdf"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "one_file_each", Forward: splitRecords, Backward: mergeRecords},
		{Name: "class_split", Forward: splitClasses, Backward: mergeClasses},
		{Name: "property_table", Forward: takeFields, Backward: giveFields},
		{Name: "by_weight", Forward: sortByWeight, Backward: sortByEntry(weightFile, weightField)},
		{Name: "panel", Forward: choosePanel, Backward: sortByEntry(panelFile, panelField)},
		{Name: "picometres", Forward: takeCoordinates, Backward: giveCoordinates},
		{Name: "hill_order", Forward: sortAtoms, Backward: restoreAtoms},
		{Name: "field_codes", Forward: codeFields, Backward: nameFields},
		{Name: "as_json", Forward: toJSON, Backward: fromJSON},
	}
}

var errNoEntries = errors.New("no .sdf file with a record")

// readDocument reads the records of a forward step's files.
func readDocument(files vfs.Files) ([]*entry, error) {
	var all []*entry
	files = files.Match(patterns)
	for _, name := range files.Names() {
		entries, err := readEntries(name, files[name])
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	if len(all) == 0 {
		return nil, errNoEntries
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]*entry, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	entries, err := readEntries(name, text)
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%s has no record", name)
	}
	return entries, err
}

func readEntries(name, text string) ([]*entry, error) {
	var all []*entry
	for _, e := range readFile(text) {
		for _, line := range e.stray {
			if strings.TrimSpace(line) != "" {
				return nil, fmt.Errorf("%s has a line that is no part of a record: %q", name, line)
			}
		}
		if e.isRecord() {
			e.stray, e.closing = nil, delimiter
			all = append(all, e)
		}
	}
	return all, nil
}

func asDocument(entries []*entry) vfs.Files { return vfs.Files{documentFile: printAll(entries)} }

// id is the value of the field ID, on one line.
func (e *entry) id() (string, error) {
	id, has := e.value("ID")
	if id = strings.TrimSpace(id); !has || id == "" || strings.ContainsAny(id, "\n/") {
		return "", fmt.Errorf("the record %q has no ID", e.title())
	}
	return id, nil
}

// add appends a data field.
func (e *entry) add(name, value string) { e.data = append(e.data, newDatum(name, value)) }

func newDatum(name, value string) datum {
	d := datum{header: "> <" + name + ">"}
	if value != "" {
		d.lines = strings.Split(value, "\n")
	}
	return d
}

// drop takes a data field out.
func (e *entry) drop(name string) {
	e.data = slices.DeleteFunc(e.data, func(d datum) bool { return d.name() == name })
}

const entryField = "ENTRY"

// withEntry adds the number of a record and a field to it, neither of which may
// be there before.
func (e *entry) withEntry(number int, name, value string) error {
	for _, name := range []string{name, entryField} {
		if _, has := e.value(name); has {
			return fmt.Errorf("the record %q has a field %s already", e.title(), name)
		}
	}
	e.add(name, value)
	e.add(entryField, strconv.Itoa(number))
	return nil
}

// sortByEntry is the backward step of those that sort: it restores the order and
// drops both fields.
func sortByEntry(file, field string) func(vfs.Files) (vfs.Files, error) {
	return func(files vfs.Files) (vfs.Files, error) {
		entries, err := readNamed(files, file)
		if err != nil {
			return nil, err
		}
		numbers := map[*entry]int{}
		for _, e := range entries {
			value, _ := e.value(entryField)
			numbers[e] = number(strings.TrimSpace(value))
			e.drop(field)
			e.drop(entryField)
		}
		slices.SortStableFunc(entries, func(a, b *entry) int { return numbers[a] - numbers[b] })
		return asDocument(entries), nil
	}
}

// columnsInPlace refuses records whose atoms and bonds an edit of columns cannot
// work on.
func (e *entry) columnsInPlace() error {
	if e.isExtended() {
		return fmt.Errorf("the record %q is in V3000 format", e.title())
	}
	t := e.table()
	if slices.Contains(t.shifted, true) || t.miscounts != "" {
		return fmt.Errorf("the block of the record %q is out of its columns or counts", e.title())
	}
	for k := range t.bonds {
		if b := &t.bonds[k]; min(b.a, b.b) < 0 || max(b.a, b.b) >= len(t.atoms) {
			return fmt.Errorf("the record %q has a bond to an atom that is not there", e.title())
		}
	}
	return nil
}
