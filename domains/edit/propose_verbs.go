package edit

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// scaled is by what numbers are multiplied: they have two decimals more, and none that is cut off.
const scaled = "1.25"

// rewrites proposes each attribute whose values are dates or times, which are moved, or numbers, which are multiplied.
func (p *proposer) rewrites() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		if a.Fixed {
			continue
		}
		clocks, days, numbers := 0, 0, 0
		for _, value := range p.places(a) {
			if _, in, ok := readMoment(value); ok && strings.Contains(in.text, "hh") {
				clocks++
			} else if ok && strings.Contains(in.text, "DD") && strings.ContainsAny(value, "-/.") {
				days++
			} else if n, ok := ReadNumber(value); ok && n.String() == value {
				numbers++
			}
		}
		v := Verb{Rewrite: Several[string]{a.Name}, Table: p.free("exceptions", ".csv")}
		targets := []string{p.name, v.Table}
		switch {
		case clocks >= leastNumbers:
			v.By = &Map{Clock: "90m"}
			all = append(all, p.attributed(v, a, wordsOfClock, targets, "{length}", "an hour and a half", "{kind}", "a time of day"))
		case days >= leastNumbers:
			v.By = &Map{Clock: "7d"}
			all = append(all, p.attributed(v, a, wordsOfClock, targets, "{length}", "seven days", "{kind}", "a date"))
		case numbers >= leastNumbers && a.IsNumber():
			v.By = &Map{Scale: scaled}
			all = append(all, p.attributed(v, a, wordsOfScale, targets))
		}
	}
	return all
}

// cases proposes two files for each attribute that is a number: what is above the middle one, and the rest.
func (p *proposer) cases() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		if !a.IsNumber() {
			continue
		}
		var sizes []decimal.Decimal
		for _, part := range p.values(a) {
			if n, ok := ReadNumber(first(part)); ok {
				sizes = append(sizes, n.Value)
			}
		}
		if len(sizes) < leastParts {
			continue
		}
		slices.SortFunc(sizes, decimal.Decimal.Cmp)
		middle := sizes[(len(sizes)-1)/2]
		if !sizes[len(sizes)-1].GreaterThan(middle) {
			continue
		}
		dir, most := path.Dir(p.name), middle.String()
		high, low := path.Join(dir, p.free("above", p.extension())), path.Join(dir, p.free("rest", p.extension()))
		v := Verb{Table: p.free("order", ".csv"), SplitInto: []Case{
			{File: high, If: Condition{{a.Name: {"above " + most}}}, Reason: "above " + most}, {File: low, Reason: "not"},
		}}
		all = append(all, p.attributed(v, a, wordsOfCases, []string{high, low, v.Table}, "{most}", most, "{high}", "`"+high+"`", "{low}", "`"+low+"`"))
	}
	return all
}

// orders proposes two keys: an attribute whose values repeat, and another one, the last first.
func (p *proposer) orders() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		values, _, without := p.tally(a)
		if without > 0 || len(values) < 2 || len(values)*2 > len(p.document.Parts) {
			continue
		}
		for k := range p.Attributes {
			b := &p.Attributes[k]
			others, _, without := p.tally(b)
			if k == i || without > 0 || len(others) <= len(values) {
				continue
			}
			v := Verb{SortBy: Several[string]{a.Name, b.Name + " descending"}, Table: p.free("order", ".csv")}
			all = append(all, p.attributed(v, a, wordsOfOrder, []string{p.name, v.Table}, "{other}", b.Name,
				"{how}", howSorted(a), "{how other}", howSorted(b)))
			break
		}
	}
	return all
}

// howSorted says how values of an attribute are compared.
func howSorted(a *Attribute) string {
	if a.IsNumber() {
		return "by size"
	}
	return "as text, by the code of each character"
}

// takings proposes each attribute that some lines of parts have and that are not their first.
func (p *proposer) takings() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		lines, first := 0, false
		for _, part := range p.document.Parts {
			for _, at := range a.spans(part) {
				lines++
				first = first || !strings.Contains(part[:at.from], "\n")
			}
		}
		if a.Fixed || first || lines < leastParts {
			continue
		}
		v := Verb{Aside: a.Name, Leave: nothing, Table: p.free("lines", ".csv")}
		all = append(all, p.attributed(v, a, wordsOfTaking, []string{p.name, v.Table}))
	}
	return all
}

