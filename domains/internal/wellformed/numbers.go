package wellformed

import (
	"slices"
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

var (
	numbered  = lazyregexp.New(`^( {0,3})(\d{1,9})[.)](?:\s|$)`)
	codeFence = lazyregexp.New("^ {0,3}(?:```|~~~)")
)

// ListNumbers checks the numbers of Markdown's lists: of three items or more, one whose number does not follow while all others do, or
// items that have changed places.
// Markdown renders the list as if it did, but people name an item by the number that they see in the file.
func ListNumbers(_, text string) (all []Slip) {
	var list []Slip // its items
	var numbers []int
	indent, fenced := "", false
	end := func() {
		if wrong := outOfTurn(numbers); wrong >= 0 {
			all = append(all, list[wrong])
		}
		list, numbers = nil, nil
	}
	for n, line := range lines(text) {
		item := numbered.FindStringSubmatch(line)
		switch {
		case codeFence.MatchString(line):
			fenced = !fenced
		case fenced || strings.TrimSpace(line) == "":
		case item != nil && (numbers == nil || item[1] == indent):
			number, _ := strconv.Atoi(item[2])
			indent, numbers = item[1], append(numbers, number)
			list = append(list, Slip{Line: n, What: "the number of an item does not follow", Text: strings.TrimSpace(line)})
		case !strings.HasPrefix(line, indent+" "):
			end()
		}
	}
	end()
	return all
}

// outOfTurn is the place of the only number that does not follow, or of the first where numbers that would follow have changed places;
// -1 where there is none.
func outOfTurn(numbers []int) int {
	if len(numbers) < 3 {
		return -1
	}
	strays := func(from int) (all []int) {
		for i, number := range numbers {
			if number != from+i {
				all = append(all, i)
			}
		}
		return all
	}
	if wrong := strays(numbers[0]); len(wrong) == 1 {
		return wrong[0]
	}
	sorted := slices.Sorted(slices.Values(numbers))
	for i, number := range sorted {
		if number != sorted[0]+i {
			return -1
		}
	}
	if wrong := strays(sorted[0]); len(wrong) > 0 {
		return wrong[0]
	}
	return -1
}
