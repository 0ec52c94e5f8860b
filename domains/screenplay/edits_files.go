package screenplay

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Sides: for each speaker a file with the speeches and their cues.
const (
	stageFile = "stage.txt"
	orderFile = "running_order.csv"
	firstCue  = "(top of the play)"
)

// sideFile is the file of a speaker's speeches.
func sideFile(speaker string) string {
	return "side_" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, foldName(speaker)) + ".txt"
}

var blockNames = [...]string{heading: "heading", character: "character", speech: "speech", direction: "direction", prose: "line"}

func toSides(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	stage := written(head)
	sides := map[string][]paragraph{}
	positions := map[string]int{}
	order := [][]string{{"n", "kind", "file", "position"}}
	cue := firstCue
	for i := range body {
		b := &body[i]
		file := stageFile
		if b.kind == speech {
			file = sideFile(b.name)
			sides[file] = append(sides[file], append(paragraph{"> " + cue}, b.lines...))
			cue = lastWords(b.text())
		} else {
			stage = append(stage, b.lines)
		}
		positions[file]++
		order = append(order, []string{strconv.Itoa(i + 1), blockNames[b.kind], file, strconv.Itoa(positions[file])})
	}
	made := vfs.Files{stageFile: printed(stage), orderFile: plain.WriteCSV(order)}
	for file, speeches := range sides {
		made[file] = printed(speeches)
	}
	return made, nil
}

// lastWords are the last three words of a speech.
func lastWords(lines []string) string {
	words := pytext.Fields(strings.Join(lines, " "))
	return strings.Join(words[max(0, len(words)-3):], " ")
}

func fromSides(files vfs.Files) (vfs.Files, error) {
	order, err := plain.Table(files, orderFile, "file", "position")
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, stageFile)
	if err != nil {
		return nil, err
	}
	head, rest, err := parted(paragraphs(text), stageFile)
	if err != nil {
		return nil, err
	}
	parts := map[string][]paragraph{stageFile: rest}
	var body []paragraph
	for _, row := range order {
		file := strings.TrimSpace(row[0])
		if parts[file] == nil {
			parts[file] = paragraphs(files[file])
		}
		position := plain.LineNumber(row[1])
		if position == 0 || position > len(parts[file]) {
			return nil, fmt.Errorf("%s: %s has no position %s", orderFile, file, row[1])
		}
		p := parts[file][position-1]
		if file != stageFile && len(p) > 1 && strings.HasPrefix(p[0], ">") {
			p = p[1:]
		}
		body = append(body, p)
	}
	return finished(head, body), nil
}

// A reading copy, with numbers for its directions.
const (
	copyFile       = "reading_copy.txt"
	directionsFile = "directions.csv"
)

var directionMark = regexp.MustCompile(`\[([0-9]+)\]`)

func toReadingCopy(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	all := written(head)
	list := [][]string{{"number", "kind", "text"}}
	number := func(kind, text string) string {
		n := strconv.Itoa(len(list))
		list = append(list, []string{n, kind, oneLine(strings.Split(text, "\n"))})
		return "[" + n + "]"
	}
	for i := range body {
		b := &body[i]
		text := strings.Join(b.lines, "\n")
		if directionMark.MatchString(text) {
			return nil, fmt.Errorf("%s: a number in brackets in %q", document, text)
		}
		if lines, ok := b.unwrapped(); ok {
			text = number("stage", strings.Join(lines, "\n"))
		} else if b.kind == speech {
			text = numbered(text, func(inside string) string { return number("inline", inside) })
		}
		all = append(all, strings.Split(text, "\n"))
	}
	return vfs.Files{copyFile: printed(all), directionsFile: plain.WriteCSV(list)}, nil
}

// numbered puts marks for the outermost parentheses of a text.
func numbered(text string, mark func(inside string) string) string {
	var b strings.Builder
	depth, start, kept := 0, 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(':
			if depth++; depth == 1 {
				start = i
			}
		case text[i] == ')' && depth > 0:
			if depth--; depth == 0 {
				b.WriteString(text[kept:start] + mark(text[start+1:i]))
				kept = i + 1
			}
		}
	}
	return b.String() + text[kept:]
}

func fromReadingCopy(files vfs.Files) (vfs.Files, error) {
	list, err := plain.Table(files, directionsFile, "number", "text")
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, copyFile)
	if err != nil {
		return nil, err
	}
	head, body, err := parted(paragraphs(text), copyFile)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, row := range list {
		texts["["+strings.TrimSpace(row[0])+"]"] = strings.Join(severalLines(row[1]), "\n")
	}
	for i, p := range body {
		restored := directionMark.ReplaceAllStringFunc(strings.Join(p, "\n"), func(mark string) string {
			if inside, ok := texts[mark]; ok {
				return "(" + inside + ")"
			}
			return mark
		})
		body[i] = strings.Split(restored, "\n")
	}
	return finished(head, body), nil
}

// The play told backwards, in movements of 25 speeches.
const (
	backwardsFile  = "told_backwards.txt"
	movementLength = 25
)

var movementHeading = regexp.MustCompile(`^# MOVEMENT ([0-9]{1,6})\b`)

func tellBackwards(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	var movements [][]paragraph
	spoken := 0
	for i := range body {
		b := &body[i]
		if movementHeading.MatchString(b.lines[0]) {
			return nil, fmt.Errorf("%s: there are movements already", document)
		}
		if len(movements) == 0 || b.kind == speech && spoken > 0 && spoken%movementLength == 0 {
			movements = append(movements, nil)
		}
		if b.kind == speech {
			spoken++
		}
		last := &movements[len(movements)-1]
		*last = append(*last, b.lines)
	}
	all := written(head)
	for n := len(movements); n > 0; n-- {
		title := fmt.Sprintf("# MOVEMENT %d: SPEECHES %d-%d", n, (n-1)*movementLength+1, min(n*movementLength, spoken))
		all = append(append(all, paragraph{title}), movements[n-1]...)
	}
	return vfs.Files{backwardsFile: printed(all)}, nil
}

func tellForwards(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, backwardsFile)
	if err != nil {
		return nil, err
	}
	head, rest, err := parted(paragraphs(text), backwardsFile)
	if err != nil {
		return nil, err
	}
	movements := map[int][]paragraph{}
	now, most := 0, 0
	for _, p := range rest {
		if title := movementHeading.FindStringSubmatch(p[0]); title != nil {
			now, _ = strconv.Atoi(title[1])
			most = max(most, now)
			p = p[1:]
		}
		if len(p) > 0 {
			movements[now] = append(movements[now], p)
		}
	}
	var body []paragraph
	for n := 0; n <= most; n++ {
		body = append(body, movements[n]...)
	}
	return finished(head, body), nil
}
