package emails

import (
	"regexp"
	"time"

	"agentd/domains/internal/pytext"
)

// utcTime is the date of a message in UTC, as in "2023-06-12 08:41:06"; empty if it has none that
// can be read.
func utcTime(part string) string {
	date, ok := parseDate(unfolded(parseEntity(part).get("Date")))
	if !ok {
		return ""
	}
	return date.UTC().Format(time.DateTime)
}

var replyMarks = regexp.MustCompile(`^(?:(?i:re|fwd?|aw|wg|tr): *)+`)

// topic is the decoded subject of a message without marks of reply and forwarding.
func topic(part string) string {
	return replyMarks.ReplaceAllString(pytext.Collapse(decodeWords(unfolded(parseEntity(part).get("Subject")))), "")
}

// senderAddress is the address in From, in lower case; empty if there is none.
func senderAddress(part string) string {
	return lowered(parseAddress(decodeWords(unfolded(parseEntity(part).get("From"))))).addr
}
