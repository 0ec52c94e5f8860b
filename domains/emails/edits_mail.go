package emails

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
)

// written is a header as it is written. One without a name is an envelope line, or none at all.
type written struct {
	name  string
	start int // its first line in the head
	lines []string
}

// headers are those of the head, with all of its lines.
func (m *mail) headers() []written {
	var all []written
	for n, line := range m.head {
		if last := len(all) - 1; last >= 0 && isContinuation(line) {
			all[last].lines = m.head[all[last].start : n+1]
		} else {
			all = append(all, written{line[:max(headerName(line), 0)], n, m.head[n : n+1]})
		}
	}
	return all
}

func isContinuation(line string) bool { return line[0] == ' ' || line[0] == '\t' }

// value is what stands after the name; line breaks of a folded header stay.
func (w *written) value() string {
	_, value, _ := strings.Cut(strings.Join(w.lines, "\n"), ":")
	return strings.TrimLeft(value, " \t")
}

// find returns the first header of the name; false if there is none.
func (m *mail) find(name string) (written, bool) {
	for _, w := range m.headers() {
		if strings.EqualFold(w.name, name) {
			return w, true
		}
	}
	return written{}, false
}

// value is the value of the first header of the name.
func (m *mail) value(name string) string {
	w, _ := m.find(name)
	return w.value()
}

// set writes a new value into the first header of the name, if there is one.
func (m *mail) set(name, value string) {
	if w, ok := m.find(name); ok {
		m.head = slices.Concat(m.head[:w.start], headerLines(w.name, value), m.head[w.start+len(w.lines):])
	}
}

// headerLines are the lines of a header whose value may be folded.
func headerLines(name, value string) []string {
	lines := strings.Split(name+": "+value, "\n")
	lines[0] = strings.TrimRight(lines[0], " ")
	return lines
}

// sender is the address of the sender, as written.
func (m *mail) sender() string {
	return parseAddress(decodeWords(unfolded(m.value("From")))).addr
}

func (m *mail) id() string { return pytext.Strip(m.value("Message-ID")) }

func (m *mail) parent() string { return firstID(unfolded(m.value("In-Reply-To"))) }

func (m *mail) date() (moment, bool) { return parseDate(unfolded(m.value("Date"))) }

// isQuoted reports whether a line of a body is quoted from another message.
func isQuoted(line string) bool { return strings.HasPrefix(line, ">") }

// oldestFirst orders messages by date. Those without a readable date come last.
func oldestFirst(a, b *mail) int { return byDate(a, b, 1) }

func newestFirst(a, b *mail) int { return byDate(a, b, -1) }

func byDate(a, b *mail, direction int) int {
	first, dated := a.date()
	second, datedToo := b.date()
	switch {
	case dated && datedToo:
		return direction * first.Compare(second.Time)
	case dated:
		return -1
	case datedToo:
		return 1
	}
	return 0
}

var notInWords = regexp.MustCompile(`[^a-z0-9.-]`)

// senderWord is the local part of the sender's address in lower case.
func (m *mail) senderWord() string {
	local, _, _ := strings.Cut(strings.ToLower(m.sender()), "@")
	word := notInWords.ReplaceAllString(local, "_")
	if word == "" || len(word) > 100 {
		return "unknown"
	}
	return word
}

var replyMarks = regexp.MustCompile(`^(?:(?i:re|fwd?|aw|wg|tr): *)+`)

// stem is the decoded subject without marks of reply and forwarding.
func (m *mail) stem() string {
	return replyMarks.ReplaceAllString(pytext.Collapse(decodeWords(unfolded(m.value("Subject")))), "")
}

func (m *mail) json() jsonMessage {
	message := jsonMessage{Headers: [][2]string{}, Body: m.body}
	if m.body == nil {
		message.Body = []string{}
	}
	for _, w := range m.headers() {
		if w.name != "" {
			message.Headers = append(message.Headers, [2]string{w.name, w.value()})
		} else {
			message.Headers = append(message.Headers, [2]string{"", strings.Join(w.lines, "\n")})
		}
	}
	return message
}

// firstReplies returns for each Message-ID the sender of the first message in
// reply to it.
func (t *thread) firstReplies() map[string]string {
	replies := map[string]string{}
	for i := range t.mails {
		m := &t.mails[i]
		if id := m.parent(); id != "" && replies[id] == "" {
			replies[id] = m.sender()
		}
	}
	return replies
}

// parents returns for each message the one above that it replies to, nil where
// there is none.
func (t *thread) parents() []*mail {
	parents := make([]*mail, len(t.mails))
	byID := map[string]*mail{}
	for i := range t.mails {
		m := &t.mails[i]
		parents[i] = byID[m.parent()]
		if id := m.id(); id != "" && byID[id] == nil {
			byID[id] = m
		}
	}
	return parents
}

func shortened(body, parent []string) []string {
	quotable := lists.Map(parent, quotedLine)
	var out []string
	for len(body) > 0 {
		n := firstAfter(body, isQuoted)
		switch at := indexOfRun(quotable, body[:n]); {
		case n == 0:
			n = 1
			out = append(out, body[0])
		case at < 0:
			out = append(out, body[:n]...)
		default:
			out = append(out, fmt.Sprintf("[quoting lines %d-%d]", at+1, at+n))
		}
		body = body[n:]
	}
	return out
}

func quotedLine(line string) string { return strings.TrimRight("> "+line, " \t") }

// indexOfRun is the place of the first run of lines that equals the wanted
// ones but for blanks at their ends, -1 if there is none.
func indexOfRun(lines, wanted []string) int {
	for at := range len(lines) - len(wanted) + 1 {
		if slices.EqualFunc(lines[at:at+len(wanted)], wanted, func(a, b string) bool {
			return a == strings.TrimRight(b, " \t")
		}) {
			return at
		}
	}
	return -1
}

// expanded puts quoted lines for their numbers. Numbers that the message
// replied to does not have stay.
func expanded(body, parent []string) []string {
	var out []string
	for _, line := range body {
		first, last := 0, 0
		if numbers := quotingLine.FindStringSubmatch(strings.TrimSpace(line)); numbers != nil {
			first, _ = strconv.Atoi(numbers[1])
			last, _ = strconv.Atoi(numbers[2])
		}
		if first < 1 || last < first || last > len(parent) {
			out = append(out, line)
			continue
		}
		for _, quoted := range parent[first-1 : last] {
			out = append(out, quotedLine(quoted))
		}
	}
	return out
}

// beginsFooter reports whether a line is the delimiter of signatures, or a line
// of underscores as list servers put it.
func beginsFooter(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "--" || len(line) >= 40 && strings.Trim(line, "_") == ""
}

var addressText = regexp.MustCompile(`[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*`)

// addressHeaders are the headers, line by line, that name senders and
// recipients.
func (m *mail) addressHeaders() []string {
	var lines []string
	for _, w := range m.headers() {
		switch strings.ToLower(w.name) {
		case "from", "to", "cc", "reply-to":
			lines = append(lines, w.lines...)
		}
	}
	return lines
}

func (t *thread) replaceAddresses(by map[string]string) {
	replace := func(lines []string) {
		for n, line := range lines {
			lines[n] = addressText.ReplaceAllStringFunc(line, func(address string) string {
				if other, ok := by[address]; ok {
					return other
				}
				return address
			})
		}
	}
	replace(t.opening)
	for i := range t.mails {
		replace(t.mails[i].head)
		replace(t.mails[i].body)
	}
}
