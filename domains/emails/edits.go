package emails

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// threads says how threads are taken apart and put together.
var threads = exact.Format[thread, mail]{
	Patterns: []string{"*.eml", "*.txt"},
	Read:     read,
	Print:    thread.print,
	Parts:    func(t *thread) *[]mail { return &t.mails },
	Join: func(all []thread) (joined thread) {
		for _, t := range all {
			joined.opening = append(joined.opening, t.opening...)
			joined.mails = append(joined.mails, t.mails...)
		}
		return joined
	},
	Empty: errors.New("no file with a message"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("json", inJSON),
		domains.Taking("split_by_message", splitByMessage),
		domains.Taking("split_by_subject", splitBySubject),
		domains.Taking("number_quotes", numberQuotes),
		domains.Taking("number_footers", numberFooters),
		domains.Taking("mask_addresses", maskAddresses),
		domains.Taking("newest_first", sortNewestFirst),
		domains.Taking("number_questions", numberQuestions),
	}
}

// jsonMessage is a message in JSON: headers as pairs of name and value, the
// body by lines. Text outside of messages has no headers.
type jsonMessage struct {
	Headers [][2]string `json:"headers"`
	Body    []string    `json:"body"`
}

// inJSON makes an array of the messages.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(t thread) (vfs.Files, error) {
		var messages []jsonMessage
		if len(t.opening) > 0 {
			messages = append(messages, jsonMessage{Headers: [][2]string{}, Body: t.opening})
		}
		for i := range t.mails {
			messages = append(messages, t.mails[i].json())
		}
		return vfs.Files{p.To: plain.WriteJSON(messages)}, nil
	}
	return threads.Whole(p.Document, forward, func(files vfs.Files) (t thread, err error) {
		var messages []jsonMessage
		err = plain.JSON(files, p.To, &messages)
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
		return t, err
	})
}

// placing says to which file a message goes, and what else the table has about it.
type placing func(m *mail, position int) (file string, cells []string)

// split hands the messages out to files and lists them in a table. plan says of a thread
// which file gets its opening, and where its messages go.
func split(document, table string, plan func(thread) (main string, place placing), columns ...string) exact.Steps {
	forward := func(t thread) (vfs.Files, error) {
		main, place := plan(t)
		rows := [][]string{append([]string{"position", "file"}, columns...)}
		made := threads.Divide(t, main, func(m *mail) string {
			file, cells := place(m, len(rows))
			rows = append(rows, append([]string{strconv.Itoa(len(rows)), file}, cells...))
			return file
		})
		made[table] = plain.WriteCSV(rows)
		return made, nil
	}
	return threads.Whole(document, forward, func(files vfs.Files) (thread, error) {
		return threads.MergeByTable(files, "", table)
	})
}

// splitByMessage makes a file of each message, numbered by date and named
// after the sender.
func splitByMessage(p struct{ Document, Table string }) exact.Steps {
	return split(p.Document, p.Table, func(t thread) (string, placing) {
		sorted := thread{mails: slices.Clone(t.mails)}
		names := make([]string, len(t.mails))
		for n, position := range threads.Sort(&sorted, oldestFirst) {
			names[position-1] = fmt.Sprintf("%02d_%s.eml", n+1, sorted.mails[n].senderWord())
		}
		return names[0], func(_ *mail, position int) (string, []string) { return names[position-1], nil }
	})
}

// splitBySubject makes a file of the messages of each subject.
func splitBySubject(p struct {
	Document string
	Begins   string // names of files: a number and .eml follow
	Table    string
}) exact.Steps {
	file := func(number int) string { return fmt.Sprintf("%s%02d.eml", p.Begins, number) }
	return split(p.Document, p.Table, func(thread) (string, placing) {
		files := exact.Codes{New: func(_ string, subjects int) string { return file(subjects + 1) }}
		return file(1), func(m *mail, _ int) (string, []string) {
			subject := m.stem()
			return files.Of(strings.ToLower(subject)), []string{subject}
		}
	}, "subject")
}

var quotingLine = regexp.MustCompile(`^\[quoting lines (\d+)-(\d+)\]$`)

// numberQuotes replaces blocks that quote lines of the message replied to by
// the numbers of those lines.
func numberQuotes(p struct{ Document, To string }) exact.Steps {
	change := func(t *thread) (vfs.Files, error) {
		for i, parent := range slices.Backward(t.parents()) { // A message's parent stands above it and is whole yet.
			if parent != nil {
				t.mails[i].body = shortened(t.mails[i].body, parent.body)
			}
		}
		return nil, nil
	}
	return threads.Rewrite(p.Document, p.To, change, func(t *thread, _ vfs.Files) error {
		for i, parent := range t.parents() { // which is whole by now
			if parent != nil {
				t.mails[i].body = expanded(t.mails[i].body, parent.body)
			}
		}
		return nil
	})
}

