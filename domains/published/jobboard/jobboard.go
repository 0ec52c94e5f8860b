// Package jobboard is the published reading and score of the domain jobboard.
//
// Text similarity: both empty 1, one empty 0, else difflib ratio of the lower-cased, trimmed strings by characters.
//
// Job similarity (weights): title 0.15, company 0.15, location 0.15, type 0.10 (all text similarity; types equal in
// lower case give 1), salary 0.25, skills 0.15, posted 0.05 (1 if the strings are equal, else 0).
//
//   - Salary: hourly amount x 2080, yearly as is. Both none 1; one none 0; either zero 0; else min/max.
//   - Skills: Jaccard of the sets; both empty 1; one empty 0. The id is not part of it.
//   - coverage = Jaccard of the sets of ids; both lists empty 1, one empty 0.
//   - accuracy: minimum-cost matching on 1 - similarity (all pairs, no threshold), sum of the matched similarities /
//     nRef. Both empty 1, one empty 0.
//   - sequence: for the matched pairs in ascending reference index, list A holds the position of the reference job's id
//     in the reference, list B the position of the candidate job's id in the candidate; ids are looked up by name, a
//     repeated id counts with its LAST position. Ratio of A and B as integer sequences. No pairs: 1 if both lists are
//     empty, else 0.
//   - count = min(nRef, nGen) / max; both zero 1.
//
// score = coverage^2 x accuracy x sqrt((sequence + count) / 2). No rounding.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package jobboard

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Job is a posting as the published evaluator reads it.
type Job struct {
	id    string
	texts texts
	pay   Pay
}

// Marks in the line that begins a job.
const (
	IDMark   = "JOB-"
	pipeMark = " | "
)

// Parse is the published reading: of the files named *.txt, every mention of an
// id begins a job. A document without any is an empty list.
func Parse(files vfs.Files) ([]Job, error) {
	mentions := 0
	var boards []string
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".txt") {
			boards = append(boards, files[name])
			mentions += strings.Count(files[name], IDMark)
		}
	}
	jobs := make([]Job, 0, mentions)
	longest := longestText(mentions)
	for _, text := range boards {
		jobs = appendJobs(jobs, text, longest)
	}
	return jobs, nil
}

// longestText is how many bytes of a field are read. Many mentions on one line
// would all have the rest of it for their title.
func longestText(mentions int) int {
	const least, most, together = 128, 16 << 10, 1 << 20
	return min(max(together/max(mentions, 1), least), most)
}

// appendJobs reads the jobs of a file. A job has the fields of the lines below its mention, down to three hyphens or
// the next line that begins with an id; so the lines are read from the last to the first.
func appendJobs(jobs []Job, text string, longest int) []Job {
	first := len(jobs)
	var below fields
	for text != "" {
		start := strings.LastIndexByte(text, '\n') + 1
		line := pytext.Strip(text[start:])
		text = text[:max(start-1, 0)]
		ofLine := len(jobs)
		for _, at := range mention.FindAllStringIndex(line, -1) {
			if id, title, ok := readHead(line[at[0]:min(at[0]+longest, len(line))]); ok {
				jobs = append(jobs, below.job(id, title))
			}
		}
		slices.Reverse(jobs[ofLine:])
		if line == "---" || IDLength(strings.TrimPrefix(line, "[")) > 0 {
			below = fields{}
		} else {
			below.addAbove(line, longest)
		}
	}
	slices.Reverse(jobs[first:])
	return jobs
}

// mention is an id, wherever it stands.
var mention = lazyregexp.New(IDMark + `\p{Nd}+`)

// IDLength is the length of the id with which a text begins, 0 if it does not.
func IDLength(text string) int {
	digits, found := strings.CutPrefix(text, IDMark)
	length := len(digits) - len(strings.TrimLeftFunc(digits, unicode.IsDigit))
	if !found || length == 0 {
		return 0
	}
	return len(IDMark) + length
}

// readHead divides the first line of a job. Where nothing follows the id, the
// published pattern takes the closing bracket or the last digit for the title.
func readHead(line string) (id, title string, ok bool) {
	n := IDLength(line)
	id, rest := line[:n], line[n:]
	if title = pytext.Strip(strings.TrimPrefix(rest, "]")); title != "" {
		return id, title, true
	}
	if rest = pytext.Strip(rest); rest != "" {
		return id, rest, true
	}
	_, last := utf8.DecodeLastRuneInString(id)
	shorter := id[:n-last]
	return shorter, id[n-last:], len(shorter) > len(IDMark)
}

// Label is one of those that the published evaluator knows.
type Label uint8

// The labels of the lines of a job.
const (
	companyLabel Label = iota
	locationLabel
	typeLabel
	SalaryLabel
	skillsLabel
	PostedLabel
	labelCount
	titleText = labelCount // the text without a label
)

var labels = [labelCount]string{"Company:", "Location:", "Type:", "Salary:", "Skills:", "Posted:"}

// texts are those of a posting by their labels, empty where they are missing.
type texts [labelCount + 1]string

// AdjustedSalary begins a line that states a salary in its own way.
const AdjustedSalary = "Adjusted Salary:"

// fields are the values of the labels, where they are set.
type fields struct {
	texts
	set [labelCount]bool
}

