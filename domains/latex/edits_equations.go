package latex

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// equationNumber is the line above a display in the file of displays.
var equationNumber = regexp.MustCompile(`(?m)^% (\d+)$`)

// takeEquations moves the numbered displays to a file of their own, and leaves a command with
// the number of each.
func takeEquations(p struct {
	Document, Bibliography, To string
	Equations                  string // the file of the displays
	Command                    string // without its backslash
}) exact.Steps {
	forward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		var taken strings.Builder
		for i := range s.tokens {
			end := int(s.tokens[i].partner)
			if s.is(i, p.Command) {
				return r, fmt.Errorf("the paper has \\%s already", p.Command)
			}
			if !s.is(i, "begin") || end == none || !equations[s.environmentName(i)] || s.environmentName(i) == "displaymath" {
				continue
			}
			from, to := int(s.tokens[i].at), int(s.tokens[s.afterGroup(end+1)-1].end)
			text := s.text[from:to]
			if equationNumber.MatchString(text) {
				return r, errors.New("a display has a number as a comment in it")
			}
			n := len(r.changes) + 1
			if n > 1 {
				taken.WriteByte('\n')
			}
			fmt.Fprintf(&taken, "%% %d\n%s\n", n, text)
			r.changes = append(r.changes, change{from, to, fmt.Sprintf(`\%s{%d}`, p.Command, n)})
		}
		if len(r.changes) == 0 {
			return r, errors.New("the paper has no numbered display")
		}
		r.files = vfs.Files{p.Equations: taken.String()}
		return r, nil
	}
	backward := func(s *source, _ string, files vfs.Files) (r revision, err error) {
		list, err := plain.File(files, p.Equations)
		displays := readDisplays(list)
		for i := range s.tokens {
			if !s.is(i, p.Command) || err != nil {
				continue
			}
			lo, hi, next, _ := s.group(s.skip(i + 1))
			text, known := displays[plain.LineNumber(s.between(lo, hi))]
			if !known {
				return r, fmt.Errorf("%s has no display %s", p.Equations, s.between(lo, hi))
			}
			r.changes = append(r.changes, change{int(s.tokens[i].at), int(s.tokens[next-1].end), text})
		}
		return r, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Bibliography}, forward, backward)
}

// readDisplays reads a file of displays, by their numbers.
func readDisplays(list string) map[int]string {
	displays := map[int]string{}
	numbers := equationNumber.FindAllStringSubmatchIndex(list, -1)
	for k, m := range numbers {
		end := len(list)
		if k+1 < len(numbers) {
			end = numbers[k+1][0]
		}
		n, _ := strconv.Atoi(list[m[2]:m[3]])
		displays[n] = strings.Trim(list[m[1]:end], "\n")
	}
	return displays
}
