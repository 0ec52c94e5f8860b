package libcatalog

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const indexFile = "index.csv"

// splitByMaterial makes a file of the records of each kind of material.
func splitByMaterial(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	parts := map[string][]record{}
	index := [][]string{{"position", "control_number", "file"}}
	for n, r := range records {
		name := r.materialFile()
		parts[name] = append(parts[name], r)
		index = append(index, []string{strconv.Itoa(n + 1), r.id(), name})
	}
	out := vfs.Files{indexFile: plain.WriteCSV(index)}
	for name, part := range parts {
		out[name] = printed(part)
	}
	return out, nil
}

// materialFile goes by the type of record and, for texts, by the bibliographic
// level.
func (r *record) materialFile() string {
	const levelAt, serial = 7, 's'
	switch r.material() {
	case 'a', 't':
		if r.leaderAt(levelAt) == serial {
			return "serials.xml"
		}
		return "books.xml"
	case 'c', 'd':
		return "scores.xml"
	case 'e', 'f':
		return "maps.xml"
	case 'i', 'j':
		return "sound.xml"
	}
	return "other.xml"
}

// mergeMaterials puts records in the order of the index, of each file the next.
// Those that the index does not place come last.
func mergeMaterials(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, indexFile, "position", "file")
	if err != nil {
		return nil, err
	}
	if _, err := readDocument(files); err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	parts := map[string][]record{}
	xml := files.Match([]string{"*.xml"})
	for _, name := range xml.Names() {
		parts[name] = read(xml[name]).records
	}
	var merged []record
	for _, row := range rows {
		if part := parts[row[1]]; len(part) > 0 {
			merged = append(merged, part[0])
			parts[row[1]] = part[1:]
		}
	}
	for _, name := range xml.Names() {
		merged = append(merged, parts[name]...)
	}
	return asDocument(merged), nil
}

// Files of the catalogue without its holdings.
const (
	titlesFile   = "titles.xml"
	holdingsFile = "holdings.csv"
	holdingTag   = "852"
)

// moveHoldings takes the fields that say where copies are to a table.
func moveHoldings(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"control_number", "field", "indicators", "subfields"}}
	for i := range records {
		r := &records[i]
		var kept []field
		for n, f := range r.fields {
			if f.tag != holdingTag {
				kept = append(kept, f)
				continue
			}
			table = append(table, []string{
				r.id(), strconv.Itoa(n + 1), backslashed(f.indicator[0] + f.indicator[1]), f.mnemonic(),
			})
		}
		r.fields = kept
	}
	return vfs.Files{titlesFile: printed(records), holdingsFile: plain.WriteCSV(table)}, nil
}

// insertHoldings puts each field at its place in its record. Those of records
// that are gone are left out.
func insertHoldings(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, titlesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, holdingsFile, "field", "control_number", "indicators", "subfields")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	ofRecord := map[string][][]string{}
	for _, row := range rows {
		id := strings.TrimSpace(row[1])
		ofRecord[id] = append(ofRecord[id], row)
	}
	for i := range records {
		r := &records[i]
		for _, row := range ofRecord[r.id()] {
			holding := field{tag: holdingTag, indicator: indicatorsIn(row[2]), subfields: subfieldsIn(row[3])}
			place, _ := strconv.Atoi(strings.TrimSpace(row[0]))
			r.fields = slices.Insert(r.fields, min(max(place-1, 0), len(r.fields)), holding)
		}
		delete(ofRecord, r.id())
	}
	return asDocument(records), nil
}