// addAbove reads the line above those that were read; a label that stood further below wins.
func (f *fields) addAbove(line string, longest int) {
	for l, text := range labels {
		rest, found := strings.CutPrefix(line, text)
		if !found && Label(l) == SalaryLabel {
			rest, found = strings.CutPrefix(line, AdjustedSalary)
		}
		if !found {
			continue
		}
		if !f.set[l] {
			rest = pytext.Strip(rest)
			rest = rest[:min(len(rest), longest)]
			f.texts[l], f.set[l] = pytext.Strip(strings.ReplaceAll(rest, text, "")), true
		}
		return
	}
}

func (f *fields) job(id, title string) Job {
	t := f.texts
	t[titleText] = title
	if t[companyLabel] == "" && t[SalaryLabel] == "" && len(skillsOf(t[skillsLabel])) == 0 && IsOneLine(title) {
		t.readOneLine(title)
	}
	return Job{id, t, ReadPay(t[SalaryLabel])}
}

// skillsOf lists the skills of a line, in lower case.
func skillsOf(list string) []string {
	return pytext.Parts(pytext.Lower(list), ",")
}

// IsOneLine reports whether what follows an id may be a whole posting.
func IsOneLine(text string) bool {
	return strings.ContainsAny(text, "—–") || strings.Contains(text, pipeMark) || strings.HasSuffix(text, "|")
}

// LineParts cuts a posting on one line at its pipes or dashes. The first part is the title.
func LineParts(text string) []string {
	var parts []string
	if strings.HasPrefix(text, "|") || strings.Contains(text, pipeMark) {
		parts = strings.Split(strings.Trim(text, "|"), "|")
	} else {
		parts = strings.Split(strings.ReplaceAll(text, "–", "—"), "—")
	}
	for k := range parts {
		parts[k] = pytext.Strip(parts[k])
	}
	return parts
}

// A part of a posting on one line has one of the labels, or is one of these.
const (
	plainPart  = titleText + 1 + iota // the company or, after it, the location
	PlacedPart                        // a company with its location in parentheses
)

// partLabels are the words before a colon that tell what a part is.
var partLabels = []struct {
	word  string
	label Label
}{
	{"title", titleText}, {"tech", skillsLabel}, {"type", typeLabel}, {"posted", PostedLabel},
	{"location", locationLabel}, {"company", companyLabel},
}

// Classify returns what a part is, and its value.
func Classify(part string) (Label, string) {
	if found, ok := findPay(part); ok && found.hasDollar {
		return SalaryLabel, part
	}
	before, value, labelled := strings.Cut(part, ":")
	value = pytext.Strip(value)
	if labelled && strings.EqualFold(before, "skills") {
		return skillsLabel, value
	}
	for _, l := range partLabels {
		if labelled && strings.EqualFold(pytext.StripRight(before), l.word) {
			return l.label, value
		}
	}
	switch {
	case beginsWithDate.MatchString(part):
		return PostedLabel, part
	case strings.HasSuffix(part, ")") && strings.LastIndexByte(part, '(') > 0:
		return PlacedPart, part
	}
	return plainPart, part
}

// CutPlace divides "Hays (Atlanta, GA)".
func CutPlace(part string) (company, location string) {
	at := strings.LastIndexByte(part, '(')
	return pytext.Strip(part[:at]), pytext.Strip(part[at+1 : len(part)-1])
}

// beginsWithDate finds a date as in 2023-07-05.
var beginsWithDate = lazyregexp.New(`^\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// readOneLine reads a posting that stands on one line as a whole.
func (t *texts) readOneLine(text string) {
	parts := LineParts(text)
	t[titleText] = parts[0]
	for _, part := range parts[1:] {
		if part == "" {
			continue
		}
		switch label, value := Classify(part); {
		case label == PlacedPart:
			company, location := CutPlace(value)
			t[companyLabel] = cmp.Or(t[companyLabel], company)
			t[locationLabel] = location
		case label != plainPart:
			t[label] = value
		case t[companyLabel] == "":
			t[companyLabel] = value
		case t[locationLabel] == "":
			t[locationLabel] = value
		}
	}
}

// Pay is an amount of money by the year or by the hour; the zero value is none.
type Pay struct {
	amount float64
	Period string
}

// ReadPay reads an amount and its period.
func ReadPay(text string) Pay {
	found, _ := findPay(text)
	amount, ok := pytext.Float(found.number)
	if !ok {
		return Pay{}
	}
	return Pay{amount, found.period}
}

// foundPay is an amount that stands before "/year" or "/hour" in a text.
type foundPay struct {
	number    string // as written, without separators of thousands
	period    string
	hasDollar bool // right before the amount
}

// blanks are what Python takes for white space.
const blanks = `[\s\v\x1c-\x1f\x{85}\p{Z}]*`

var periodicPay = lazyregexp.New(`(\$?)([\p{Nd},]+(?:\.\p{Nd}+)?)` + blanks + `/` + blanks + `(?i:(year|hour))`)

// findPay finds the first amount by the year or hour.
func findPay(text string) (foundPay, bool) {
	if !strings.Contains(text, "/") {
		return foundPay{}, false
	}
	match := periodicPay.FindStringSubmatch(text)
	if match == nil {
		return foundPay{}, false
	}
	return foundPay{strings.ReplaceAll(match[2], ",", ""), strings.ToLower(match[3]), match[1] != ""}, true
}
