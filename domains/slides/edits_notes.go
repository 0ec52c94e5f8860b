package slides

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Speaker notes apart.
const (
	quietFile  = "aeration_review_slides.md"
	scriptFile = "speaker_script.json"

	wordsPerMinute = 130
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

func takeNotes(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	scripts := []script{}
	for n, s := range t.slides {
		below := 0
		var kept slide
		for _, p := range s {
			lines, ok := p.spoken()
			if !ok {
				kept = append(kept, p)
				below += p.own
				continue
			}
			words := len(pytext.Fields(strings.Join(lines, " ")))
			scripts = append(scripts, script{
				Slide: n + 1, Title: s.title(), Below: below,
				Words: words, Seconds: (120*words + wordsPerMinute) / (2 * wordsPerMinute), Notes: lines,
			})
		}
		t.slides[n] = kept
	}
	text, err := plain.JSONArray(scripts)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", scriptFile, err)
	}
	return vfs.Files{quietFile: t.print(), scriptFile: text}, nil
}

// spoken are the lines of notes that are written as usual, without blank ones.
func (p *part) spoken() (lines []string, ok bool) {
	if p.kind != notesPart || pytext.Strip(p.lines[0]) != notesStart || pytext.Strip(p.lines[p.own-1]) != notesEnd {
		return nil, false
	}
	for _, line := range p.lines[1 : p.own-1] {
		if line = pytext.Strip(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, len(lines) > 0
}

// notesOf is the reverse of spoken.
func notesOf(lines []string) part {
	all := append([]string{notesStart}, lines...)
	all = append(all, notesEnd)
	return part{kind: notesPart, own: len(all), lines: append(all, "")}
}

// putNotes leaves out notes of slides that there are not.
func putNotes(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, quietFile)
	if err != nil {
		return nil, err
	}
	var scripts []script
	if err := plain.JSON(files, scriptFile, &scripts); err != nil {
		return nil, err
	}
	on := map[int][]script{}
	for _, sc := range scripts {
		on[sc.Slide] = append(on[sc.Slide], sc)
	}
	for n, s := range t.slides {
		t.slides[n] = s.withNotes(on[n+1])
	}
	return asDocument(t), nil
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
