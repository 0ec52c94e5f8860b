package edit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"agentd/internal/lazyregexp"
)

// Milliseconds of units of time.
const (
	perSecond = 1000
	perMinute = 60 * perSecond
	perHour   = 60 * perMinute
	perDay    = 24 * perHour
)

// layout is a way to write a date, a time, or both. Its text has YYYY, MM, DD, hh, h (without a zero
// in front), mm, ss and fff (milliseconds) for what is read there; its other characters stand for themselves.
// The text "seconds" is a whole number of them. Hours may exceed 24 where there is no date.
type layout struct {
	text   string
	find   *lazyregexp.Regexp
	fields []string
	dated  bool
}

// asSeconds is the layout of a number of seconds.
const asSeconds = "seconds"

var layoutFields = lazyregexp.New(`YYYY|MM|DD|hh?|mm|ss|fff`)

// newLayout makes a layout. One without any field is an error.
func newLayout(text string) (*layout, error) {
	if text == asSeconds {
		return &layout{text: text, find: lazyregexp.New(`^(\d{1,9})$`), fields: []string{asSeconds}}, nil
	}
	l := &layout{text: text, fields: layoutFields.FindAllString(text, -1), dated: strings.Contains(text, "YYYY")}
	if len(l.fields) == 0 {
		return nil, fmt.Errorf("the layout %q has none of YYYY, MM, DD, hh, h, mm, ss and fff, and is not %q", text, asSeconds)
	}
	figures := strings.NewReplacer("YYYY", `(\d{4})`, "MM", `(\d\d)`, "DD", `(\d\d)`, "hh", `(\d{1,3})`, "h", `(0|[1-9]\d{0,2})`, "mm", `(\d\d)`, "ss", `(\d\d)`, "fff", `(\d{3})`)
	l.find = lazyregexp.New("^" + figures.Replace(regexp.QuoteMeta(text)) + "$")
	return l, nil
}

// read returns the milliseconds since 1970, or of a text without a date since midnight.
func (l *layout) read(text string) (at int64, ok bool) {
	m := l.find.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	year, month, day := 1970, 1, 1
	for i, field := range l.fields {
		n, _ := strconv.Atoi(m[i+1]) // the pattern has figures alone
		switch field {
		case "YYYY":
			year = n
		case "MM":
			month = n
		case "DD":
			day = n
		case "hh", "h":
			ok = n < 24 || !l.dated
			at += int64(n) * perHour
		case "mm":
			at += int64(n) * perMinute
		case "ss", asSeconds:
			at += int64(n) * perSecond
		case "fff":
			at += int64(n)
		}
		if field[0] == 'h' && !ok || (field == "mm" || field == "ss") && n > 59 {
			return 0, false
		}
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if date.Year() != year || int(date.Month()) != month || date.Day() != day {
		return 0, false
	}
	if l.dated {
		at += date.UnixMilli()
	}
	return at, true
}

// write is the reverse of read; false for what the layout cannot say, such as a time before midnight without a date.
func (l *layout) write(at int64) (string, bool) {
	if at < 0 && !l.dated {
		return "", false
	}
	hours, day := at/perHour, time.UnixMilli(at).UTC()
	if l.dated {
		hours = int64(day.Hour())
		at = ((at % perDay) + perDay) % perDay
	}
	if l.text == asSeconds {
		return strconv.FormatInt(at/perSecond, 10), true
	}
	return layoutFields.ReplaceAllStringFunc(l.text, func(field string) string {
		switch field {
		case "YYYY":
			return fmt.Sprintf("%04d", day.Year())
		case "MM":
			return fmt.Sprintf("%02d", day.Month())
		case "DD":
			return fmt.Sprintf("%02d", day.Day())
		case "hh":
			return fmt.Sprintf("%02d", hours)
		case "h":
			return strconv.FormatInt(hours, 10)
		case "mm":
			return fmt.Sprintf("%02d", at/perMinute%60)
		case "ss":
			return fmt.Sprintf("%02d", at/perSecond%60)
		}
		return fmt.Sprintf("%03d", at%perSecond)
	}), true
}

// usualLayouts are those that a moment is read in where none is named. They are compiled when the first moment is
// read: few commands read one.
var usualLayouts = sync.OnceValue(func() (all []*layout) {
	var texts []string
	for _, date := range []string{"YYYY-MM-DD", "YYYY/MM/DD", "YYYY.MM.DD", "YYYYMMDD", "DD.MM.YYYY"} {
		texts = append(texts, date)
		for _, clock := range []string{"Thhmmss", "Thh:mm:ss", "Thh:mm", " hh:mm:ss", " hh:mm"} {
			texts = append(texts, date+clock, date+clock+"Z")
		}
	}
	for _, text := range append(texts, "hh:mm:ss,fff", "hh:mm:ss.fff", "hh:mm:ss", "hh:mm", "YYYY-MM", "YYYY/MM") {
		l, err := newLayout(text)
		if err != nil {
			panic(err) // the list is of layouts
		}
		all = append(all, l)
	}
	return all
})

// readMoment reads a date, a time or both in one of the usual layouts.
func readMoment(text string) (at int64, in *layout, ok bool) {
	if text == "" || text[0] < '0' || text[0] > '9' { // as all of them begin
		return 0, nil, false
	}
	for _, l := range usualLayouts() {
		if at, ok := l.read(text); ok {
			return at, l, true
		}
	}
	return 0, nil, false
}

// span of time, as in -2h, 1h30m, 7d.
var daysOnly = lazyregexp.New(`^([+-]?\d{1,5})d$`)

// readLength reads a length of time, in milliseconds: of days, or hours, minutes and seconds.
func readLength(text string) (int64, error) {
	if m := daysOnly.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 64)
		return n * perDay, err
	}
	d, err := time.ParseDuration(text)
	if err != nil || d%time.Millisecond != 0 {
		return 0, fmt.Errorf("clock %q is no length of time such as 7d, -2h or 1h30m", text)
	}
	return d.Milliseconds(), nil
}
