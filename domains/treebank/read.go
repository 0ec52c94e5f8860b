package treebank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/treebank"
	"agentd/vfs"
)

// none stands in a column that has no value.
const none = "_"

// sentence is a run of lines as the format has it.
type sentence struct {
	comments []string // as written, without the hash and the blank after it
	tokens   []token
	foreign  []string // lines that are neither comments nor tokens
}

// token is a line of columns: a word, a multiword token or an empty node. It has ten columns at least.
type token []string

// read reads a file of any name, tolerantly. Columns may be divided by blanks,
// where that can be understood, and be too few; what they lack is "_".
func read(text string) []sentence {
	var sentences []sentence
	open := false // the last sentence goes on
	for _, line := range plain.Lines(text) {
		if line = pytext.Strip(line); line == "" {
			open = false
			continue
		}
		if !open {
			sentences = plain.Append(sentences, sentence{})
			open = true
		}
		sentences[len(sentences)-1].take(line)
	}
	return sentences
}

// readAll reads the files in the order of their names.
func readAll(files vfs.Files) [][]sentence {
	return lists.Map(files.Names(), func(name string) []sentence { return read(files[name]) })
}

func (s *sentence) take(line string) {
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		s.comments = append(s.comments, strings.TrimPrefix(comment, " "))
	} else if t := readToken(line); t != nil {
		s.tokens = append(s.tokens, t)
	} else {
		s.foreign = append(s.foreign, line)
	}
}

// fewestColumns is how many columns make a line with a malformed ID a token.
const fewestColumns = 8

// readToken returns nil for a line that is no token.
func readToken(line string) token {
	t := token(cutColumns(line))
	if len(t) < 2 || !t.hasID() && len(t) < fewestColumns {
		return nil
	}
	for k := range t {
		if t[k] = pytext.Strip(t[k]); t[k] == "" {
			t[k] = none
		}
	}
	t = t.withoutExtraTag()
	for len(t) < published.ColumnCount {
		t = append(t, none)
	}
	if whole, zeros, ok := strings.Cut(t[published.ColHead], "."); ok && plain.IsDigits(whole) && strings.Trim(zeros, "0") == "" {
		t[published.ColHead] = whole
	}
	return t
}

// cutColumns splits a line at tabs or, if it has none, at two or more blanks or at single blanks. In the last case what
// is too many belongs to form and lemma, which alone may have blanks inside, in equal parts.
func cutColumns(line string) []string {
	if strings.Contains(line, "\t") {
		return strings.Split(line, "\t")
	}
	if strings.Contains(line, "  ") {
		return published.SplitColumns(line)
	}
	cells := strings.Split(line, " ")
	tooMany := len(cells) - published.ColumnCount
	if tooMany < 0 || tooMany%2 != 0 || !token(cells).hasID() {
		return nil
	}
	half := 1 + tooMany/2
	form, lemma := strings.Join(cells[1:1+half], " "), strings.Join(cells[1+half:1+2*half], " ")
	return slices.Concat(cells[:1], []string{form, lemma}, cells[1+2*half:])
}

// withoutExtraTag takes a column too many from between the tags and the
// features. One that says nothing new is dropped, another becomes the last.
func (t token) withoutExtraTag() token {
	if len(t) != published.ColumnCount+1 {
		return t
	}
	repeatsTag := t[published.ColFeats] == t[published.ColUPOS] || t[published.ColFeats] == t[published.ColXPOS]
	if hasHead(t[published.ColDeprel]) || repeatsTag && !hasHead(t[published.ColHead]) {
		extra := t[published.ColFeats]
		t = append(slices.Delete(t, published.ColFeats, published.ColFeats+1), extra)
	}
	if extra := t[published.ColumnCount]; extra == none || extra == t[published.ColUPOS] || extra == t[published.ColXPOS] {
		return t[:published.ColumnCount]
	}
	return t
}

