package slides

import (
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// At most six bullets on a slide.
const (
	lightFile  = "aeration_review_light.md"
	splitsFile = "splits.csv"

	mostBullets = 6
)

func splitDense(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	splits := [][]string{{"slide", "title", "slides"}}
	light := talk{head: t.head}
	for _, s := range t.slides {
		pieces := s.pieces()
		if len(pieces) > 1 {
			splits = append(splits, record(len(light.slides)+1, s.title(), len(pieces)))
		}
		light.slides = append(light.slides, pieces...)
	}
	return vfs.Files{lightFile: light.print(), splitsFile: plain.WriteCSV(splits)}, nil
}

// pieces cut a slide before its seventh bullet, before the thirteenth and so on.
func (s slide) pieces() []slide {
	var pieces []slide
	bullets, start := 0, 0
	cut := func(end int) {
		piece := s[start:end:end]
		if start > 0 {
			piece = append(slide{{kind: headingPart, own: 1, lines: []string{s[0].lines[0], ""}}}, piece...)
			piece = piece.titled(s.title() + " (cont.)")
		}
		pieces = append(pieces, piece)
		start = end
	}
	for i := range s {
		if s[i].kind != bulletPart {
			continue
		}
		if bullets == mostBullets {
			cut(i)
			bullets = 0
		}
		bullets++
	}
	cut(len(s))
	return pieces
}

func joinSplit(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, lightFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, splitsFile, "slide", "slides")
	if err != nil {
		return nil, err
	}
	splits := bySlide(rows)
	joined := talk{head: t.head}
	for n := 0; n < len(t.slides); {
		s := t.slides[n]
		n++
		if row := splits[n]; row != nil {
			for more := number(row[1]) - 1; more > 0 && n < len(t.slides); more-- {
				last := &s[len(s)-1]
				last.lines = last.lines[:last.own]
				s = append(s, t.slides[n][1:]...)
				n++
			}
		}
		joined.slides = append(joined.slides, s)
	}
	return asDocument(joined), nil
}

// Slides that grow by a bullet at a time.
const (
	buildFile  = "aeration_review_build.md"
	buildsFile = "builds.csv"

	mostGrowing = 5
)

func buildUp(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	builds := [][]string{{"slide", "title", "steps"}}
	built := talk{head: t.head}
	for _, s := range t.slides {
		steps := s.count(of(bulletPart))
		if steps < 2 || steps > mostGrowing || steps != len(s)-1 {
			built.slides = append(built.slides, s)
			continue
		}
		builds = append(builds, record(len(built.slides)+1, s.title(), steps))
		for k := range steps {
			built.slides = append(built.slides, s[:k+2:k+2])
		}
	}
	return vfs.Files{buildFile: built.print(), buildsFile: plain.WriteCSV(builds)}, nil
}

func keepLast(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, buildFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, buildsFile, "slide", "steps")
	if err != nil {
		return nil, err
	}
	builds := bySlide(rows)
	kept := talk{head: t.head}
	for n := 0; n < len(t.slides); n++ {
		if row := builds[n+1]; row != nil {
			n = min(n+max(number(row[1]), 1), len(t.slides)) - 1
		}
		kept.slides = append(kept.slides, t.slides[n])
	}
	return asDocument(kept), nil
}
