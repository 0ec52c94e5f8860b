// Package calendar is the published reading and score of the domain calendar.
//
// Key: uid trimmed, cut at the first @. For each key the last event of each side is used.
//
//   - coverage = Jaccard of key sets; both sides without events 1, one side 0.
//   - accuracy = mean over shared keys (none: 0; both sides empty: 1) of points/total, 1 when total is 0, where end: if
//     either side has one, total +1; both present and equal text +1, both present and different +0.5*R(texts), one
//     missing +0; location, lower-cased and trimmed: if either is non-empty, total +1; equal +1; both non-empty +0.5*R;
//     else +0; categories, lower-cased set: only if the reference has some, total +1; equal +1; else Jaccard (candidate
//     empty 0)
//   - ordering = R over the two lists of keys, each list sorted by (start text, key); absent start sorts as empty text;
//     repeats stay in the lists.
//   - category = Jaccard of all lower-cased categories of the document; reference has none 1; candidate has none 0.
//
// score = coverage^2 * accuracy * sqrt((ordering + category)/2), not rounded.
//
// R, or ratio, is that of package ratio, with the reference first.
package calendar

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Event is an event as the published evaluator reads it. Times are compared as
// texts without their zone, and empty where they are missing or invalid.
type Event struct {
	uid        string
	location   string
	start, end string
	categories []string
	// unmatched holds for several CATEGORIES lines, which upstream turns into a
	// text that equals nothing, not even itself.
	unmatched bool
}

// Parse reads a document as the published evaluator does. It has no errors: a file that it cannot read has no events.
func Parse(files vfs.Files) ([]Event, error) {
	var all []Event
	for _, name := range files.Names() {
		if path.Ext(name) == ".ics" {
			all = append(all, parseFile(files[name])...)
		}
	}
	return all, nil
}

// parseFile follows icalendar 4.0.3, through which the published evaluator reads: what is wrong inside an event is
// passed over, anything else that is wrong loses the file.
func parseFile(text string) []Event {
	for _, name := range []string{"VTIMEZONE", "VALARM", "VTODO", "VJOURNAL", "VFREEBUSY"} {
		text = deleteComponents(text, name)
	}
	var b builder
	for line := range strings.SplitSeq(unfold(text), "\n") {
		if !b.take(line) {
			return nil
		}
	}
	if b.ended != 1 {
		return nil
	}
	events := make([]Event, 0, len(b.found))
	for _, values := range b.found {
		e, ok := values.event()
		if !ok {
			return nil
		}
		events = append(events, e)
	}
	return events
}

// deleteComponents deletes every span from BEGIN to the next END of a name, in any case, with the line end after it.
func deleteComponents(text, name string) string {
	upper := asciiUpper(text)
	var kept strings.Builder
	for {
		from := strings.Index(upper, "BEGIN:"+name)
		length := strings.Index(upper[max(from, 0):], "END:"+name)
		if from < 0 || length < 0 {
			return kept.String() + text
		}
		kept.WriteString(text[:from])
		text = text[from+length+len("END:"+name):]
		text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
		upper = upper[len(upper)-len(text):]
	}
}

// asciiUpper keeps the length of the text.
func asciiUpper(text string) string {
	upper := []byte(text)
	for i, c := range upper {
		if c >= 'a' && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	return string(upper)
}

// unfold puts lines that begin with a space or a tab, without that, at the end of the line before. Empty lines go.
func unfold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case line == "":
		case (line[0] == ' ' || line[0] == '\t') && b.Len() > 0:
			b.WriteString(line[1:])
		default:
			b.WriteByte('\n')
			b.WriteString(line)
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// builder keeps the components that are open, innermost last.
type builder struct {
	open  []values // nil for a component that is no event
	begun []values // the events so far, in the order they begin
	// found are the events inside of top-level components that have ended, and ended counts those.
	found []values
	ended int
}

// take reads a line; false if that loses the file.
func (b *builder) take(text string) bool {
	var innermost values
	if len(b.open) > 0 {
		innermost = b.open[len(b.open)-1]
	}
	p, ok := parseProperty(text)
	if !ok {
		return innermost != nil
	}
	switch {
	case p.name == "BEGIN":
		var opened values
		if strings.ToUpper(p.value) == "VEVENT" {
			opened = values{}
			b.begun = append(b.begun, opened)
		}
		b.open = append(b.open, opened)
		return true
	case len(b.open) == 0:
		return false
	case p.name == "END":
		b.open = b.open[:len(b.open)-1]
		if len(b.open) == 0 {
			b.ended++
			b.found = b.begun
		}
		return true
	case innermost == nil:
		return p.valid()
	}
	if slices.Contains(scored, p.name) {
		innermost[p.name] = append(innermost[p.name], p)
	}
	return true
}

// values are the properties of an event that the score reads, by their names.
type values map[string][]property

var scored = []string{"UID", "LOCATION", "DESCRIPTION", "CATEGORIES", "DTSTART", "DTEND"}

// event is false where the published evaluator drops the whole file.
func (v values) event() (Event, bool) {
	starts, ends, categories := v["DTSTART"], v["DTEND"], v["CATEGORIES"]
	if len(starts) > 1 || len(ends) > 1 {
		return Event{}, false
	}
	e := Event{uid: v.single("UID"), location: v.single("LOCATION"), unmatched: len(categories) > 1}
	if len(ends) > 0 {
		e.end = ends[0].moment().text
	}
	if len(starts) > 0 {
		start := starts[0].moment()
		e.start = start.text
		if e.end == "" && start.allDay {
			e.end = nextDay(e.start)
		}
	}
	if len(categories) == 1 {
		e.categories = pytext.Parts(v.single("CATEGORIES"), ",")
	}
	const track = "track:"
	if description := v.single("DESCRIPTION"); !e.unmatched && len(e.categories) == 0 &&
		len(description) >= len(track) && strings.EqualFold(description[:len(track)], track) {
		if rest := pytext.Strip(description[len(track):]); rest != "" {
			e.categories = []string{rest}
		}
	}
	return e, true
}

// single is the text of a property. Of a repeated one it is what Python prints for the list of its values.
func (v values) single(name string) string {
	printed := make([]string, len(v[name]))
	for i, p := range v[name] {
		text := plainText(p.value)
		if len(printed) == 1 {
			return text
		}
		printed[i] = "vText('" + printedBytes(escaped(text)) + "')"
	}
	if len(printed) == 0 {
		return ""
	}
	return "[" + strings.Join(printed, ", ") + "]"
}

// printedBytes is Python's repr of a text as bytes.
func printedBytes(text string) string {
	printed := []byte("b'")
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\\' || c == '\'':
			printed = append(printed, '\\', c)
		case c < ' ' || c > '~':
			printed = fmt.Appendf(printed, `\x%02x`, c)
		default:
			printed = append(printed, c)
		}
	}
	return string(append(printed, '\''))
}

var escapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`)

func escaped(text string) string { return escapes.Replace(text) }

// Stats counts the parts of a document.
func Stats(events []Event) domains.Stats {
	categories := map[string]bool{}
	located := 0
	for i := range events {
		for _, category := range events[i].categories {
			categories[category] = true
		}
		if events[i].location != "" {
			located++
		}
	}
	return domains.Stats{Elements: len(events), Counts: []domains.Count{
		{Name: "Events", Value: strconv.Itoa(len(events))},
		{Name: "Categories", Value: strconv.Itoa(len(categories))},
		{Name: "With Location", Value: strconv.Itoa(located)},
	}}
}

// Score is coverage² · accuracy · √((ordering + category) / 2).
func Score(reference, candidate []Event) domains.Reading {
	ref, got := newSide(reference, "reference"), newSide(candidate, "candidate")
	coverage := sets.Jaccard(ref.keys, got.keys)
	accuracy := meanAccuracy(ref, got)
	ordering := ratio.Tokens(ref.inOrder(), got.inOrder(), true)
	category := categoryScore(ref.categories(), got.categories())
	return domains.Reading{
		RS: coverage * coverage * accuracy * math.Sqrt((ordering+category)/2),
		Components: map[string]float64{
			"coverage": coverage, "accuracy": accuracy, "ordering": ordering, "category": category,
		},
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// side is a document with what of its events is compared, normalised once.
type side struct {
	events []features
	keys   []string
}

type features struct {
	key, start, end, location string
	categories                []string
}

func newSide(events []Event, name string) side {
	s := side{events: make([]features, len(events)), keys: make([]string, len(events))}
	for i := range events {
		e := &events[i]
		key, _, _ := strings.Cut(pytext.Strip(e.uid), "@")
		f := features{
			key: key, start: e.start, end: e.end,
			location: pytext.Strip(pytext.Lower(e.location)), categories: lists.Map(e.categories, pytext.Lower),
		}
		if e.unmatched {
			f.categories = []string{fmt.Sprintf("unmatched %d of the %s", i, name)}
		}
		s.events[i], s.keys[i] = f, key
	}
	return s
}

// inOrder returns the keys by start, then by themselves.
func (s *side) inOrder() []string {
	sorted := slices.Clone(s.events)
	slices.SortFunc(sorted, func(a, b features) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.key, b.key))
	})
	return lists.Each(sorted, func(f *features) string { return f.key })
}

func (s *side) categories() []string {
	return slices.Concat(lists.Each(s.events, func(f *features) []string { return f.categories })...)
}

// meanAccuracy is the mean over the keys of both sides.
func meanAccuracy(ref, got side) float64 {
	if len(ref.events) == 0 && len(got.events) == 0 {
		return 1
	}
	var shared sets.Mean
	for _, pair := range sets.LastPairs(ref.keys, got.keys) {
		shared.Add(accuracy(&ref.events[pair[0]], &got.events[pair[1]]))
	}
	return shared.Or(0)
}

// accuracy is the share of end, location and categories that agree, of those that there are to compare.
func accuracy(ref, got *features) float64 {
	var parts sets.Mean
	for _, texts := range [][2]string{{ref.end, got.end}, {ref.location, got.location}} {
		parts.AddTexts(texts[0], texts[1], func(ref, got string) float64 { return 0.5 * ratio.Of(ref, got) })
	}
	if len(ref.categories) > 0 {
		parts.Add(sets.Jaccard(ref.categories, got.categories))
	}
	return parts.Or(1)
}

// categoryScore forgives categories where the reference has none.
func categoryScore(ref, got []string) float64 {
	if len(ref) == 0 {
		return 1
	}
	return sets.Jaccard(ref, got)
}
