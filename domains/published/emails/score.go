package emails

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
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

func newSimilarities(ref, got []Message, noted *notes.Notes) *similarities {
	s := &similarities{Table: ratio.NewTable(noted), noted: noted}
	s.Most = mostWork
	s.ref, s.got = s.features(ref), s.features(got)
	return s
}

func (s *similarities) features(messages []Message) []features {
	all := make([]features, len(messages))
	for i := range messages {
		m := &messages[i]
		recipients := lists.Map(m.to, Address.Text)
		all[i] = features{
			from:      s.Number(pytext.Lower(pytext.Strip(m.from.Text()))),
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

// Text is the name and the address with a blank between, which stands there even if both are empty.
func (a Address) Text() string { return a.Name + " " + a.Addr }

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

// Stats counts the parts of a document.
func Stats(messages []Message) domains.Stats {
	senders := map[string]bool{}
	for i := range messages {
		if from := messages[i].from.Addr; from != "" {
			senders[from] = true
		}
	}
	replies := lists.Count(messages, func(m *Message) bool { return m.inReplyTo != "" })
	return domains.Stats{
		Elements: len(messages),
		Counts: []domains.Count{
			{Name: "Messages", Value: strconv.Itoa(len(messages))},
			{Name: "Senders", Value: strconv.Itoa(len(senders))},
			{Name: "Replies", Value: strconv.Itoa(replies)},
		},
	}
}

// Score weighs coverage, headers, bodies and sequence as the published evaluator does. The conversions keep products
// and sums from being fused on some machines.
func Score(ref, got []Message, noted *notes.Notes) domains.Reading {
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
func fingerprints(messages []Message) []string {
	return lists.Each(messages, func(m *Message) string {
		if m.id != "" {
			return pytext.Lower(strings.Trim(m.id, "<>"))
		}
		return pytext.Lower(m.subject + "|" + m.dateText + "|" + m.from.Addr)
	})
}

// pairMessages returns the pairs of largest summed similarity, in the order of the reference, and the mean similarity
// of headers and of bodies over the reference's messages.
func pairMessages(ref, got []Message, noted *notes.Notes) (headers, bodies float64, pairs []assign.Pair) {
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
func sequenceOf(ref, got []Message, pairs []assign.Pair) float64 {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	rows := lists.Map(pairs, func(p assign.Pair) int { return p.Row })
	cols := lists.Map(pairs, func(p assign.Pair) int { return p.Col })
	return ratio.Tokens(dateRanks(ref, rows), dateRanks(got, cols), true)
}

// dateRanks ranks the chosen messages by date as text: readable dates first,
// then others, then messages without; equals by their place in the document.
func dateRanks(messages []Message, chosen []int) []int {
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

var encodedWord = lazyregexp.New(`=\?([^?\n]*)\?([qQbB])\?(.*?)\?=`)

// word is a run of a header's text. Those that were not encoded have no charset.
type word struct {
	bytes   []byte
	charset string
	encoded bool
}

// DecodeWords undoes the encoded words of a header as Python does: white space
// between two of them is dropped, as is what a line begins with.
func DecodeWords(value string) string {
	if !strings.Contains(value, "=?") || !encodedWord.MatchString(value) {
		return value
	}
	words, ok := splitWords(value)
	if !ok {
		return value
	}
	var b strings.Builder
	for n := 0; n < len(words); {
		run := words[n]
		for n++; n < len(words) && words[n].encoded == run.encoded && words[n].charset == run.charset; n++ {
			if !run.encoded {
				run.bytes = append(run.bytes, ' ')
			}
			run.bytes = append(run.bytes, words[n].bytes...)
		}
		b.WriteString(DecodeCharset(run.bytes, run.charset))
	}
	return b.String()
}

// splitWords returns the words; false if one of them cannot be decoded.
func splitWords(value string) ([]word, bool) {
	var words []word
	blank := func(w word) bool { return !w.encoded && len(pytext.Strip(string(w.bytes))) == 0 }
	plain := func(text string) {
		if text != "" {
			words = append(words, word{bytes: rawUnicodeEscape(text)})
		}
	}
	for _, line := range pytext.SplitLines(value) {
		line = pytext.StripLeft(line)
		start := 0
		for _, at := range encodedWord.FindAllStringSubmatchIndex(line, -1) {
			plain(line[start:at[0]])
			start = at[1]
			bytes, ok := decodeWord(line[at[4]:at[5]], line[at[6]:at[7]])
			if !ok {
				return nil, false
			}
			if n := len(words); n > 1 && words[n-2].encoded && blank(words[n-1]) {
				words = words[:n-1]
			}
			words = append(words, word{bytes, pytext.Lower(line[at[2]:at[3]]), true})
		}
		plain(line[start:])
	}
	return words, true
}

// octet is an encoded one in an encoded word.
var octet = lazyregexp.New(`=[0-9A-Fa-f]{2}`)

func decodeWord(encoding, text string) ([]byte, bool) {
	if strings.EqualFold(encoding, "b") {
		return DecodeBase64(text)
	}
	raw := rawUnicodeEscape(strings.ReplaceAll(text, "_", " "))
	return octet.ReplaceAllFunc(raw, DecodeQuotedPrintable), true
}

// rawUnicodeEscape is str.encode("raw-unicode-escape"): Latin-1 where that suffices, otherwise \uXXXX.
func rawUnicodeEscape(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		switch {
		case r < 0x100:
			out = append(out, byte(r))
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\U%08x`, r)
		}
	}
	return out
}

// DecodeCharset reads bytes in a charset. One that is missing or unknown is
// taken for UTF-8; bytes that do not fit become U+FFFD.
func DecodeCharset(bytes []byte, charset string) string {
	decoded, err := charsetOf(charset).NewDecoder().Bytes(bytes)
	if err != nil {
		return strings.ToValidUTF8(string(bytes), string(utf8.RuneError))
	}
	return string(decoded)
}

func charsetOf(name string) encoding.Encoding {
	name = strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii": // Beyond ASCII nothing fits the last two.
		return unicode.UTF8
	case "latin-1", "iso-8859-1":
		return charmap.ISO8859_1
	}
	if e, err := htmlindex.Get(name); err == nil {
		return e
	}
	return unicode.UTF8
}
