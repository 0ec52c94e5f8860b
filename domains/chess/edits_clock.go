package chess

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// The commands that tell times: what the clock shows, and what the move took.
const (
	clock = "%clk"
	spent = "%emt"
)

var timeCommands = map[string]*regexp.Regexp{
	clock: regexp.MustCompile(`\[%clk\s+(\d+):(\d\d):(\d\d)\s*\]`),
	spent: regexp.MustCompile(`\[%emt\s+(\d+):(\d\d):(\d\d)\s*\]`),
}

// timeSpent replaces what the clocks show by the time that a move took.
func timeSpent(p struct{ Document, To string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) { return nil, d.convertTimes(clock, spent) }
	return matches.Rewrite(p.Document, p.To, change, func(d *document, _ vfs.Files) error {
		return d.convertTimes(spent, clock)
	})
}

func (d *document) convertTimes(from, to string) error {
	return d.eachGame(func(_ int, g *game) error { return g.convertTimes(from, to) })
}

// convertTimes replaces the times of the main line. The new time is what the
// side's clock showed last, with the seconds added for a move, less the old one.
func (g *game) convertTimes(from, to string) error {
	command := timeCommands[from]
	sides := g.sides()
	var failed error
	clocks := map[string]int{}
	started, bonus := false, 0
	g.eachComment(func(ply int, text string) string {
		if ply == 0 || failed != nil {
			return text
		}
		if strings.Contains(text, "["+to) || strings.Count(text, "["+from) != len(command.FindAllString(text, -1)) {
			failed = fmt.Errorf("ply %d: times that cannot be converted: %s", ply, text)
			return text
		}
		return command.ReplaceAllStringFunc(text, func(found string) string {
			if !started {
				started = true
				clocks["white"], bonus, failed = g.timeControl()
				clocks["black"] = clocks["white"]
			}
			side := sides[ply-1]
			old := seconds(command.FindStringSubmatch(found))
			written := clocks[side] + bonus - old
			if written < 0 && failed == nil {
				failed = fmt.Errorf("ply %d: %w", ply, errNegative)
			}
			clocks[side] = map[string]int{clock: old, spent: written}[from]
			return fmt.Sprintf("[%s %d:%02d:%02d]", to, written/3600, written/60%60, written%60)
		})
	})
	return failed
}

var errNegative = errors.New("less than no time")

// seconds is the time of a command that was found.
func seconds(found []string) int {
	total := 0
	for _, part := range found[1:] {
		n, _ := strconv.Atoi(part)
		total = 60*total + n
	}
	return total
}

// timeControl is the time each side has for the game and what is added for each
// move, in seconds.
func (g *game) timeControl() (base, bonus int, err error) {
	text, added, _ := strings.Cut(g.value("TimeControl"), "+")
	base, err = strconv.Atoi(text)
	if err == nil && added != "" {
		bonus, err = strconv.Atoi(added)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("time control %q", g.value("TimeControl"))
	}
	return base, bonus, nil
}