// notes proposes to write each computed attribute as a remark, where the format has any.
func (p *proposer) notes() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		if _, _, without := p.tally(a); a.Compute == nil || p.Remark == "" || without*2 > len(p.document.Parts) {
			continue
		}
		v := Verb{Note: a.Name, As: p.Remark, Place: p.RemarkAt}
		example := strings.TrimSpace(v.noteOf(a.value(p.document.Parts[slices.IndexFunc(p.document.Parts, func(part string) bool { return a.value(part) != "" })])))
		where := map[Place]string{Above: "above its first line", Inside: "above its last line", End: "at the end of its first line"}[v.Place]
		if where == "" {
			where = "below its last line"
		}
		all = append(all, p.attributed(v, a, wordsOfNote, []string{p.name}, "{where}", where, "{example}", "`"+example+"`"))
	}
	return all
}

// trees proposes the document as it nests, in JSON; as a list of lines if the format does not say how.
func (p *proposer) trees() []Proposal {
	v := Verb{Convert: AsTree, To: p.free("lines", ".json")}
	if p.Tree.Read == nil {
		return []Proposal{p.propose(v, wordsOfLines, []string{v.To})}
	}
	v.To = p.free("tree", ".json")
	return []Proposal{p.propose(v, wordsOfTree, []string{v.To}, "{tree}", p.Tree.Is)}
}

// What the parts of any text are called.
const (
	textLines = "text lines"
	wholeText = "whole text"
)

// lines is the format of the lines of any text, for documents in which little repeats.
func (f *Format) lines() *Format {
	return &Format{
		Document: f.Document, Part: "text line", Parts: textLines, Cut: Lines(), Patterns: f.Patterns, memory: f.memory,
		Attributes: []Attribute{
			aNumberInText, aQuotedText,
			Has("opening word", "opening words", `\A\W*([A-Za-z]\w{2,})`),
			Has("closing word", "closing words", `([A-Za-z]\w{2,})\W*\z`),
		},
	}
}

// whole is the format of any text as a single part, for documents of few lines.
func (f *Format) whole() *Format {
	return &Format{
		Document: f.Document, Part: "text", Parts: wholeText, Patterns: f.Patterns, memory: f.memory,
		Cut:        func(text string) Pieces { return Pieces{Parts: []string{text}} },
		Attributes: []Attribute{aNumberInText, aQuotedText, Has("word", "words", `[A-Za-z]\w*`)},
	}
}

// What any text may have.
var (
	aNumberInText = HasNumber("number", "numbers", `(?:^|[\s"'>:=(,])(-?\d{1,9}(?:\.\d+)?)(?:$|[\s"'<;),])`)
	aQuotedText   = Has("quoted text", "quoted texts", `"([^"\n]*[^"\s][^"\n]*)"`)
)

// sums proposes each attribute that is a number.
func (p *proposer) sums() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		if a.Fixed || !a.IsNumber() {
			continue
		}
		numbers, decimals := 0, int32(math.MaxInt32) // the fewest decimals that a value has
		for _, value := range p.places(a) {
			if n, ok := ReadNumber(value); ok && n.String() == value {
				numbers++
				decimals = min(decimals, -n.Value.Exponent())
			}
		}
		if numbers < leastNumbers {
			continue
		}
		amount := decimal.New(25, 0)
		if decimals > 0 {
			amount = decimal.New(15, -1)
		}
		v := Verb{AddTo: a.Name, Amount: amount.String(), Table: p.free("adjustment", ".csv")}
		all = append(all, p.attributed(v, a, wordsOfAdd, []string{p.name, v.Table}))
	}
	return all
}

// forms proposes the other forms of the whole.
func (p *proposer) forms() []Proposal {
	var all []Proposal
	for form, kind := range map[Form]struct {
		extension string
		words     wording
	}{AsJSON: {".json", wordsOfJSON}, AsTable: {".csv", wordsOfTable}, AsMarkdown: {".md", wordsOfMarkdown}} {
		v := Verb{Convert: form, To: p.free(p.list(), kind.extension)}
		all = append(all, p.propose(v, kind.words, []string{v.To}, "{list}", p.list(), "{row}", slug(p.Part), "{columns}", strings.Join(namesOf(p.columns(nil)), ",")))
	}
	slices.SortFunc(all, func(x, y Proposal) int { return strings.Compare(string(x.Convert), string(y.Convert)) })
	return all
}

// chunks proposes files of so many parts.
func (p *proposer) chunks() []Proposal {
	every := max(2, (len(p.document.Parts)+filesOfAChunk-1)/filesOfAChunk)
	first := numbered(p.name, 1)
	pattern := strings.TrimSuffix(p.name, p.extension()) + "_*" + p.extension()
	if len(p.files.Match([]string{pattern})) > 0 {
		return nil
	}
	return []Proposal{p.propose(Verb{SplitEvery: every}, wordsOfChunks, []string{pattern}, "{every}", strconv.Itoa(every), "{example}", "`"+first+"`")}
}
