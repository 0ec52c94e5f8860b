package edifact

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// written is what parseSegments makes of a text: elements divided by bars,
// components by slashes, an error as "error".
func written(text string) []string {
	segments, err := parseSegments(text)
	if err != nil {
		return []string{"error"}
	}
	var all []string
	for _, s := range segments {
		parts := []string{s.Tag}
		for _, components := range s.Elements {
			parts = append(parts, strings.Join(components, "/"))
		}
		all = append(all, strings.Join(parts, "|"))
	}
	return all
}

func TestPublishedReadingOfSegments(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"an empty text has none":                        {"", nil},
		"a blank text is an error":                      {" \n", []string{"error"}},
		"blanks and line breaks after a terminator":     {"ABC+1' \r\nDEF+2'", []string{"ABC|1", "DEF|2"}},
		"a tab after a terminator is an error":          {"ABC+1'\tDEF+2'", []string{"error"}},
		"a UNA sets the characters":                     {"UNA|*,! ~\nABC*1|2~", []string{"ABC|1/2"}},
		"only line breaks are skipped after a UNA":      {"UNA:+.? ' ABC+1'", []string{"error"}},
		"a UNA after an apostrophe":                     {"any'UNA|*,! ~ABC*1~", []string{"ABC|1"}},
		"a UNA after a line break is an error":          {"\nUNA:+.? 'ABC+1'", []string{"error"}},
		"a second UNA is an error":                      {"UNA:+.? 'ABC+1'UNA:+.? 'ABC+1'", []string{"error"}},
		"a UNA that is cut is an error":                 {"UNA:+.", []string{"error"}},
		"a released character is data":                  {"ABC+a?'b?+?:??'", []string{"ABC|a'b+:?"}},
		"a carriage return can be released":             {"ABC+a?\rb'", []string{"ABC|a\rb"}},
		"a line feed cannot":                            {"ABC+a?\nb'", []string{"error"}},
		"line breaks in data stay":                      {"ABC+a\nb'", []string{"ABC|a\nb"}},
		"empty components at the end vanish":            {"QTY+21:'ABC+:x::'", []string{"QTY|21", "ABC|/x"}},
		"empty elements at the end stay":                {"LIN+1++'", []string{"LIN|1||"}},
		"a text that breaks off in content is an error": {"ABC+1'DEF+2", []string{"error"}},
		"one that breaks off in a tag too":              {"ABC+1'DEF", []string{"error"}},
		"after a separator it loses the last segment":   {"ABC+1'DEF+2+", []string{"ABC|1"}},
		"a terminator too many at the end":              {"ABC+1''\n", []string{"ABC|1"}},
		"a terminator too many elsewhere is an error":   {"ABC+1''DEF+2'", []string{"error"}},
		"two terminators too many are an error":         {"ABC+1'''", []string{"error"}},
		"a tag in lower case is an error":               {"abc+1'", []string{"error"}},
		"a tag of digits is an error":                   {"123+1'", []string{"error"}},
		"a tag with a digit":                            {"A12+1'", []string{"A12|1"}},
		"a tag of four letters is an error":             {"ABCD+1'", []string{"error"}},
		"a tag with a component is an error":            {"ABC:1+1'", []string{"error"}},
		"a tag of capitals and digits of any script":    {"ÀÉ²+1'", []string{"ÀÉ²|1"}},
		"service segments are not checked":              {"UNB+UNOC:3+A'UNT+many'UNS+1'", []string{"UNB|UNOC/3|A", "UNT|many", "UNS|1"}},
		"nor is the version that a UNB names":           {"UNB+UNOC:9'", []string{"UNB|UNOC/9"}},
		"a version in one component":                    {"UNB+U3+A'", []string{"UNB|U3|A"}},
		"a version that is missing is an error":         {"UNB+U+A+B+C+D'", []string{"error"}},
		"a UNB without elements is an error":            {"UNB'", []string{"error"}},
	} {
		if diff := cmp.Diff(c.want, written(c.text)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingOfMessages(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text            string
		messages, items int
	}{
		"a message without UNT is lost":                   {"UNH+1+A'LIN+1'UNH+2+A'LIN+1'LIN+2'UNT+1+1'", 1, 2},
		"a UNT outside repeats the message opened last":   {"UNH+1+A'LIN+1'UNT+1+1'UNT+1+1'", 2, 2},
		"before any it makes an empty one":                {"UNT+1+1'", 1, 0},
		"segments outside messages are passed over":       {"LIN+1'UNH+1+A'UNT+1+1'LIN+2'", 1, 0},
		"line items may follow UNS":                       {"UNH+1+A'LIN+1'UNS+S'LIN+2'UNT+1+1'", 1, 2},
		"other segments after UNS belong to the header":   {"UNH+1+A'LIN+1'UNS+S'QTY+1:2'UNT+1+1'", 1, 1},
		"a UNB inside a message does not end it":          {"UNH+1+A'LIN+1'UNZ+1+1'UNB+U:9'LIN+2'UNT+1+1'", 1, 2},
		"a message that is open at the end counts as one": {"UNH+1+A'UNT+1+1'UNH+2+A'LIN+1'", 1, 0},
	} {
		messages, err := Parse(vfs.Files{"a.edi": c.text})
		if err != nil || len(messages) != c.messages || countItems(messages) != c.items {
			t.Errorf("%s: %d messages with %d items (%v)", rule, len(messages), countItems(messages), err)
		}
	}
	two, err := Parse(vfs.Files{"a.edi": "UNH+1+A'LIN+1'", "b.txt": "LIN+2'UNT+1+1'", "c.xml": "LIN+3'", "d.edi": "oops"})
	if err != nil || len(two) != 1 || countItems(two) != 2 {
		t.Errorf("a message may run over two files, a file with an error is passed over: %v (%v)", two, err)
	}
	if _, err := Parse(vfs.Files{"a.edi": "UNH+1+A'oops"}); err == nil || !strings.Contains(err.Error(), "a.edi: segment 2") {
		t.Errorf("a document without messages names what was wrong: %v", err)
	}
}

func TestPublishedItems(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for rule, c := range map[string]struct {
		segments string
		want     item
	}{
		"nothing but a line":                     {"", item{price: none}},
		"texts are joined by blanks":             {"IMD+F+M+:::A::B '", item{description: "A B", price: none}},
		"an empty text empties the description":  {"IMD+F+M+:::A'IMD+F+M+'", item{price: none}},
		"a short one leaves it":                  {"IMD+F+M+:::A'IMD+F+M'", item{description: "A", price: none}},
		"the last quantity of a qualifier":       {"QTY+21:1'QTY+21:1_0'QTY+83: 2 :PCE'", item{quantities: map[string]float64{"21": 10, "83": 2}, price: none}},
		"a quantity that is no number is zero":   {"QTY+21:1,5'QTY+83:0x10'QTY+12:nan'", item{quantities: map[string]float64{"21": 0, "83": 0, "12": 0}, price: none}},
		"a quantity without a number is ignored": {"QTY+21'", item{price: none}},
		"the last price":                         {"PRI+AAA:1'PRI+AAB:1e2'", item{price: 100}},
		"a price without a number makes none":    {"PRI+AAA:1'PRI+AAA'", item{price: none}},
		"a price that is no number too":          {"PRI+AAA:1'PRI+AAA:1,5'", item{price: none}},
		"an infinite price too":                  {"PRI+AAA:inf'", item{price: none}},
		"availability":                           {"FTX+LIN++03:8B:28 '", item{availability: "03:8B:28", price: none}},
		"a short FTX leaves it":                  {"FTX+LIN++03'FTX+LIN+1'", item{availability: "03", price: none}},
		"reference":                              {"RFF+LI: 7'RFF+ON'", item{reference: "7", price: none}},
	} {
		messages, err := Parse(vfs.Files{"a.edi": "UNH+1+A'LIN+1'" + c.segments + "UNT+1+1'"})
		if err != nil || len(messages) != 1 || len(messages[0].items) != 1 {
			t.Errorf("%s: %v (%v)", rule, messages, err)
			continue
		}
		equalNaN := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
		if diff := cmp.Diff(c.want, messages[0].items[0], cmp.AllowUnexported(item{}), equalNaN); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedPairingOfMessages(t *testing.T) {
	t.Parallel()
	message := func(order string, items int) Brief { return Brief{orderRef: order, items: make([]item, items)} }
	reference := []Brief{message("A", 2), message("", 4), message("B", 3)}
	candidate := []Brief{message("C", 3), message("C", 5), message("", 3), message("A", 9)}
	want := []int{3, 1, 0} // A by reference, then 5 for 4 (0.8), then the first with 3
	var got []int
	for _, p := range pairMessages(reference, candidate) {
		got = append(got, p.Col)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
