package jobboard

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// boards says how boards are taken apart and put together.
var boards = exact.Format[board, posting]{
	Patterns: []string{"*.txt"},
	Read:     read,
	Print:    board.print,
	Parts:    func(b *board) *[]posting { return &b.postings },
	Join: func(all []board) (joined board) {
		for _, b := range all {
			joined.join(b)
		}
		return joined
	},
	Empty: errors.New("no posting in any *.txt"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_pay", splitByPay),
		domains.Taking("split_by_month", splitByMonth),
		domains.Taking("skills_matrix", skillsMatrix),
		domains.Taking("json", inJSON),
		domains.Taking("code_companies", codeCompanies),
		domains.Taking("annual_pay", annualPay),
		domains.Taking("market_position", marketPosition),
		domains.Taking("one_line", oneLine),
	}
}

// steps are those of an edit that changes a board, in which no posting has a label twice, into
// files, and back from them.
func steps(
	document string, forward func(board) (vfs.Files, error), backward func(vfs.Files) (board, error),
) exact.Steps {
	return boards.Whole(document, func(b board) (vfs.Files, error) {
		if err := b.check(); err != nil {
			return nil, err
		}
		return forward(b)
	}, backward)
}

// separator are the lines between two postings.
var separator = []string{"", "---", ""}

// join adds the board of a further file.
func (b *board) join(more board) {
	between := slices.Clone(b.below)
	if len(b.postings) > 0 && len(between) == 0 {
		between = separator
	}
	if len(more.postings) > 0 {
		first := &more.postings[0]
		first.above = slices.Concat(between, first.above)
		b.postings = append(b.postings, more.postings...)
		b.below = more.below
		return
	}
	b.below = append(b.below, more.below...)
}

// check refuses postings that have one of the format's labels twice.
func (b *board) check() error {
	for _, p := range b.postings {
		for _, label := range labels {
			if times := p.times(label); times > 1 {
				return fmt.Errorf("%s has %q %d times", p.id(), label, times)
			}
		}
	}
	return nil
}

func (p *posting) id() string {
	id, _, _ := cutHead(p.lines[0])
	return id
}

// times is how many lines have a label.
func (p *posting) times(label string) int {
	return lists.Count(p.lines[1:], func(line *string) bool { return strings.HasPrefix(pytext.Strip(*line), label) })
}

// find returns the number of the line with a label, and what stands after it;
// -1 if there is none.
func (p *posting) find(l label) (int, string) {
	for n, line := range p.lines[1:] {
		if value, found := strings.CutPrefix(pytext.Strip(line), labels[l]); found {
			return n + 1, pytext.Strip(value)
		}
	}
	return -1, ""
}

func (p *posting) value(l label) string {
	_, value := p.find(l)
	return value
}

// with returns the posting with another value after a label that it has.
func (p posting) with(l label, value string) posting {
	n, _ := p.find(l)
	p.lines = slices.Clone(p.lines)
	p.lines[n] = strings.TrimSpace(labels[l] + " " + value)
	return p
}

// annual is the pay of a year, false if the salary says none.
func (p *posting) annual() (decimal.Decimal, bool) {
	amount, period, ok := exactPay(p.value(salaryLabel))
	if period == byHour {
		amount = amount.Mul(decimal.NewFromInt(hoursAYear))
	}
	return amount, ok
}

// exactPay is the first amount by the year or hour in a text.
func exactPay(text string) (amount decimal.Decimal, period string, ok bool) {
	found, _ := findPay(text)
	amount, ok = readAmount(found.number)
	return amount, found.period, ok
}

// readAmount reads an amount of no more digits than a salary can have.
func readAmount(text string) (decimal.Decimal, bool) {
	const longest = 20
	if len(text) > longest || strings.Trim(text, "0123456789.") != "" {
		return decimal.Decimal{}, false
	}
	amount, err := decimal.NewFromString(text)
	return amount, err == nil
}

// frame is the board with a line such as "<posting 3>" in the place of each
// posting.
func (b *board) frame() ([]string, error) {
	var lines []string
	for n, p := range b.postings {
		lines = append(append(lines, p.above...), placeholder(n+1))
	}
	lines = append(lines, b.below...)
	if lists.Count(lines, func(line *string) bool { return placeOf(*line) > 0 }) > len(b.postings) {
		return nil, errors.New("a line of the board reads as the placeholder of a posting")
	}
	return lines, nil
}

func placeholder(n int) string { return fmt.Sprintf("<posting %d>", n) }

// placeOf is the number of a placeholder, 0 if the line is none.
func placeOf(line string) int {
	number, found := strings.CutPrefix(strings.TrimSpace(line), "<posting ")
	number, closed := strings.CutSuffix(number, ">")
	n, err := strconv.Atoi(number)
	if !found || !closed || err != nil {
		return 0
	}
	return n
}

// fill puts postings, by their numbers, in the places of a frame.
func fill(frame []string, postings map[int][]string) (none board, err error) {
	var lines []string
	for _, line := range frame {
		n := placeOf(line)
		if n == 0 {
			lines = append(lines, line)
			continue
		}
		posting, ok := postings[n]
		if !ok {
			return none, fmt.Errorf("no posting for %q", line)
		}
		lines = append(lines, posting...)
		delete(postings, n)
	}
	if len(postings) > 0 {
		return none, fmt.Errorf("%d postings have no place in the frame", len(postings))
	}
	return read(plain.Text(lines)), nil
}

// boardOf reads a file that a backward step needs.
func boardOf(files vfs.Files, name string) (board, error) {
	b, err := boards.Named(files, name)
	if err != nil {
		return b, err
	}
	if len(b.postings) == 0 {
		return board{}, fmt.Errorf("no posting in %s", name)
	}
	return b, b.check()
}

// tableRow is a row of a table about postings.
type tableRow struct {
	posting int // its number on the board, from 1
	cells   []string
}

// tableOf reads a table about postings: of each row the number and some cells.
func tableOf(files vfs.Files, name string, columns ...string) (rows []tableRow, err error) {
	table, err := plain.Table(files, name, append([]string{"posting"}, columns...)...)
	for _, cells := range table {
		n, err := strconv.Atoi(strings.TrimSpace(cells[0]))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not the number of a posting", cells[0])
		}
		rows = append(rows, tableRow{n, cells[1:]})
	}
	return rows, err
}
