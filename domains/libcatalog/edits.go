package libcatalog

import (
	"bytes"
	"encoding/json"
	"errors"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "reading_room.xml"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "material_files", Forward: splitByMaterial, Backward: mergeMaterials},
		{Name: "holdings_table", Forward: moveHoldings, Backward: insertHoldings},
		{Name: "mnemonic_text", Forward: toMnemonic, Backward: fromMnemonic},
		{Name: "subject_list", Forward: listSubjects, Backward: expandSubjects},
		{Name: "display_names", Forward: turnNames, Backward: invertNames},
		{Name: "url_registry", Forward: registerURLs, Backward: expandURLs},
		{Name: "era_shelves", Forward: sortByYear, Backward: sortByPosition},
		{Name: "tag_order", Forward: sortFields, Backward: unsortFields},
	}
}

var errNoRecord = errors.New("no .xml file with a record")

// readDocument reads the MARCXML files that a forward step is given, as one.
func readDocument(files vfs.Files) ([]record, error) {
	files = files.Match([]string{"*.xml"})
	var records []record
	for _, name := range files.Names() {
		records = append(records, read(files[name]).records...)
	}
	if len(records) == 0 {
		return nil, errNoRecord
	}
	return records, nil
}

// readNamed reads the MARCXML file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]record, error) {
	text, err := plain.File(files, name)
	return read(text).records, err
}

func printed(records []record) string { return catalog{records: records}.print() }

func asDocument(records []record) vfs.Files { return vfs.Files{document: printed(records)} }

// eachField calls do with every field of every record, to change it.
func eachField(records []record, do func(*record, *field)) {
	for i := range records {
		for k := range records[i].fields {
			do(&records[i], &records[i].fields[k])
		}
	}
}

// first is the value of the first subfield of a code, to be changed; nil if
// there is none.
func (f *field) first(code string) *string {
	for i := range f.subfields {
		if f.subfields[i].code == code {
			return &f.subfields[i].value
		}
	}
	return nil
}

// jsonArray prints an entry a line, with & and the like readable.
func jsonArray[T any](entries []T) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteString("[\n")
	for i, entry := range entries {
		_ = encoder.Encode(entry) // structs of texts and numbers cannot fail
		if i < len(entries)-1 {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
	}
	b.WriteString("]\n")
	return b.String()
}
