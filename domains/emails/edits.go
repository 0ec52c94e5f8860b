package emails

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "salt_wolf_thread.eml"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "json_thread", Forward: toJSON, Backward: fromJSON},
		{Name: "one_file_per_message", Forward: splitByMessage, Backward: mergeMessages},
		{Name: "split_by_subject", Forward: splitBySubject, Backward: mergeSubjects},
		{Name: "quote_references", Forward: shortenQuotes, Backward: expandQuotes},
		{Name: "footer_register", Forward: cutFooters, Backward: pasteFooters},
		{Name: "masked_addresses", Forward: maskAddresses, Backward: unmaskAddresses},
		{Name: "utc_newest_first", Forward: toUTC, Backward: fromUTC},
		{Name: "question_list", Forward: numberQuestions, Backward: unnumberQuestions},
	}
}

var errNoMessage = errors.New("no file with a message")

// readDocument reads the thread that a forward step is given, in one file or
// several.
func readDocument(files vfs.Files) (thread, error) {
	var all thread
	files = files.Match([]string{"*.eml", "*.txt"})
	for _, name := range files.Names() {
		t := read(files[name])
		all.opening = append(all.opening, t.opening...)
		all.mails = append(all.mails, t.mails...)
	}
	if len(all.mails) == 0 {
		return thread{}, errNoMessage
	}
	return all, nil
}

// readNamed reads the thread that a backward step needs.
func readNamed(files vfs.Files, name string) (thread, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(t thread) vfs.Files { return vfs.Files{document: t.print()} }

// find returns the lines of the first header of the name, as a half-open
// range; false if there is none.
func (m *mail) find(name string) (start, end int, ok bool) {
	for start < len(m.head) {
		end = start + 1
		for end < len(m.head) && isContinuation(m.head[end]) {
			end++
		}
		if strings.EqualFold(m.head[start][:max(headerName(m.head[start]), 0)], name) {
			return start, end, true
		}
		start = end
	}
	return 0, 0, false
}

func isContinuation(line string) bool { return line[0] == ' ' || line[0] == '\t' }

// value is the value of the first header of the name; line breaks of a folded
// one stay.
func (m *mail) value(name string) string {
	start, end, ok := m.find(name)
	if !ok {
		return ""
	}
	_, value, _ := strings.Cut(strings.Join(m.head[start:end], "\n"), ":")
	return strings.TrimLeft(value, " \t")
}

// set writes a new value into the first header of the name, if there is one.
func (m *mail) set(name, value string) {
	start, end, ok := m.find(name)
	if !ok {
		return
	}
	written := m.head[start][:len(name)]
	m.head = slices.Concat(m.head[:start], headerLines(written, value), m.head[end:])
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
