package musicsheet

import (
	"errors"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// scoreFile is the file that every backward step leaves.
const scoreFile = "score.ly"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "transpose", Forward: transposeUp, Backward: transposeDown},
		{Name: "part_files", Forward: splitParts, Backward: mergeParts},
		{Name: "absolute_octaves", Forward: toAbsolute, Backward: toRelative},
		{Name: "explicit_durations", Forward: writeDurations, Backward: dropDurations},
		{Name: "english_names", Forward: toEnglish, Backward: toDutch},
		{Name: "lyric_sheet", Forward: takeLyrics, Backward: putLyrics},
		{Name: "dynamics_list", Forward: takeDynamics, Backward: putDynamics},
		{Name: "range_audit", Forward: auditRanges, Backward: dropRanges},
	}
}

var errNoNotes = errors.New("the files have no notes")

// readDocument reads the source that a forward step is given.
func readDocument(files vfs.Files) ([]token, error) {
	files = files.Match(patterns)
	c := newContext()
	var all []token
	for _, name := range files.Names() {
		all = append(all, tokenize(files[name], c)...)
	}
	if !hasNotes(all) {
		return nil, errNoNotes
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]token, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return tokenize(text, newContext()), nil
}

func asDocument(tokens []token) vfs.Files { return vfs.Files{scoreFile: printed(tokens)} }

// event is the place of a note, rest or chord in its variable, counted from 1. All
// tokens of a chord have its place, and so have the marks after it.
type event struct {
	variable string
	n        int
}

// cells are those of a table.
func (e event) cells() []string { return []string{e.variable, strconv.Itoa(e.n)} }

func eventOf(row []string) event { return event{row[0], plain.LineNumber(row[1])} }

// eventsOf gives each token the event that it belongs to; n is 0 for what belongs to
// none. Music outside of variables has the variable "score".
func eventsOf(tokens []token) []event {
	all := make([]event, len(tokens))
	counts := map[string]int{}
	variable, inChord := outside, false
	var last event
	for i := range tokens {
		k := &tokens[i]
		switch {
		case k.kind == nameToken:
			variable = variableName(k.text)
		case k.depth == 0 && k.kind == markToken && isOutput(commandName(k.text)):
			variable = outside
		}
		switch {
		case k.kind == chordOpenToken || isEvent(k.kind) && !inChord && k.kind != chordCloseToken:
			counts[variable]++
			last = event{variable, counts[variable]}
			inChord = k.kind == chordOpenToken
		case k.kind == chordCloseToken:
			inChord = false
		case !inChord && k.kind != postToken && k.kind != commentToken:
			last = event{}
		}
		all[i] = last
	}
	return all
}

// outside is what music outside of variables is listed under.
const outside = "score"
