package edifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   domaintest.With(t, New(), "edifact1"),
		Seed:     domaintest.Seed(t, "edifact1"),
		Generate: rapid.Custom(drawInterchange),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, domaintest.With(f, New(), "edifact1"), domaintest.Seed(f, "edifact1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "edifact1"))
}

// document is the file of the documents in these tests.
const document = "vlh_harnham.edi"

// standardService announces the standard marks.
const standardService = "UNA:+.? '"

// drawInterchange draws an interchange of order responses, despatch advices and
// invoices, with or without UNA, groups, line breaks and optional segments.
func drawInterchange(t *rapid.T) vfs.Files {
	d := drawer{T: t, reference: fmt.Sprintf("X%04d", rapid.IntRange(0, 9999).Draw(t, "reference"))}
	if !d.sometimes("no UNA") {
		d.parts = append(d.parts, standardService)
	}
	d.add("UNB+UNOC:3+8711:14+5012:14+240301:0815+" + d.reference)
	groups, held := d.upTo(2, "groups"), 0
	for g := range max(groups, 1) {
		n := 1 + d.upTo(2, "messages")
		if groups > 0 {
			d.add(fmt.Sprintf("UNG+ORDRSP+A+B+240301:0815+%d+UN+D:96A", 600+g))
		}
		for range n {
			d.message()
		}
		if groups > 0 {
			d.add(fmt.Sprintf("UNE+%d+%d", n, 600+g))
		}
		held += n
	}
	if groups > 0 {
		held = groups
	}
	d.add(fmt.Sprintf("UNZ+%d+%s", held, d.reference))
	return vfs.Files{document: strings.Join(d.parts, d.one("line break", "\n", "\n", "")) + "\n"}
}

type drawer struct {
	*rapid.T
	reference string
	parts     []string
	messages  int
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}
func (d *drawer) add(segment string) { d.parts = append(d.parts, segment+"'") }

func (d *drawer) message() {
	d.messages++
	start := len(d.parts)
	kind := d.one("type", "ORDRSP", "ORDRSP", "DESADV", "INVOIC")
	d.add(fmt.Sprintf("UNH+%d+%s:D:96A:UN", d.messages, kind))
	d.add(fmt.Sprintf("BGM+%s+%s%d+29", d.one("code", "231", "380"), d.one("number", "A-", "B/", "ü "), d.messages))
	d.add("DTM+137:20240301:102")
	d.add(fmt.Sprintf("RFF+ON:%d", 4000+d.upTo(9, "order")))
	for _, party := range []string{"BY", "SU"} {
		d.add("NAD+" + party + "+" + d.one("party", "5012::9", "8711::9", "P1::92", "+++O?'HARA ?+ SONS"))
		if d.sometimes("contact") {
			d.add("CTA+OC+:Å. BERG")
			d.add("COM+?+47 55 55 01:TE")
		}
	}
	if d.sometimes("currency") {
		d.add("CUX+2:" + d.one("currency", "GBP", "EUR") + ":9")
	}
	if kind == "DESADV" {
		d.add("CPS+1")
		d.add("PAC+4++201")
	}
	lines := d.upTo(5, "lines")
	number := 0
	for n := range lines {
		number += 1 + d.upTo(9, "gap")
		if kind == "DESADV" && n > 0 && d.sometimes("packing level") {
			d.add(fmt.Sprintf("CPS+%d+1", n+1))
		}
		d.line(number)
	}
	d.add("UNS+S")
	d.add(fmt.Sprintf("CNT+2:%d", lines))
	d.add(fmt.Sprintf("UNT+%d+%d", len(d.parts)-start+1, d.messages))
}

