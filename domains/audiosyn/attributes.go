package audiosyn

import (
	"math"
	"strconv"
)

// ending is when an event ends, in beats, without idle zeros; empty where its start or duration is
// taken from another.
func ending(part string) string {
	l, _ := eventOf(part)
	end, _ := added(l.field(2), l.field(3))
	return end
}

// decibels are the level of the fourth p-field of an event over an amplitude of 1, to tenths; empty
// where that is no number above zero.
func decibels(part string) string {
	l, _ := eventOf(part)
	amplitude, ok := readDecimal(l.field(4))
	if !ok || amplitude.Sign() <= 0 {
		return ""
	}
	return strconv.FormatFloat(20*math.Log10(float(amplitude)), 'f', 1, 64)
}

// eventOf is the i statement of a part of a score.
func eventOf(part string) (scoreLine, bool) {
	s := readFile("part.sco", part)
	for l := range s.score() {
		if l.kind == eventLine {
			return l, true
		}
	}
	return scoreLine{}, false
}
