package calendar

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// instant is a date, or a date-time without its zone.
type instant struct {
	time   time.Time
	allDay bool
	utc    bool
}

// readMoment reads a date or date-time, also one with the separators of ISO
// 8601's extended form.
func readMoment(text string) (instant, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	bare, utc := strings.CutSuffix(text, "Z")
	for _, form := range []struct {
		layout string
		allDay bool
	}{
		{"20060102T150405", false}, {"20060102", true},
		{"2006-01-02T15:04:05", false}, {"2006-01-02 15:04:05", false}, {"2006-01-02T15:04", false}, {"2006-01-02", true},
	} {
		if len(bare) != len(form.layout) {
			continue
		}
		if at, err := time.Parse(form.layout, bare); err == nil {
			return instant{at, form.allDay, utc}, true
		}
	}
	return instant{}, false
}

// String is the form that the format itself uses.
func (m instant) String() string {
	if m.allDay {
		return m.time.Format("20060102")
	}
	return m.time.Format("20060102T150405") + m.suffix()
}

func (m instant) readable() string {
	if m.allDay {
		return m.time.Format(time.DateOnly)
	}
	return m.time.Format("2006-01-02T15:04:05") + m.suffix()
}

func (m instant) suffix() string {
	if m.utc {
		return "Z"
	}
	return ""
}

func (m instant) plus(s span) instant {
	m.time = m.time.AddDate(0, 0, s.days).Add(s.clock)
	return m
}

// span is a duration: days, which may be 23 or 25 hours long, and what is left.
type span struct {
	days  int
	clock time.Duration
}

func (s span) wholeDays() bool { return s.clock == 0 }

func (s span) String() string {
	if s == (span{}) {
		return "PT0S"
	}
	sign := ""
	if s.days < 0 || s.clock < 0 {
		sign, s.days, s.clock = "-", -s.days, -s.clock
	}
	days := ""
	if s.days != 0 {
		days = strconv.Itoa(s.days) + "D"
	}
	return sign + "P" + days + clockText(s.clock)
}

// clockText is as in T1H30M, with empty text for none.
func clockText(clock time.Duration) string {
	if clock == 0 {
		return ""
	}
	text := "T"
	for _, unit := range []struct {
		length time.Duration
		letter string
	}{{time.Hour, "H"}, {time.Minute, "M"}, {time.Second, "S"}} {
		if n := clock / unit.length; n > 0 {
			text += strconv.Itoa(int(n)) + unit.letter
			clock -= n * unit.length
		}
	}
	return text
}

var durationForm = regexp.MustCompile(`^([-+]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$`)

func readDuration(text string) (span, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if !strings.HasPrefix(strings.TrimLeft(text, "+-"), "P") {
		return span{}, false
	}
	groups := durationForm.FindStringSubmatch(text)
	if groups == nil {
		return span{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(groups[i]) // empty is 0
		return n
	}
	s := span{
		days: 7*number(2) + number(3),
		clock: time.Duration(number(4))*time.Hour + time.Duration(number(5))*time.Minute +
			time.Duration(number(6))*time.Second,
	}
	if groups[1] == "-" {
		s.days, s.clock = -s.days, -s.clock
	}
	return s, true
}
