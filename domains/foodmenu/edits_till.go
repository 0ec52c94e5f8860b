package foodmenu

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	tillFile   = "till.json"
	layoutFile = "layout.txt"
)

// tillItem is an item as the till has it.
type tillItem struct {
	PLU         int      `json:"plu"`
	Section     string   `json:"section"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	PriceCents  int      `json:"price_cents"`
	Also        string   `json:"also"`
	Allergens   []string `json:"allergens"`
	Marks       []string `json:"marks"`
	Details     []string `json:"details"`
}

// lookUp is the number of an item in the till: section, place in it, and the
// check digit of the article numbers of shops.
func lookUp(section, place int) int {
	number := section*100 + place
	sum, weight := 0, 3
	for rest := number; rest > 0; rest /= 10 {
		sum += rest % 10 * weight
		weight = 4 - weight
	}
	return number*10 + (10-sum%10)%10
}

// toTill makes an entry of each item, in the order of names. A mark stays where an
// item stood.
func toTill(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	items := []tillItem{}
	last, place := -1, 0
	inSections(all, func(e *entry, number int, section string) {
		if number != last {
			last, place = number, 0
		}
		if e.kind != itemEntry {
			return
		}
		const mostItems = 99
		if place++; place > mostItems {
			err = fmt.Errorf("section %s has more than %d items", section, mostItems)
		}
		item, bad := e.forTill()
		if bad != nil {
			err = bad
		}
		item.PLU, item.Section = lookUp(number, place), section
		items = append(items, item)
		e.lines = []string{fmt.Sprintf("<%d>", item.PLU)}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(items, func(a, b tillItem) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return vfs.Files{tillFile: printJSON(items), layoutFile: printed(all)}, nil
}

func (e *entry) forTill() (tillItem, error) {
	if err := e.plainly(); err != nil {
		return tillItem{}, err
	}
	cents, err := inCents(e.dish.price)
	name, description := divide(e.dish.words)
	item := tillItem{
		Name: name, Description: description, PriceCents: cents, Also: e.dish.after,
		Allergens: append([]string{}, e.dish.codes...), Marks: append([]string{}, e.dish.marks...), Details: []string{},
	}
	for _, line := range e.lines[1:] {
		item.Details = append(item.Details, pytext.Strip(line))
	}
	return item, err
}

func printJSON(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // plain values and a buffer cannot fail
	return b.String()
}

var tillMark = regexp.MustCompile(`^\s*<([0-9]+)>\s*$`)

// fromTill writes the items where their marks are.
func fromTill(files vfs.Files) (vfs.Files, error) {
	var items []tillItem
	if err := plain.JSON(files, tillFile, &items); err != nil {
		return nil, err
	}
	layout, err := plain.File(files, layoutFile)
	if err != nil {
		return nil, err
	}
	byNumber := map[string]tillItem{}
	for _, item := range items {
		byNumber[strconv.Itoa(item.PLU)] = item
	}
	var lines []string
	for _, line := range plain.Lines(layout) {
		mark := tillMark.FindStringSubmatch(line)
		if mark == nil {
			lines = append(lines, line)
			continue
		}
		if item, known := byNumber[mark[1]]; known {
			words := strings.TrimSpace(item.Name + " " + item.Description)
			lines = append(lines, itemLines(words, item.PriceCents, item.Also, tagged(item.Marks, item.Allergens), item.Details)...)
		}
	}
	return vfs.Files{menuFile: plain.Text(lines)}, nil
}

// tagged writes marks and codes.
func tagged(marks, codes []string) string {
	var tags []string
	for _, mark := range marks {
		tags = append(tags, "("+mark+")")
	}
	for _, code := range codes {
		tags = append(tags, "["+code+"]")
	}
	return joined(tags)
}

// itemLines writes an item with its price in the usual column.
func itemLines(words string, cents int, also, tags string, details []string) []string {
	const column = 56
	line := "  " + words + strings.Repeat(" ", max(2, column-utf8.RuneCountInString(words))) + inDollars(cents)
	if also != "" {
		line += " " + also
	}
	if tags != "" {
		line += gap + tags
	}
	lines := []string{line}
	for _, detail := range details {
		lines = append(lines, "      "+detail)
	}
	return lines
}