func (d *drawer) line(number int) {
	d.add(fmt.Sprintf("LIN+%d+%s+87%05d:EN", number, d.one("action", "5", "3", "7", ""), d.upTo(99_999, "article")))
	if !d.sometimes("no description") {
		d.add("IMD+F+M+:::" + d.one("description", "ROSA ?'PEACE?' C4", "ACER:?'NIGRUM?' C7.5 STD", "CYTISUS 3?+ STEMS",
			"WHAT?? C2 P9", "PEAT FREE COMPOST 60 L, 1?:1 MIX", "CÉANOTHE C3"))
	}
	for _, qualifier := range []string{"21", "113"} {
		if !d.sometimes("no quantity") {
			d.add(fmt.Sprintf("QTY+%s:%d%s", qualifier, d.upTo(500, "quantity"), d.one("unit", "", ":PCE")))
		}
	}
	if d.sometimes("remark") {
		d.add("FTX+LIN+1++WEEK 14?: *TBC* | OK! ~3 DAYS")
	}
	if !d.sometimes("no price") {
		d.add(fmt.Sprintf("PRI+AAA:%d%s", d.upTo(90, "pounds"), d.one("pence", "", ".5", ".05", ".99")))
	}
	if d.sometimes("order line") {
		d.add(fmt.Sprintf("RFF+LI:%d", number))
	}
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	same := func(t interface{ Fatal(...any) }, text string) {
		read := read(text)
		if diff := cmp.Diff(text, read.print()); diff != "" {
			t.Fatal(diff)
		}
	}
	same(t, domaintest.Seed(t, "edifact1")[document])
	rapid.Check(t, func(t *rapid.T) {
		text := drawInterchange(t)[document]
		if !strings.Contains(text, "'\n") || strings.Count(text, "\n") == 1 {
			text = strings.TrimSuffix(text, "\n") // a text without line breaks is printed without
		}
		same(t, text)
	})
}

const sample = `UNA:+.? '
UNB+UNOC:3+8711:14+5012:14+240301:0815+X77'
UNH+1+ORDRSP:D:96A:UN'
BGM+231+R-100+29'
DTM+137:20240301:102'
RFF+ON:4711'
NAD+BY+5012::9'
CTA+OC+:P. LARK'
NAD+SU+8711::9'
CTA+OC+:J. VOS'
CUX+2:GBP:9'
LIN+1+5+8711001:EN'
IMD+F+M+:::ROSA ?'PEACE?' C4'
QTY+21:40'
QTY+113:40'
PRI+AAA:12.50'
RFF+LI:10'
LIN+2+3+8711002:EN'
IMD+F+M+:::ACER C7.5'
QTY+21:12'
QTY+113:8'
PRI+AAA:30'
UNS+S'
CNT+2:2'
UNT+23+1'
UNH+2+ORDRSP:D:96A:UN'
BGM+231+R-101+29'
RFF+ON:4712'
LIN+1+7+8711003:EN'
QTY+21:6'
UNS+S'
CNT+2:1'
UNT+8+2'
UNZ+2+X77'
`

// change is the sample with texts replaced, given in pairs.
func change(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := sample
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the sample has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return vfs.Files{"r.edi": text}
}

// between is the part of the sample from one text up to another.
func between(from, to string) string {
	start := strings.Index(sample, from)
	return sample[start : start+strings.Index(sample[start:], to)]
}

