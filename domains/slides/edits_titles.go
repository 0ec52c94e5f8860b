package slides

import (
	"fmt"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Titles that say what a slide is about, each of them once.
const (
	clearFile  = "aeration_review_titles.md"
	titlesFile = "old_titles.csv"
)

func clearTitles(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	titles := make([]string, len(t.slides))
	times := map[string]int{}
	for n, s := range t.slides {
		titles[n] = s.title()
		if first := s.firstBullet(); first != "" && isPlaceholder(pytext.Lower(titles[n])) {
			titles[n] = first
		}
		times[titles[n]]++
	}
	old := [][]string{{"slide", "title"}}
	met := map[string]int{}
	for n, s := range t.slides {
		title := titles[n]
		if met[title]++; times[title] > 1 && title != "" {
			title = fmt.Sprintf("%s (%d of %d)", title, met[title], times[title])
		}
		if was := s.title(); was != title {
			old = append(old, record(n+1, was))
			t.slides[n] = s.titled(title)
		}
	}
	return vfs.Files{clearFile: t.print(), titlesFile: plain.WriteCSV(old)}, nil
}

// firstBullet is the text of a slide's first bullet.
func (s slide) firstBullet() string {
	for i := range s {
		if s[i].kind == bulletPart {
			text, _, _ := wording(s[i].lines[0], pytext.Strip(s[i].lines[0])[:1])
			return text
		}
	}
	return ""
}

func restoreTitles(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, clearFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, titlesFile, "slide", "title")
	if err != nil {
		return nil, err
	}
	old := bySlide(rows)
	for n, s := range t.slides {
		if row := old[n+1]; row != nil {
			t.slides[n] = s.titled(row[1])
		}
	}
	return asDocument(t), nil
}
