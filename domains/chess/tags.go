package chess

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// readTag reads a line that begins with a bracket. What stands between the first
// quote and the last is the value.
func readTag(line string) (name, value string, ok bool) {
	end := 1
	for end < len(line) && isTagLetter(line[end], end == 1) {
		end++
	}
	name = line[1:end]
	quoted := pytext.StripLeft(line[end:])
	inside, closed := strings.CutSuffix(pytext.StripRight(quoted), `"]`)
	if name == "" || len(quoted) == len(line)-end || !closed || !strings.HasPrefix(inside, `"`) || strings.Contains(inside, "\r") {
		return "", "", false
	}
	return name, inside[1:], true
}

func isTagLetter(c byte, first bool) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return letter || !first && strings.IndexByte("_+#=:-", c) >= 0
}

// startOf is the position in which a game begins.
func startOf(tags map[string]string) (position, error) {
	fen, ok := tags["FEN"]
	if !ok {
		fen = start
	}
	shuffled := slices.Contains(shuffledNames, pytext.Lower(tags["Variant"]))
	return readFEN(fen, shuffled)
}

var shuffledNames = []string{"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}
