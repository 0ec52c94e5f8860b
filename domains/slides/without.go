package slides

import (
	"strings"
)

// without leaves parts of slides out, counted through all files. What is left of
// a slide without its title joins the slide before, or the first that is left.
func without(_, text string, leave func() bool) string {
	parts := read(text)
	left := make([]bool, len(parts))
	for i := range parts {
		left[i] = parts[i].isCounted() && leave()
	}
	return printed(remaining(parts, left))
}

// remaining are the parts that are not left out. A slide of which nothing is left
// goes with its lines, and a table's header with its ruler.
func remaining(parts []part, left []bool) []part {
	var kept, early []part // early are those of slides before the first that is left
	titled := false
	for start := 0; start < len(parts); {
		end := start + 1
		for end < len(parts) && parts[end].kind != headingPart {
			end++
		}
		slide := remainingOf(parts[start:end], left[start:end])
		switch {
		case parts[start].kind != headingPart:
			kept = append(kept, slide...)
		case !left[start]:
			kept = append(append(append(kept, slide[0]), early...), slide[1:]...)
			early, titled = nil, true
		case titled:
			kept = append(kept, slide...)
		default:
			early = append(early, slide...)
		}
		start = end
	}
	return append(kept, early...)
}

func remainingOf(slide []part, left []bool) []part {
	var kept []part
	anything := slide[0].kind != headingPart
	for i, p := range slide {
		header := p.kind == rulerPart && i > 0 && slide[i-1].kind == rowPart
		if left[i] || header && left[i-1] {
			continue
		}
		anything = anything || p.isCounted()
		kept = append(kept, p)
	}
	if !anything {
		return nil
	}
	return kept
}

// printed writes parts with a blank line before each slide.
func printed(parts []part) string {
	var b strings.Builder
	for i := range parts {
		p := &parts[i]
		if i > 0 && p.kind == headingPart && parts[i-1].own == len(parts[i-1].lines) {
			b.WriteByte('\n')
		}
		for k, line := range p.lines {
			if i == len(parts)-1 && k == p.own {
				break
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
