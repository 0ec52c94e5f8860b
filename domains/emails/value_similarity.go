package emails

import (
	"strings"

	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

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

// text is the name and the address with a blank between, which stands there even if both
// are empty.
func (a address) text() string { return a.name + " " + a.addr }

// foldedLower is the text in lower case with white space folded to blanks.
func foldedLower(s string) string { return pytext.Collapse(pytext.Lower(s)) }

// mostWork is the product of the lengths of two texts, in characters, above
// which what they share at most stands for their ratio: a body of a megabyte
// against one of a page.
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
