package slides

import (
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// script is what is said on a slide.
type script struct {
	Slide   int      `json:"slide"`
	Title   string   `json:"title"`
	Below   int      `json:"below"` // lines of the slide above the notes, its title one of them
	Words   int      `json:"words"`
	Seconds int      `json:"seconds"`
	Notes   []string `json:"notes"`
}

// takeNotes moves the notes to a list with the time that they take. On the way back notes of
// slides that there are not are left out.
func takeNotes(p struct {
	Document, To string
	Words        int // in a minute
	List         string
}) exact.Steps {
	if p.Words < 1 {
		return exact.Refuse("words must be 1 or more")
	}
	change := func(t *talk) (plain.Array[script], error) {
		scripts := []script{}
		for n, s := range t.slides {
			below, title := 0, s.title()
			t.slides[n] = slices.DeleteFunc(s, func(part part) bool {
				lines, ok := part.spoken()
				if !ok {
					below += part.own
					return false
				}
				words := len(pytext.Fields(strings.Join(lines, " ")))
				scripts = append(scripts, script{
					Slide: n + 1, Title: title, Below: below,
					Words: words, Seconds: (120*words + p.Words) / (2 * p.Words), Notes: lines,
				})
				return true
			})
		}
		return scripts, nil
	}
	return exact.Keeping(&decks, p.Document, p.To, p.List, change, func(t *talk, scripts plain.Array[script]) error {
		on := map[int][]script{}
		for _, sc := range scripts {
			on[sc.Slide] = append(on[sc.Slide], sc)
		}
		for n, s := range t.slides {
			t.slides[n] = s.withNotes(on[n+1])
		}
		return nil
	})
}

// spoken are the lines of notes that are written as usual, without blank ones.
func (p *part) spoken() (lines []string, ok bool) {
	if p.kind != notesPart || pytext.Strip(p.lines[0]) != notesStart || pytext.Strip(p.lines[p.own-1]) != notesEnd {
		return nil, false
	}
	lines = pytext.Parts(strings.Join(p.lines[1:p.own-1], "\n"), "\n")
	return lines, len(lines) > 0
}

// notesOf is the reverse of spoken.
func notesOf(lines []string) part {
	all := append([]string{notesStart}, lines...)
	all = append(all, notesEnd)
	return part{kind: notesPart, own: len(all), lines: append(all, "")}
}

// withNotes puts notes below as many lines of the slide as they say.
func (s slide) withNotes(scripts []script) slide {
	slices.SortStableFunc(scripts, func(a, b script) int { return a.Below - b.Below })
	var all slide
	above := 0
	for _, p := range s {
		for len(scripts) > 0 && above > 0 && scripts[0].Below <= above {
			all = append(all, notesOf(scripts[0].Notes))
			scripts = scripts[1:]
		}
		all = append(all, p)
		above += p.own
	}
	for _, sc := range scripts {
		all = append(all, notesOf(sc.Notes))
	}
	return all
}
