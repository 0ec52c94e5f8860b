package jobboard

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// job is a posting as the published evaluator reads it.
type job struct {
	id    string
	texts texts
	pay   pay
}

const (
	idMark   = "JOB-"
	pipeMark = " | "
)

// parse is the published reading: of the files named *.txt, every mention of an
// id begins a job. A document without any is an empty list.
func parse(files vfs.Files) ([]job, error) {
	mentions := 0
	var boards []string
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".txt") {
			boards = append(boards, files[name])
			mentions += strings.Count(files[name], idMark)
		}
	}
	jobs := make([]job, 0, mentions)
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
func appendJobs(jobs []job, text string, longest int) []job {
	first := len(jobs)
	var below fields
	for text != "" {
		start := strings.LastIndexByte(text, '\n') + 1
		line := pytext.Strip(text[start:])
		text = text[:max(start-1, 0)]
		ofLine := len(jobs)
		for _, at := range mention.FindAllStringIndex(line, -1) {
			if id, title, ok := readHead(cut(line[at[0]:], longest)); ok {
				jobs = append(jobs, below.job(id, title))
			}
		}
		slices.Reverse(jobs[ofLine:])
		if line == "---" || idLength(strings.TrimPrefix(line, "[")) > 0 {
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

// mention is an id, wherever it stands.
var mention = regexp.MustCompile(idMark + `\p{Nd}+`)

// idLength is the length of the id with which a text begins, 0 if it does not.
func idLength(text string) int {
	digits, found := strings.CutPrefix(text, idMark)
	length := len(digits) - len(strings.TrimLeftFunc(digits, unicode.IsDigit))
	if !found || length == 0 {
		return 0
	}
	return len(idMark) + length
}

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
	titleText = labelCount // the text without a label
)

var labels = [labelCount]string{"Company:", "Location:", "Type:", "Salary:", "Skills:", "Posted:"}

// texts are those of a posting by their labels, empty where they are missing.
type texts [labelCount + 1]string

const adjustedSalary = "Adjusted Salary:"

// fields are the values of the labels, where they are set.
type fields struct {
	texts
	set [labelCount]bool
}

// addAbove reads the line above those that were read; a label that stood further below wins.
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
			f.texts[l], f.set[l] = pytext.Strip(strings.ReplaceAll(rest, text, "")), true
		}
		return
	}
}

func (f *fields) job(id, title string) job {
	t := f.texts
	t[titleText] = title
	if t[companyLabel] == "" && t[salaryLabel] == "" && len(skillsOf(t[skillsLabel])) == 0 && isOneLine(title) {
		t.readOneLine(title)
	}
	return job{id, t, readPay(t[salaryLabel])}
}

// skillsOf lists the skills of a line, in lower case.
func skillsOf(list string) []string {
	return pytext.Parts(pytext.Lower(list), ",")
}

// counted is the kind of the elements that are counted.
const counted = "posting"

func stats(jobs []job) domains.Stats {
	companies, skills := map[string]bool{}, map[string]bool{}
	for i := range jobs {
		if company := jobs[i].texts[companyLabel]; company != "" {
			companies[company] = true
		}
		for _, skill := range skillsOf(jobs[i].texts[skillsLabel]) {
			skills[skill] = true
		}
	}
	paid := lists.Count(jobs, func(j *job) bool { return j.pay.amount != 0 })
	return domains.Stats{
		Elements: len(jobs),
		Counts: []domains.Count{
			{Name: "Jobs", Value: strconv.Itoa(len(jobs))},
			{Name: "Companies", Value: strconv.Itoa(len(companies))},
			{Name: "With Salary", Value: strconv.Itoa(paid)},
			{Name: "Unique Skills", Value: strconv.Itoa(len(skills))},
		},
	}
}

// score is the formula of the published program.
func score(ref, got []job, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{Reference: len(ref), Candidate: len(got)}}
	refIDs, gotIDs := ids(ref), ids(got)
	coverage := sets.Jaccard(refIDs, gotIDs)
	accuracy, sequence, count := 1.0, 1.0, 1.0
	if len(ref)+len(got) > 0 {
		pairs, similarity := pair(ref, got, noted)
		accuracy = similarity / max(float64(len(ref)), 1)
		sequence = order(pairs, refIDs, gotIDs)
		count = float64(min(len(ref), len(got))) / float64(max(len(ref), len(got)))
	}
	reading.RS = coverage * coverage * accuracy * math.Sqrt((sequence+count)/2)
	reading.Components = map[string]float64{
		"coverage": coverage, "accuracy": accuracy, "sequence": sequence, "count": count,
	}
	return reading
}

func ids(jobs []job) []string {
	return lists.Each(jobs, func(j *job) string { return j.id })
}

// order is how much of the order of the paired jobs is the same. A job's place is the last one at which its id stands.
func order(pairs []assign.Pair, refIDs, gotIDs []string) float64 {
	if len(pairs) == 0 {
		return 0
	}
	refPlaces, gotPlaces := lastPlaces(refIDs), lastPlaces(gotIDs)
	a, b := make([]int, len(pairs)), make([]int, len(pairs))
	for k, p := range pairs {
		a[k], b[k] = refPlaces[refIDs[p.Row]], gotPlaces[gotIDs[p.Col]]
	}
	if slices.Equal(a, b) {
		return 1
	}
	return ratio.Tokens(a, b, true)
}

func lastPlaces(ids []string) map[string]int {
	places := make(map[string]int, len(ids))
	for i, id := range ids {
		places[id] = i
	}
	return places
}
