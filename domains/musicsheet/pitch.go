package musicsheet

import (
	"strconv"
	"strings"

	published "agentd/domains/published/musicsheet"
)

// nameOf is the Dutch name of a pitch.
func nameOf(p published.Pitch) string {
	dutch := published.Languages()[published.DefaultLanguage]
	if name := dutch.Print(p); name != "" {
		return name
	}
	return dutch.Print(published.Pitch{Step: p.Step}) + " " + strconv.Itoa(p.Alter)
}

// absolute is a pitch in Dutch and not relative to another.
func absolute(p published.Pitch) string {
	return published.Languages()[published.DefaultLanguage].Print(p) + octaveMarks(p.Octave)
}

// octaveMarks are those of an absolute octave, or of a jump in relative notation.
func octaveMarks(octave int) string {
	if octave < 0 {
		return strings.Repeat(",", -octave)
	}
	return strings.Repeat("'", octave)
}

func octaveOf(marks string) int { return strings.Count(marks, "'") - strings.Count(marks, ",") }

// after is the pitch in the octave that relative notation gives a name after
// another pitch: the nearest, before its own octave marks.
func after(p, before published.Pitch) published.Pitch {
	p.Octave = before.Octave
	switch d := p.Place() - before.Place(); {
	case d > 3:
		p.Octave--
	case d < -3:
		p.Octave++
	}
	return p
}

// interval is what \transpose adds to a pitch.
type interval struct{ places, height int }

func between(from, to published.Pitch) interval {
	return interval{to.Place() - from.Place(), to.Height() - from.Height()}
}

func (i interval) plus(j interval) interval {
	return interval{i.places + j.places, i.height + j.height}
}

// up is the pitch at an interval above another.
func up(p published.Pitch, i interval) published.Pitch {
	place := p.Place() + i.places
	q := published.Pitch{Step: (place%7 + 7) % 7}
	q.Octave = (place - q.Step) / 7
	q.Alter = p.Height() + i.height - q.Height()
	return q
}
