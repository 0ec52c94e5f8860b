package emails

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// message is a message as the published evaluator reads it.
type message struct {
	from      address
	to        []address
	subject   string
	dateText  string
	date      string // in ISO form, empty where the text is no date
	id        string
	inReplyTo string
	body      string
}

// divider is what the published reading cuts files at, wherever it stands.
var divider = strings.Repeat("-", 60)

// parse reads a document as the published evaluator does. It has no errors: what stands between dividers is a message.
func parse(files vfs.Files) ([]message, error) {
	var all []message
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".eml", ".txt":
			for piece := range strings.SplitSeq(files[name], divider) {
				if piece = pytext.Strip(piece); piece != "" {
					all = append(all, parseMessage(piece))
				}
			}
		}
	}
	return all, nil
}

func parseMessage(piece string) message {
	e := parseEntity(piece)
	m := message{
		from:      lowered(parseAddress(decodeWords(e.get("From")))),
		to:        parseRecipients(decodeWords(e.get("To"))),
		subject:   pytext.Strip(decodeWords(e.get("Subject"))),
		dateText:  pytext.Strip(e.get("Date")),
		id:        pytext.Strip(e.get("Message-ID")),
		inReplyTo: firstID(e.get("In-Reply-To")),
		body:      pytext.Strip(e.publishedBody()),
	}
	if date, ok := parseDate(m.dateText); ok {
		m.date = date.iso()
	}
	return m
}

// parseRecipients cuts a header at commas outside quotes.
func parseRecipients(text string) []address {
	var all []address
	for _, part := range cutOutside(text, ',', func(at int) bool { return text[at] == '"' }) {
		if part = pytext.Strip(part); part != "" {
			all = append(all, lowered(parseAddress(part)))
		}
	}
	return all
}

func lowered(a address) address { return address{a.name, pytext.Lower(a.addr)} }

var bracketed = regexp.MustCompile(`<[^>]+>`)

// firstID is the first text in angle brackets, with them, otherwise all of it.
func firstID(text string) string {
	if id := bracketed.FindString(text); id != "" {
		return id
	}
	return pytext.Strip(text)
}

// publishedBody is the payload as it stands, but of a multipart message the first part of plain text, decoded.
func (e *entity) publishedBody() string {
	if !e.isMultipart() {
		return e.payload
	}
	part := e.firstText()
	if part == nil {
		return ""
	}
	text, err := unicode.UTF8.NewDecoder().Bytes(part.decoded())
	if err != nil {
		return ""
	}
	return string(text)
}

func (e *entity) firstText() *entity {
	if !e.isMultipart() {
		if e.contentType() == "text/plain" {
			return e
		}
		return nil
	}
	for _, part := range e.parts {
		if found := part.firstText(); found != nil {
			return found
		}
	}
	return nil
}

// similarities compares the messages of two documents. Texts that recur, such
// as senders and subjects, are compared once.
type similarities struct {
	ref, got []features
	*ratio.Table
	noted *notes.Notes
}

// features are what the published score compares of a message, with numbers for texts.
type features struct {
	from, to, subject, date, body int
	id, inReplyTo                 string
}

func newSimilarities(ref, got []message, noted *notes.Notes) *similarities {
	s := &similarities{Table: ratio.NewTable(noted), noted: noted}
	s.Most = mostWork
	s.ref, s.got = s.features(ref), s.features(got)
	return s
}

func (s *similarities) features(messages []message) []features {
	all := make([]features, len(messages))
	for i := range messages {
		m := &messages[i]
		recipients := lists.Map(m.to, address.text)
		all[i] = features{
			from:      s.Number(pytext.Lower(pytext.Strip(m.from.text()))),
			to:        s.Number(pytext.Lower(strings.Join(recipients, " "))),
			subject:   s.Number(foldedLower(m.subject)),
			date:      s.Number(pytext.Lower(m.dateText)),
			body:      s.Number(foldedLower(m.body)),
			id:        pytext.Lower(m.id),
			inReplyTo: pytext.Lower(m.inReplyTo),
		}
	}
	return all
}

// text is the name and the address with a blank between, which stands there even if both are empty.
func (a address) text() string { return a.name + " " + a.addr }

// foldedLower is the text in lower case with white space folded to blanks.
func foldedLower(s string) string { return pytext.Collapse(pytext.Lower(s)) }

// mostWork is the product of the lengths of two texts, in characters, above which what they share at most stands for
// their ratio: a body of a megabyte against one of a page.
const mostWork = 1 << 30

func (s *similarities) header(row, col int) float64 {
	return s.headerBy(s.Ratio, row, col)
}

func (s *similarities) body(row, col int) float64 {
	return s.Ratio(s.ref[row].body, s.got[col].body)
}

