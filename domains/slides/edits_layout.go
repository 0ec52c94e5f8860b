package slides

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// scaleColumns moves positions to a grid with more columns: where it had the first number of
// them, it has the second. They are rounded half up, and down on the way back.
func scaleColumns(p struct {
	Document, To  string
	From, Columns int
}) exact.Steps {
	if p.From < 1 || p.Columns < p.From || p.Columns > 1000 {
		return exact.Refuse("from must be at least 1, and columns from that to 1000")
	}
	wider := func(x int) int { return (2*p.Columns*x + p.From) / (2 * p.From) }
	narrower := func(x int) int { return p.From * x / p.Columns }
	for x := range p.From {
		if narrower(wider(x)) != x {
			return exact.Refuse(fmt.Sprintf("positions would not come back from %d columns for %d", p.Columns, p.From))
		}
	}
	change := func(t *talk) (vfs.Files, error) { return nil, t.scale(wider) }
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, _ vfs.Files) error { return t.scale(narrower) })
}

var column = regexp.MustCompile(`(@\(\s*)(\d+)(\s*,\s*\d+\s*\))`)

// scale changes the x of every position.
func (t *talk) scale(change func(x int) int) (failed error) {
	for _, s := range t.slides {
		for _, part := range s {
			for k, line := range part.lines {
				part.lines[k] = column.ReplaceAllStringFunc(line, func(at string) string {
					found := column.FindStringSubmatch(at)
					x, err := strconv.ParseInt(found[2], 10, 32)
					if err != nil {
						failed = fmt.Errorf("the position in %q: %w", brief(line), err)
					}
					return found[1] + strconv.Itoa(change(int(x))) + found[3]
				})
			}
		}
	}
	return failed
}

// numberImages gives images numbers for names, and keeps their extensions.
func numberImages(p struct {
	Document, To string
	First        string // such as fig_01
	Table        string
}) exact.Steps {
	change := func(t *talk) (vfs.Files, error) {
		on := map[string]string{}
		next := exact.Counting(p.First)
		codes := exact.Codes{New: func(image string, n int) string {
			return next(image, n) + path.Ext(image)
		}}
		t.eachImage(func(n int, image string) string {
			if slide := strconv.Itoa(n); !strings.HasSuffix(" "+on[image], " "+slide) {
				on[image] = strings.TrimPrefix(on[image]+" "+slide, " ")
			}
			return codes.Of(image)
		})
		table := codes.Table(func(image string) []string { return []string{on[image]} }, "figure", "image", "slides")
		return vfs.Files{p.Table: table}, nil
	}
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, files vfs.Files) error {
		images, err := exact.ReadRegister(files, p.Table, "figure", "image")
		t.eachImage(func(_ int, figure string) string {
			if image, known := images[figure]; known {
				return image
			}
			return figure
		})
		return err
	})
}

var imageName = regexp.MustCompile(`^(\s*\[IMAGE:\s*)([^@\]]+)`)

// eachImage renames the images, given with the number of their slide.
func (t *talk) eachImage(rename func(n int, image string) string) {
	for n, s := range t.slides {
		for _, part := range s {
			found := imageName.FindStringSubmatch(part.lines[0])
			if part.kind != imagePart || found == nil {
				continue
			}
			if name := pytext.StripRight(found[2]); name != "" {
				part.lines[0] = found[1] + rename(n+1, name) + part.lines[0][len(found[1])+len(name):]
			}
		}
	}
}

// clearTitles gives slides without a title of their own the text of their first bullet, and
// numbers titles that occur several times.
func clearTitles(p struct{ Document, To, Table string }) exact.Steps {
	change := func(t *talk) (vfs.Files, error) {
		titles := make([]string, len(t.slides))
		times, met := map[string]int{}, map[string]int{}
		for n, s := range t.slides {
			titles[n] = s.title()
			if first := s.firstBullet(); first != "" && isPlaceholder(pytext.Lower(titles[n])) {
				titles[n] = first
			}
			times[titles[n]]++
		}
		old := [][]string{{"slide", "title"}}
		for n, s := range t.slides {
			title := titles[n]
			if met[title]++; times[title] > 1 && title != "" {
				title = fmt.Sprintf("%s (%d of %d)", title, met[title], times[title])
			}
			if was := s.title(); was != title {
				old = append(old, record(n+1, was))
				s.retitle(title)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(old)}, nil
	}
	return decks.Rewrite(p.Document, p.To, change, func(t *talk, files vfs.Files) error {
		old, err := bySlide(files, p.Table, "title")
		for n, s := range t.slides {
			if title, changed := old[n+1]; changed {
				s.retitle(title)
			}
		}
		return err
	})
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
