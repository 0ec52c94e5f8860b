package libcatalog

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// catalogs says how catalogues are taken apart and put together.
var catalogs = exact.Format[[]record, record]{
	Patterns: []string{"*.xml"},
	Read:     func(text string) []record { return read(text).records },
	Print:    printed,
	Parts:    func(records *[]record) *[]record { return records },
	Empty:    errors.New("no .xml file with a record"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_material", splitByMaterial),
		domains.Taking("sort_by_year", sortByYear),
		domains.Taking("mnemonic", inMnemonic),
		domains.Taking("move_fields", moveFields),
		domains.Taking("code_fields", codeFields),
		domains.Taking("code_subfields", codeSubfields),
		domains.Taking("turn_names", turnNames),
		domains.Taking("sort_fields", sortFields),
	}
}

// fieldsOf goes through the fields of all records, to be changed.
func fieldsOf(records []record) iter.Seq2[*record, *field] {
	return func(yield func(*record, *field) bool) {
		for i := range records {
			for k := range records[i].fields {
				if !yield(&records[i], &records[i].fields[k]) {
					return
				}
			}
		}
	}
}

// first is the value of the first subfield of a code, to be changed; nil if
// there is none.
func (f *field) first(code string) *string {
	if s := lists.First(f.subfields, func(s *subfield) bool { return s.code == code }); s != nil {
		return &s.value
	}
	return nil
}

// indicators are the two indicators as mnemonic text has them.
func (f *field) indicators() string { return backslashed(f.indicator[0] + f.indicator[1]) }

// jsonArray prints an entry a line, with & and the like readable.
func jsonArray[T any](entries []T) (string, error) {
	text, err := plain.JSONArray(entries)
	return strings.ReplaceAll(text, "\n  ", "\n"), err
}

// splitByMaterial makes a file of the records of each kind of material. A kind has types of
// record (leader position 06) and perhaps a bibliographic level (07). The first that fits counts.
func splitByMaterial(p struct {
	Document string
	Kinds    []struct {
		Types, File string
		Level       string `json:",omitempty"`
	}
	Others, Table string
}) exact.Steps {
	const levelAt = 7
	file := func(r *record) string {
		for _, kind := range p.Kinds {
			ofLevel := kind.Level == "" || kind.Level == string(r.leaderAt(levelAt))
			if ofLevel && strings.ContainsRune(kind.Types, r.material()) {
				return kind.File
			}
		}
		return p.Others
	}
	forward := func(records []record) (vfs.Files, error) {
		rows := [][]string{{"position", "control_number", "file"}}
		made := catalogs.Divide(records, "", func(r *record) string {
			rows = append(rows, []string{strconv.Itoa(len(rows)), r.id(), file(r)})
			return file(r)
		})
		made[p.Table] = plain.WriteCSV(rows)
		return made, nil
	}
	return catalogs.Whole(p.Document, forward, func(files vfs.Files) ([]record, error) {
		return catalogs.MergeByTable(files, "", p.Table)
	})
}

// sortByYear puts the oldest records first and gives each a field with the decade, the age in a
// year and its class, and the position. A record without a year has the position only and comes
// before all others.
func sortByYear(p struct {
	Document, To string
	Tag          string // of the field
	Year         int
	Ages         []struct {
		From int
		Name string
	}
	Younger string // the class of what is younger than all ages
}) exact.Steps {
	class := func(age int) string {
		for _, class := range p.Ages {
			if age >= class.From {
				return class.Name
			}
		}
		return p.Younger
	}
	change := func(records *[]record) {
		catalogs.Number(records, func(r *record, position int) {
			shelf := field{tag: p.Tag, indicator: [2]string{" ", " "}}
			if year, ok := r.year(); ok {
				age := p.Year - year
				shelf.subfields = []subfield{{"a", strconv.Itoa(year/10*10) + "s"}, {"b", strconv.Itoa(age)}, {"c", class(age)}}
			}
			shelf.subfields = append(shelf.subfields, subfield{"d", strconv.Itoa(position)})
			r.fields = append(r.fields, shelf)
		})
		catalogs.Sort(records, func(a, b *record) int {
			before, _ := a.year()
			after, _ := b.year()
			return cmp.Compare(before, after)
		})
	}
	return catalogs.Change(p.Document, p.To, change, func(records *[]record) {
		catalogs.SortByNumber(records, func(r *record) (position int, ok bool) {
			r.fields = slices.DeleteFunc(r.fields, func(f field) bool {
				if noted := f.first("d"); noted != nil && f.tag == p.Tag {
					position, _ = strconv.Atoi(strings.TrimSpace(*noted))
				}
				return f.tag == p.Tag
			})
			return position, true
		})
	})
}

// year is that of the first date in the 008, with u for a digit that is not
// known read as 0.
func (r *record) year() (int, bool) {
	const from, to = 7, 11
	for i := range r.fields {
		if data := r.fields[i].data; r.fields[i].tag == "008" && len(data) >= to {
			year, err := strconv.Atoi(strings.ReplaceAll(data[from:to], "u", "0"))
			return max(year, 0), err == nil
		}
	}
	return 0, false
}

const leaderName = "LDR"

// inMnemonic writes a line for each field, and a blank line after each record.
func inMnemonic(p struct{ Document, To string }) exact.Steps {
	forward := func(records []record) (vfs.Files, error) {
		var lines []string
		for i := range records {
			if records[i].leader != "" {
				lines = append(lines, "="+leaderName+"  "+backslashed(records[i].leader))
			}
			for _, f := range records[i].fields {
				text := f.indicators() + f.mnemonic()
				if f.control {
					text = backslashed(f.data)
				}
				lines = append(lines, "="+f.tag+"  "+text)
			}
			lines = append(lines, "")
		}
		return vfs.Files{p.To: plain.Text(lines)}, nil
	}
	return catalogs.Whole(p.Document, forward, func(files vfs.Files) ([]record, error) {
		text, err := plain.File(files, p.To)
		return readMnemonic(text), err
	})
}

// readMnemonic reads the lines that begin with an equals sign. A record begins
// with its leader, or after a blank line.
func readMnemonic(text string) (records []record) {
	between := true
	for _, line := range plain.Lines(text) {
		tag, rest, ok := cutTag(line)
		if !ok {
			between = between || strings.TrimSpace(line) == ""
			continue
		}
		if between || tag == leaderName {
			records = append(records, record{})
			between = false
		}
		r := &records[len(records)-1]
		switch {
		case tag == leaderName:
			r.leader = fromBackslashed(rest)
		case isControl(tag):
			r.fields = append(r.fields, field{tag: tag, control: true, data: fromBackslashed(rest)})
		default:
			written, _, _ := strings.Cut(rest, "$")
			r.fields = append(r.fields, field{tag: tag, indicator: indicatorsIn(written), subfields: subfieldsIn(rest)})
		}
	}
	return records
}

// cutTag splits a line as in "=245  10$aThe title".
func cutTag(line string) (tag, rest string, ok bool) {
	const tagLength, gap = 3, "  "
	body, ok := strings.CutPrefix(line, "=")
	if !ok || len(body) < tagLength {
		return "", "", false
	}
	return body[:tagLength], strings.TrimPrefix(body[tagLength:], gap), true
}
