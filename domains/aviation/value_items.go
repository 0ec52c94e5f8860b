package aviation

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// items are the items of a notice as the published program finds them: each by
// its own search for the first marker, wherever that stands.
type items struct {
	qLine, qCode, location, from, to, schedule, text, lower, upper, created, source string
}

func (n *notam) items() items {
	marks := markers(n.body)
	after := func(letter byte) string { return pytext.StripLeft(marks[letter]) }
	qLine := value(after('Q'), stopsQ)
	return items{
		qLine:    qLine,
		qCode:    qCode(qLine),
		location: leading(after('A'), pytext.IsWord),
		from:     leading(after('B'), isInk),
		to:       leading(after('C'), isInk),
		schedule: schedule(after('D')),
		text:     value(after('E'), stopsE),
		lower:    lowerLimit(after('F')),
		upper:    value(after('G'), stopsG),
		created:  value(labelled(n.body, "CREATED:"), stopsCreated),
		source:   value(labelled(n.body, "SOURCE:"), nil),
	}
}

// The beginnings of the lines, in capitals, that end a value.
var (
	stopsQ       = []string{"A)", "B)", "C)", "D)", "E)", "F)", "G)", "CREATED", "SOURCE"}
	stopsE       = []string{"F)", "G)", "CREATED", "SOURCE"}
	stopsF       = []string{"G)", "CREATED", "SOURCE"}
	stopsG       = []string{"CREATED", "SOURCE"}
	stopsCreated = []string{"SOURCE"}
)

// markers are what stands after the first marker of each letter. Those of A to D are written in capitals.
func markers(body string) (after ['Q' + 1]string) {
	var met ['Q' + 1]bool
	for at := 0; ; at++ {
		n := strings.IndexByte(body[at:], ')')
		if n < 0 {
			return after
		}
		if at += n; at == 0 {
			continue
		}
		letter, rest := body[at-1], body[at+1:]
		if lower := letter - 'a' + 'A'; letter >= 'a' && (lower > 'D' && lower <= 'G' || lower == 'Q') {
			letter = lower
		}
		if letter == 'A' && leading(pytext.StripLeft(rest), pytext.IsWord) == "" {
			continue // a location has a character at least
		}
		if (letter >= 'A' && letter <= 'G' || letter == 'Q') && !met[letter] {
			after[letter], met[letter] = rest, true
		}
	}
}

// labelled is what stands after the first label, in any case.
func labelled(body, label string) string {
	for at := 0; ; at++ {
		n := strings.IndexByte(body[at:], label[len(label)-1])
		if n < 0 {
			return ""
		}
		at += n
		if hasSuffixFold(body[:at+1], label) {
			return pytext.StripLeft(body[at+1:])
		}
	}
}

// hasSuffixFold is strings.HasSuffix without regard to case.
func hasSuffixFold(text, suffix string) bool {
	for suffix != "" {
		a, size := utf8.DecodeLastRuneInString(text)
		if size == 0 || !strings.EqualFold(string(a), suffix[len(suffix)-1:]) {
			return false
		}
		text, suffix = text[:len(text)-size], suffix[:len(suffix)-1]
	}
	return true
}

// hasPrefixFold is strings.HasPrefix without regard to case.
func hasPrefixFold(text, prefix string) bool {
	for prefix != "" {
		a, size := utf8.DecodeRuneInString(text)
		if size == 0 || !strings.EqualFold(string(a), prefix[:1]) {
			return false
		}
		text, prefix = text[size:], prefix[1:]
	}
	return true
}

// value is what stands after a marker, up to a line that begins with a stop. It
// has a character at least, even if that begins a stop.
func value(rest string, stops []string) string { return pytext.Strip(rest[:stopAt(rest, stops)]) }

// stopAt is where a value ends: before the first line, other than the first of the text, that begins with a stop.
func stopAt(text string, stops []string) int {
	if stops == nil {
		return len(text)
	}
	for end := lineEnd(text, 0); end < len(text); end = lineEnd(text, end+1) {
		for _, stop := range stops {
			if hasPrefixFold(text[end+1:], stop) {
				return end
			}
		}
	}
	return len(text)
}

// schedule is the value of item D, empty where no line begins with E).
func schedule(rest string) string {
	before, _, found := strings.Cut(rest, "\nE)")
	if !found {
		return ""
	}
	return pytext.Strip(before)
}

// lowerLimit is the value of item F, which also ends at two blanks and a G).
func lowerLimit(rest string) string {
	rest = rest[:stopAt(rest, stopsF)]
	for from := 0; ; {
		n := strings.IndexByte(rest[from:], ')')
		if n < 0 {
			return pytext.Strip(rest)
		}
		from += n + 1
		if !hasSuffixFold(rest[:from], "G)") {
			continue
		}
		before := rest[:from-len("G)")]
		if short := pytext.StripRight(before); short != "" && utf8.RuneCountInString(before[len(short):]) > 1 {
			return short
		}
	}
}

// qParts are the parts of a Q line; only the code has a use of its own.
var qParts = pytext.Pattern(`^\w+/(\w+)/\w+/\S+\s*/\S+\s*/\d+/\d+/.`)

// qCode is the second part of a Q line, empty if the line is not complete.
func qCode(line string) string {
	const longest = 1 << 12 // no real one is longer
	if parts := qParts.FindStringSubmatch(line[:min(len(line), longest)]); parts != nil {
		return parts[1]
	}
	return ""
}
