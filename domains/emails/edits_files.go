package emails

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const jsonFile = "thread.json"

// jsonMessage is a message in JSON: headers as pairs of name and value, the
// body by lines. Text outside of messages has no headers.
type jsonMessage struct {
	Headers [][2]string `json:"headers"`
	Body    []string    `json:"body"`
}

func toJSON(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var messages []jsonMessage
	if len(t.opening) > 0 {
		messages = append(messages, jsonMessage{Headers: [][2]string{}, Body: t.opening})
	}
	for i := range t.mails {
		messages = append(messages, t.mails[i].json())
	}
	return vfs.Files{jsonFile: writeJSON(messages)}, nil
}

func (m *mail) json() jsonMessage {
	message := jsonMessage{Headers: [][2]string{}, Body: m.body}
	if m.body == nil {
		message.Body = []string{}
	}
	for _, line := range m.head {
		last := len(message.Headers) - 1
		at := headerName(line)
		switch {
		case isContinuation(line) && last >= 0:
			message.Headers[last][1] += "\n" + line
		case at > 0:
			message.Headers = append(message.Headers, [2]string{line[:at], strings.TrimLeft(line[at+1:], " \t")})
		default: // an envelope line, or no header at all
			message.Headers = append(message.Headers, [2]string{"", line})
		}
	}
	return message
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var messages []jsonMessage
	if err := plain.JSON(files, jsonFile, &messages); err != nil {
		return nil, err
	}
	var t thread
	for _, message := range messages {
		m := mail{body: message.Body}
		for _, h := range message.Headers {
			if h[0] == "" {
				m.head = append(m.head, h[1])
			} else {
				m.head = append(m.head, headerLines(h[0], h[1])...)
			}
		}
		if len(m.head) == 0 && len(t.mails) == 0 {
			t.opening = append(t.opening, m.body...)
		} else {
			t.mails = append(t.mails, m)
		}
	}
	return asDocument(t), nil
}

// writeJSON prints a value indented, with & and the like readable.
func writeJSON(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // texts cannot fail
	return b.String()
}

const indexFile = "thread_index.csv"

// splitByMessage makes a file of each message, numbered by date and named
// after the sender.
func splitByMessage(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(t.mails))
	for number, i := range t.byDate(false) {
		names[i] = fmt.Sprintf("%02d_%s.eml", number+1, t.mails[i].senderWord())
	}
	rows := [][]string{{"position", "file"}}
	for i, name := range names {
		rows = append(rows, []string{strconv.Itoa(i + 1), name})
	}
	out := t.split(names)
	out[indexFile] = plain.WriteCSV(rows)
	return out, nil
}

func mergeMessages(files vfs.Files) (vfs.Files, error) { return mergeInOrder(files, indexFile) }

// byDate returns the places of the messages, oldest or newest first. Those
// without a readable date come last; equals keep their order.
func (t *thread) byDate(newestFirst bool) []int {
	order := upTo(len(t.mails))
	slices.SortStableFunc(order, func(a, b int) int {
		first, dated := t.mails[a].date()
		second, datedToo := t.mails[b].date()
		switch {
		case dated && datedToo && newestFirst:
			return second.Compare(first.Time)
		case dated && datedToo:
			return first.Compare(second.Time)
		case dated:
			return -1
		case datedToo:
			return 1
		}
		return 0
	})
	return order
}

// senderWord is the local part of the sender's address in lower case.
func (m *mail) senderWord() string {
	local, _, _ := strings.Cut(strings.ToLower(m.sender()), "@")
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, local)
	if word == "" || len(word) > 100 {
		return "unknown"
	}
	return word
}

// split hands the messages out, in order, to the files of the given names.
func (t *thread) split(names []string) vfs.Files {
	parts := map[string]*thread{}
	for i, name := range names {
		if parts[name] == nil {
			parts[name] = &thread{}
		}
		parts[name].mails = append(parts[name].mails, t.mails[i])
	}
	parts[names[0]].opening = t.opening
	files := vfs.Files{}
	for name, part := range parts {
		files[name] = part.print()
	}
	return files
}

// mergeInOrder takes in what split made and a table of the positions and files
// of the messages. Messages that the table does not place come last.
func mergeInOrder(files vfs.Files, table string) (vfs.Files, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return nil, err
	}
	files = files.Match([]string{"*.eml"})
	if len(files) == 0 {
		return nil, errNoMessage
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var all thread
	parts := map[string]*thread{}
	for _, name := range files.Names() {
		part := read(files[name])
		all.opening = append(all.opening, part.opening...)
		parts[name] = &part
	}
	for _, row := range rows {
		if part := parts[row[1]]; part != nil && len(part.mails) > 0 {
			all.mails = append(all.mails, part.mails[0])
			part.mails = part.mails[1:]
		}
	}
	for _, name := range files.Names() {
		all.mails = append(all.mails, parts[name].mails...)
	}
	return asDocument(all), nil
}

const topicsFile = "topics.csv"

// splitBySubject makes a file of the messages of each subject.
func splitBySubject(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	fileOf := map[string]string{}
	names := make([]string, len(t.mails))
	rows := [][]string{{"position", "file", "subject"}}
	for i := range t.mails {
		subject := t.mails[i].stem()
		topic := strings.ToLower(subject)
		if fileOf[topic] == "" {
			fileOf[topic] = fmt.Sprintf("topic_%02d.eml", len(fileOf)+1)
		}
		names[i] = fileOf[topic]
		rows = append(rows, []string{strconv.Itoa(i + 1), names[i], subject})
	}
	out := t.split(names)
	out[topicsFile] = plain.WriteCSV(rows)
	return out, nil
}

func mergeSubjects(files vfs.Files) (vfs.Files, error) { return mergeInOrder(files, topicsFile) }

// stem is the decoded subject without marks of reply and forwarding.
func (m *mail) stem() string {
	subject := folded(decodeWords(unfolded(m.value("Subject"))))
	for {
		mark, rest, ok := strings.Cut(subject, ":")
		switch strings.ToLower(mark) {
		case "re", "fwd", "fw", "aw", "wg", "tr":
		default:
			ok = false
		}
		if !ok {
			return subject
		}
		subject = strings.TrimSpace(rest)
	}
}
