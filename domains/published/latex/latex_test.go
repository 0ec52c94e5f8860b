package latex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEntriesAreFoundAsPublished(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string // keys
	}{
		"entries":                       {"@book{a,\n x={1}}\n\n@misc { b , y={2}}", []string{"a", "b"}},
		"a mail address":                {"@book{a, x={p@q.org}}\n@book{b,}", []string{"b"}},
		"indented entries":              {" @book{a,}\n @book{b,}", []string{"b"}},
		"an abbreviation takes its own": {"@string{j = {J}}\n@book{a, x={1}}", []string{"j = {J}}\n@book{a"}},
		"the later entry of a key":      {"@book{a, x={1}}\n@book{b,}\n@book{a, x={2}}", []string{"a", "b"}},
		"no comma":                      {"@book{a}", nil},
		"no key":                        {"@book{,x={1}}", nil},
		"a blank key":                   {"@book{ ,x={1}}", []string{""}},
	} {
		var keys []string
		for _, e := range parseEntries(c.text) {
			keys = append(keys, e.key)
		}
		if diff := cmp.Diff(c.want, keys); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestFieldsAreFoundAsPublished(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]map[string]string{
		`Title = { A {B} c }, year="2001"`: {"title": "A {B} c", "year": "2001"},
		"year = 2001, journal = jb":        {},
		"title={a {b {c}}}":                {},
		"title={a {b={c}}}":                {"b": "c"},
		"a={1}, a={2}":                     {"a": "2"},
		"ä_1\n=\n{x\ny}":                   {"ä_1": "x\ny"},
		"a={1":                             {},
		"a={}":                             {"a": ""},
	} {
		if diff := cmp.Diff(want, parseFields(text), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fields map[string]string
		want   fingerprint
	}{
		{map[string]string{"title": "{On  {Bells}}", "year": "1890", "author": "{Rayleigh}, Lord and Kelvin"}, fingerprint{"on bells", "1890", "rayleigh"}},
		{map[string]string{"author": "Neville H. Fletcher and B"}, fingerprint{author: "fletcher"}},
		{map[string]string{"title": strings.Repeat("é", 70)}, fingerprint{title: strings.Repeat("é", 60)}},
		{nil, fingerprint{}},
	} {
		if got := fingerprintOf(c.fields); got != c.want {
			t.Errorf("%v: %v, want %v", c.fields, got, c.want)
		}
	}
}

func TestTextIsExtractedAsPublished(t *testing.T) {
	t.Parallel()
	for tex, want := range map[string]string{
		"70\\% of it\nis here % not this":      "70\\ is here",
		`A \citep [p. 3] {a, b} c`:             "a [cite:a, b] c",
		`\cite[a][b]{c} d`:                     "[b]c d",
		`see \ref{x}\label{y}.`:                "see [ref:x].",
		`\emph{a \textbf{b} c}`:                "a",
		`\section{One}\subsection*{Two} x`:     "## one### two x",
		`\subsubsection{Three} x`:              "x",
		`\frac{a}{b} \alpha x \footnote[1]{y}`: "b x",
		`\begin{figure}[tb]{\small Z}`:         "[tb] z",
		`\\ \, \"u`:                            `\\ \, \"u`,
		`\cite{}`:                              "",
		"`\\section {A}":                       "` a",
	} {
		if got := extract(tex); got != want {
			t.Errorf("%q becomes %q, want %q", tex, got, want)
		}
	}
}
