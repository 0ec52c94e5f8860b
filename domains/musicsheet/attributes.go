package musicsheet

import "strconv"

// noteCount is how many notes a part writes, those of chords each; empty if it has none.
func noteCount(part string) string {
	if all := notesOf(part); len(all) > 0 {
		return strconv.Itoa(len(all))
	}
	return ""
}

// noteRange is the lowest and the highest note of a part as written, in absolute Dutch pitches; empty
// if it has none.
func noteRange(part string) string {
	all := notesOf(part)
	if len(all) == 0 {
		return ""
	}
	lowest, highest := all[0], all[0]
	for _, p := range all {
		if p.height() < lowest.height() {
			lowest = p
		}
		if p.height() > highest.height() {
			highest = p
		}
	}
	return lowest.absolute() + " - " + highest.absolute()
}

func notesOf(part string) []pitch {
	var all []pitch
	for _, k := range tokenize(part, newContext()) {
		if k.kind == noteToken {
			all = append(all, k.tone.pitch)
		}
	}
	return all
}

// absolute is a pitch in Dutch and not relative to another.
func (p pitch) absolute() string { return languages[defaultLanguage].print(p) + octaveMarks(p.octave) }
