package slides

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Positions on a wide slide, which has three columns for two.
const wideFile = "aeration_review_wide.md"

func widen(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	if err := t.scale(func(x int) int { return (3*x + 1) / 2 }); err != nil {
		return nil, fmt.Errorf("%s: %w", document, err)
	}
	return vfs.Files{wideFile: t.print()}, nil
}

func narrow(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, wideFile)
	if err != nil {
		return nil, err
	}
	if err := t.scale(func(x int) int { return 2 * x / 3 }); err != nil {
		return nil, fmt.Errorf("%s: %w", wideFile, err)
	}
	return asDocument(t), nil
}

var column = regexp.MustCompile(`(@\(\s*)(\d+)(\s*,\s*\d+\s*\))`)

// scale changes the x of every position.
func (t *talk) scale(change func(x int) int) error {
	for _, s := range t.slides {
		for i := range s {
			p := &s[i]
			p.lines = slices.Clone(p.lines)
			for k, line := range p.lines {
				var failed error
				p.lines[k] = column.ReplaceAllStringFunc(line, func(at string) string {
					found := column.FindStringSubmatch(at)
					x, err := strconv.ParseInt(found[2], 10, 32)
					if err != nil {
						failed = err
					}
					return found[1] + strconv.Itoa(change(int(x))) + found[3]
				})
				if failed != nil {
					return fmt.Errorf("the position in %q: %w", brief(line), failed)
				}
			}
		}
	}
	return nil
}

// Images under figure numbers.
const (
	figuresFile  = "aeration_review_figures.md"
	registerFile = "figures.csv"
)

func numberFigures(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, document)
	if err != nil {
		return nil, err
	}
	register := [][]string{{"figure", "image", "slides"}}
	numbers := map[string]int{} // of the images, in the order of their first appearance
	t.eachImage(func(n int, image string) string {
		at, known := numbers[image]
		if !known {
			at = len(register)
			numbers[image] = at
			register = append(register, record(figure(at, image), image, n))
		} else if on := &register[at][2]; !strings.HasSuffix(" "+*on, fmt.Sprintf(" %d", n)) {
			*on += fmt.Sprintf(" %d", n)
		}
		return figure(at, image)
	})
	return vfs.Files{figuresFile: t.print(), registerFile: plain.WriteCSV(register)}, nil
}

func figure(number int, image string) string {
	return fmt.Sprintf("fig_%02d%s", number, path.Ext(image))
}

func nameFigures(files vfs.Files) (vfs.Files, error) {
	t, err := talkOf(files, figuresFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, registerFile, "figure", "image")
	if err != nil {
		return nil, err
	}
	images := map[string]string{}
	for _, row := range rows {
		images[row[0]] = row[1]
	}
	t.eachImage(func(_ int, figure string) string {
		if image, known := images[figure]; known {
			return image
		}
		return figure
	})
	return asDocument(t), nil
}

var imageName = regexp.MustCompile(`^(\s*\[IMAGE:\s*)([^@\]]+)`)

// eachImage renames the images, given with the number of their slide.
func (t *talk) eachImage(rename func(n int, image string) string) {
	for n, s := range t.slides {
		for i := range s {
			p := &s[i]
			found := imageName.FindStringSubmatch(p.lines[0])
			if p.kind != imagePart || found == nil {
				continue
			}
			name := pytext.StripRight(found[2])
			if name == "" {
				continue
			}
			p.lines = slices.Clone(p.lines)
			p.lines[0] = found[1] + rename(n+1, name) + p.lines[0][len(found[1])+len(name):]
		}
	}
}
