package hamradio

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/hamradio"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// flattener collects the elements of a log. Its order means something, so contacts and lines are numbered throughout.
type flattener struct {
	elements        []domains.Element
	contacts, lines int
	known           map[domains.Field]bool // what headers of earlier files said
	said            []domains.Field        // what the header of this file says
}

// elements flattens files of any name. Each file of a split log has a header; what it repeats counts once.
func elements(files vfs.Files) []domains.Element {
	f := flattener{known: map[domains.Field]bool{}}
	for _, name := range files.Names() {
		log := read(files[name])
		f.header(&log.header)
		f.elements = slices.Grow(f.elements, len(log.records))
		for i := range log.records {
			f.record(&log.records[i])
		}
	}
	return f.elements
}

func (f *flattener) header(h *header) {
	const lineOfHeader = "" // a line has no name
	f.said = f.said[:0]
	say := func(name, value string) bool {
		said := domains.Field{Name: name, Value: value}
		f.said = append(f.said, said)
		return !f.known[said]
	}
	text := func(text string) {
		for _, line := range proseLines(text) {
			if say(lineOfHeader, line) {
				f.line(line)
			}
		}
	}
	text(h.text)
	for i := range h.fields {
		name, value := strings.ToUpper(h.fields[i].name), normalText(h.fields[i].value)
		if say(name, value) {
			f.elements = plain.Append(f.elements, domains.Element{
				Kind: "header field", Key: "header, " + name, Fields: []domains.Field{{Name: name, Value: value}},
			})
		}
		text(h.fields[i].after)
	}
	if _, after, ok := strings.Cut(h.end, ">"); ok {
		text(after)
	}
	for _, said := range f.said {
		f.known[said] = true
	}
}

func (f *flattener) record(r *record) {
	f.contacts++
	e := domains.Element{Kind: counted, Key: r.key(), Position: f.contacts, Fields: make([]domains.Field, 0, len(r.fields))}
	for i := range r.fields {
		name := published.Upper(r.fields[i].name)
		if value := normalValue(name, r.fields[i].value); value != "" {
			e.Fields = append(e.Fields, domains.Field{Name: name, Value: value})
		}
		f.prose(r.fields[i].after)
	}
	if r.end == "" {
		e.Fields = append(e.Fields, domains.Field{Name: element.EndOfRecord, Value: element.Missing})
	}
	f.elements = plain.Append(f.elements, e)
	f.prose(r.after)
}

func (f *flattener) prose(text string) {
	for _, line := range proseLines(text) {
		f.line(line)
	}
}

func (f *flattener) line(text string) {
	f.lines++
	f.elements = plain.Append(f.elements, domains.Element{
		Kind: "line", Key: "line outside contacts", Fields: []domains.Field{{Value: text}}, Position: f.lines,
	})
}

