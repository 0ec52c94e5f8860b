package weather

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/weather"
	"agentd/internal/lazyregexp"
)

// entry is a line of a bulletin, or the lines of one report. Printed one after the other, entries give the file back.
type entry struct {
	kind  entryKind
	lines []string
	// words are those of a report, in capitals, without list marks and "="; of a
	// header line the label and what it says.
	words []string
}

type entryKind uint8

const (
	blankEntry  entryKind = iota
	layoutEntry           // a ruler, a section title or the end of the bulletin
	headerEntry
	observationEntry
	forecastEntry
	textEntry // what is no part of the format
)

func (e *entry) isReport() bool { return e.kind == observationEntry || e.kind == forecastEntry }

// identity are the type, station and time of a report, without modifiers.
func (e *entry) identity() [3]string {
	var id [3]string
	copy(id[:], e.words)
	if len(e.words) > 2 && isRevision(e.words[1]) {
		copy(id[1:], e.words[2:])
	}
	return id
}

// readEntries reads a file by the format's own rules: a report is known by its first words, wherever it stands, and
// goes on over lines in capitals up to "=", a blank line or anything that is no report.
func readEntries(text string) []entry {
	var entries []entry
	goesOn := false
	var inForce []string
	lines := plain.Lines(text)
	for n, line := range lines {
		e := readLine(line, inForce)
		if e.kind == layoutEntry && len(e.words) > 0 {
			inForce = heading(e.words)
		}
		if goesOn && e.kind == textEntry && continues(line) {
			last := &entries[len(entries)-1]
			last.lines = lines[n-len(last.lines) : n+1 : n+1]
			last.words = append(last.words, e.words...)
		} else {
			e.lines = lines[n : n+1 : n+1]
			entries = plain.Append(entries, e)
		}
		last := &entries[len(entries)-1]
		goesOn = last.isReport() && !strings.HasSuffix(strings.TrimSpace(line), "=")
	}
	for i := range entries {
		entries[i].finish()
	}
	return entries
}

// finish drops the mark at the end of a report.
func (e *entry) finish() {
	if !e.isReport() {
		return
	}
	last := len(e.words) - 1
	if e.words[last] = strings.TrimRight(e.words[last], "="); e.words[last] == "" {
		e.words = e.words[:last]
	}
}

// heading returns the type of the reports below a line that says nothing else, with whether they replace others; nil if it does not.
// Bulletins of weather services say it once, and then give the reports without it.
func heading(words []string) []string {
	if !isType(words[0]) || len(words) > 2 || len(words) == 2 && !isRevision(words[1]) {
		return nil
	}
	return words
}

// readLine reads a line below the words of a heading, which are none where there is no heading.
func readLine(line string, announced []string) entry {
	e := entry{kind: textEntry}
	bare := withoutMarks(line)
	if bare == "" {
		e.kind = layoutEntry
		if strings.TrimSpace(line) == "" {
			e.kind = blankEntry
		}
		return e
	}
	upper := strings.ToUpper(bare)
	if label, value, ok := headerItem(upper); ok {
		e.kind, e.words = headerEntry, []string{label, value}
		return e
	}
	e.words = strings.Fields(upper)
	switch {
	case isTitle(e.words) || heading(e.words) != nil || upper == "END OF BULLETIN":
		e.kind = layoutEntry
	case len(announced) > 0 && announced[0] == "TAF" && beginsForecast(e.words):
		e.kind, e.words = forecastEntry, slices.Concat(announced, e.words)
	case len(announced) > 0 && announced[0] != "TAF" && beginsWithStation(e.words):
		e.kind, e.words = observationEntry, slices.Concat(announced, e.words)
	case beginsWithStation(e.words):
		// A report of a list that says once what its reports are. The word is another than that of a report which has one.
		e.kind, e.words = observationEntry, append([]string{untyped}, e.words...)
	case !announcesReport(e.words):
	case e.words[0] == "TAF":
		e.kind = forecastEntry
	default:
		e.kind = observationEntry
	}
	return e
}

// untyped stands for the type of an observation that has none.
const untyped = "REPORT"

