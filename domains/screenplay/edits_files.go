package screenplay

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// sides are files of speeches.
type sides struct {
	Document, Begins, Rest, Table string
	Top                           string // the cue of the first speech
	Words                         int    // of a cue
}

// splitBySpeaker makes a file of each speaker's speeches and their cues.
func splitBySpeaker(p sides) exact.Steps {
	if p.Words < 1 {
		return exact.Refuse("a cue has at least one word")
	}
	return steps(p.Document, p.write, p.read)
}

// file is the one of a speaker's speeches.
func (p *sides) file(speaker string) string {
	return p.Begins + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, foldName(speaker)) + ".txt"
}

func (p *sides) write(head, body []block) (vfs.Files, error) {
	stage := written(head)
	spoken := map[string][]paragraph{}
	positions := map[string]int{}
	order := [][]string{{"n", "kind", "file", "position"}}
	cue := p.Top
	for i := range body {
		b := &body[i]
		file := p.Rest
		if b.kind == counted {
			file = p.file(b.name)
			spoken[file] = append(spoken[file], append(paragraph{"> " + cue}, b.lines...))
			cue = lastWords(b.text(), p.Words)
		} else {
			stage = append(stage, b.lines)
		}
		positions[file]++
		order = append(order, []string{strconv.Itoa(i + 1), b.kind, file, strconv.Itoa(positions[file])})
	}
	made := vfs.Files{p.Rest: printed(stage), p.Table: plain.WriteCSV(order)}
	for file, speeches := range spoken {
		made[file] = printed(speeches)
	}
	return made, nil
}

// lastWords are the last words of a speech.
func lastWords(lines []string, count int) string {
	words := pytext.Fields(strings.Join(lines, " "))
	return strings.Join(words[max(0, len(words)-count):], " ")
}

func (p *sides) read(files vfs.Files) (head, body []paragraph, err error) {
	order, err := plain.Table(files, p.Table, "file", "position")
	if err != nil {
		return nil, nil, err
	}
	head, rest, err := partsOf(files, p.Rest)
	if err != nil {
		return nil, nil, err
	}
	parts := map[string][]paragraph{p.Rest: rest}
	for _, row := range order {
		file := strings.TrimSpace(row[0])
		if parts[file] == nil {
			parts[file] = paragraphs(files[file])
		}
		position := plain.LineNumber(row[1])
		if position == 0 || position > len(parts[file]) {
			return nil, nil, fmt.Errorf("%s: %s has no position %s", p.Table, file, row[1])
		}
		lines := parts[file][position-1]
		if file != p.Rest && len(lines) > 1 && strings.HasPrefix(lines[0], ">") {
			lines = lines[1:]
		}
		body = append(body, lines)
	}
	return head, body, nil
}

var directionMark = regexp.MustCompile(`\[([0-9]+)\]`)

// numberDirections puts numbers for directions, and moves these to a table.
func numberDirections(p struct{ Document, To, Table string }) exact.Steps {
	forward := func(head, body []block) (vfs.Files, error) {
		all := written(head)
		list := [][]string{{"number", "kind", "text"}}
		number := func(kind, text string) string {
			n := strconv.Itoa(len(list))
			list = append(list, []string{n, kind, plain.OneLine(strings.Split(text, "\n"))})
			return "[" + n + "]"
		}
		for i := range body {
			b := &body[i]
			text := strings.Join(b.lines, "\n")
			if directionMark.MatchString(text) {
				return nil, fmt.Errorf("a number in brackets in %q", text)
			}
			if lines, ok := b.unwrapped(); ok {
				text = number("stage", strings.Join(lines, "\n"))
			} else if b.kind == counted {
				text = replaceParentheticals(text, func(inside string) string { return number("inline", inside) })
			}
			all = append(all, strings.Split(text, "\n"))
		}
		return vfs.Files{p.To: printed(all), p.Table: plain.WriteCSV(list)}, nil
	}
	return steps(p.Document, forward, func(files vfs.Files) (head, body []paragraph, err error) {
		texts, err := exact.ReadRegister(files, p.Table, "number", "text")
		if err != nil {
			return nil, nil, err
		}
		head, body, err = partsOf(files, p.To)
		for i, lines := range body {
			restored := directionMark.ReplaceAllStringFunc(strings.Join(lines, "\n"), func(mark string) string {
				if inside, ok := texts[mark[1:len(mark)-1]]; ok {
					return "(" + strings.Join(plain.SeveralLines(inside), "\n") + ")"
				}
				return mark
			})
			body[i] = strings.Split(restored, "\n")
		}
		return head, body, err
	})
}

// movements are parts of a dialogue.
type movements struct {
	Document, To, Heading string
	Speeches              int // of a movement
}

// lastPartFirst divides the dialogue into movements of so many speeches and puts the last one
// first, each below a heading.
func lastPartFirst(p movements) exact.Steps {
	if p.Speeches < 1 {
		return exact.Refuse("speeches must be at least 1")
	}
	heading := regexp.MustCompile(`^# ` + regexp.QuoteMeta(p.Heading) + ` ([0-9]{1,6})\b`)
	forward := func(head, body []block) (vfs.Files, error) {
		var parts [][]paragraph
		spoken := 0
		for i := range body {
			b := &body[i]
			if heading.MatchString(b.lines[0]) {
				return nil, fmt.Errorf("there is a heading %q already", b.lines[0])
			}
			if len(parts) == 0 || b.kind == counted && spoken > 0 && spoken%p.Speeches == 0 {
				parts = append(parts, nil)
			}
			if b.kind == counted {
				spoken++
			}
			last := &parts[len(parts)-1]
			*last = append(*last, b.lines)
		}
		all := written(head)
		for n := len(parts); n > 0; n-- {
			title := fmt.Sprintf("# %s %d: SPEECHES %d-%d", p.Heading, n, (n-1)*p.Speeches+1, min(n*p.Speeches, spoken))
			all = append(append(all, paragraph{title}), parts[n-1]...)
		}
		return vfs.Files{p.To: printed(all)}, nil
	}
	return steps(p.Document, forward, func(files vfs.Files) (head, body []paragraph, err error) {
		head, body, err = partsOf(files, p.To)
		return head, inNumberOrder(body, heading), err
	})
}

// inNumberOrder puts what stands below numbered headings in the order of the numbers, without the
// headings.
func inNumberOrder(all []paragraph, heading *regexp.Regexp) (ordered []paragraph) {
	parts := map[int][]paragraph{}
	now := 0
	for _, p := range all {
		if title := heading.FindStringSubmatch(p[0]); title != nil {
			now, _ = strconv.Atoi(title[1])
			p = p[1:]
		}
		if len(p) > 0 {
			parts[now] = append(parts[now], p)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(parts)) {
		ordered = append(ordered, parts[n]...)
	}
	return ordered
}
