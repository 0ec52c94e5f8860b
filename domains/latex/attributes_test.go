package latex

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"Moss grew.\n  It was \\emph{wet}.\n":             {"5", "0"},
		`See \citep[p.~3]{oda, lange-b} and \citet{oda}.`: {"5", "3"},
		"Dry % \\cite{oda}\n\\nocite{oda}":                {"4", "1"},
		"\\begin{equation}\n w = \\rho\n\\end{equation}":  {"5", "0"},
		"": {"0", "0"},
	} {
		if got := [2]string{words(part), citations(part)}; got != want {
			t.Errorf("%q has %v words and citations, want %v", part, got, want)
		}
	}
}
