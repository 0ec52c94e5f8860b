package weather

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/weather"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// elements flattens files by the rules of the codes: an element for each report, for each line of the header and for
// each line that is no part of the format. Observations have an order and forecasts have one, not the two together.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	said := map[string]bool{} // by the headers
	lines, observations := 0, 0
	var forecasts []int // in all
	for _, name := range files.Names() {
		for _, e := range readEntries(files[name]) {
			switch e.kind {
			case headerEntry:
				if item := published.Joined(e.words); !said[item] {
					said[item] = true
					all = plain.Append(all, e.header())
				}
			case observationEntry:
				observations++
				all = plain.Append(all, e.report(observationFields, observations))
			case forecastEntry:
				forecasts = append(forecasts, len(all))
				all = plain.Append(all, e.report(forecastFields, 0))
			case textEntry:
				lines++
				all = plain.Append(all, domains.Element{
					Kind: "line", Key: "line outside reports", Position: lines,
					Fields: []domains.Field{{Value: folded(e.lines[0])}},
				})
			}
		}
	}
	for i, n := range forecasts {
		all[n].Position = observations + 1 + i
	}
	return all
}

func (e *entry) header() domains.Element {
	label, value := e.words[0], e.words[1]
	header := domains.Element{Kind: "header", Key: label}
	if label != "STATIONS" {
		header.Fields = []domains.Field{{Value: value}}
		return header
	}
	stations, rest := beginning(strings.Fields(value))
	for _, station := range stations {
		header.Fields = append(header.Fields, domains.Field{Name: "station", Value: station})
	}
	header.Fields = append(header.Fields, rest...)
	return header
}

func (e *entry) report(read func([]string) []domains.Field, position int) domains.Element {
	id := e.identity()
	words, rest := beginning(e.words)
	return domains.Element{
		Kind: counted, Key: strings.TrimSpace(published.Joined(id[:])), Fields: append(read(words), rest...), Position: position,
	}
}

// beginning bounds the words of an element, of which the matcher compares each
// field with each. Those beyond count as one field.
func beginning(words []string) (first []string, rest []domains.Field) {
	const most = 200
	if len(words) <= most {
		return words, nil
	}
	return words[:most], []domains.Field{{Name: "rest", Value: published.Joined(words[most:])}}
}

// fieldList collects the groups of a report.
type fieldList struct {
	fields []domains.Field
	before string   // the period that groups belong to, with a blank
	other  []string // words of no known form that follow each other
}

func (l *fieldList) add(name, value string) {
	l.flush()
	l.fields = append(l.fields, domains.Field{Name: l.before + name, Value: value})
}

func (l *fieldList) flush() {
	if l.other != nil {
		l.fields = append(l.fields, domains.Field{Name: l.before + "other groups", Value: published.Joined(l.other)})
		l.other = nil
	}
}

// group adds the groups at the beginning of words and returns how many it took.
func (l *fieldList) group(words []string) int {
	word := words[0]
	if len(words) > 1 && isMixed(word, words[1]) {
		l.add("visibility", word+" "+words[1])
		return 2
	}
	if name := groups.name(word); name != "" {
		if metres, ok := metresOf(word); ok {
			word = metres
		}
		l.add(name, word)
	} else if temperature, dewPoint, ok := cutTemperature(word); ok {
		l.add("temperature", temperature)
		l.add("dew point", dewPoint)
	} else {
		l.other = append(l.other, word)
	}
	return 1
}

// heading adds type, station and time, and returns the words after them.
func (l *fieldList) heading(words []string) []string {
	l.add("type", words[0])
	words = words[1:]
	if len(words) > 1 && isRevision(words[0]) {
		l.add("modifier", words[0])
		words = words[1:]
	}
	l.add("station", words[0])
	if words = words[1:]; len(words) > 0 {
		l.add("time", words[0])
		words = words[1:]
	}
	return words
}

func observationFields(words []string) []domains.Field {
	l := fieldList{fields: make([]domains.Field, 0, len(words)+1)}
	words = l.heading(words)
	for len(words) > 0 {
		switch words[0] {
		case "RMK":
			l.flush()
			return append(l.fields, remarkFields(words[1:])...)
		case "TEMPO", "BECMG", "NOSIG":
			end := trendEnd(words)
			l.add("trend", published.Joined(words[:end]))
			words = words[end:]
			continue
		case "$":
			l.add("maintenance flag", "$")
			words = words[1:]
			continue
		}
		words = words[l.group(words):]
	}
	l.flush()
	return l.fields
}

