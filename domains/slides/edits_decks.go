package slides

import (
	"cmp"
	"slices"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// appendTables moves the slides with most table rows after a last heading.
func appendTables(p struct {
	Document, To string
	Most         int // slides
	Heading      string
	Table        string
}) exact.Steps {
	type numbered struct {
		number int
		slide  slide
	}
	rows := func(s slide) int { return s.count(rowPart) }
	change := func(t *talk) (vfs.Files, error) {
		var tables []numbered
		decks.Number(t, func(s *slide, n int) {
			if rows(*s) > 0 {
				tables = append(tables, numbered{n, *s})
			}
		})
		slices.SortStableFunc(tables, func(a, b numbered) int { return cmp.Compare(rows(b.slide), rows(a.slide)) })
		table := [][]string{{"slide", "title", "rows"}}
		after := []slide{{{kind: headingPart, own: 1, lines: []string{slideMark + p.Heading, ""}}}}
		taken := map[int]bool{}
		for _, s := range tables[:min(len(tables), max(p.Most, 0))] {
			table = append(table, record(s.number, s.slide.title(), rows(s.slide)))
			after = append(after, s.slide)
			taken[s.number] = true
		}
		var short []slide
		decks.Number(t, func(s *slide, n int) {
			if !taken[n] {
				short = append(short, *s)
			}
		})
		t.slides = append(short, after...)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "slide")
		at := len(t.slides) - 1
		for at >= 0 && (len(t.slides[at]) > 1 || t.slides[at].title() != p.Heading) {
			at--
		}
		if at < 0 {
			return err
		}
		var moved []numbered
		for k, s := range t.slides[at+1:] {
			moved = append(moved, numbered{slide: s})
			if k < len(table) {
				moved[k].number = plain.LineNumber(table[k][0])
			}
		}
		t.slides = plain.PutIn(moved, t.slides[:at], func(s numbered) (int, slide) { return s.number, s.slide }, nil)
		return err
	})
}

// splitByContent makes decks by what their slides show. On the way back slides that the table
// does not have come last.
func splitByContent(p struct {
	Document       string
	Data, Pictures string // for slides with tables or charts, and with images
	Others, Table  string
}) exact.Steps {
	file := func(s slide) string {
		switch {
		case s.count(rowPart, chartPart) > 0:
			return p.Data
		case s.count(imagePart) > 0:
			return p.Pictures
		}
		return p.Others
	}
	forward := func(t talk) (vfs.Files, error) {
		table := [][]string{{"slide", "file", "number"}}
		numbers := map[string]int{}
		made := decks.Divide(t, p.Others, func(s *slide) string {
			name := file(*s)
			numbers[name]++
			table = append(table, record(len(table), name, numbers[name]))
			return name
		})
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}
	return decks.Whole(p.Document, forward, func(files vfs.Files) (none talk, err error) {
		rows, err := plain.Table(files, p.Table, "slide", "file", "number")
		if err != nil {
			return none, err
		}
		positions := map[exact.Place]int{}
		for _, row := range rows {
			if n := plain.LineNumber(row[0]); n > 0 {
				positions[exact.Place{File: row[1], Number: plain.LineNumber(row[2])}] = n
			}
		}
		return decks.Merge(files, p.Others, positions)
	})
}

// splitDense cuts slides so that none has too many bullets.
func splitDense(p struct {
	Document, To string
	Most         int    // bullets
	Mark         string // after the titles of further slides
	Table        string
}) exact.Steps {
	if p.Most < 1 {
		return exact.Refuse("most must be 1 or more")
	}
	change := func(t *talk) (vfs.Files, error) {
		splits := [][]string{{"slide", "title", "slides"}}
		var light []slide
		for _, s := range t.slides {
			pieces := s.pieces(p.Most, p.Mark)
			if len(pieces) > 1 {
				splits = append(splits, record(len(light)+1, s.title(), len(pieces)))
			}
			light = append(light, pieces...)
		}
		t.slides = light
		return vfs.Files{p.Table: plain.WriteCSV(splits)}, nil
	}
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, files vfs.Files) error {
		splits, err := bySlide(files, p.Table, "slides")
		var joined []slide
		for n := 0; n < len(t.slides); {
			s := t.slides[n]
			n++
			for more := plain.LineNumber(splits[n]) - 1; more > 0 && n < len(t.slides); more-- {
				last := &s[len(s)-1]
				last.lines = last.lines[:last.own]
				s = append(s, t.slides[n][1:]...)
				n++
			}
			joined = append(joined, s)
		}
		t.slides = joined
		return err
	})
}

// pieces cut a slide where it would have too many bullets.
func (s slide) pieces(most int, mark string) []slide {
	var pieces []slide
	bullets, start := 0, 0
	cut := func(end int) {
		piece := s[start:end:end]
		if start > 0 {
			piece = append(slide{{kind: headingPart, own: 1, lines: []string{s[0].lines[0], ""}}}, piece...)
			piece.retitle(s.title() + mark)
		}
		pieces = append(pieces, piece)
		start = end
	}
	for i := range s {
		if s[i].kind != bulletPart {
			continue
		}
		if bullets == most {
			cut(i)
			bullets = 0
		}
		bullets++
	}
	cut(len(s))
	return pieces
}

// buildUp makes slides of nothing but a few bullets grow by a bullet at a time.
func buildUp(p struct {
	Document, To string
	Most         int // bullets of a slide that grows
	Table        string
}) exact.Steps {
	change := func(t *talk) (vfs.Files, error) {
		builds := [][]string{{"slide", "title", "steps"}}
		var built []slide
		for _, s := range t.slides {
			steps := s.count(bulletPart)
			if steps < 2 || steps > p.Most || steps != len(s)-1 {
				built = append(built, s)
				continue
			}
			builds = append(builds, record(len(built)+1, s.title(), steps))
			for k := range steps {
				built = append(built, s[:k+2:k+2])
			}
		}
		t.slides = built
		return vfs.Files{p.Table: plain.WriteCSV(builds)}, nil
	}
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, files vfs.Files) error {
		builds, err := bySlide(files, p.Table, "steps")
		var kept []slide
		for n := 0; n < len(t.slides); n++ {
			if steps, grows := builds[n+1]; grows {
				n = min(n+max(plain.LineNumber(steps), 1), len(t.slides)) - 1
			}
			kept = append(kept, t.slides[n])
		}
		t.slides = kept
		return err
	})
}
