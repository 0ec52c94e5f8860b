package jobboard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// job is a posting as the published evaluator reads it.
type job struct {
	id string
	content
}

// content is what makes two jobs similar. Missing texts are empty.
type content struct {
	title, company, location, kind, posted string
	skills                                 string // as listed
	pay                                    pay
}

const (
	idMark   = "JOB-"
	pipeMark = " | "
)

// parse is the published reading: of the files named *.txt, every mention of an
// id begins a job. A document without any is an empty list.
func parse(files vfs.Files) ([]job, error) {
	mentions := 0
	var texts []string
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".txt") {
			texts = append(texts, files[name])
			mentions += strings.Count(files[name], idMark)
		}
	}
	jobs := make([]job, 0, mentions)
	longest := longestText(mentions)
	for _, text := range texts {
		for _, part := range parts(text) {
			jobs = appendJobs(jobs, part, longest)
		}
	}
	return jobs, nil
}

// longestText is how many bytes of a field are read. Many mentions on one line
// would all have the rest of it for their title.
func longestText(mentions int) int {
	const least, most, together = 128, 16 << 10, 1 << 20
	return min(max(together/max(mentions, 1), least), most)
}

// parts cuts a text at lines of three hyphens. The line end that ends such a
// line does not begin another.
func parts(text string) []string {
	const hyphens = "---"
	var all []string
	from, at := 0, 0
	for {
		next := strings.Index(text[at:], hyphens)
		if next < 0 {
			return append(all, text[from:])
		}
		at += next
		before, after := text[from:at], text[at+len(hyphens):]
		ink := pytext.StripRight(before)
		blank := after[:len(after)-len(pytext.StripLeft(after))]
		end := strings.LastIndexByte(blank, '\n')
		if end < 0 || !strings.Contains(before[len(ink):], "\n") {
			at++
			continue
		}
		all = append(all, ink)
		from = at + len(hyphens) + end + 1
		at = from
	}
}

// appendJobs reads the jobs of a part. A job has the fields of the lines below
// its mention, down to the next line that begins with an id; so the lines are
// read from the last to the first.
func appendJobs(jobs []job, part string, longest int) []job {
	first := len(jobs)
	var below fields
	for part != "" {
		start := strings.LastIndexByte(part, '\n') + 1
		line := pytext.Strip(part[start:])
		part = part[:max(start-1, 0)]
		if line == "" {
			continue
		}
		ofLine := len(jobs)
		for at := nextMention(line, 0); at >= 0; at = nextMention(line, at+len(idMark)) {
			if id, title, ok := readHead(cut(line[at:], longest)); ok {
				jobs = append(jobs, below.job(id, title))
			}
		}
		slices.Reverse(jobs[ofLine:])
		if beginsWithID(line) {
			below = fields{}
		} else {
			below.addAbove(line, longest)
		}
	}
	slices.Reverse(jobs[first:])
	return jobs
}

// cut is the beginning of a text, up to that many bytes.
func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest]
}

// nextMention returns where the next id stands in a line, without its bracket,
// or -1.
func nextMention(line string, from int) int {
	for {
		next := strings.Index(line[from:], idMark)
		if next < 0 {
			return -1
		}
		from += next
		if idLength(line[from:]) > 0 {
			return from
		}
		from += len(idMark)
	}
}

// idLength is the length of the id with which a text begins, 0 if it does not.
func idLength(text string) int {
	digits, found := strings.CutPrefix(text, idMark)
	if !found {
		return 0
	}
	rest := strings.TrimLeftFunc(digits, unicode.IsDigit)
	if rest == digits {
		return 0
	}
	return len(text) - len(rest)
}

func beginsWithID(line string) bool { return idLength(strings.TrimPrefix(line, "[")) > 0 }

// readHead divides the first line of a job. Where nothing follows the id, the
// published pattern takes the closing bracket or the last digit for the title.
func readHead(line string) (id, title string, ok bool) {
	n := idLength(line)
	id, rest := line[:n], line[n:]
	if title = pytext.Strip(strings.TrimPrefix(rest, "]")); title != "" {
		return id, title, true
	}
	if rest = pytext.Strip(rest); rest != "" {
		return id, rest, true
	}
	_, last := utf8.DecodeLastRuneInString(id)
	shorter := id[:n-last]
	return shorter, id[n-last:], len(shorter) > len(idMark)
}

// label is one of those that the published evaluator knows.
type label uint8

const (
	companyLabel label = iota
	locationLabel
	typeLabel
	salaryLabel
	skillsLabel
	postedLabel
	labelCount
)

var labels = [labelCount]string{"Company:", "Location:", "Type:", "Salary:", "Skills:", "Posted:"}

const adjustedSalary = "Adjusted Salary:"

// fields are the values of the labels, where they are set.
type fields struct {
	values [labelCount]string
	set    [labelCount]bool
}

// addAbove reads the line above those that were read; a label that stood further
// below wins.
func (f *fields) addAbove(line string, longest int) {
	for l, text := range labels {
		rest, found := strings.CutPrefix(line, text)
		if !found && label(l) == salaryLabel {
			rest, found = strings.CutPrefix(line, adjustedSalary)
		}
		if !found {
			continue
		}
		if !f.set[l] {
			rest = cut(pytext.Strip(rest), longest)
			f.values[l], f.set[l] = pytext.Strip(strings.ReplaceAll(rest, text, "")), true
		}
		return
	}
}

func (f *fields) job(id, title string) job {
	j := job{id, content{
		title:    title,
		company:  f.values[companyLabel],
		location: f.values[locationLabel],
		kind:     f.values[typeLabel],
		posted:   f.values[postedLabel],
		skills:   f.values[skillsLabel],
		pay:      readPay(f.values[salaryLabel]),
	}}
	if j.company == "" && f.values[salaryLabel] == "" && len(skillsOf(j.skills)) == 0 && isOneLine(title) {
		j.readOneLine(title)
	}
	return j
}

// skillsOf lists the skills of a line, in lower case.
func skillsOf(list string) []string {
	var skills []string
	for skill := range strings.SplitSeq(list, ",") {
		if skill = pytext.Lower(pytext.Strip(skill)); skill != "" {
			skills = append(skills, skill)
		}
	}
	return skills
}