var (
	stationCode = lazyregexp.New(`^[A-Z][A-Z0-9]{3}$`)
	observedAt  = lazyregexp.New(`^\d{6}Z$`)
)

// beginsWithStation reports whether words are an observation without its type: the station, the time, and groups.
func beginsWithStation(words []string) bool {
	return len(words) > 3 && stationCode.MatchString(words[0]) && observedAt.MatchString(words[1]) && !strings.Contains(words[2], "/")
}

var (
	issuedAt = lazyregexp.New(`^\d{6}Z?$`)
	validFor = lazyregexp.New(`^\d{4}/\d{4}$`)
)

// beginsForecast reports whether words are a forecast without its type: the station, when it was issued or holds, and groups.
func beginsForecast(words []string) bool {
	return len(words) > 2 && stationCode.MatchString(words[0]) && (issuedAt.MatchString(words[1]) || validFor.MatchString(words[1]))
}

var listMark = lazyregexp.New(`^(?:[-+>•#=~*_]+|[0-9]{1,3}[.)])\s+`)

// withoutMarks is a line without emphasis and the mark of a list, heading or
// quote before it; nothing is left of a ruler.
func withoutMarks(line string) string {
	line = strings.TrimSpace(line)
	if line == "" {
		return ""
	}
	if c := line[0]; c < 'A' || c > 'Z' {
		if strings.Trim(line, "=-*~_ ") == "" {
			return ""
		}
		line = strings.TrimSpace(line[len(listMark.FindString(line)):])
	}
	if strings.ContainsAny(line, "*`") {
		line = strings.TrimSpace(strings.NewReplacer("*", "", "`", "").Replace(line))
	}
	return line
}

// headerItem reads a line of the header, which is given in capitals.
func headerItem(line string) (label, value string, ok bool) {
	for item, label := range published.HeaderLabels {
		rest, ok := strings.CutPrefix(line, label)
		switch {
		case !ok:
		case item == published.TitleItem:
			return "title", folded(line), true
		default:
			return strings.TrimSuffix(label, ":"), folded(rest), true
		}
	}
	return "", "", false
}

func folded(text string) string { return published.Joined(strings.Fields(text)) }

var titleWords = []string{
	"METAR", "METARS", "SPECI", "SPECIS", "TAF", "TAFS", "(TAF)", "(TAFS)", "(METAR)", "(METARS)", "TERMINAL", "AERODROME",
	"FORECAST", "FORECASTS", "OBSERVATION", "OBSERVATIONS", "REPORT", "REPORTS", "SECTION", "AND", "/", "&", "-", "|",
}

// isTitle reports whether words head a section and say nothing else.
func isTitle(words []string) bool {
	const longest = 8
	if len(words) > longest {
		return false
	}
	named := false
	for _, word := range words {
		word = strings.Trim(word, "=-~:")
		for part := range strings.SplitSeq(word, "/") {
			if part != "" && !slices.Contains(titleWords, part) {
				return false
			}
			named = named || part != "" && part != "AND" && part != "SECTION"
		}
	}
	return named
}

// announcesReport reports whether words begin with a type of report and a station.
func announcesReport(words []string) bool {
	if len(words) < 2 || !isType(words[0]) {
		return false
	}
	if isRevision(words[1]) {
		words = words[1:]
	}
	return len(words) > 1 && published.IsPlace(strings.TrimRight(words[1], "="))
}

func isType(word string) bool { return word == "METAR" || word == "SPECI" || word == "TAF" }

// isRevision reports whether a word after the type says that a report replaces another.
func isRevision(word string) bool { return word == "COR" || word == "AMD" }

// continues reports whether a line can belong to the report above: it is in capitals and not set off as a heading.
func continues(line string) bool {
	line = strings.TrimSpace(line)
	isHeading := strings.IndexByte("#=*~(<[", line[0]) >= 0 || strings.HasPrefix(line, "--") || strings.HasSuffix(line, ":")
	return !isHeading && strings.ToUpper(line) == line
}

func printed(entries []entry) string {
	return plain.Text(slices.Concat(lists.Each(entries, func(e *entry) []string { return e.lines })...))
}
