package slides

import (
	"slices"
	"strings"
)

// talk is a deck by its slides.
type talk struct {
	head   []part // what stands above the first slide
	slides []slide
}

// slide is a slide with its heading.
type slide []part

func divided(text string) (t talk) {
	parts := read(text)
	for i := range parts {
		switch {
		case parts[i].kind == headingPart:
			t.slides = append(t.slides, slide{parts[i]})
		case len(t.slides) == 0:
			t.head = append(t.head, parts[i])
		default:
			last := &t.slides[len(t.slides)-1]
			*last = append(*last, parts[i])
		}
	}
	return t
}

// without leaves parts of slides out, counted through all files. What is left of
// a slide without its title joins the slide before, or the first that is left. A
// slide of which nothing is left goes with its lines.
func without(_, text string, leave func() bool) string {
	t := divided(text)
	kept := remaining(t.head, leave)
	var early []part // of slides before the first that is left
	titled := false
	for _, s := range t.slides {
		gone, rest := leave(), remaining(s[1:], leave)
		switch {
		case !gone:
			kept = append(append(append(kept, s[0]), early...), rest...)
			early, titled = nil, true
		case !slices.ContainsFunc(rest, func(p part) bool { return p.isCounted() }):
		case titled:
			kept = append(kept, rest...)
		default:
			early = append(early, rest...)
		}
	}
	return printed(append(kept, early...))
}

// remaining are the parts that are not left out. A table's header goes with its ruler.
func remaining(parts []part, leave func() bool) []part {
	var kept []part
	gone := false // the part in hand
	for i := range parts {
		p := &parts[i]
		below := p.kind == rulerPart && i > 0 && parts[i-1].kind == rowPart
		if gone = p.isCounted() && leave() || below && gone; !gone {
			kept = append(kept, *p)
		}
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
