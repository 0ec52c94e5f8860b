package sets

import "testing"

func TestPairByName(t *testing.T) {
	name := func(s *string) string { return (*s)[:1] }
	p := PairByName([]string{"b1", "a1", "b2", "c1"}, []string{"a2", "d1", "b3"}, name)
	if p.Refs != 3 || p.Gots != 3 || len(p.Both) != 2 || *p.Both[0][0] != "b2" || *p.Both[1][1] != "a2" {
		t.Errorf("got %v", p)
	}
	if got := p.Jaccard(); got != 0.5 {
		t.Errorf("Jaccard is %v", got)
	}
	if got := p.Mean(7, func(ref, got *string) float64 { return float64((*ref)[1]) - '0' }); got != 1.5 {
		t.Errorf("the mean is %v", got)
	}
	none := PairByName(nil, nil, name)
	if none.Jaccard() != 1 || none.Mean(7, nil) != 7 {
		t.Error("of nothing the index is 1, the mean what it should be")
	}
}

func TestEitherEmpty(t *testing.T) {
	if s, empty := EitherEmpty[int, int](nil, nil); s != 1 || !empty {
		t.Error("two empty lists are alike")
	}
	if s, empty := EitherEmpty([]int{1}, []string{}); s != 0 || !empty {
		t.Error("an empty list is not like another")
	}
	if _, empty := EitherEmpty([]int{1}, []string{"a"}); empty {
		t.Error("neither is empty")
	}
}
