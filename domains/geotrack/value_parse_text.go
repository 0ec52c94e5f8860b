package geotrack

import (
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// clock is a time as the published evaluator compares it: what the clock shows,
// and its zone.
type clock struct {
	local  time.Time // in UTC, regardless of the zone
	offset int       // minutes
}

// clockText is the published pattern. Its zone begins with any character from
// the plus to the minus sign U+2212, letters included.
var clockText = regexp.MustCompile(
	`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[T ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})` +
		`(\.[0-9]{1,15})?(Z|[+-\x{2212}][0-9]{2}:?(?:[0-9]{2})?)?\n?$`)

// parseTime reads a time; zero if it is none.
func parseTime(text string) clock {
	if text == "" {
		return clock{}
	}
	found := clockText.FindStringSubmatch(text)
	if found == nil {
		return clock{}
	}
	var part [7]int
	for i := range 6 {
		part[i], _ = strconv.Atoi(found[i+1])
	}
	if fraction := found[7]; fraction != "" {
		const micro = 6
		part[6], _ = strconv.Atoi((fraction[1:] + "000000")[:micro])
	}
	if part[0] < 1 || part[3] > 23 || part[4] > 59 || part[5] > 59 {
		return clock{}
	}
	local := time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], part[6]*1000, time.UTC)
	if int(local.Month()) != part[1] || local.Day() != part[2] {
		return clock{} // no such day
	}
	return clock{local, offsetMinutes(found[8])}
}

// offsetMinutes reads ±HH, ±HHMM or ±HH:MM; what is no number counts as zero.
func offsetMinutes(zone string) int {
	if len(zone) < 2 {
		return 0
	}
	sign := 1
	if digits, minus := cutMinus(zone); minus {
		zone, sign = digits, -1
	} else {
		zone = strings.TrimPrefix(zone, "+")
	}
	runes := []rune(zone)
	hours := digitsOf(runes[:2])
	minutes := 0
	if len(runes) >= 4 {
		minutes = digitsOf(runes[len(runes)-2:])
	}
	return sign * (hours*60 + minutes)
}

func cutMinus(zone string) (string, bool) {
	if digits, ok := strings.CutPrefix(zone, "-"); ok {
		return digits, true
	}
	return strings.CutPrefix(zone, "−")
}

func digitsOf(runes []rune) int {
	value := 0
	for _, r := range runes {
		if !unicode.IsDigit(r) {
			return 0
		}
		value = value*10 + pytext.DigitValue(r)
	}
	return value
}

// cutDefaultNamespace cuts the first default namespace out of a text, wherever
// it stands.
func cutDefaultNamespace(text string) string {
	const word = "xmlns="
	for at := 0; ; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return text
		}
		start := at + next
		at = start + len(word)
		blank, size := utf8.DecodeLastRuneInString(text[:start])
		if at == len(text) || !pytext.IsSpace(blank) || text[at] != '"' && text[at] != '\'' {
			continue
		}
		length := strings.IndexAny(text[at+1:], `"'`)
		if end := at + 1 + length; length > 0 && text[end] == text[at] {
			return text[:start-size] + text[end+1:]
		}
	}
}

// checkNamespaces refuses what the published reading cannot register: a
// pattern of its own finds declarations anywhere in the text.
func checkNamespaces(text string) error {
	const word = "xmlns"
	equals := -1 // the place of the first equals sign after the word
	for at := 0; ; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return nil
		}
		start := at + next
		at = start + len(word)
		if blank, _ := utf8.DecodeLastRuneInString(text[:start]); start == 0 || !pytext.IsSpace(blank) {
			continue
		}
		if equals < at {
			sign := strings.IndexByte(text[at:], '=')
			if sign < 0 {
				return nil
			}
			equals = at + sign
		}
		space, quoted := strings.CutPrefix(text[equals+1:], `"`)
		if !quoted {
			continue
		}
		length := strings.IndexByte(space, '"')
		if length < 0 {
			return nil
		}
		if length == 0 {
			continue
		}
		if err := checkNamespace(strings.TrimLeft(text[at:equals], ":"), space[:length]); err != nil {
			return err
		}
		at = equals + 1 + 1 + length + 1
	}
}

func checkNamespace(prefix, space string) error {
	switch {
	case prefix == "":
		return nil
	case xml.NameLength(prefix) != len(prefix) || strings.Contains(prefix, ":"):
		return errors.New("a namespace prefix that is no name: " + prefix)
	case !isAddress(space):
		return errors.New("a namespace that is no address: " + space)
	case (prefix == "xml") != (space == "http://www.w3.org/XML/1998/namespace"):
		return errors.New("the prefix xml for another namespace, or another prefix for its")
	}
	return nil
}

func isAddress(text string) bool {
	_, err := url.Parse(text)
	return err == nil && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
	})
}
