package earncall

import (
	"slices"
	"strconv"

	"agentd/domains/internal/pytext"
)

// words is the number of words that a speaker says in a turn, without the name before them; empty if
// there is no turn.
func words(spoken string) string {
	c := read(spoken)
	at := slices.IndexFunc(c.parts, func(p part) bool { return len(p.Turns) > 0 })
	if at < 0 {
		return ""
	}
	n := 0
	for _, line := range c.parts[at].Turns[0].Lines {
		n += len(pytext.Fields(line))
	}
	return strconv.Itoa(n)
}
