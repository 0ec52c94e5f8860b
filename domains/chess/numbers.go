package chess

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/internal/lazyregexp"
)

// numbersAround are the parts of a text among which move numbers stand: comments, tags, brackets of variations and results,
// and the numbers.
var numbersAround = lazyregexp.New(`\{[^}]*\}|;[^\n]*|(?m:^\[[^\n]*)|(?m:^%[^\n]*)|[()]|(?:^|[\s()}])(\d{1,3})\.+|(?:1-0|0-1|1/2-1/2|\*)(?:\s|$)`)

// farNumber is how far a wrong number may be from the right one so that those after it are counted from it.
const farNumber = 2

// misnumbered finds move numbers that do not follow those before them. Strict knows a move by its place and passes over them, but a
// program that reads the number puts the move elsewhere. Moves without numbers are none of them.
func misnumbered(_, text string) []domains.Slip {
	var all []domains.Slip
	last := []int{0} // the last number of the game and of each open variation; 0 before the first
	for _, at := range numbersAround.FindAllStringSubmatchIndex(text, -1) {
		part := text[at[0]:at[1]]
		switch {
		case at[2] >= 0:
			if text[at[0]] == '(' {
				last = append(last, last[len(last)-1])
			} else if text[at[0]] == ')' && len(last) > 1 {
				last = last[:len(last)-1]
			}
			top := &last[len(last)-1]
			number, _ := strconv.Atoi(text[at[2]:at[3]])
			due := *top + 1
			switch {
			case *top == 0 || number == *top || number == due:
				*top = number
				continue
			case number >= due-farNumber && number <= due+farNumber:
				*top = number
			default:
				*top = due
			}
			all = append(all, domains.Slip{
				Line: 1 + strings.Count(text[:at[2]], "\n"), What: fmt.Sprintf("the move has the number %d instead of %d", number, due),
			})
		case part == "(":
			last = append(last, last[len(last)-1])
		case part == ")":
			if len(last) > 1 {
				last = last[:len(last)-1]
			}
		case part[0] == '{' || part[0] == ';' || part[0] == '%':
		default: // tags and results end a game
			last = []int{0}
		}
	}
	return all
}