// proseLines are the lines of a text that are not blank, with single blanks.
func proseLines(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// key names a contact as operators do: "W6YX 2017-01-22 04:03 80M".
func (r *record) key() string {
	date, time := r.value("QSO_DATE"), r.value("TIME_ON")
	if len(date) == len("20170122") {
		date = date[:4] + "-" + date[4:6] + "-" + date[6:]
	}
	if len(time) >= len("0403") {
		time = time[:2] + ":" + time[2:4]
	}
	return strings.Join([]string{strings.ToUpper(r.value("CALL")), date, time, strings.ToUpper(r.value("BAND"))}, " ")
}

// normalValue writes a value as the format understands it, so that equal meanings are equal texts.
func normalValue(name, value string) string {
	value = normalText(value)
	if value == "" {
		return ""
	}
	switch valueType(name) {
	case numberType:
		return normalNumber(value)
	case timeType:
		if len(value) == len("0403") {
			return value + "00"
		}
	case termType:
		return strings.ToUpper(value)
	}
	return value
}

// normalText trims a value; a multi-line value has any line end.
func normalText(value string) string {
	return strings.TrimSpace(strings.ReplaceAll(value, "\r\n", "\n"))
}

type fieldType uint8

const (
	textType fieldType = iota
	numberType
	timeType
	termType // of an enumeration, or a call or locator: letter case means nothing
)

// valueType is the type that the ADIF specification gives a field.
func valueType(name string) fieldType {
	switch name {
	case "FREQ", "FREQ_RX", "TX_PWR", "RX_PWR", "CQZ", "ITUZ", "DXCC", "MY_CQ_ZONE", "MY_ITU_ZONE", "MY_DXCC",
		"SRX", "STX", "AGE", "DISTANCE", "A_INDEX", "K_INDEX", "SFI", "ANT_AZ", "ANT_EL", "NR_BURSTS", "NR_PINGS",
		"MAX_BURSTS", "TEN_TEN", "FISTS", "FISTS_CC", "UKSMG", "ALTITUDE", "MY_ALTITUDE", "MY_FISTS":
		return numberType
	case "TIME_ON", "TIME_OFF":
		return timeType
	case "CALL", "STATION_CALLSIGN", "OPERATOR", "OWNER_CALLSIGN", "CONTACTED_OP", "EQ_CALL",
		"GRIDSQUARE", "GRIDSQUARE_EXT", "MY_GRIDSQUARE", "MY_GRIDSQUARE_EXT", "VUCC_GRIDS", "MY_VUCC_GRIDS",
		"BAND", "BAND_RX", "MODE", "SUBMODE", "CONT", "STATE", "MY_STATE", "CNTY", "MY_CNTY",
		"ARRL_SECT", "MY_ARRL_SECT", "CONTEST_ID", "PROP_MODE", "ANT_PATH", "REGION", "IOTA", "MY_IOTA",
		"QSL_SENT", "QSL_RCVD", "QSL_SENT_VIA", "QSL_RCVD_VIA", "LOTW_QSL_SENT", "LOTW_QSL_RCVD",
		"EQSL_QSL_SENT", "EQSL_QSL_RCVD", "EQSL_AG", "QSO_COMPLETE", "QSO_RANDOM", "FORCE_INIT", "SILENT_KEY", "SWL":
		return termType
	}
	return textType
}

// normalNumber writes a decimal number without needless zeros and without the
// unit that some loggers put after a frequency. What is no number stays.
func normalNumber(text string) string {
	digits := strings.TrimSpace(strings.TrimSuffix(strings.ToUpper(text), "MHZ"))
	if bare := strings.TrimPrefix(digits, "-"); !plain.IsDigits(strings.Replace(bare, ".", "", 1)) {
		return text
	}
	return plain.Number(digits)
}

// without leaves out contacts; text between them stays.
func without(_, text string, leave func() bool) string {
	log := read(text)
	var kept strings.Builder
	kept.WriteString(log.header.print())
	for i := range log.records {
		if r := &log.records[i]; leave() {
			kept.WriteString(r.prose())
		} else {
			r.print(&kept)
		}
	}
	return kept.String()
}

// prose is the text between the record's tags, a line each.
func (r *record) prose() string {
	lines := slices.Concat(lists.Each(r.fields, func(f *field) []string { return proseLines(f.after) })...)
	return plain.Text(append(lines, proseLines(r.after)...))
}

const counted = "QSO"

// lengthWithCRLF is how many bytes a value has if each of its line ends is two characters, as in most logs.
func lengthWithCRLF(rest []rune, length int) int {
	n := 0
	for i, r := range rest {
		if n >= length {
			return len(string(rest[:i]))
		}
		if n++; r == '\n' {
			n++
		}
	}
	return len(string(rest))
}

// wellFormed checks that each contact is ended and that each value is as long as its tag says.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	open, last := false, 0
	upper := strings.ToUpper(text)
	if at := strings.Index(upper, "<EOH>"); at >= 0 {
		last = at + len("<EOH>")
	}
	head := last
	for _, m := range tagOf.FindAllStringSubmatchIndex(text, -1) {
		name := strings.ToUpper(text[m[2]:m[3]])
		switch {
		case m[0] < head:
			continue
		case m[0] < last:
			continue // a tag in a value
		case name == "EOR":
			open, last = false, m[1]
			continue
		case m[4] < 0:
			continue
		}
		open = true
		length, err := strconv.Atoi(text[m[4]:m[5]])
		rest := []rune(text[m[1]:min(len(text), m[1]+4*length+4)])
		if err != nil || length > len(rest) {
			all = append(all, domains.Slip{Line: 1 + strings.Count(text[:m[0]], "\n"), What: "a value is shorter than its tag says"})
			break
		}
		last = m[1] + len(string(rest[:length]))
		if wide := m[1] + lengthWithCRLF(rest, length); endsAt(text, wide) {
			last = wide
		}
		if !endsAt(text, last) && !endsAt(text, m[1]+length) {
			all = append(all, domains.Slip{Line: 1 + strings.Count(text[:m[0]], "\n"), What: "a value is longer than its tag says"})
		}
	}
	if open {
		all = append(all, domains.Slip{Line: 1 + strings.Count(strings.TrimSpace(text), "\n"), What: "the last contact is not ended by <EOR>"})
	}
	return all
}

// endsAt reports whether a value may end at a place of the text, which counts characters or bytes: a blank, a tag or nothing follows.
func endsAt(text string, at int) bool {
	return at >= len(text) || strings.IndexByte(" \t\r\n<", text[at]) >= 0
}

var tagOf = lazyregexp.New(`<([A-Za-z0-9_/]+)(?::(\d+)(?::\w+)?)?>`)
