package slides

import (
	"strconv"
	"strings"
)

// words are what is apart by white space on a slide, marks and notes included, as `wc -w` counts.
func words(slide string) string { return strconv.Itoa(len(strings.Fields(slide))) }

// counting makes the number of parts of a kind on a slide.
func counting(kind partKind) func(slide string) string {
	return func(slide string) string {
		n := 0
		for _, p := range read(slide) {
			if p.kind == kind {
				n++
			}
		}
		return strconv.Itoa(n)
	}
}

// spoken is the number of words in the notes of a slide, without the lines that open and close them.
func spoken(slide string) string {
	n := 0
	for _, p := range read(slide) {
		if p.kind != notesPart {
			continue
		}
		for _, line := range p.lines[1:p.own] {
			if !isNotesEnd(strings.TrimSpace(line)) {
				n += len(strings.Fields(line))
			}
		}
	}
	return strconv.Itoa(n)
}
