package fonteng

import "testing"

func TestRules(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"feature liga {\n    sub f i by f_i;  # sub f l by f_l;\n    ignore sub f' f;\n} liga;": "2",
		"feature kern { enum pos @A b -4; pos a b 3; subtable; } kern;":                         "2",
		"lookup SUB { rsub a b' by c; } SUB;":                                                   "1",
		"@sub = [a b];":                                                                         "",
		"feature ss01 { featureNames { name \"a sub b\"; }; } ss01;":                            "",
	} {
		if got := rules(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
