package foodmenu

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
)

// isLegend reports whether a line begins with a code or a mark, as a legend does.
func isLegend(line string) bool {
	return legendStart.MatchString(bullet.ReplaceAllString(line, ""))
}

var legendStart = pytext.Pattern(`^\s*` + tagGroup)

// meaning is what a code or a mark stands for.
type meaning struct{ tag, text string }

// meanings reads a line of a legend, which may say what several tags stand for.
func meanings(line string) []meaning {
	var all []meaning
	groups := tagsForm.FindAllStringIndex(line, -1)
	for n, at := range groups {
		end := len(line)
		if n+1 < len(groups) {
			end = groups[n+1][0]
		}
		text := strings.Trim(line[at[1]:end], " \t=:-–—,;.|/")
		all = append(all, meaning{tag: line[at[0]:at[1]], text: pytext.Collapse(text)})
	}
	return all
}

func (f *flattener) legend(line string) {
	for _, m := range meanings(line) {
		f.add("legend", "legend "+m.tag, 0,
			domains.Field{Name: "tag", Value: m.tag}, domains.Field{Name: "meaning", Value: folded(m.text)})
	}
}
