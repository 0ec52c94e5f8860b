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
