package earncall

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	number = `[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?`
	scaled = `(?: thousand| million| billion)?`
)

var (
	figures   = regexp.MustCompile(`\$` + number + scaled + `|` + number + `(?:%| basis points)`)
	bracketed = regexp.MustCompile(`\[[^\[\]]*\]`)
)

// takeFigures puts ids in brackets for dollar amounts, percentages and basis points. On the way
// back an id that is not listed stays.
func takeFigures(p struct{ Document, To, First, Table string }) exact.Steps {
	id := exact.Counting(p.First)
	change := func(c *call) (vfs.Files, error) {
		rows := [][]string{{"id", "kind", "text"}}
		c.replaceSaid(figures, func(figure string) string {
			id := id("", len(rows)-1)
			rows = append(rows, []string{id, kindOf(figure), figure})
			return "[" + id + "]"
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(c *call, files vfs.Files) error {
		known, err := exact.ReadRegister(files, p.Table, "id", "text")
		c.replaceSaid(bracketed, func(place string) string {
			if figure, ok := known[strings.Trim(place, "[]")]; ok {
				return figure
			}
			return place
		})
		return err
	}
	return calls.Rewrite(p.Document, p.To, change, restore)
}

func kindOf(figure string) string {
	switch {
	case strings.HasPrefix(figure, "$"):
		return "amount"
	case strings.HasSuffix(figure, "%"):
		return "percentage"
	}
	return "basis points"
}

// currency is one in which amounts are said.
type currency struct{ Symbol, Column string } // the column in the table of amounts

// restate converts amounts, rounded half up to as many decimals. On the way back each gets the
// own amount of the next row that has it, so that a lost row or amount does not shift the others.
func restate(p struct {
	Document, To string
	Own, Other   currency
	Rate         decimal.Decimal // what one of its own is in the other
	Table        string
}) exact.Steps {
	amountIn := func(c currency) *regexp.Regexp {
		return regexp.MustCompile(regexp.QuoteMeta(c.Symbol) + `(` + number + `)(` + scaled + `)`)
	}
	own, other := amountIn(p.Own), amountIn(p.Other)
	change := func(c *call) (vfs.Files, error) {
		rows := [][]string{{"id", p.Other.Column, p.Own.Column}}
		c.replaceSaid(own, func(amount string) string {
			m := own.FindStringSubmatch(amount)
			restated := p.Other.Symbol + converted(m[1], p.Rate) + m[2]
			rows = append(rows, []string{strconv.Itoa(len(rows)), restated, amount})
			return restated
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(c *call, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, p.Other.Column, p.Own.Column)
		amounts := plain.NotesBy(rows, func(row []string) string { return strings.TrimSpace(row[0]) })
		c.replaceSaid(other, func(amount string) string {
			if row := amounts.Take(amount); row != nil {
				return row[1]
			}
			return amount
		})
		return err
	}
	return calls.Rewrite(p.Document, p.To, change, restore)
}

// converted is a number at a rate, rounded half up to as many decimals, with a comma for
// thousands.
func converted(amount string, rate decimal.Decimal) string {
	value, _ := decimal.NewFromString(strings.ReplaceAll(amount, ",", "")) // cannot fail
	_, fraction, _ := strings.Cut(amount, ".")
	text := value.Mul(rate).StringFixed(int32(len(fraction)))
	point := len(text)
	if fraction != "" {
		point -= len("." + fraction)
	}
	for at := point - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// inRoles puts the titles and firms that the lists of participants have in the place of
// speakers.
func inRoles(p struct{ Document, To, Table string }) exact.Steps {
	change := func(c *call) (vfs.Files, error) {
		titles, listed := c.titles(), map[string]bool{}
		cast := [][]string{{"role", "name"}}
		c.eachTurn(func(t *turn) {
			name := t.Speaker
			role := titles[name]
			if role == "" {
				return
			}
			if !listed[name] {
				listed[name] = true
				cast = append(cast, []string{role, name})
			}
			t.Speaker = role
		})
		return vfs.Files{p.Table: plain.WriteCSV(cast)}, nil
	}
	restore := func(c *call, files vfs.Files) error {
		names, err := exact.ReadRegister(files, p.Table, "role", "name")
		c.eachTurn(func(t *turn) {
			if name := strings.TrimSpace(names[t.Speaker]); name != "" {
				t.Speaker = name
			}
		})
		return err
	}
	return calls.Rewrite(p.Document, p.To, change, restore)
}

// titles are what lines outside of turns say of people, as in "Amy Roe - Chief
// Executive Officer", where it can be read as a speaker.
func (c *call) titles() map[string]string {
	titles := map[string]string{}
	for i := range c.parts {
		for _, line := range c.parts[i].Lines {
			name, title, found := strings.Cut(line, " - ")
			title = pytext.Strip(title)
			if read, _, ok := colonLabel(title + ":"); found && ok && read == title {
				titles[pytext.Strip(name)] = title
			}
		}
	}
	return titles
}

var minuteLine = regexp.MustCompile(`^### [0-9]+\. (.*?)(?: \[[0-9:]*\])?$`)

// inMinutes makes a text in Markdown with the time at which each turn starts. On the way back
// "## " and "### " lines are headings and speakers, however the rest is divided by blank lines.
func inMinutes(p struct {
	Document, To string
	Pace         int // words a minute
}) exact.Steps {
	if p.Pace <= 0 {
		return exact.Refuse("pace must be above zero")
	}
	forward := func(c call) (vfs.Files, error) {
		var blocks []string
		n, words := 0, 0
		add := func(lines ...string) {
			if len(lines) > 0 {
				blocks = append(blocks, plain.Text(lines))
			}
		}
		for _, section := range c.parts {
			if section.Heading != "" {
				add("## " + section.Heading)
			}
			add(section.Lines...)
			for _, t := range section.Turns {
				n++
				second := words * 60 / p.Pace
				add(fmt.Sprintf("### %d. %s [%02d:%02d:%02d]", n, t.Speaker, second/3600, second/60%60, second%60))
				add(t.Lines...)
				words += t.words()
			}
		}
		return vfs.Files{p.To: strings.Join(blocks, "\n")}, nil
	}
	backward := func(files vfs.Files) (c call, err error) {
		text, err := plain.File(files, p.To)
		for _, line := range plain.Lines(text) {
			line = pytext.Strip(line)
			if heading, ok := strings.CutPrefix(line, "## "); ok {
				c.parts = append(c.parts, part{Heading: heading})
			} else if line != "" {
				c.last().add(line, minuteLabel)
			}
		}
		return c, err
	}
	return calls.Whole(p.Document, forward, backward)
}

// minuteLabel cuts a line that opens a turn in minutes.
func minuteLabel(line string) (speaker, rest string, ok bool) {
	if m := minuteLine.FindStringSubmatch(line); m != nil {
		return m[1], "", true
	}
	return "", "", false
}
