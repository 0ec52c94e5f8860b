package calendar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/calendar"
	"agentd/internal/lazyregexp"
)

// calendar is an iCalendar object as the format itself reads it.
type calendar struct {
	lines  []line
	others []*component // time zones and what else is no event
	events []*component
	loose  []string // lines that are no content lines and stand between components
}

// component is a VEVENT, a VALARM in it, a VTIMEZONE and so on.
type component struct {
	Name  string // upper case
	Lines []line
	Parts []*component
	// from and to are the bytes between which an event stands, whole lines.
	from, to int
}

// line is an unfolded content line. One in a component that cannot be read has no name and all of its text as value.
type line struct {
	Name       string      // upper case
	Parameters []parameter // in order
	Value      string      // as written, with escapes
}

// parameter has its value as written, with quotes.
type parameter struct{ name, value string }

// deepest is how deep components may be nested; the format itself needs two levels.
const deepest = 8

// read takes in any text. It forgives missing BEGIN and END lines. Text before, between and after calendars is no part
// of them and passed over; where there is no calendar, all lines are loose ones.
func read(text string) []*calendar {
	var r reader
	for _, line := range unfolded(text) {
		r.take(line)
	}
	if len(r.calendars) == 0 && len(r.outside) > 0 {
		return []*calendar{{loose: r.outside}}
	}
	return r.calendars
}

// unfolded joins lines that begin with a space or a tab to the one before, and passes over blank ones.
func unfolded(text string) []doc.Line {
	var lines []doc.Line
	var open strings.Builder
	from, to := 0, 0 // of the line in hand
	flush := func() {
		if strings.TrimSpace(open.String()) != "" {
			lines = append(lines, doc.Line{Text: open.String(), From: from, To: to})
		}
		open.Reset()
	}
	for _, line := range doc.Lines(text) {
		switch text := line.Text; {
		case text == "":
			continue
		case text[0] == ' ' || text[0] == '\t':
			open.WriteString(text[1:])
		default:
			flush()
			from = line.From
			open.WriteString(text)
		}
		to = line.To
	}
	flush()
	return lines
}

type reader struct {
	calendars []*calendar
	inside    bool         // of the last calendar
	open      []*component // innermost last
	outside   []string     // lines outside of calendars
}

// take reads a line, and says how far the event goes to which it belongs.
func (r *reader) take(at doc.Line) {
	before, l := r.event(), r.read(at.Text)
	event := r.event()
	switch {
	case event != before && event != nil:
		event.from, event.to = at.From, at.To
	case before != nil && (event == before || l.Name == "END" && componentName(l.Value) == before.Name):
		before.to = at.To
	}
}

// event is the open event, nil if none is.
func (r *reader) event() *component {
	if len(r.open) == 0 || r.open[0].Name != "VEVENT" {
		return nil
	}
	return r.open[0]
}

func (r *reader) read(text string) line {
	l, ok := readLine(text)
	switch {
	case ok && l.Name == "BEGIN" && r.begin(componentName(l.Value)):
	case ok && l.Name == "END" && r.end(componentName(l.Value)):
	case len(r.open) > 0:
		innermost := r.open[len(r.open)-1]
		innermost.Lines = append(innermost.Lines, l)
	case ok && (r.inside || slices.Contains(onlyInCalendars, l.Name)):
		c := r.calendar()
		c.lines = append(c.lines, l)
	case r.inside:
		c := r.calendar()
		c.loose = append(c.loose, strings.TrimSpace(text))
	default:
		r.outside = append(r.outside, strings.TrimSpace(text))
	}
	return l
}

func componentName(value string) string { return strings.ToUpper(strings.TrimSpace(value)) }

// onlyInCalendars are the properties that can only be a calendar's, whose BEGIN line is then missing.
var onlyInCalendars = []string{"VERSION", "PRODID", "CALSCALE", "METHOD"}

// calendar returns the open calendar, or opens one.
func (r *reader) calendar() *calendar {
	if !r.inside {
		r.inside = true
		r.calendars = append(r.calendars, &calendar{})
	}
	return r.calendars[len(r.calendars)-1]
}

func (r *reader) begin(name string) bool {
	switch name {
	case "VCALENDAR":
		r.open, r.inside = nil, false
		r.calendar()
		return true
	case "VEVENT":
		c := r.calendar()
		opened := &component{Name: name, Lines: []line{}}
		c.events = append(c.events, opened)
		r.open = []*component{opened}
		return true
	case "VTIMEZONE", "VTODO", "VJOURNAL", "VFREEBUSY":
		r.open = nil // none of them stands inside another
	}
	if len(r.open) == deepest || strings.ContainsAny(name, " \t:;") {
		return false
	}
	opened := &component{Name: name, Lines: []line{}}
	if len(r.open) == 0 {
		c := r.calendar()
		c.others = append(c.others, opened)
	} else {
		innermost := r.open[len(r.open)-1]
		innermost.Parts = append(innermost.Parts, opened)
	}
	r.open = append(r.open, opened)
	return true
}

// end closes the innermost component of the name, with those inside it.
func (r *reader) end(name string) bool {
	if name == "VCALENDAR" && r.inside {
		r.open, r.inside = nil, false
		return true
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].Name == name {
			r.open = r.open[:i]
			return true
		}
	}
	return false
}

// readLine splits a content line; false if it has no name or no value, with the text as it is.
func readLine(text string) (line, bool) {
	written, value, ok := published.CutOutsideQuotes(text, ':')
	parts := published.SplitOutsideQuotes(written, ';')
	if !ok || !nameForm.MatchString(parts[0]) {
		return line{Value: text}, false
	}
	l := line{Name: strings.ToUpper(parts[0]), Value: value}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		l.Parameters = append(l.Parameters, parameter{strings.ToUpper(name), value})
	}
	return l, true
}

var nameForm = lazyregexp.New(`^[-A-Za-z0-9]+$`)

// find returns the first line of a name, nil if there is none.
func (c *component) find(name string) *line {
	return lists.First(c.Lines, func(l *line) bool { return l.Name == name })
}

// value is the value of the first line of a name, empty if there is none.
func (c *component) value(name string) string {
	if l := c.find(name); l != nil {
		return l.Value
	}
	return ""
}

// parameter returns a parameter's value without quotes, empty if there is none.
func (l *line) parameter(name string) string {
	for _, p := range l.Parameters {
		if p.name == name {
			return strings.Trim(p.value, `"`)
		}
	}
	return ""
}

// instant is a date, or a date-time without its zone.
type instant struct {
	time   time.Time
	allDay bool
	utc    bool
}

// readMoment reads a date or date-time, also one with the separators of ISO 8601's extended form.
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

var durationForm = lazyregexp.New(`^([-+]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$`)

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
