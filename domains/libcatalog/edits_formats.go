package libcatalog

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	mnemonicFile = "reading_room.mrk"
	leaderName   = "LDR"
)

// toMnemonic writes a line for each field, and a blank line after each record.
func toMnemonic(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var lines []string
	for i := range records {
		if records[i].leader != "" {
			lines = append(lines, "="+leaderName+"  "+backslashed(records[i].leader))
		}
		for _, f := range records[i].fields {
			line := "=" + f.tag + "  "
			if f.control {
				line += backslashed(f.data)
			} else {
				line += backslashed(f.indicator[0]+f.indicator[1]) + f.mnemonic()
			}
			lines = append(lines, line)
		}
		lines = append(lines, "")
	}
	return vfs.Files{mnemonicFile: plain.Text(lines)}, nil
}

// fromMnemonic reads the lines that begin with an equals sign. A record begins
// with its leader, or after a blank line.
func fromMnemonic(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, mnemonicFile)
	if err != nil {
		return nil, err
	}
	var records []record
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
	if len(records) == 0 {
		return nil, errNoRecord
	}
	return asDocument(records), nil
}

// cutTag splits a line as in "=245  10$aNarrow boat".
func cutTag(line string) (tag, rest string, ok bool) {
	const tagLength, gap = 3, "  "
	body, ok := strings.CutPrefix(line, "=")
	if !ok || len(body) < tagLength {
		return "", "", false
	}
	return body[:tagLength], strings.TrimPrefix(body[tagLength:], gap), true
}
