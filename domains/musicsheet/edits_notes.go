package musicsheet

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	durationsFile = "score_durations.ly"
	implicitFile  = "implicit.csv"
)

var eventColumns = []string{"variable", "n"}

// writeDurations gives every note, rest and chord its duration, and lists those that
// had none.
func writeDurations(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	events := eventsOf(tokens)
	table := [][]string{eventColumns}
	running, inChord := "4", false
	for i := range tokens {
		k := &tokens[i]
		switch k.kind {
		case chordOpenToken:
			inChord = true
		case chordCloseToken:
			inChord = false
		}
		if k.length != "" {
			running = k.length
			continue
		}
		if isEvent(k.kind) && !inChord {
			table = append(table, events[i].cells())
			k.length = running
			k.rewrite()
		}
	}
	return vfs.Files{durationsFile: printed(tokens), implicitFile: plain.WriteCSV(table)}, nil
}

func dropDurations(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, durationsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, implicitFile, eventColumns...)
	if err != nil {
		return nil, err
	}
	implicit := map[event]bool{}
	for _, row := range rows {
		implicit[eventOf(row)] = true
	}
	events := eventsOf(tokens)
	for i := range tokens {
		if k := &tokens[i]; isEvent(k.kind) && k.length != "" && implicit[events[i]] {
			k.length = ""
			k.rewrite()
		}
	}
	return asDocument(tokens), nil
}

const (
	plainFile    = "score_plain.ly"
	dynamicsFile = "dynamics.csv"
)

var dynamicsColumns = []string{"variable", "n", "dynamics"}

// takeDynamics moves the dynamics of the music to a list.
func takeDynamics(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	events := eventsOf(tokens)
	table := [][]string{dynamicsColumns}
	kept := make([]token, 0, len(tokens))
	var last event
	for i := range tokens {
		k := &tokens[i]
		if events[i].n == 0 || !k.isDynamic() {
			kept = append(kept, *k)
			continue
		}
		if events[i] == last {
			table[len(table)-1][2] += " " + k.text
		} else {
			last = events[i]
			table = append(table, append(last.cells(), k.text))
		}
	}
	return vfs.Files{plainFile: printed(kept), dynamicsFile: plain.WriteCSV(table)}, nil
}

// isDynamic reports whether a token is a dynamic mark, with or without direction.
func (k *token) isDynamic() bool {
	return k.kind == postToken && postKind(strings.TrimPrefix(k.text, "-")) == "dynamic"
}

func putDynamics(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, plainFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, dynamicsFile, dynamicsColumns...)
	if err != nil {
		return nil, err
	}
	dynamics := map[event][]string{}
	for _, row := range rows {
		e := eventOf(row)
		dynamics[e] = append(dynamics[e], strings.Fields(row[2])...)
	}
	events := eventsOf(tokens)
	out := make([]token, 0, len(tokens)+len(rows))
	inChord := false
	for i := range tokens {
		k := &tokens[i]
		out = append(out, *k)
		switch k.kind {
		case chordOpenToken:
			inChord = true
		case chordCloseToken:
			inChord = false
		}
		if !isEvent(k.kind) || inChord {
			continue
		}
		for _, mark := range dynamics[events[i]] {
			out = append(out, token{kind: postToken, text: mark})
		}
		delete(dynamics, events[i])
	}
	return asDocument(out), nil
}

const (
	rangedFile = "score_ranges.ly"
	rangesFile = "ranges.csv"
	rangeLabel = "% RANGE "
)

var rangeColumns = []string{"variable", "notes", "lowest", "highest", "semitones", "voice"}

// singers are the ranges of voices, from the lowest, in absolute Dutch pitches.
var singers = []struct {
	name            string
	lowest, highest pitch
}{
	{"bass", pitch{step: 2, octave: -1}, pitch{step: 2, octave: 1}},
	{"tenor", pitch{step: 0}, pitch{step: 6, octave: 1}},
	{"alto", pitch{step: 3}, pitch{step: 1, octave: 2}},
	{"soprano", pitch{step: 0, octave: 1}, pitch{step: 5, octave: 2}},
}

// auditRanges writes above each variable the range of its notes.
func auditRanges(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{rangeColumns}
	out := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); {
		n := max(definition(tokens[i:]), 1)
		part := tokens[i : i+n]
		i += n
		if part[0].kind == nameToken {
			if row, ok := rangeOf(part); ok {
				table = append(table, row)
				out = append(out, token{
					kind: commentToken, space: part[0].space,
					text: rangeLabel + row[2] + " - " + row[3] + ", " + row[5],
				})
				part[0].space = "\n"
			}
		}
		out = append(out, part...)
	}
	if len(table) == 1 {
		return nil, errNoNotes
	}
	return vfs.Files{rangedFile: printed(out), rangesFile: plain.WriteCSV(table)}, nil
}

// rangeOf is the row of a variable; there is none without notes.
func rangeOf(definition []token) (row []string, ok bool) {
	var lowest, highest pitch
	notes := 0
	for i := range definition {
		k := &definition[i]
		if k.kind != noteToken {
			continue
		}
		p := k.tone.sounding()
		if notes == 0 || p.height() < lowest.height() {
			lowest = p
		}
		if notes == 0 || p.height() > highest.height() {
			highest = p
		}
		notes++
	}
	if notes == 0 {
		return nil, false
	}
	semitones := float64(highest.height()-lowest.height()) / 2
	return []string{
		variableName(definition[0].text), strconv.Itoa(notes), lowest.absolute(), highest.absolute(),
		strconv.FormatFloat(semitones, 'f', -1, 64), voiceOf(lowest, highest),
	}, true
}

// absolute is the Dutch name with octave marks.
func (p pitch) absolute() string {
	return fmt.Sprint(languages[defaultLanguage].print(p), octaveMarks(p.octave))
}

// voiceOf is the lowest voice that can sing a range.
func voiceOf(lowest, highest pitch) string {
	for _, s := range singers {
		if lowest.height() >= s.lowest.height() && highest.height() <= s.highest.height() {
			return s.name
		}
	}
	return "instrument"
}

func dropRanges(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, rangedFile)
	if err != nil {
		return nil, err
	}
	kept := make([]token, 0, len(tokens))
	for i := range tokens {
		k := &tokens[i]
		if k.kind == commentToken && strings.HasPrefix(k.text, rangeLabel) && i+1 < len(tokens) {
			tokens[i+1].space = k.space
			continue
		}
		kept = append(kept, *k)
	}
	return asDocument(kept), nil
}
