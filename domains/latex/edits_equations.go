package latex

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	noEquationsFile = "without_equations.tex"
	equationsFile   = "equations.tex"
	equationMark    = "showequation"
)

// equationNumber is the line above a display in the file of displays.
var equationNumber = regexp.MustCompile(`(?m)^% (\d+)$`)

// takeEquations moves the numbered displays to a file of their own.
func takeEquations(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	var changes []change
	var taken strings.Builder
	for i := range s.tokens {
		end := int(s.tokens[i].partner)
		if s.is(i, equationMark) {
			return nil, fmt.Errorf("the paper has \\%s already", equationMark)
		}
		if !s.is(i, "begin") || end == none || !equations[s.environmentName(i)] || s.environmentName(i) == "displaymath" {
			continue
		}
		from, to := int(s.tokens[i].at), int(s.tokens[s.afterGroup(end+1)-1].end)
		text := s.text[from:to]
		if equationNumber.MatchString(text) {
			return nil, errors.New("a display has a number as a comment in it")
		}
		n := len(changes) + 1
		if n > 1 {
			taken.WriteByte('\n')
		}
		fmt.Fprintf(&taken, "%% %d\n%s\n", n, text)
		changes = append(changes, change{from, to, fmt.Sprintf(`\%s{%d}`, equationMark, n)})
	}
	if len(changes) == 0 {
		return nil, errors.New("the paper has no numbered display")
	}
	return withBibliography(files, vfs.Files{noEquationsFile: s.changed(changes), equationsFile: taken.String()})
}

func giveEquations(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, noEquationsFile)
	if err != nil {
		return nil, err
	}
	list, err := plain.File(files, equationsFile)
	if err != nil {
		return nil, err
	}
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
	var changes []change
	for i := range s.tokens {
		if !s.is(i, equationMark) {
			continue
		}
		lo, hi, next, _ := s.group(s.skip(i + 1))
		text, known := displays[plain.LineNumber(s.between(lo, hi))]
		if !known {
			return nil, fmt.Errorf("%s has no display %s", equationsFile, s.between(lo, hi))
		}
		changes = append(changes, change{int(s.tokens[i].at), int(s.tokens[next-1].end), text})
	}
	return withBibliography(files, vfs.Files{paperFile: s.changed(changes)})
}