// trendEnd is where the trend that begins words ends.
func trendEnd(words []string) int {
	for i, word := range words {
		if i > 0 && (word == "RMK" || word == "TEMPO" || word == "BECMG" || word == "NOSIG" || word == "$") {
			return i
		}
	}
	return len(words)
}

func forecastFields(words []string) []domains.Field {
	l := fieldList{fields: make([]domains.Field, 0, len(words)+2)}
	words = l.heading(words)
	if len(words) > 0 {
		from, to, _ := strings.Cut(words[0], "/")
		l.add("valid from", from)
		l.add("valid to", to)
		words = words[1:]
	}
	var periods []string
	for len(words) > 0 {
		if words[0] == "RMK" {
			l.flush()
			l.before = ""
			l.add("remarks", published.Joined(words[1:]))
			break
		}
		if n := periodHeading(words); n > 0 {
			l.flush()
			name := published.Joined(words[:n])
			periods = append(periods, name)
			l.before = name + " "
			words = words[n:]
			continue
		}
		words = words[l.group(words):]
	}
	l.flush()
	l.before = ""
	if len(periods) > 0 {
		l.add("periods", strings.Join(periods, ", "))
	}
	return l.fields
}

// formerStart is the beginning of a period as it was written until 2008, without the day.
var formerStart = lazyregexp.New(`^FM\d{4}Z?$`)

// periodHeading is how many words announce a period: FM221800, TEMPO 2218/2222,
// PROB30 TEMPO 2218/2222. It is 0 if they announce none.
func periodHeading(words []string) int {
	if published.ChangeKind(words[0]) == "" && !formerStart.MatchString(words[0]) {
		return 0
	}
	n := 1
	if len(words) > n && words[n] == "TEMPO" && strings.HasPrefix(words[0], "PROB") {
		n++
	}
	if len(words) > n && published.IsSpan(words[n]) {
		n++
	}
	return n
}

// without leaves out reports; all other lines stay.
func without(_, text string, leave func() bool) string {
	return printed(slices.DeleteFunc(readEntries(text), func(e entry) bool { return e.isReport() && leave() }))
}

// remarkFields divides remarks into the coded groups, each by its name, and what is said in words, as one.
func remarkFields(words []string) []domains.Field {
	fields := make([]domains.Field, 0, 8)
	var said []string
	for i := 0; i < len(words); {
		name, n := codedRemark(words[i:])
		if name == "" {
			said = append(said, words[i])
		} else {
			fields = append(fields, domains.Field{Name: name, Value: published.Joined(words[i : i+n])})
		}
		i += n
	}
	if len(said) > 0 {
		fields = append(fields, domains.Field{Name: "remarks", Value: published.Joined(said)})
	}
	return fields
}

// remarkForms are what a practitioner calls coded remarks of one word.
var remarkForms = forms{
	{"maintenance flag", "$", whole(`\$`)},
	{"station type", "A", whole(`AO[12]`)},
	{"sea-level pressure", "S", whole(`SLP.*`)},
	{"exact temperature", "T", whole(`T[0-9]{4}(?:[0-9]{4})?`)},
	{"hourly precipitation", "P", whole(`P[0-9]{4}`)},
	{"24-hour extremes", "4", whole(`4[0-9]{8}`)},
	{"6-hour maximum", "1", whole(`1[0-9]{4}`)},
	{"6-hour minimum", "2", whole(`2[0-9]{4}`)},
	{"pressure tendency", "5", whole(`5[0-9]{4}`)},
	{"precipitation", "6", whole(`6[0-9]{4}`)},
	{"24-hour precipitation", "7", whole(`7[0-9]{4}`)},
	{"ice accretion", "I", whole(`I[0-9]{4}`)},
	{"snow depth", "4", whole(`4/.*`)},
	{"cloud types", "8", whole(`8/.*`)},
}

// codedRemark names the remark that words begin with and tells how many words it
// has; of words of no known form it takes one and has no name.
func codedRemark(words []string) (name string, n int) {
	switch {
	case len(words) > 2 && words[0] == "PK" && words[1] == "WND":
		return "peak wind", 3
	case len(words) > 2 && words[0] == "WSHFT" && words[2] == "FROPA":
		return "wind shift", 3
	case len(words) > 1 && words[0] == "WSHFT":
		return "wind shift", 2
	}
	return remarkForms.name(words[0]), 1
}

const counted = "report"
