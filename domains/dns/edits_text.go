package dns

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// jsonEntry is an entry in JSON. Empty parts are left out.
type jsonEntry struct {
	Kind    string `json:"kind"` // record, directive, comment, blank or text
	Owner   string `json:"owner,omitempty"`
	TTL     string `json:"ttl,omitempty"`
	Class   string `json:"class,omitempty"`
	Type    string `json:"type,omitempty"`
	Data    string `json:"data,omitempty"`
	Name    string `json:"name,omitempty"` // of a directive
	Value   string `json:"value,omitempty"`
	Comment string `json:"comment,omitempty"`
	Text    string `json:"text,omitempty"`
}

// inJSON makes an array with an object for each entry.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(f zoneFile) (vfs.Files, error) {
		return vfs.Files{p.To: plain.WriteJSON(lists.Each(f.entries, (*entry).json))}, nil
	}
	return zones.Whole(p.Document, forward, func(files vfs.Files) (zoneFile, error) {
		var entries []jsonEntry
		err := plain.JSON(files, p.To, &entries)
		return zones.Read(plain.Text(lists.Each(entries, (*jsonEntry).line))), err
	})
}

func (e *entry) json() jsonEntry {
	switch e.kind {
	case blankEntry:
		return jsonEntry{Kind: "blank"}
	case commentEntry:
		return jsonEntry{Kind: "comment", Text: strings.TrimSpace(strings.TrimLeft(e.text, " \t")[1:])}
	case directiveEntry:
		value, comment := cutLastComment(e.text[e.words[0].end:])
		return jsonEntry{Kind: "directive", Name: e.word(0), Value: value, Comment: comment}
	case recordEntry:
		j := jsonEntry{
			Kind: "record", Owner: e.part(e.owner), TTL: e.part(e.ttl), Class: e.part(e.class), Type: e.word(e.typ),
		}
		j.Data, j.Comment = cutLastComment(e.text[e.words[e.typ].end:])
		return j
	}
	return jsonEntry{Kind: "text", Text: e.text}
}

// cutLastComment splits off a comment at the end of the last line.
func cutLastComment(text string) (before, comment string) {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	code := withoutComment(last)
	before = text[:len(text)-len(last)+len(code)]
	return strings.Trim(before, " \t"), strings.TrimSpace(strings.TrimPrefix(last[len(code):], ";"))
}

func (j *jsonEntry) line() string {
	var parts []string
	switch j.Kind {
	case "blank":
		return ""
	case "comment":
		return strings.TrimRight("; "+j.Text, " ")
	case "directive":
		parts = []string{j.Name, j.Value}
	case "record":
		parts = []string{j.Owner}
		for _, part := range []string{j.TTL, j.Class, j.Type, j.Data} {
			if part != "" {
				parts = append(parts, part)
			}
		}
	default:
		return j.Text
	}
	if j.Comment != "" {
		parts = append(parts, "; "+j.Comment)
	}
	return strings.Join(parts, "\t")
}

// labelAddresses replaces the addresses of some types of records by labels such as [IPv4_01].
func labelAddresses(p struct {
	Document, To string
	Labels       map[string]string // A: IPv4
	Table        string
}) exact.Steps {
	change := func(f *zoneFile) (vfs.Files, error) {
		label, used := "", map[string]int{}
		codes := exact.Codes{New: func(string, int) string {
			used[label]++
			return fmt.Sprintf("[%s_%02d]", label, used[label])
		}}
		for _, e := range f.records() {
			if label = p.Labels[e.typeName]; label != "" {
				e.splice(e.replace(e.typ+1, codes.Of(e.word(e.typ+1))))
			}
		}
		return vfs.Files{p.Table: codes.CSV("label", "address")}, nil
	}
	return zones.Rewrite(p.Document, p.To, change, func(f *zoneFile, files vfs.Files) error {
		addresses, err := exact.ReadRegister(files, p.Table, "label", "address")
		for _, e := range f.records() {
			if address := addresses[e.word(e.typ+1)]; address != "" {
				e.splice(e.replace(e.typ+1, address))
			}
		}
		return err
	})
}

// writeNames makes every name absolute and writes out inherited owners.
func writeNames(p struct{ Document, To, Table string }) exact.Steps {
	change := func(f *zoneFile) (vfs.Files, error) {
		table := [][]string{{"record", "place", "spelling"}}
		for n, e := range f.records() {
			note := func(place int, spelling string) {
				table = append(table, []string{strconv.Itoa(n), strconv.Itoa(place), spelling})
			}
			if owner, _ := e.spelling(); owner != e.name {
				note(0, owner)
				e.setOwner(e.name)
			}
			for place, k := range e.namePlaces() {
				if word := e.word(k); absolute(word, e.origin) != word {
					note(place, word)
				}
			}
			e.splice(e.dataNames()...)
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return zones.Rewrite(p.Document, p.To, change, func(f *zoneFile, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "record", "place", "spelling")
		byRecord := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[0]) })
		for n, e := range f.records() {
			for _, row := range byRecord[strconv.Itoa(n)] {
				place := plain.LineNumber(row[1])
				switch {
				case place > 0:
					e.shorten(e.typ+place, row[2])
				case row[2] == "":
					e.setOwner("")
				default:
					e.shorten(e.owner, row[2])
				}
			}
		}
		settle(f.entries, topOrigin(*f))
		return err
	})
}

// shorten writes a name in another spelling, if it stands for the same.
func (e *entry) shorten(n int, spelling string) {
	if n < 0 || n >= len(e.words) || spelling == "" {
		return
	}
	if strings.EqualFold(absolute(spelling, e.origin), absolute(e.word(n), e.origin)) {
		e.splice(e.replace(n, spelling))
	}
}
