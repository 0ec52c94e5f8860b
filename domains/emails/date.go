package emails

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"agentd/domains/internal/pytext"
)

// moment is a date and time with its zone.
type moment struct {
	time.Time
	zoned   bool // false where the zone is -0000, which says nothing
	weekday string
}

var monthNames = []string{
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

var dayNames = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

var zoneNames = map[string]int{
	"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "AST": -400, "ADT": -300, "EST": -500, "EDT": -400,
	"CST": -600, "CDT": -500, "MST": -700, "MDT": -600, "PST": -800, "PDT": -700,
}

// parseDate reads the forms of date that Python's email.utils reads.
func parseDate(text string) (moment, bool) {
	words := pytext.Fields(text)
	var m moment
	if len(words) == 0 {
		return m, false
	}
	if strings.HasSuffix(words[0], ",") || slices.Contains(dayNames, pytext.Lower(words[0])) {
		m.weekday, words = strings.TrimSuffix(words[0], ","), words[1:]
	} else if at := strings.LastIndexByte(words[0], ','); at >= 0 {
		m.weekday, words[0] = words[0][:at], words[0][at+1:]
	}
	if len(words) == 3 {
		if date := strings.Split(words[0], "-"); len(date) == 3 {
			words = slices.Concat(date, words[1:])
		}
	}
	if len(words) == 4 {
		at := strings.IndexByte(words[3], '+')
		if at < 0 {
			at = strings.IndexByte(words[3], '-')
		}
		if at > 0 {
			words = append(words[:3:3], words[3][:at], words[3][at:])
		} else {
			words = append(words, "")
		}
	}
	if len(words) < 5 {
		return m, false
	}
	return m.read(words[0], words[1], words[2], words[3], words[4])
}

func (m moment) read(day, month, year, clock, zone string) (moment, bool) {
	if day == "" || month == "" || year == "" {
		return m, false
	}
	at := slices.Index(monthNames, pytext.Lower(month))
	if at < 0 {
		day, month = month, day
		if at = slices.Index(monthNames, pytext.Lower(month)); at < 0 {
			return m, false
		}
	}
	day = strings.TrimSuffix(day, ",")
	if strings.IndexByte(year, ':') > 0 {
		year, clock = clock, year
	}
	year = strings.TrimSuffix(year, ",")
	if year == "" {
		return m, false
	}
	if !unicode.IsDigit([]rune(year)[0]) {
		year, zone = zone, year
	}
	times := strings.Split(strings.TrimSuffix(clock, ","), ":")
	if len(times) == 1 {
		times = strings.Split(times[0], ".")
	}
	if len(times) == 2 {
		times = append(times, "0")
	}
	if len(times) != 3 {
		return m, false
	}
	var numbers [5]int
	for n, text := range []string{year, day, times[0], times[1], times[2]} {
		number, err := strconv.Atoi(text)
		if err != nil {
			return m, false
		}
		numbers[n] = number
	}
	if numbers[0] < 69 {
		numbers[0] += 2000
	} else if numbers[0] < 100 {
		numbers[0] += 1900
	}
	return m.in(zone, numbers[0], at%12+1, numbers[1], numbers[2:])
}

// in completes the moment; false if there is no such date, time or zone.
func (m moment) in(zone string, year, month, day int, clock []int) (moment, bool) {
	zone = strings.ToUpper(zone)
	offset, named := zoneNames[zone]
	m.zoned = named
	if !named {
		var err error
		offset, err = strconv.Atoi(zone)
		m.zoned = err == nil && (offset != 0 || zone[0] != '-')
	}
	sign := 1
	if offset < 0 {
		sign, offset = -1, -offset
	}
	seconds := sign * (offset/100*3600 + offset%100*60)
	if !m.zoned {
		seconds = 0
	}
	const day24 = 24 * 3600
	if seconds <= -day24 || seconds >= day24 || year < 1 || year > 9999 ||
		clock[0] < 0 || clock[0] > 23 || clock[1] < 0 || clock[1] > 59 || clock[2] < 0 || clock[2] > 59 {
		return m, false
	}
	m.Time = time.Date(year, time.Month(month), day, clock[0], clock[1], clock[2], 0, time.FixedZone("", seconds))
	return m, m.Day() == day && m.Month() == time.Month(month)
}

// iso is Python's datetime.isoformat.
func (m moment) iso() string {
	if m.zoned {
		return m.Format("2006-01-02T15:04:05-07:00")
	}
	return m.Format("2006-01-02T15:04:05")
}
