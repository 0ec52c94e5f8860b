package dns

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const jsonFile = "zone.json"

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

func toJSON(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	entries := make([]jsonEntry, len(f.entries))
	for i := range f.entries {
		entries[i] = f.entries[i].json()
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(entries); err != nil {
		return nil, fmt.Errorf("writing %s: %w", jsonFile, err)
	}
	return vfs.Files{jsonFile: b.String()}, nil
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
		j := jsonEntry{Kind: "record", Type: e.word(e.typ)}
		j.Owner, j.TTL = e.spelling()
		if e.class >= 0 {
			j.Class = e.word(e.class)
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

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var entries []jsonEntry
	if err := plain.JSON(files, jsonFile, &entries); err != nil {
		return nil, err
	}
	lines := make([]string, len(entries))
	for i := range entries {
		lines[i] = entries[i].line()
	}
	return vfs.Files{document: plain.Text(lines)}, nil
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

const (
	labelledFile = "pseudonymised.zone"
	legendFile   = "ip_legend.csv"
)

// labelAddresses replaces the addresses of A and AAAA records by labels.
func labelAddresses(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	legend := [][]string{{"label", "address"}}
	labels, used := map[string]string{}, map[string]int{}
	f.eachRecord(func(_ int, e *entry) {
		family := map[string]string{"A": "IPv4", "AAAA": "IPv6"}[e.typeName]
		if family == "" {
			return
		}
		address := e.word(e.typ + 1)
		if labels[address] == "" {
			used[family]++
			labels[address] = fmt.Sprintf("[%s_%02d]", family, used[family])
			legend = append(legend, []string{labels[address], address})
		}
		e.splice(e.replace(e.typ+1, labels[address]))
	})
	return vfs.Files{labelledFile: f.print(), legendFile: plain.WriteCSV(legend)}, nil
}

func nameAddresses(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, labelledFile)
	if err != nil {
		return nil, err
	}
	legend, err := plain.Table(files, legendFile, "label", "address")
	if err != nil {
		return nil, err
	}
	addresses := map[string]string{}
	for _, row := range legend {
		addresses[row[0]] = row[1]
	}
	f.eachRecord(func(_ int, e *entry) {
		if address := addresses[e.word(e.typ+1)]; address != "" {
			e.splice(e.replace(e.typ+1, address))
		}
	})
	return asDocument(f.entries), nil
}

const (
	absoluteFile = "absolute.zone"
	styleFile    = "style.csv"
)

// writeNames makes every name absolute and writes out inherited owners.
func writeNames(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	style := [][]string{{"record", "place", "spelling"}}
	f.eachRecord(func(n int, e *entry) {
		note := func(place int, spelling string) {
			style = append(style, []string{strconv.Itoa(n), strconv.Itoa(place), spelling})
		}
		owner, _ := e.spelling()
		if owner != e.name {
			note(0, owner)
			e.setOwner(e.name)
		}
		for place, k := range e.namePlaces() {
			if word := e.word(k); absolute(word, e.origin) != word {
				note(place, word)
			}
		}
		e.splice(e.dataNames()...)
	})
	return vfs.Files{absoluteFile: f.print(), styleFile: plain.WriteCSV(style)}, nil
}

func shortenNames(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, absoluteFile)
	if err != nil {
		return nil, err
	}
	style, err := plain.Table(files, styleFile, "record", "place", "spelling")
	if err != nil {
		return nil, err
	}
	byRecord := plain.NotesBy(style, func(row []string) string { return strings.TrimSpace(row[0]) })
	f.eachRecord(func(n int, e *entry) {
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
	})
	settle(f.entries, topOrigin(f))
	return asDocument(f.entries), nil
}

// shorten writes a name in another spelling, if it stands for the same.
func (e *entry) shorten(n int, spelling string) {
	if n < 0 || n >= len(e.words) || spelling == "" {
		return
	}
	if sameName(absolute(spelling, e.origin), absolute(e.word(n), e.origin)) {
		e.splice(e.replace(n, spelling))
	}
}