// hasHead reports whether a column has a head, be it a decimal one.
func hasHead(text string) bool {
	whole, _, _ := strings.Cut(text, ".")
	return published.IsHead(whole)
}

func (t token) isRange() bool { return published.IsRangeID(t[published.ColID]) }
func (t token) isEmpty() bool { return published.IsEmptyID(t[published.ColID]) }
func (t token) isWord() bool  { return !t.isRange() && !t.isEmpty() }
func (t token) hasID() bool {
	return published.IsWordID(t[published.ColID]) || t.isRange() || t.isEmpty()
}

// number is the integer in a column.
func (t token) number(column int) (int, bool) {
	n, err := strconv.Atoi(t[column])
	return n, err == nil
}

// covers reports whether a multiword token has the given word in it.
func (t token) covers(word int) bool {
	from, to, _ := strings.Cut(t[published.ColID], "-")
	first, _ := strconv.Atoi(from)
	last, _ := strconv.Atoi(to)
	return first <= word && word <= last
}

// comment returns the value of the named comment, empty if there is none.
func (s *sentence) comment(name string) string {
	for _, c := range s.comments {
		if n, value := cutComment(c); n == name {
			return value
		}
	}
	return ""
}

// cutComment splits a comment such as "speaker = Una".
func cutComment(comment string) (name, value string) {
	name, value, _ = strings.Cut(comment, "=")
	return pytext.Strip(name), pytext.Strip(value)
}

func (s *sentence) id() string { return s.comment("sent_id") }

// printAll writes sentences as read reads them, each ended by a blank line.
func printAll(sentences []sentence) string {
	var b strings.Builder
	for i := range sentences {
		for _, c := range sentences[i].comments {
			b.WriteString(strings.TrimRight("# "+c, " ") + "\n")
		}
		for _, t := range sentences[i].tokens {
			b.WriteString(strings.Join(t, "\t") + "\n")
		}
		b.WriteString(plain.Text(sentences[i].foreign) + "\n")
	}
	return b.String()
}

// interleave puts the sentences of several files in one order: in the order of the files, but never a sentence before
// one of another file that is of the same series (tilting-7, tilting-12) with a smaller number.
func interleave(parts [][]sentence) []sentence {
	parts = slices.DeleteFunc(slices.Clone(parts), func(part []sentence) bool { return len(part) == 0 })
	if len(parts) == 1 {
		return parts[0]
	}
	var all []sentence
	for len(parts) > 0 {
		next := 0
		for k := range parts {
			if precedes(parts[k][0].id(), parts[next][0].id()) {
				next = k
			}
		}
		all = append(all, parts[next][0])
		if parts[next] = parts[next][1:]; len(parts[next]) == 0 {
			parts = slices.Delete(parts, next, next+1)
		}
	}
	return all
}

// precedes reports whether two IDs differ only in a number at their end, the first having the smaller one.
func precedes(a, b string) bool {
	series, number := cutNumber(a)
	other, after := cutNumber(b)
	return series == other && number != "" && after != "" &&
		(len(number) < len(after) || len(number) == len(after) && number < after)
}

// cutNumber splits the number at the end of an ID, without leading zeros, from what is before it.
func cutNumber(id string) (series, number string) {
	series = strings.TrimRight(id, "0123456789")
	return series, strings.TrimLeft(id[len(series):], "0")
}

// without leaves out words, and with them multiword tokens and sentences of
// which no word is left. The other words keep their IDs and heads.
func without(_, text string, leave func() bool) string {
	var sentences []sentence
	for _, s := range read(text) {
		if s, some := s.without(leave); some {
			sentences = plain.Append(sentences, s)
		}
	}
	return printAll(sentences)
}