func (s *similarities) headerBy(ratio func(a, b int) float64, row, col int) float64 {
	a, b := &s.ref[row], &s.got[col]
	sum := float64(0.25*ratio(a.from, b.from)) + float64(0.15*ratio(a.to, b.to)) +
		float64(0.20*ratio(a.subject, b.subject)) + float64(0.15*ratio(a.date, b.date))
	if a.id == b.id {
		sum += 0.15
	}
	if a.inReplyTo == b.inReplyTo {
		sum += 0.10
	}
	return sum
}

// pair returns the pairs in the order of the reference.
func (s *similarities) pair() []assign.Pair {
	return assign.MinByLabel(assign.Costs{
		Rows: len(s.ref), Cols: len(s.got),
		Cost: func(i, j int) float64 { return cost(s.header(i, j), s.body(i, j)) },
		Bound: func(i, j int) float64 {
			return cost(s.headerBy(s.AtMost, i, j), s.AtMost(s.ref[i].body, s.got[j].body))
		},
	}, func(i int) features { return s.ref[i] }, func(j int) features { return s.got[j] }, s.noted)
}

func cost(header, body float64) float64 { return 1 - (float64(0.3*header) + float64(0.7*body)) }

const counted = "message"

func stats(messages []message) domains.Stats {
	senders := map[string]bool{}
	for i := range messages {
		if from := messages[i].from.addr; from != "" {
			senders[from] = true
		}
	}
	replies := lists.Count(messages, func(m *message) bool { return m.inReplyTo != "" })
	return domains.Stats{
		Elements: len(messages),
		Counts: []domains.Count{
			{Name: "Messages", Value: strconv.Itoa(len(messages))},
			{Name: "Senders", Value: strconv.Itoa(len(senders))},
			{Name: "Replies", Value: strconv.Itoa(replies)},
		},
	}
}

// score weighs coverage, headers, bodies and sequence as the published evaluator does. The conversions keep products
// and sums from being fused on some machines.
func score(ref, got []message, noted *notes.Notes) domains.Reading {
	coverage := sets.Jaccard(fingerprints(ref), fingerprints(got))
	headers, bodies, pairs := pairMessages(ref, got, noted)
	sequence := sequenceOf(ref, got, pairs)
	return domains.Reading{
		RS: float64(0.20*coverage) + float64(0.25*headers) + float64(0.40*bodies) + float64(0.15*sequence),
		Components: map[string]float64{
			"coverage": coverage, "headers": headers, "bodies": bodies, "sequence": sequence,
		},
		Elements: domains.Elements{Reference: len(ref), Candidate: len(got)},
	}
}

// fingerprints name messages by Message-ID or, without one, by subject, date and sender.
func fingerprints(messages []message) []string {
	return lists.Each(messages, func(m *message) string {
		if m.id != "" {
			return pytext.Lower(strings.Trim(m.id, "<>"))
		}
		return pytext.Lower(m.subject + "|" + m.dateText + "|" + m.from.addr)
	})
}

// pairMessages returns the pairs of largest summed similarity, in the order of the reference, and the mean similarity
// of headers and of bodies over the reference's messages.
func pairMessages(ref, got []message, noted *notes.Notes) (headers, bodies float64, pairs []assign.Pair) {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity, similarity, nil
	}
	s := newSimilarities(ref, got, noted)
	pairs = s.pair()
	for _, p := range pairs {
		headers += s.header(p.Row, p.Col)
		bodies += s.body(p.Row, p.Col)
	}
	return headers / float64(len(ref)), bodies / float64(len(ref)), pairs
}

// sequenceOf compares the order of the dates of paired messages.
func sequenceOf(ref, got []message, pairs []assign.Pair) float64 {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	rows := lists.Map(pairs, func(p assign.Pair) int { return p.Row })
	cols := lists.Map(pairs, func(p assign.Pair) int { return p.Col })
	return ratio.Tokens(dateRanks(ref, rows), dateRanks(got, cols), true)
}

// dateRanks ranks the chosen messages by date as text: readable dates first,
// then others, then messages without; equals by their place in the document.
func dateRanks(messages []message, chosen []int) []int {
	key := func(n int) (int, string) {
		switch m := &messages[n]; {
		case m.date != "":
			return 0, m.date
		case m.dateText != "":
			return 1, m.dateText
		default:
			return 2, ""
		}
	}
	order := lists.Order(len(chosen), func(a, b int) int {
		groupA, textA := key(chosen[a])
		groupB, textB := key(chosen[b])
		return cmp.Or(cmp.Compare(groupA, groupB), strings.Compare(textA, textB), cmp.Compare(chosen[a], chosen[b]))
	})
	ranks := make([]int, len(chosen))
	for rank, k := range order {
		ranks[k] = rank
	}
	return ranks
}
