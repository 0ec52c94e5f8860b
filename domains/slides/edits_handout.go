package slides

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// printedLine is a row of a table of lines.
type printedLine struct {
	kind, level, x, y, pt, text string
}

const (
	titleLine  = "title"
	bulletLine = "bullet"
	imageLine  = "image"
	chartLine  = "chart"
	notesLine  = "notes"
	otherLine  = "line"
)

var (
	titleForm  = regexp.MustCompile(`^## (\S.*?)(?: \[@\((\d+),(\d+)\)(?: \| (\d+)pt)?\])?$`)
	bulletForm = regexp.MustCompile(`^((?:  )*)- (\S.*?)(?: \[@\((\d+),(\d+)\)(?: \| (\d+)pt)?\])?$`)
	holderForm = regexp.MustCompile(`^\[(IMAGE|CHART): (\S[^@\]]*?)(?: @\((\d+),(\d+)\))?\]$`)
)

// lineOf reads a line that is written as usual; any other stands as it is.
func lineOf(line string) printedLine {
	if f := titleForm.FindStringSubmatch(line); f != nil {
		return printedLine{kind: titleLine, text: f[1], x: f[2], y: f[3], pt: f[4]}
	}
	if f := bulletForm.FindStringSubmatch(line); f != nil {
		return printedLine{kind: bulletLine, level: strconv.Itoa(len(f[1]) / 2), text: f[2], x: f[3], y: f[4], pt: f[5]}
	}
	if f := holderForm.FindStringSubmatch(line); f != nil {
		return printedLine{kind: strings.ToLower(f[1]), text: f[2], x: f[3], y: f[4]}
	}
	return printedLine{kind: otherLine, text: line}
}

// String is the line as it is written in a deck.
func (l *printedLine) String() string {
	at := ""
	if l.x != "" {
		at = fmt.Sprintf("@(%s,%s)", l.x, l.y)
	}
	switch l.kind {
	case imageLine, chartLine:
		return fmt.Sprintf("[%s: %s]", strings.ToUpper(l.kind), strings.TrimSpace(l.text+" "+at))
	case titleLine, bulletLine:
		text := slideMark + l.text
		if l.kind == bulletLine {
			text = strings.Repeat("  ", min(plain.LineNumber(l.level), deepest)) + "- " + l.text
		}
		switch {
		case at == "":
			return text
		case l.pt == "":
			return fmt.Sprintf("%s [%s]", text, at)
		}
		return fmt.Sprintf("%s [%s | %spt]", text, at, l.pt)
	}
	return l.text
}

// deepest is the level that a bullet can have.
const deepest = 1000

// inTable makes a row of each line that is not blank.
func inTable(p struct{ Document, Table string }) exact.Steps {
	columns := []string{"slide", "n", "kind", "level", "x", "y", "pt", "text"}
	forward := func(t talk) (vfs.Files, error) {
		rows := [][]string{columns}
		add := func(slide, n int, l printedLine) {
			rows = append(rows, record(slide, n, l.kind, l.level, l.x, l.y, l.pt, l.text))
		}
		for n, s := range append([]slide{t.head}, t.slides...) {
			for i := range s {
				part := &s[i]
				if lines, ok := part.spoken(); ok {
					for _, line := range lines {
						add(n, i+1, printedLine{kind: notesLine, text: line})
					}
					continue
				}
				for _, line := range part.lines[:part.own] {
					l := printedLine{kind: otherLine, text: line}
					if part.isCounted() && part.kind != notesPart {
						l = lineOf(line)
					}
					add(n, i+1, l)
				}
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return decks.Whole(p.Document, forward, func(files vfs.Files) (talk, error) {
		rows, err := plain.Table(files, p.Table, columns...)
		return divided(plain.Text(tableLines(rows))), err
	})
}

// tableLines are the lines of a deck that rows of inTable make.
func tableLines(rows [][]string) (lines []string) {
	speaking := "" // the place of the notes that are open
	for _, row := range rows {
		l := printedLine{kind: row[2], level: row[3], x: row[4], y: row[5], pt: row[6], text: row[7]}
		place := row[0] + " " + row[1]
		if speaking != "" && (l.kind != notesLine || speaking != place) {
			lines, speaking = append(lines, notesEnd), ""
		}
		switch {
		case l.kind == notesLine && speaking == "":
			lines, speaking = append(lines, "", notesStart), place
		case l.kind == titleLine && len(lines) > 0:
			lines = append(lines, "")
		}
		lines = append(lines, l.String())
		if l.kind == titleLine {
			lines = append(lines, "")
		}
	}
	if speaking != "" {
		lines = append(lines, notesEnd)
	}
	return lines
}
