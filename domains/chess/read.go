package chess

import published "agentd/domains/published/chess"

// value returns a tag's value, "" if there is none.
func gameValue(g *published.Game, name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}
