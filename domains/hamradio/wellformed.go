package hamradio

import (
	"regexp"
	"strconv"
	"strings"

	"agentd/domains"
)

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

var tagOf = regexp.MustCompile(`<([A-Za-z0-9_/]+)(?::(\d+)(?::\w+)?)?>`)
