package lazyregexp_test

import (
	"testing"

	"agentd/internal/lazyregexp"
)

func TestAWrongPatternIsSeenInTests(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern is not seen before it is used")
		}
	}()
	lazyregexp.New("(")
}

func TestMethodsAreThoseOfRegexp(t *testing.T) {
	t.Parallel()
	r := lazyregexp.New(`(?P<first>\d)(\d)`)
	if r.String() != `(?P<first>\d)(\d)` || !r.MatchString("a12") || r.MatchString("a1") || r.SubexpIndex("first") != 1 {
		t.Errorf("%s", r)
	}
	if got := r.ReplaceAllString("12 34", "$2$1"); got != "21 43" {
		t.Errorf("%q", got)
	}
	if got := r.FindAllStringSubmatchIndex("12 34", -1); len(got) != 2 || got[1][4] != 4 {
		t.Errorf("%v", got)
	}
}

func TestWhatEveryMatchHas(t *testing.T) {
	t.Parallel()
	for pattern, c := range map[string]struct{ text, found string }{
		`\bRMK\b.*`:          {"10 RMK A", "RMK A"},
		`(ab)?c`:             {"xc", "c"},
		`(?i)rmk`:            {"Rmk", "Rmk"},
		`(?:ab)+|c`:          {"c", "c"},
		`(?:ab){2}`:          {"xababab", "abab"},
		`(?:ab){0,2}x`:       {"x", "x"},
		`a(?:bc)*d`:          {"ad", "ad"},
		"\\x{FFFD}b":         {"\xffb", "\xffb"},
		`\Qa.b\E`:            {"a.b", "a.b"},
		`x(?i:yz)w`:          {"xYZw", "xYZw"},
		`^\s*(\w+)\s*--> 00`: {" a --> 00", " a --> 00"},
	} {
		r := lazyregexp.New(pattern)
		if got := r.FindString(c.text); got != c.found || !r.MatchString(c.text) {
			t.Errorf("%s in %q: %q", pattern, c.text, got)
		}
		none := "nothing to see"
		if r.MatchString(none) || r.FindString(none) != "" || r.FindStringSubmatch(none) != nil || r.FindAllString(none, -1) != nil || r.ReplaceAllString(none, "") != none {
			t.Errorf("%s in %q", pattern, none)
		}
	}
}
