package emails

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	utcFile   = "thread_utc.eml"
	zonesFile = "zones.csv"
)

// toUTC writes all dates in UTC and puts the newest message first.
func toUTC(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"position", "utc", "date"}}
	sorted := thread{opening: t.opening}
	for _, i := range t.byDate(true) {
		m := t.mails[i]
		written := m.value("Date")
		if date, ok := m.date(); ok {
			m.set("Date", date.UTC().Format(time.RFC1123Z))
		}
		rows = append(rows, []string{strconv.Itoa(i + 1), m.value("Date"), written})
		sorted.mails = append(sorted.mails, m)
	}
	return vfs.Files{utcFile: sorted.print(), zonesFile: plain.WriteCSV(rows)}, nil
}

// fromUTC knows messages by their dates; one that the table does not list
// comes last, as it is.
func fromUTC(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, utcFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, zonesFile, "position", "utc", "date")
	if err != nil {
		return nil, err
	}
	listed := map[string][][]string{}
	for _, row := range rows {
		listed[row[1]] = append(listed[row[1]], row)
	}
	places := map[*mail]int{}
	for i := range t.mails {
		m := &t.mails[i]
		places[m] = math.MaxInt
		utc := m.value("Date")
		if queue := listed[utc]; len(queue) > 0 {
			places[m], _ = strconv.Atoi(strings.TrimSpace(queue[0][0]))
			m.set("Date", queue[0][2])
			listed[utc] = queue[1:]
		}
	}
	order := make([]*mail, len(t.mails))
	for i := range t.mails {
		order[i] = &t.mails[i]
	}
	slices.SortStableFunc(order, func(a, b *mail) int { return cmp.Compare(places[a], places[b]) })
	sorted := thread{opening: t.opening}
	for _, m := range order {
		sorted.mails = append(sorted.mails, *m)
	}
	return asDocument(sorted), nil
}

const (
	numberedFile  = "thread_questions.eml"
	questionsFile = "questions.csv"
)

// numberQuestions numbers the lines that end in a question mark and lists who
// asked, and who replied first.
func numberQuestions(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	replies := t.firstReplies()
	rows := [][]string{{"number", "asker", "question", "first_reply"}}
	for i := range t.mails {
		m := &t.mails[i]
		reply := replies[m.id()]
		for n, line := range m.body {
			if question := strings.TrimSpace(line); strings.HasSuffix(question, "?") && !isQuoted(line) {
				number := "Q" + strconv.Itoa(len(rows))
				rows = append(rows, []string{number, m.sender(), question, reply})
				m.body[n] = "[" + number + "] " + line
			}
		}
	}
	return vfs.Files{numberedFile: t.print(), questionsFile: plain.WriteCSV(rows)}, nil
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

var questionMark = regexp.MustCompile(`^\[Q\d+\] `)

func unnumberQuestions(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	for i := range t.mails {
		body := t.mails[i].body
		for n, line := range body {
			body[n] = questionMark.ReplaceAllString(line, "")
		}
	}
	return asDocument(t), nil
}
