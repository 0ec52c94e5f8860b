package foodmenu

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
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

var tillMark = regexp.MustCompile(`^\s*<([0-9]+)>\s*$`)

// inJSON makes an object for each item, in the order of names. A mark stays where an item stood.
func inJSON(p struct{ Document, To, Rest string }) exact.Steps {
	forward := func(all []entry) (vfs.Files, error) {
		list := []tillItem{}
		for at, e := range items(all) {
			const most = 99
			if at.place > most {
				return nil, fmt.Errorf("section %s has more than %d items", at.section, most)
			}
			item, err := e.forTill()
			if err != nil {
				return nil, err
			}
			item.PLU, item.Section = lookUp(at.number, at.place), at.section
			list = append(list, item)
			e.lines = []string{fmt.Sprintf("<%d>", item.PLU)}
		}
		slices.SortStableFunc(list, func(a, b tillItem) int {
			return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		})
		return vfs.Files{p.To: plain.WriteJSON(list), p.Rest: printed(all)}, nil
	}
	return menus.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		var list []tillItem
		if err := plain.JSON(files, p.To, &list); err != nil {
			return nil, err
		}
		layout, err := plain.File(files, p.Rest)
		byNumber := map[string]tillItem{}
		for _, item := range list {
			byNumber[strconv.Itoa(item.PLU)] = item
		}
		var lines []string
		for _, line := range plain.Lines(layout) {
			mark := tillMark.FindStringSubmatch(line)
			if mark == nil {
				lines = append(lines, line)
			} else if item, known := byNumber[mark[1]]; known {
				words := strings.TrimSpace(item.Name + " " + item.Description)
				lines = append(lines, itemLines(words, item.PriceCents, item.Also, tagged(item.Marks, item.Allergens), item.Details)...)
			}
		}
		return read(plain.Text(lines)), err
	})
}

func (e *entry) forTill() (tillItem, error) {
	if err := e.plainly(); err != nil {
		return tillItem{}, err
	}
	cents, err := inCents(e.dish.price)
	name, description := divide(e.dish.words)
	return tillItem{
		Name: name, Description: description, PriceCents: cents, Also: e.dish.after,
		Allergens: append([]string{}, e.dish.codes...), Marks: append([]string{}, e.dish.marks...), Details: e.details(),
	}, err
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
