package emails

import (
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/emails"
	"agentd/internal/lazyregexp"
)

// thread is a file of messages in parts that print puts together again.
type thread struct {
	opening []string // lines before the first message
	mails   []mail
	mailbox bool // each message has its envelope above it
}

// mail is a message as it is written, by lines.
type mail struct {
	head []string
	body []string // without blank lines around it
}

const (
	// leastRule is the number of hyphens that make a rule: a divider where a message follows, layout where not.
	leastRule = 40
	// leastDivider is the number of hyphens that may be meant as a divider.
	leastDivider = 50
)

var rule = strings.Repeat("-", leastRule)

// readFile takes in any file. In a mailbox messages begin at lines "From ", elsewhere after a rule.
func readFile(name, text string) thread {
	if isMailbox(name, text) {
		return readMailbox(text)
	}
	return read(text)
}

// envelope is the line above each message of a mailbox: a sender, and when the message came.
var envelope = lazyregexp.New(`(?:\A|\n\r?\n)From \S+ [^\n]*\d:\d\d[^\n]*\n[!-9;-~]+:`)

// isMailbox reports whether a file is named as a mailbox, or has the envelopes of several messages.
func isMailbox(name, text string) bool {
	const several = 2
	return path.Ext(name) == ".mbox" || strings.Count(text, "From ") >= several && len(envelope.FindAllStringIndex(text, several)) == several
}

func read(text string) thread {
	pieces := dividedAtRules(textLines(text))
	first := pieces[0]
	for n, line := range first {
		if !skippable(line) && (n == 0 || skippable(first[n-1])) && startsMail(first[n:], false) {
			return newThread(append([][]string{first[:n], first[n:]}, pieces[1:]...))
		}
	}
	return newThread(pieces)
}

// newThread makes a message of each piece of a file but the first.
func newThread(pieces [][]string) thread {
	t := thread{opening: trimBlank(pieces[0])}
	for _, piece := range pieces[1:] {
		t.mails = append(t.mails, readMail(piece))
	}
	return t
}

// textLines are the lines of a text, without the code fence that a model may have put around all of it.
func textLines(text string) []string {
	text = pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
	lines := trimBlank(strings.Split(text, "\n"))
	if len(lines) > 0 && skippable(lines[0]) {
		lines = lines[1:]
		if n := len(lines); n > 0 && skippable(lines[n-1]) {
			lines = lines[:n-1]
		}
	}
	return lines
}

// skippable reports whether a line is blank or a code fence.
func skippable(line string) bool { return len(plain.Lines(strings.TrimSpace(line))) == 0 }

// dividedAtRules cuts lines at the rules that a message follows. A rule may stand after text, and text after a rule.
func dividedAtRules(lines []string) [][]string {
	var pieces [][]string
	start := 0
	for n, line := range lines {
		at := strings.Index(line, rule)
		if at < 0 {
			continue
		}
		before, after := line[:at], strings.TrimLeft(line[at:], "-")
		hyphens := len(line) - len(before) - len(after)
		after = strings.TrimSpace(after)
		follows := lines[n+1:]
		if after != "" {
			follows = slices.Concat([]string{after}, follows[:min(len(follows), mostHeaders)])
		}
		if hyphens < leastDivider || !startsMail(follows, hyphens < len(published.Divider)) {
			continue
		}
		pieces = append(pieces, append(slices.Clip(lines[start:n]), before))
		start = n + 1
		if after != "" {
			lines[n] = after
			start = n
		}
	}
	return append(pieces, lines[start:])
}

// mostHeaders is how far the headers of a message are looked for.
const mostHeaders = 40

// startsMail reports whether lines begin with the headers of a message: with
// one of those that every program writes or, to be sure, with the sender.
func startsMail(lines []string, sure bool) bool {
	lines = lines[firstAfter(lines, skippable):]
	for _, line := range lines[:min(len(lines), mostHeaders)] {
		if line == "" || !published.IsHeaderLine(line) || strings.Contains(line, rule) {
			return false
		}
		switch strings.ToLower(line[:max(published.HeaderName(line), 0)]) {
		case "from":
			return true
		case "to", "subject", "date", "message-id", "in-reply-to":
			if !sure {
				return true
			}
		}
	}
	return false
}

// readMail divides the lines of a message at the first that is no header.
func readMail(lines []string) mail {
	lines = lines[firstAfter(lines, skippable):]
	end := 0
	for end < len(lines) && lines[end] != "" && published.IsHeaderLine(lines[end]) {
		end++
	}
	return mail{head: slices.Clip(lines[:end]), body: trimBlank(lines[end:])}
}

func readMailbox(text string) thread {
	pieces := [][]string{nil}
	blank := true
	for _, line := range textLines(text) {
		if blank && strings.HasPrefix(line, "From ") {
			pieces = append(pieces, []string{line})
		} else {
			if isEscaped(line) {
				line = strings.TrimPrefix(line, ">")
			}
			last := len(pieces) - 1
			pieces[last] = append(pieces[last], line)
		}
		blank = line == ""
	}
	t := newThread(pieces)
	t.mailbox = true
	return t
}

// isEscaped reports whether a line of a message would be an envelope without the marks > in front of it. A mailbox adds one, and reading removes it.
func isEscaped(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, ">"), "From ") }

// trimBlank drops blank lines at both ends.
func trimBlank(lines []string) []string {
	return lists.Trim(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
}

// firstAfter is how many lines at the beginning are only margin.
func firstAfter(lines []string, isMargin func(line string) bool) int {
	n := 0
	for n < len(lines) && isMargin(lines[n]) {
		n++
	}
	return n
}

// print is the reverse of read, with a divider on a line of its own between blank lines, and of readMailbox.
func (t thread) print() string {
	var lines []string
	if len(t.opening) > 0 {
		lines = append(slices.Clone(t.opening), "")
	}
	for i := range t.mails {
		switch {
		case i > 0 && t.mailbox:
			lines = append(lines, "")
		case i > 0:
			lines = append(lines, "", published.Divider, "")
		}
		for n, line := range t.mails[i].print() {
			if t.mailbox && n > 0 && isEscaped(line) {
				line = ">" + line
			}
			lines = append(lines, line)
		}
	}
	return plain.Text(lines)
}

func (m *mail) print() []string {
	lines := slices.Clone(m.head)
	if len(m.body) > 0 {
		lines = append(lines, "")
	}
	return append(lines, m.body...)
}

// entity is the message with its headers and parts told apart.
func (m *mail) entity() *published.Entity {
	return published.ParseEntity(strings.Join(m.print(), "\n"))
}

// written is a header as it is written. One without a name is an envelope line, or none at all.
type written struct {
	name  string
	lines []string
}

// headers are those of the head, with all of its lines.
func (m *mail) headers() []written {
	var all []written
	for n, line := range m.head {
		last := len(all) - 1
		if last < 0 || !isContinuation(line) {
			all = append(all, written{line[:max(published.HeaderName(line), 0)], m.head[n : n+1]})
			continue
		}
		all[last].lines = m.head[n-len(all[last].lines) : n+1]
	}
	return all
}

func isContinuation(line string) bool { return line[0] == ' ' || line[0] == '\t' }
