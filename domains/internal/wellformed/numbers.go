package wellformed

import (
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

var (
	numbered  = lazyregexp.New(`^( {0,3})(\d{1,9})[.)](?:\s|$)`)
	codeFence = lazyregexp.New("^ {0,3}(?:```|~~~)")
)

// ListNumbers checks the numbers of Markdown's lists: of three items or more, one whose number does not follow while all others do.
// Markdown renders the list as if it did, but people name an item by the number that they see in the file.
func ListNumbers(_, text string) (all []Slip) {
	var list []Slip // its items
	var numbers []int
	indent, fenced := "", false
	end := func() {
		wrong := -1
		for i := range numbers {
			if numbers[i] != numbers[0]+i {
				if wrong >= 0 {
					wrong = -1
					break
				}
				wrong = i
			}
		}
		if len(numbers) > 2 && wrong > 0 {
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
