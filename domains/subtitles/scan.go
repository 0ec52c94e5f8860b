package subtitles

import (
	"math"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// A scanner function takes a text and a place in it and returns the place
// after what it names, or -1 where that does not stand there.

func skipSpace(s string, at int) int  { return len(s) - len(pytext.StripLeft(s[at:])) }
func skipBlanks(s string, at int) int { return len(s) - len(strings.TrimLeft(s[at:], " ")) }

// skipDigits takes any number of digits, also none.
func skipDigits(s string, at int) int {
	for at < len(s) && s[at] >= '0' && s[at] <= '9' {
		at++
	}
	return at
}

// skipMark takes one of the marks between the parts of a time, full-width ones
// of East Asian files included.
func skipMark(s string, at int) int {
	r, size := utf8.DecodeRuneInString(s[at:])
	if size > 0 && strings.ContainsRune(",.:，．。：", r) {
		return at + size
	}
	return -1
}

// skipIndex takes a cue's number: "7", "-1", "12.5".
func skipIndex(s string, at int) int {
	if at < len(s) && s[at] == '-' {
		at++
	}
	end := skipDigits(s, at)
	if end == at {
		return -1
	}
	if end < len(s) && s[end] == '.' {
		end = skipDigits(s, end+1)
	}
	return end
}

// skipArrow takes "-->" with the blanks around it, or "- >".
func skipArrow(s string, at int) int {
	at = skipBlanks(s, at)
	if !strings.HasPrefix(s[at:], "--") && !strings.HasPrefix(s[at:], "- ") {
		return -1
	}
	at = skipBlanks(s, at+2)
	if !strings.HasPrefix(s[at:], ">") {
		return -1
	}
	return skipBlanks(s, at+1)
}

// scanTimes reads a start time, an arrow and an end time. begins returns where each
// of them begins. It is false for times from endOfClock on, too.
func scanTimes(s string, at int, begins func(s string, at int) int) (start, end clock, after int, ok bool) {
	if start, at = scanTime(s, begins(s, at)); at < 0 {
		return 0, 0, -1, false
	}
	if at = skipArrow(s, at); at < 0 {
		return 0, 0, -1, false
	}
	end, at = scanTime(s, begins(s, at))
	return start, end, at, at >= 0 && start < endOfClock && end < endOfClock
}

// clock is a time of the film in milliseconds.
type clock int64

const (
	second clock = 1000
	minute       = 60 * second
	hour         = 60 * minute
	// endOfClock is the first time that the published reader cannot hold:
	// 1,000,000,000 days.
	endOfClock = 1_000_000_000 * 24 * hour
)

// scanTime reads hours, minutes, seconds and, if they are there, milliseconds,
// each a run of digits of any length. A time from endOfClock on is endOfClock.
func scanTime(s string, at int) (clock, int) {
	total := clock(0)
	for part, unit := range []clock{hour, minute, second, 1} {
		if part > 0 {
			if mark := skipMark(s, at); mark >= 0 {
				at = mark
			} else if part < 3 {
				return 0, -1
			}
		}
		end := skipDigits(s, at)
		if end == at && part < 3 {
			return 0, -1
		}
		total = min(total+number(s[at:end], endOfClock/unit)*unit, endOfClock)
		at = end
	}
	return total, at
}

// number is the value of a run of digits, at most most.
func number(digits string, most clock) clock {
	value := clock(0)
	for i := range len(digits) {
		if value = value*10 + clock(digits[i]-'0'); value >= most {
			return most
		}
	}
	return value
}

// published is the time as the published evaluator has it: it goes through
// floating-point seconds and cuts off, which can lose a millisecond.
func (c clock) published() float64 { return math.Trunc(float64(c) / 1000 * 1000) }
