package edifact

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "vlh_harnham.edi"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "message_files", Forward: splitMessages, Backward: joinMessages},
		{Name: "segment_table", Forward: toTable, Backward: fromTable},
		{Name: "lines_by_status", Forward: sortByStatus, Backward: sortByNumber},
		{Name: "line_values", Forward: addValues, Backward: removeValues},
		{Name: "pot_sizes", Forward: cutPotSizes, Backward: putPotSizes},
		{Name: "euro_prices", Forward: toEuros, Backward: toSterling},
		{Name: "host_separators", Forward: toHost, Backward: fromHost},
		{Name: "party_codes", Forward: codeParties, Backward: uncodeParties},
	}
}

var errNoMessage = errors.New("no EDIFACT file with a message")

// readDocument reads the interchange that a forward step is given; of several
// files, all as one.
func readDocument(files vfs.Files) (transmission, error) {
	var all transmission
	messages := 0
	for _, name := range files.Match([]string{"*.edi"}).Names() {
		t := read(files[name])
		messages += len(t.messages())
		all.parts = append(all.parts, t.parts...)
		all.continued = t.continued
	}
	if messages == 0 {
		return transmission{}, errNoMessage
	}
	return all, nil
}

// readNamed reads the interchange that a backward step needs.
func readNamed(files vfs.Files, name string) (transmission, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(t transmission) vfs.Files { return vfs.Files{document: t.print()} }

// byNumber orders numbers written as text; what is no number counts as 0.
func byNumber(a, b string) int {
	m, _ := strconv.Atoi(a)
	n, _ := strconv.Atoi(b)
	return cmp.Compare(m, n)
}

// find returns the first segment of a tag and, if one is given, a qualifier; nil
// if there is none.
func (l *line) find(tag, qualifier string) *segment {
	for i := range l.segments {
		if s := &l.segments[i]; s.tag == tag && (qualifier == "" || s.at(1, 1) == qualifier) {
			return s
		}
	}
	return nil
}

// drop removes the segments of a tag and qualifier.
func drop(segments []segment, tag, qualifier string) []segment {
	return slices.DeleteFunc(segments, func(s segment) bool { return s.tag == tag && s.at(1, 1) == qualifier })
}
