package obj3d

import (
	"agentd/domains/internal/plain"
)

// without leaves out faces. Vertices stay, so that no number changes.
func without(name, text string, leave func() bool) string {
	if !hasSuffix(name, meshSuffix) {
		return text
	}
	var kept []string
	eachStatement(plain.Lines(text), func(s *statement) {
		if !s.isFace() || !leave() {
			kept = append(kept, s.lines...)
		}
	})
	return plain.Text(kept)
}
