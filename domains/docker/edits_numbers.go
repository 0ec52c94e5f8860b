package docker

import (
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// shifts are what is added to ports and to the numbers of users and groups.
type shifts struct{ Ports, IDs int }

// shiftNumbers adds to ports and to the numbers of users and groups.
func shiftNumbers(p struct {
	Document, To string
	By           shifts
	Table        string
}) exact.Steps {
	change := func(s *script) (vfs.Files, error) {
		table := [][]string{{"stage", "instruction", "was", "is"}}
		s.shift(p.By, func(stage, keyword, was, is string) { table = append(table, []string{stage, keyword, was, is}) })
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(s *script, _ vfs.Files) error {
		s.shift(shifts{-p.By.Ports, -p.By.IDs}, func(string, string, string, string) {})
		return nil
	}
	return scripts.Rewrite(p.Document, p.To, change, restore)
}

var (
	number     = regexp.MustCompile(`[0-9]+`)
	chown      = regexp.MustCompile(`--chown=[0-9:]+`)
	idOption   = regexp.MustCompile(`--[ug]id[ =]+[0-9]+`)
	userNumber = regexp.MustCompile(`\b[0-9]+(:|\s*$)|:[0-9]+`)
	exposed    = regexp.MustCompile(`[0-9]+(-[0-9]+)?(/[a-z]+)?`)
)

// shift shifts the ports of EXPOSE, the same ports in the stage's HEALTHCHECK, and the ids of
// USER, --chown, --uid and --gid. The id 0 is root everywhere and stays.
func (s script) shift(shifts shifts, note func(stage, keyword, was, is string)) {
	ports := s.exposedPorts()
	for stage, p := range s.instructions("") {
		shift := func(by int, allowed func(was string) bool) func(string) string {
			return func(text string) string {
				return number.ReplaceAllStringFunc(text, func(was string) string {
					n, err := strconv.Atoi(was)
					if err != nil || !allowed(was) || n+by < 0 {
						return was
					}
					is := strconv.Itoa(n + by)
					note(stage, p.keyword, was, is)
					return is
				})
			}
		}
		port := shift(shifts.Ports, func(was string) bool { return ports[stage+" "+was] })
		id := shift(shifts.IDs, func(was string) bool { return was != "0" && was[0] != '0' })
		switch head := p.head(); p.keyword {
		case "EXPOSE", "HEALTHCHECK":
			p.setHead(port(head))
		case "USER":
			p.setHead(userNumber.ReplaceAllStringFunc(head, id))
		case "COPY", "ADD":
			p.setHead(chown.ReplaceAllStringFunc(head, id))
		case "RUN":
			p.setHead(idOption.ReplaceAllStringFunc(head, id))
		}
	}
}

// exposedPorts are the ports that a stage exposes, as "stage port".
func (s script) exposedPorts() map[string]bool {
	ports := map[string]bool{}
	for stage, p := range s.instructions("EXPOSE") {
		for _, word := range strings.Fields(p.text) {
			if exposed.FindString(word) == word {
				for _, port := range number.FindAllString(word, -1) {
					ports[stage+" "+port] = true
				}
			}
		}
	}
	return ports
}