var (
	firstLine     = between("LIN+1+5", "LIN+2+3")
	secondLine    = between("LIN+2+3", "UNS")
	firstMessage  = between("UNH+1", "UNH+2")
	secondMessage = between("UNH+2", "UNZ")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][]string{
		"a line item that was lost":              {secondLine, "", "CNT+2:2", "CNT+2:1", "UNT+23", "UNT+18"},
		"a line item that was repeated":          {secondLine, secondLine + secondLine},
		"an invented line item":                  {"UNS+S'\nCNT+2:2", "LIN+3+5+8711009:EN'\nQTY+21:1'\nUNS+S'\nCNT+2:3"},
		"line items in another order":            {firstLine + secondLine, secondLine + firstLine},
		"a line item in another message":         {secondLine, "", "LIN+1+7", secondLine + "LIN+1+7", "CNT+2:2", "CNT+2:1", "CNT+2:1'\nUNT+8", "CNT+2:2'\nUNT+13", "UNT+23", "UNT+18"},
		"an invented message":                    {"UNZ+2", "UNH+3+ORDRSP:D:96A:UN'\nBGM+231+R-102+29'\nUNT+3+3'\nUNZ+3"},
		"a message that was repeated":            {secondMessage, secondMessage + secondMessage, "UNZ+2", "UNZ+3"},
		"a message that was lost":                {secondMessage, "", "UNZ+2", "UNZ+1"},
		"an invented segment":                    {"PRI+AAA:30'", "PRI+AAA:30'\nMOA+203:240'", "UNT+23", "UNT+24"},
		"an invented party":                      {"CUX", "NAD+IV+99::9'\nCUX"},
		"the document number":                    {"R-100", "R-110"},
		"the document type":                      {"BGM+231+R-100", "BGM+380+R-100"},
		"the message function":                   {"R-100+29", "R-100+4"},
		"the action code":                        {"LIN+1+5", "LIN+1+7"},
		"the line number":                        {"LIN+2+3", "LIN+20+3"},
		"the price qualifier":                    {"PRI+AAA:30", "PRI+AAB:30"},
		"a price ten times as high":              {"PRI+AAA:30", "PRI+AAA:300"},
		"the unit of measure":                    {"QTY+21:12", "QTY+21:12:KGM"},
		"the case of a description":              {"ACER", "Acer"},
		"a date that is not the last":            {"DTM+137:20240301", "DTM+137:20240310"},
		"contacts that changed parties":          {"P. LARK", "@", "J. VOS", "P. LARK", "@", "J. VOS"},
		"the sender":                             {"UNB+UNOC:3+8711:14", "UNB+UNOC:3+8710:14"},
		"the control reference":                  {"X77", "X78"},
		"a control reference that disagrees":     {"UNZ+2+X77", "UNZ+2+X78"},
		"a message reference that disagrees":     {"UNT+23+1", "UNT+23+7"},
		"a segment count that is wrong":          {"UNT+23", "UNT+21"},
		"a line count that is wrong":             {"CNT+2:2", "CNT+2:3"},
		"a message count that is wrong":          {"UNZ+2", "UNZ+3"},
		"a component moved by an empty one":      {"QTY+21:12", "QTY+21::12"},
		"an element moved by an empty one":       {"NAD+BY+5012", "NAD+BY++5012"},
		"a component where an element was":       {"NAD+BY+5012", "NAD+BY:5012"},
		"a released apostrophe that was added":   {"ACER", "AC?'ER"},
		"an apostrophe that is not released":     {"?'PEACE?'", "'PEACE'"},
		"a separator that is not released":       {"ACER", "AC+ER"},
		"a terminator that was lost":             {"QTY+21:12'", "QTY+21:12"},
		"the last terminator lost":               {"UNZ+2+X77'", "UNZ+2+X77"},
		"a tag in lower case":                    {"QTY+21:12", "qty+21:12"},
		"a line break inside a description":      {"ACER C7.5", "ACER\nC7.5"},
		"text before the interchange":            {"UNA", "Here is the file you asked for:\n\nUNA"},
		"text after the interchange":             {"X77'\n", "X77'\nI hope this helps!\n"},
		"a comment between segments":             {"LIN+2+3", "// second line\nLIN+2+3"},
		"an interchange that lost its envelopes": {between("UNB", "UNH+1"), "", "UNZ+2+X77'\n", ""},
		"an interchange that breaks off":         {secondMessage + "UNZ+2+X77'", secondMessage[:40]},
		"a UNA that is not what was meant":       {"UNA:+.? '", "UNA*+.? '"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"r.edi": sample}, change(t, edit...))
			if score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][]string{
		"no line breaks":                      {"'\n", "'"},
		"blank lines between segments":        {"'\n", "'\n\n"},
		"indentation by a tab":                {"QTY", "\tQTY"},
		"blanks before a line break":          {"'\n", "' \n"},
		"CRLF":                                {"\n", "\r\n"},
		"a code fence":                        {"UNA", "```edifact\nUNA", "X77'\n", "X77'\n```\n"},
		"a byte order mark":                   {"UNA", "\ufeffUNA"},
		"a blank line before UNA":             {"UNA", "\nUNA"},
		"no UNA":                              {"UNA:+.? '\n", ""},
		"a UNA after white space":             {"UNA", " \tUNA"},
		"a comma as decimal sign":             {"12.50", "12,50"},
		"zeros after the decimal sign":        {"12.50", "12.5", "AAA:30", "AAA:30.00"},
		"zeros before a number":               {"QTY+21:40", "QTY+21:040"},
		"zeros before a count":                {"UNT+23", "UNT+0023"},
		"empty elements at the end":           {"LIN+2+3+8711002:EN", "LIN+2+3+8711002:EN++"},
		"empty components at the end":         {"QTY+21:40", "QTY+21:40:"},
		"blanks at the end of a component":    {"ACER C7.5", "ACER C7.5 "},
		"a release that is not needed":        {"ACER", "?A?CER"},
		"other segments' order in a group":    {"QTY+21:40'\nQTY+113:40'", "QTY+113:40'\nQTY+21:40'"},
		"messages in another order":           {firstMessage + secondMessage, secondMessage + firstMessage},
		"other separators, announced in UNA":  {"?'", "'", "UNA:+.? '", "UNA|*,# ~", ":", "|", "+", "*", "'\n", "~\n"},
		"no release character in the service": {"UNA:+.? '", "UNA|*.  ~", ":", "|", "+", "*", "?'", "^", "'\n", "~\n", "^", "'"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"r.edi": sample}
			candidate := change(t, edit...)
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

// Segments belong to the group they stand in, even where two groups begin alike.
func TestStrictSeesSegmentsThatChangedGroups(t *testing.T) {
	t.Parallel()
	const (
		low     = "TAX+7+VAT+++:::5'MOA+124:10'"
		high    = "TAX+7+VAT+++:::20'MOA+124:80'"
		invoice = "UNH+1+INVOIC:D:96A:UN'BGM+380+1+9'LIN+1'UNS+S'" + low + high + "UNT+9+1'"
	)
	for rule, c := range map[string]struct {
		taxes string
		same  bool
	}{
		"groups in another order": {high + low, true},
		"amounts exchanged":       {"TAX+7+VAT+++:::5'MOA+124:80'TAX+7+VAT+++:::20'MOA+124:10'", false},
		"both amounts in one":     {"TAX+7+VAT+++:::5'MOA+124:10'MOA+124:80'TAX+7+VAT+++:::20'", false},
	} {
		candidate := vfs.Files{"i.edi": strings.Replace(invoice, low+high, c.taxes, 1)}
		if score := New().Compare(vfs.Files{"i.edi": invoice}, candidate); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head := between("UNA", "UNH+1")
	for rule, c := range map[string]struct {
		candidate vfs.Files
		same      bool
	}{
		"another extension":                       {vfs.Files{"r.edifact": sample}, true},
		"an extension of other documents":         {vfs.Files{"out/r.dat": sample}, true},
		"divided between messages":                {vfs.Files{"a.edi": head + firstMessage, "b.edi": secondMessage + "UNZ+2+X77'"}, true},
		"divided, the end first":                  {vfs.Files{"a.edi": secondMessage + "UNZ+2+X77'", "b.edi": head + firstMessage}, true},
		"a file of each message, with envelopes":  {vfs.Files{"a.edi": head + firstMessage + "UNZ+1+X77'", "b.edi": head + secondMessage + "UNZ+1+X77'"}, true},
		"the same, but with a count of all":       {vfs.Files{"a.edi": head + firstMessage + "UNZ+2+X77'", "b.edi": head + secondMessage + "UNZ+2+X77'"}, false},
		"divided inside a message":                {vfs.Files{"a.edi": head + firstMessage[:200], "b.edi": firstMessage[200:] + secondMessage + "UNZ+2+X77'"}, false},
		"divided between the lines of a message":  {vfs.Files{"a.edi": head + between("UNH+1", "LIN+2+3"), "b.edi": between("LIN+2+3", "UNZ") + "UNZ+2+X77'"}, false},
		"a second file with the same interchange": {vfs.Files{"a.edi": sample, "b.edi": sample}, false},
		"a backup copy beside it":                 {vfs.Files{"r.edi": sample, "r.edi.bak": sample}, true},
		"only a backup copy":                      {vfs.Files{"r.edi.bak": sample}, false},
	} {
		reference := vfs.Files{"r.edi": sample}
		if score := New().Compare(reference, c.candidate); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, c.candidate))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "edifact1")
	for rule, edit := range map[string][2]string{
		"one price":             {"PRI+AAA:17.85", "PRI+AAA:17.58"},
		"one message reference": {"UNH+2+", "UNH+7+"},
		"one document number":   {"VLH24-01187", "VLH24-09187"},
		"one unknown line":      {"LIN+4+5", "see page two\nLIN+4+5"},
	} {
		one := vfs.Files{document: strings.Replace(seed[document], edit[0], edit[1], 1)}
		if score := New().Compare(seed, one); score.Strict < 0.85 || score.Strict >= 1 {
			t.Errorf("%s leaves Strict at %v: %v", rule, score.Strict, New().Differences(seed, one))
		}
	}
	one := vfs.Files{document: strings.Replace(seed[document], "PRI+AAA:17.85", "PRI+AAA:17.58", 1)}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "ORDRSP VLH24-01187 line 1, PRI+AAA", Was: "PRI+AAA:17.85", Is: "PRI+AAA:17.58",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

func TestAbsurdCandidatesAreReadFast(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "edifact1")
	candidates := domaintest.Hostile()
	candidates["5 MB of text"] = strings.Repeat("the order, as agreed\n", 5<<20/21)
	candidates["truncated"] = seed[document][:len(seed[document])/2] + "\n"
	for label, unit := range map[string]string{
		"letters": "x", "terminators": "'", "releases": "?", "separators": "+:", "services": "UNA:+.? '\n",
		"broken services": "UNA^^^^^^\n", "segments without terminators": "QTY+21:4\n", "heads": "UNH+1+ORDRSP'\n",
		"interchanges": "UNB+UNOC:3+A+B+1:2+3'\n", "ends": "UNT+1+1'", "groups": "UNG+A'UNH+1'UNT+2+1'",
		"control characters": "\x00\xff\xfe'",
	} {
		candidates[label] = strings.Repeat(unit, 256<<10/len(unit))
	}
	for label, text := range candidates {
		score := New().Compare(seed, vfs.Files{document: text})
		if score.RS != 0 || score.Strict > 0.5 || score.Problem == "" {
			t.Errorf("%s: Value %v, Strict %v, problem %q", label, score.RS, score.Strict, score.Problem)
		}
	}
}

func TestValueOfLineItems(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"LIN+1+5+87:EN'QTY+21:50'QTY+113:40'PRI+AAB:35'PRI+AAA:17.85'":                         "714.00",
		"LIN+1'\nQTY+21:3'\nPRI+AAA:1.005'\nLIN+2'\nQTY+12:2'\nPRI+AAA:1'\nUNS+S'\nCNT+2:2'\n": "5.02",
		"LIN+1'QTY+113:0'PRI+AAA:8.9'":                                                         "0.00",
		"LIN+1'QTY+113:4'PRI+AAB:8.9'":                                                         "",
		"UNH+2+DESADV:D'LIN+1'QTY+12:4'":                                                       "",
	} {
		if got := value(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
