package emails

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const shortFile = "thread_short.eml"

// shortenQuotes replaces blocks that quote lines of the message replied to by
// the numbers of those lines.
func shortenQuotes(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	short := make([][]string, len(t.mails))
	parents := t.parents()
	for i := range t.mails {
		short[i] = t.mails[i].body
		if parents[i] != nil {
			short[i] = shortened(t.mails[i].body, parents[i].body)
		}
	}
	for i := range t.mails {
		t.mails[i].body = short[i]
	}
	return vfs.Files{shortFile: t.print()}, nil
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
	quotable := make([]string, len(parent))
	for n, line := range parent {
		quotable[n] = quotedLine(line)
	}
	var out []string
	for n := 0; n < len(body); n++ {
		end := n
		for end < len(body) && isQuoted(body[end]) {
			end++
		}
		if end == n {
			out = append(out, body[n])
			continue
		}
		if at := indexOfRun(quotable, body[n:end]); at >= 0 {
			out = append(out, fmt.Sprintf("[quoting lines %d-%d]", at+1, at+end-n))
		} else {
			out = append(out, body[n:end]...)
		}
		n = end - 1
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

var quotingLine = regexp.MustCompile(`^\[quoting lines (\d+)-(\d+)\]$`)

func expandQuotes(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, shortFile)
	if err != nil {
		return nil, err
	}
	parents := t.parents()
	for i := range t.mails { // A message's parent stands above it and is whole by now.
		if parents[i] != nil {
			t.mails[i].body = expanded(t.mails[i].body, parents[i].body)
		}
	}
	return asDocument(t), nil
}

// expanded puts quoted lines for their numbers. Numbers that the message
// replied to does not have stay.
func expanded(body, parent []string) []string {
	var out []string
	for _, line := range body {
		numbers := quotingLine.FindStringSubmatch(strings.TrimSpace(line))
		if numbers == nil {
			out = append(out, line)
			continue
		}
		first, _ := strconv.Atoi(numbers[1])
		last, _ := strconv.Atoi(numbers[2])
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

const (
	bareFile    = "thread_bare.eml"
	footersFile = "footers.json"
)

var footerLine = regexp.MustCompile(`^\[footer (F\d+)\]$`)

// cutFooters moves signatures and footers of mailing lists to a register.
func cutFooters(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	footers := map[string][]string{}
	numberOf := map[string]string{}
	for i := range t.mails {
		m := &t.mails[i]
		at := slices.IndexFunc(m.body, beginsFooter)
		if at < 0 || m.entity().isMultipart() {
			continue
		}
		text := strings.Join(m.body[at:], "\n")
		if numberOf[text] == "" {
			number := fmt.Sprintf("F%d", len(footers)+1)
			numberOf[text] = number
			footers[number] = m.body[at:]
		}
		m.body = append(slices.Clip(m.body[:at]), "[footer "+numberOf[text]+"]")
	}
	return vfs.Files{bareFile: t.print(), footersFile: writeJSON(footers)}, nil
}

// beginsFooter reports whether a line is the delimiter of signatures, or a line
// of underscores as list servers put it.
func beginsFooter(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "--" || len(line) >= 40 && strings.Trim(line, "_") == ""
}

func pasteFooters(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, bareFile)
	if err != nil {
		return nil, err
	}
	var footers map[string][]string
	if err := plain.JSON(files, footersFile, &footers); err != nil {
		return nil, err
	}
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
	return asDocument(t), nil
}

const (
	maskedFile = "thread_masked.eml"
	peopleFile = "people.csv"
)

var addressText = regexp.MustCompile(`[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*`)

// maskAddresses replaces the addresses of senders and recipients wherever they
// stand.
func maskAddresses(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	masks := map[string]string{}
	people := [][]string{{"mask", "address"}}
	for i := range t.mails {
		for _, header := range t.mails[i].addressHeaders() {
			for _, address := range addressText.FindAllString(header, -1) {
				if masks[address] == "" {
					masks[address] = fmt.Sprintf("P%d@masked.invalid", len(people))
					people = append(people, []string{masks[address], address})
				}
			}
		}
	}
	t.replaceAddresses(masks)
	return vfs.Files{maskedFile: t.print(), peopleFile: plain.WriteCSV(people)}, nil
}

func unmaskAddresses(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, maskedFile)
	if err != nil {
		return nil, err
	}
	people, err := plain.Table(files, peopleFile, "mask", "address")
	if err != nil {
		return nil, err
	}
	addresses := map[string]string{}
	for _, row := range people {
		addresses[row[0]] = row[1]
	}
	t.replaceAddresses(addresses)
	return asDocument(t), nil
}

// addressHeaders are the headers, line by line, that name senders and
// recipients.
func (m *mail) addressHeaders() []string {
	var lines []string
	named := false
	for _, line := range m.head {
		if !isContinuation(line) {
			switch strings.ToLower(line[:max(headerName(line), 0)]) {
			case "from", "to", "cc", "reply-to":
				named = true
			default:
				named = false
			}
		}
		if named {
			lines = append(lines, line)
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
