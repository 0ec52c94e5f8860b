package chess

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/vfs"
)

const timeSpentFile = "time_spent.pgn"

var (
	clockCommand = regexp.MustCompile(`\[%clk\s+(\d+):(\d\d):(\d\d)\s*\]`)
	spentCommand = regexp.MustCompile(`\[%emt\s+(\d+):(\d\d):(\d\d)\s*\]`)
)

// toTimeSpent replaces what the clocks show by the time that a move took.
func toTimeSpent(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	err = d.convertTimes("%emt", clockCommand, "%clk", func(clock, seconds, bonus int) (written, left int) {
		return clock + bonus - seconds, seconds
	})
	if err != nil {
		return nil, err
	}
	return vfs.Files{timeSpentFile: d.print()}, nil
}

func toClocks(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, timeSpentFile)
	if err != nil {
		return nil, err
	}
	err = d.convertTimes("%clk", spentCommand, "%emt", func(clock, seconds, bonus int) (written, left int) {
		return clock + bonus - seconds, clock + bonus - seconds
	})
	if err != nil {
		return nil, err
	}
	return d.asDocument(), nil
}

// convertTimes replaces the times of the main lines. convert is given what the
// side's clock showed last, the time that is written, and the seconds added for a
// move, and returns the time to write and what the clock shows now.
func (d *document) convertTimes(to string, command *regexp.Regexp, from string, convert func(clock, seconds, bonus int) (int, int)) error {
	for n, g := range d.games {
		if err := g.convertTimes(to, command, from, convert); err != nil {
			return fmt.Errorf("game %d: %w", n+1, err)
		}
	}
	return nil
}

func (g *game) convertTimes(to string, command *regexp.Regexp, from string, convert func(clock, seconds, bonus int) (int, int)) error {
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
			written, left := convert(clocks[side], seconds(command.FindStringSubmatch(found)), bonus)
			if written < 0 && failed == nil {
				failed = fmt.Errorf("ply %d: %w", ply, errNegative)
			}
			clocks[side] = left
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
