package transit

import (
	"fmt"
	"strconv"
	"strings"
)

// maxClock is more than any time that an edit reads, in seconds.
const maxClock = 1000 * 3600

// cutClock divides a time H:MM:SS of the format into its hours and the rest.
func cutClock(value string) (hours, rest string, ok bool) {
	hours, rest, _ = strings.Cut(value, ":")
	ok = hours != "" && isDigits(hours) && len(rest) == len("00:00") && rest[2] == ':' &&
		rest[0] <= '5' && rest[3] <= '5' && isDigits(rest[:2]+rest[3:])
	return hours, rest, ok
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// readClock reads a time as seconds after noon minus twelve hours. Of hours
// with zeros in front it takes only those that writeClock writes.
func readClock(value string) (seconds int, ok bool) {
	hours, rest, ok := cutClock(value)
	if !ok || len(hours) > 3 || len(hours) == 3 && hours[0] == '0' {
		return 0, false
	}
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(rest[:2])
	s, _ := strconv.Atoi(rest[3:])
	return 3600*h + 60*m + s, true
}

// writeClock writes a time with two digits of hours or, if it is short, with
// one where that is enough.
func writeClock(seconds int, short bool) string {
	digits := 2
	if short {
		digits = 1
	}
	return fmt.Sprintf("%0*d:%02d:%02d", digits, seconds/3600, seconds/60%60, seconds%60)
}

// isShort reports whether a time has hours of one digit.
func isShort(value string) bool { return strings.IndexByte(value, ':') == 1 }
