package audiosyn

import (
	"fmt"
	"math"
	"strconv"

	"agentd/domains/edit"
)

// vocabulary makes parts of the events of a score; of the lines of an orchestra where there is no score.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "piece", Part: "score event", Parts: "score events",
		Cut: edit.Headed(`^[ \t]*;`, edit.Starting(
			`^[ \t]*i[ \t]*(?:-?\d[\d.]*|"[^"\n]*")[ \t]+[-+.^<>\[\d]`, `^[ \t]*e\b|(?i)^[ \t]*</CsScore>`,
		)),
		Attributes: []edit.Attribute{
			edit.Key("instrument", "instruments", `^[ \t]*i[ \t]*(-?\d[\d.]*|"[^"\n]*")`),
			number("start time", "start times", 1),
			number("duration", "durations", 2),
			number("fourth parameter", "fourth parameters", 3),
			number("fifth parameter", "fifth parameters", 4),
			number("sixth parameter", "sixth parameters", 5),
			edit.Has("comment", "comments", `;[ \t]*([^\n]*[^\s])`),
			edit.ComputedNumber("end time", "end times", ending),
			edit.ComputedNumber("level in decibels", "levels in decibels", decibels),
		},
		Remark: "; Computed: {}",
		Tree:   edit.Nested(`^\s*(instr|opcode)\b|^\s*<Cs`, `^\s*(?:\w+:\s*)?(endin|endop)\b|^\s*</Cs`),
		Finer: &edit.Format{
			Document: "piece", Part: "instrument line", Parts: "instrument lines",
			Cut: edit.Within(`(?i)^[ \t]*instr\b`, `(?i)^[ \t]*</CsInstruments>`, edit.Starting(`\S`, "")),
			Attributes: []edit.Attribute{
				edit.Has("output variable", "output variables", `^[ \t]*([aikgSwf]\w+)(?:[ \t]|=)`),
				edit.Has("opcode", "opcodes", `^[ \t]*(?:[aikgSwf]\w+(?:[ \t]*,[ \t]*\w+)*[ \t]+)?([a-z]\w+)\b`),
				edit.Has("comment", "comments", `;[ \t]*([^\n]*[^\s])`),
			},
		},
	}
}

// number is the field after so many others of an event.
func number(name, plural string, after int) edit.Attribute {
	pattern := `^[ \t]*i[ \t]*(?:[^\s;]+[ \t]+){%d}(-?\d[^\s;]*|-?\.\d[^\s;]*)`
	return edit.HasNumber(name, plural, fmt.Sprintf(pattern, after))
}

// ending is when an event ends, in beats, without idle zeros; empty where its start or duration is taken from another.
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
