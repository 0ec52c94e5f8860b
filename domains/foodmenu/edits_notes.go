package foodmenu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// listMarked moves the items with a mark to a table in Markdown, with their prices and what these
// are with so many hundredths more, half a cent rounded up.
func listMarked(p struct {
	Document, To, Mark string
	Column             string // of the items
	Percent            int
	Added              string // the column of the prices with so much more
	Rest               string
}) exact.Steps {
	const lineBreak = "<br>"
	columns := []string{"line", "section", p.Column, "price", p.Added, "also", "tags", "details"}
	isMarked := func(e entry) bool { return isItem(e) && slices.Contains(e.dish.marks, p.Mark) }
	return menus.Rewrite(p.Document, p.Rest, func(all *[]entry) (vfs.Files, error) {
		rows := [][]string{columns, slices.Repeat([]string{"---"}, len(columns))}
		for at, e := range items(*all) {
			if !isMarked(*e) {
				continue
			}
			cents, err := inCents(e.dish.price)
			if err := errors.Join(e.plainly(), err); err != nil {
				return nil, err
			}
			rows = append(rows, []string{
				strconv.Itoa(at.line), at.section, e.dish.words, inDollars(cents), inDollars((cents*(100+p.Percent) + 50) / 100),
				e.dish.after, tagged(e.dish.marks, e.dish.codes), strings.Join(e.details(), lineBreak),
			})
		}
		var b strings.Builder
		for _, row := range rows {
			if strings.Contains(strings.Join(row, ""), "|") {
				return nil, errors.New("an item with a bar in its text")
			}
			b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		}
		*all = slices.DeleteFunc(*all, isMarked)
		return vfs.Files{p.To: b.String()}, nil
	}, func(all *[]entry, files vfs.Files) error {
		table, err := plain.File(files, p.To)
		var taken []placed
		for _, line := range plain.Lines(table) {
			cells := strings.Split(strings.Trim(pytext.Strip(line), "|"), "|")
			if len(cells) != len(columns) {
				continue
			}
			for i := range cells {
				cells[i] = pytext.Strip(cells[i])
			}
			cents, err := inCents(strings.TrimPrefix(cells[3], "$"))
			if err != nil {
				continue // the header and the line below it
			}
			var details []string
			if cells[7] != "" {
				details = strings.Split(cells[7], lineBreak)
			}
			taken = append(taken, placed{plain.LineNumber(cells[0]), itemLines(cells[2], cents, cells[5], cells[6], details)})
		}
		*all = putIn(taken, printed(*all))
		return err
	})
}

// details are what an item has below its first line.
func (e *entry) details() []string {
	details := []string{}
	for _, line := range e.lines[1:] {
		details = append(details, pytext.Strip(line))
	}
	return details
}

var footnote = regexp.MustCompile(` \*([0-9]+)\b`)

// numberDescriptions moves the descriptions to a numbered list, equal ones under one number.
func numberDescriptions(p struct{ Document, To, List string }) exact.Steps {
	return menus.Rewrite(p.Document, p.To, func(all *[]entry) (vfs.Files, error) {
		numbers := exact.Codes{New: exact.Counting("1")}
		var list strings.Builder
		for _, e := range items(*all) {
			if footnote.MatchString(e.dish.words) {
				return nil, fmt.Errorf("%s has a footnote already", e.dish.words)
			}
			_, description := divide(e.dish.words)
			if description == "" {
				continue
			}
			at := slices.IndexFunc(e.lines, func(line string) bool { return strings.Contains(line, description) })
			if at < 0 {
				return nil, fmt.Errorf("%s: a description with blanks that are not single", e.dish.words)
			}
			e.withLine(at, strings.Replace(e.lines[at], description, "*"+numbers.Of(description), 1))
		}
		numbers.Each(func(number, description string) { fmt.Fprintf(&list, "%s. %s\n", number, description) })
		return vfs.Files{p.List: list.String()}, nil
	}, func(all *[]entry, files vfs.Files) error {
		list, err := plain.File(files, p.List)
		texts := map[string]string{}
		for _, line := range plain.Lines(list) {
			if number, text, ok := strings.Cut(line, ". "); ok {
				texts[pytext.Strip(number)] = pytext.Strip(text)
			}
		}
		for _, e := range items(*all) {
			for at, line := range e.lines {
				e.withLine(at, footnote.ReplaceAllStringFunc(line, func(mark string) string {
					if text, known := texts[mark[len(" *"):]]; known {
						return " " + text
					}
					return mark
				}))
			}
		}
		return err
	})
}
