package quantum

import "testing"

func TestSemicolons(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"// a; b;\ngate g q {\n  x q; y q;\n}":                 "2",
		"def f() { for uint k in {0, 1} { h q[k]; } /* ; */ }": "1",
		"const uint n = 7;":                                    "",
		"def f() { }":                                          "0",
		"include \"{;}.inc\";":                                 "",
	} {
		if got := semicolons(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
