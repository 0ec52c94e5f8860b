package foodmenu

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
)

// isLegend reports whether a line begins with a code or a mark, as a legend does.
func isLegend(line string) bool {
	text := pytext.Strip(cutBullet(line))
	if text == "" || text[0] != '[' && text[0] != '(' {
		return false
	}
	_, size := tagsAt(text)
	return size > 0
}

// meaning is what a code or a mark stands for.
type meaning struct{ tag, text string }

// meanings reads a line of a legend, which may say what several tags stand for.
func meanings(line string) []meaning {
	var all []meaning
	text := pytext.Strip(cutBullet(line))
	for at := 0; at < len(text); {
		if text[at] == '[' || text[at] == '(' {
			if _, size := tagsAt(text[at:]); size > 0 {
				all = append(all, meaning{tag: text[at : at+size]})
				text, at = text[at+size:], 0
				continue
			}
		}
		next := strings.IndexAny(text[at+1:], "[(")
		if at++; next < 0 {
			at = len(text)
		} else {
			at += next
		}
		if len(all) > 0 {
			all[len(all)-1].text = spaced(strings.Trim(text[:at], " \t=:-–—,;.|/"))
		}
	}
	return all
}

func (f *flattener) legend(line string) {
	for _, m := range meanings(line) {
		f.add("legend", "legend "+m.tag, 0,
			domains.Field{Name: "tag", Value: m.tag}, domains.Field{Name: "meaning", Value: folded(m.text)})
	}
}