// without leaves words out of a sentence; some is false if all were left out.
func (s sentence) without(leave func() bool) (left sentence, some bool) {
	allWords, keptWords, kept := 0, 0, map[int]bool{}
	tokens := slices.DeleteFunc(slices.Clone(s.tokens), func(t token) bool {
		if !t.isWord() {
			return false
		}
		allWords++
		if leave() {
			return true
		}
		id, _ := t.number(published.ColID)
		kept[id] = true
		keptWords++
		return false
	})
	s.tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.isRange() && !keepsWord(t, kept) })
	return s, keptWords > 0 || allWords == 0
}

// keepsWord reports whether a word of a multiword token is kept.
func keepsWord(t token, kept map[int]bool) bool {
	for id := range kept {
		if t.covers(id) {
			return true
		}
	}
	return false
}

// counted is the kind of element that is counted.
const counted = "token"

// elements flattens all files, under any name: sentences with their comments, words, multiword tokens, empty nodes, and
// lines that are none of the format.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	add := func(kind, key string, fields []domains.Field, position int) {
		all = plain.Append(all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
	}
	sentences, tokens := 0, 0
	for _, s := range interleave(readAll(files)) {
		for _, line := range s.foreign {
			add("line", "line outside of the format", []domains.Field{{Value: line}}, 0)
		}
		if len(s.comments) == 0 && len(s.tokens) == 0 {
			continue
		}
		sentences++
		id := s.id()
		name := cmp.Or(id, strconv.Itoa(sentences))
		add("sentence", "sentence "+name, commentFields(s.comments), sentences)
		for _, t := range s.tokens {
			tokens++
			add(t.kind(), name+": "+t[published.ColID]+" "+t[published.ColForm], t.fields(id), tokens)
		}
	}
	return all
}

func commentFields(comments []string) []domains.Field {
	fields := make([]domains.Field, 0, len(comments))
	for _, c := range comments {
		name, value := cutComment(c)
		if !strings.Contains(c, "=") {
			name, value = "comment", name
		}
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	return fields
}

func (t token) kind() string {
	switch {
	case t.isRange():
		return "multiword token"
	case t.isEmpty():
		return "empty node"
	}
	return counted
}

// fields are the columns that have a value, and the sentence's ID, which tells the many like words of a text apart.
func (t token) fields(sentence string) []domains.Field {
	fields := make([]domains.Field, 0, len(t)+1)
	if sentence != "" {
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
	}
	for k, value := range t {
		switch {
		case value == none && k != published.ColForm && k != published.ColLemma:
			continue
		case k >= published.ColumnCount:
			fields = append(fields, domains.Field{Name: "column " + strconv.Itoa(k+1), Value: value})
			continue
		case k == published.ColFeats, k == published.ColDeps, k == published.ColMisc:
			value = sortedParts(value)
		}
		fields = append(fields, domains.Field{Name: published.ColumnNames[k], Value: value})
	}
	return fields
}

// sortedParts brings a list, which the format leaves in any order or asks to be sorted, into one order.
func sortedParts(list string) string {
	if !strings.Contains(list, "|") {
		return list
	}
	parts := strings.Split(list, "|")
	slices.Sort(parts)
	return strings.Join(parts, "|")
}

// wellFormed checks that each line is a comment or has ten columns, and that each sentence begins with token 1.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, words, among := 0, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		slip := func(what string) { all = append(all, domains.Slip{Line: n, What: what, Text: line}) }
		switch cells := strings.Split(line, "\t"); {
		case strings.TrimSpace(line) == "":
			among, words = false, 0
		case strings.HasPrefix(line, "#"):
			if among {
				slip("no blank line stands above a sentence")
			}
		case len(cells) != columnsOfToken:
			slip("the line has not ten columns")
		default:
			if cells[0] == "1" && words > 0 {
				slip("no blank line stands above a sentence")
			}
			if cells[0] == "1" {
				words++
			}
			among = true
		}
	}
	if among {
		all = append(all, domains.Slip{Line: n, What: "no blank line ends the last sentence"})
	}
	return all
}

const columnsOfToken = 10
