package subtitles

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPublishedGrammar has the rules of the cue grammar; a cue is written as
// "start-end text".
func TestPublishedGrammar(t *testing.T) {
	t.Parallel()
	const one, two = "1\n00:00:01,000 --> 00:00:02,000\n", "2\n00:00:03,000 --> 00:00:04,000\n"
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"blank lines inside a cue are kept":                    {one + "a\n\nb\n\n" + two + "c", []string{"1000-2000 a\n\nb", "3000-4000 c"}},
		"a missing blank line is bridged":                      {one + "a\n" + two + "c\n", []string{"1000-2000 a", "3000-4000 c"}},
		"a cue may be empty":                                   {one + "\n" + two + "\n", []string{"1000-2000 ", "3000-4000 "}},
		"an empty cue needs a line end of its own":             {one + two + "c\n", []string{"1000-2000 " + two + "c"}},
		"an index is not needed":                               {"0:0:1 --> 0:0:2\na\n\n0:0:3 --> 0:0:4\nb", []string{"1000-2000 a", "3000-4000 b"}},
		"milliseconds are a number":                            {"1\n0:0:1,8 --> 0:0:2,64\na", []string{"1008-2064 a"}},
		"the truncation loses a millisecond":                   {"1\n0:0:1,005 --> 0:0:5,260\na", []string{"1004-5260 a"}},
		"full-width marks":                                     {"1\n00：00：01，000 --> 00:00:02．000\na", []string{"1000-2000 a"}},
		"arrows with blanks":                                   {"1\n0:0:1  - >0:0:2\na", []string{"1000-2000 a"}},
		"no arrow of one dash":                                 {one + "a\n\n2\n0:0:3 -> 0:0:4\nb", nil},
		"a clock line after a blank line breaks all":           {one + "a\n\n10:15:00 sharp", nil},
		"a heading breaks all":                                 {"# T\n\n" + one + "a", nil},
		"a fence breaks all":                                   {"```\n" + one + "a\n```", nil},
		"a byte order mark does not":                           {"\ufeff\n\n" + one + "a", []string{"1000-2000 a"}},
		"a missing time line joins its text to the cue before": {one + "a\n\n2\nb\n", []string{"1000-2000 a\n\n2\nb"}},
		"a time above 999,999,999 days breaks all":             {"1\n0:0:1 --> 24000000000:00:00\na", nil},
		"the largest time":                                     {"1\n0:0:1 --> 23999999999:59:00\na", []string{"1000-86399999999940000 a"}},
		"other line ends":                                      {"1\v0:0:1 --> 0:0:2\u2028a\u0085b", []string{"1000-2000 a\nb"}},
		"a remark goes":                                        {one + "12 --> 14 # x", []string{"1000-2000 12 --> 14"}},
		"question marks become zeros":                          {"1\n0:0:1?,000 --> 0:0:??\na", []string{"10000-0 a"}},
		"the first of four parts goes":                         {"1\n07:00:00:01,000 --> 00:00:00:02,000\na", []string{"1000-2000 a"}},
		"not before a dot":                                     {"1\n00:00:00:01.000 --> 00:00:02,000\na", nil},
		"a label on its own line":                              {one + "MR. O'HARA (off)\nhi", []string{"1000-2000 hi"}},
		"a label with a colon":                                 {one + "NASA:ok\nthen", []string{"1000-2000 ok\nthen"}},
		"a label with a remark":                                {one + "MATE (on\nradio) :\nhi", []string{"1000-2000 hi"}},
		"a label alone stays":                                  {one + "MATE:", []string{"1000-2000 MATE:"}},
		"one capital is no label":                              {one + "A: hi", []string{"1000-2000 A: hi"}},
		"a digit is not part of a label":                       {one + "MAN 2: hi", []string{"1000-2000 MAN 2: hi"}},
		"the parenthesis must be closed":                       {one + "MATE (off: hi", []string{"1000-2000 MATE (off: hi"}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range parseFile(c.text) {
				got = append(got, fmt.Sprintf("%.0f-%.0f %s", c.start, c.end, c.text))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
