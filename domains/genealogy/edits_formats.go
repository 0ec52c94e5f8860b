package genealogy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const treeFile = "tree.json"

// entry is a line in JSON. The levels follow from the nesting.
type entry struct {
	Pointer string  `json:"pointer,omitempty"`
	Tag     string  `json:"tag,omitempty"` // none on a line that is none of GEDCOM
	Value   string  `json:"value,omitempty"`
	Lines   []entry `json:"lines,omitempty"`
}

func toJSON(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entriesOf(records) {
		texts = append(texts, strings.TrimSpace(toJSONText(e, "")))
	}
	return vfs.Files{treeFile: "[\n" + strings.Join(texts, ",\n") + "\n]\n"}, nil
}

func entriesOf(lines []*line) []entry {
	var entries []entry
	for _, l := range lines {
		entries = append(entries, entry{l.pointer, l.tag, l.value, entriesOf(l.lines)})
	}
	return entries
}

// toJSONText prints JSON in which & and the like are readable.
func toJSONText(value any, indent string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	_ = encoder.Encode(value) // maps and structs of texts cannot fail
	return b.String()
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var entries []entry
	if err := plain.JSON(files, treeFile, &entries); err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s has no record", treeFile)
	}
	return asDocument(linesOf(entries, 0)), nil
}

func linesOf(entries []entry, level int) []*line {
	var lines []*line
	for _, e := range entries {
		lines = append(lines, &line{
			level: level, pointer: e.Pointer, tag: e.Tag, value: e.Value, lines: linesOf(e.Lines, level+1),
		})
	}
	return lines
}

// Dates as in 1836-03-13.
const (
	isoFile = "iso_dates.ged"
	isoTag  = "_ISO"
)

// toISODates writes dates of day, month and year as year, month and day. Only
// those in the one form that can be told from these are rewritten.
func toISODates(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for _, r := range inTree(records) {
		r.each(func(l *line) {
			if d, ok := readDay(l.value); ok && l.tag == "DATE" {
				l.tag, l.value = isoTag, fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
			}
		})
	}
	return vfs.Files{isoFile: print(records)}, nil
}

func fromISODates(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, isoFile)
	if err != nil {
		return nil, err
	}
	for _, r := range inTree(records) {
		r.each(func(l *line) {
			if l.tag == isoTag {
				l.tag, l.value = "DATE", normalDate(l.value)
			}
		})
	}
	return asDocument(records), nil
}

// Files of the places by number.
const (
	placedFile = "coded_places.ged"
	placesFile = "places.csv"
)

// codePlaces replaces places by L and a number.
func codePlaces(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	ids, uses := map[string]string{}, map[string]int{}
	var places []string
	eachPlace(records, func(l *line) {
		if ids[l.value] == "" {
			places = append(places, l.value)
			ids[l.value] = "L" + strconv.Itoa(len(places))
		}
		uses[l.value]++
		l.value = ids[l.value]
	})
	register := [][]string{{"id", "place", "uses"}}
	for _, place := range places {
		register = append(register, []string{ids[place], place, strconv.Itoa(uses[place])})
	}
	return vfs.Files{placedFile: print(records), placesFile: plain.WriteCSV(register)}, nil
}

func namePlaces(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, placedFile)
	if err != nil {
		return nil, err
	}
	register, err := plain.Table(files, placesFile, "id", "place")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range register {
		names[row[0]] = row[1]
	}
	eachPlace(records, func(l *line) {
		if place, ok := names[strings.TrimSpace(l.value)]; ok {
			l.value = place
		}
	})
	return asDocument(records), nil
}

func eachPlace(records []*line, do func(*line)) {
	for _, r := range records {
		r.each(func(l *line) {
			if l.tag == "PLAC" && l.value != "" {
				do(l)
			}
		})
	}
}