var footerLine = regexp.MustCompile(`^\[footer (F\d+)\]$`)

// numberFooters moves signatures and footers of mailing lists to a list.
func numberFooters(p struct{ Document, To, List string }) exact.Steps {
	change := func(t *thread) (vfs.Files, error) {
		footers, numbers := map[string][]string{}, exact.Codes{New: exact.Counting("F1")}
		for i := range t.mails {
			m := &t.mails[i]
			at := slices.IndexFunc(m.body, beginsFooter)
			if at < 0 || m.entity().isMultipart() {
				continue
			}
			number := numbers.Of(strings.Join(m.body[at:], "\n"))
			footers[number] = m.body[at:]
			m.body = append(slices.Clip(m.body[:at]), "[footer "+number+"]")
		}
		return vfs.Files{p.List: plain.WriteJSON(footers)}, nil
	}
	return threads.Rewrite(p.Document, p.To, change, func(t *thread, files vfs.Files) error {
		var footers map[string][]string
		err := plain.JSON(files, p.List, &footers)
		for i := range t.mails {
			m := &t.mails[i]
			last := len(m.body) - 1
			if last < 0 {
				continue
			}
			if number := footerLine.FindStringSubmatch(strings.TrimSpace(m.body[last])); number != nil {
				if footer, ok := footers[number[1]]; ok {
					m.body = slices.Concat(m.body[:last], footer)
				}
			}
		}
		return err
	})
}

// maskAddresses replaces the addresses of senders and recipients wherever they
// stand.
func maskAddresses(p struct {
	Document, To string
	First        string // mask: what stands before the @
	Host         string // of masks
	Table        string
}) exact.Steps {
	change := func(t *thread) (vfs.Files, error) {
		count := exact.Counting(p.First)
		masks := exact.Codes{New: func(address string, codes int) string { return count(address, codes) + "@" + p.Host }}
		byAddress := map[string]string{}
		for i := range t.mails {
			for _, header := range t.mails[i].addressHeaders() {
				for _, address := range addressText.FindAllString(header, -1) {
					byAddress[address] = masks.Of(address)
				}
			}
		}
		t.replaceAddresses(byAddress)
		return vfs.Files{p.Table: masks.CSV("mask", "address")}, nil
	}
	return threads.Rewrite(p.Document, p.To, change, func(t *thread, files vfs.Files) error {
		addresses, err := exact.ReadRegister(files, p.Table, "mask", "address")
		t.replaceAddresses(addresses)
		return err
	})
}

// sortNewestFirst writes all dates in UTC and puts the newest message first. On the way back
// messages are known by their dates; one that the table does not list comes last, as it is.
func sortNewestFirst(p struct{ Document, To, Table string }) exact.Steps {
	change := func(t *thread) (vfs.Files, error) {
		rows := [][]string{{"position", "utc", "date"}}
		for n, position := range threads.Sort(t, newestFirst) {
			m := &t.mails[n]
			written := m.value("Date")
			if date, ok := m.date(); ok {
				m.set("Date", date.UTC().Format(time.RFC1123Z))
			}
			rows = append(rows, []string{strconv.Itoa(position), m.value("Date"), written})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return threads.Rewrite(p.Document, p.To, change, func(t *thread, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "utc", "date")
		listed := plain.NotesBy(rows, func(row []string) string { return row[1] })
		threads.SortByNumber(t, func(m *mail) (int, bool) {
			row := listed.Take(m.value("Date"))
			if row == nil {
				return 0, false
			}
			m.set("Date", row[2])
			return plain.LineNumber(row[0]), true
		})
		return err
	})
}

var questionMark = regexp.MustCompile(`^\[Q\d+\] `)

// numberQuestions numbers the lines that end in a question mark and lists who
// asked, and who replied first.
func numberQuestions(p struct{ Document, To, Table string }) exact.Steps {
	change := func(t *thread) (vfs.Files, error) {
		replies := t.firstReplies()
		rows := [][]string{{"number", "asker", "question", "first_reply"}}
		for i := range t.mails {
			m := &t.mails[i]
			for n, line := range m.body {
				if question := strings.TrimSpace(line); strings.HasSuffix(question, "?") && !isQuoted(line) {
					number := "Q" + strconv.Itoa(len(rows))
					rows = append(rows, []string{number, m.sender(), question, replies[m.id()]})
					m.body[n] = "[" + number + "] " + line
				}
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return threads.Rewrite(p.Document, p.To, change, func(t *thread, _ vfs.Files) error {
		for i := range t.mails {
			for n, line := range t.mails[i].body {
				t.mails[i].body[n] = questionMark.ReplaceAllString(line, "")
			}
		}
		return nil
	})
}
