package genealogy

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"0 @I1@ INDI\n1 BIRT\n2 DATE 9 OCT 1797\n1 DEAT Y\n2 DATE 8 OCT 1846":      {"1797", "48"},
		"0 @I1@ INDI\n1 BIRT\n2 DATE 29 JUL 1804\n1 DEAT\n2 DATE 14 AUG 1804":      {"1804", "0"},
		"0 @I1@ INDI\n1 BIRT\n2 DATE BET 1772 AND 1774\n1 DEAT\n2 DATE 2 JAN 1851": {"1772", ""},
		"0 @I1@ INDI\n1 BIRT\n2 PLAC Ommel\n2 DATE 1772\n1 DEAT\n2 DATE 1851":      {"", ""},
		"0 @I1@ INDI\n1 BIRT\n2 DATE 1\n1 DEAT\n2 DATE 2 MAY 1851":                 {"", ""},
		"0 @F1@ FAM\n1 MARR\n2 DATE 2 MAY 1851":                                    {"", ""},
	} {
		if got := [2]string{birthYear(part), ageAtDeath(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
