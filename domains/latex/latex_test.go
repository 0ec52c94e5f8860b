package latex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	environment      = "latex1"
	paperFile        = "paper.tex"
	bibliographyFile = "references.bib"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, environment),
		Generate:   rapid.Custom(drawPaper),
		RSForgives: 0.55, // the text and the fields of what is left are more than half of the score
	}.Run(t)
}

// FuzzCompare takes each text for a source and for a bibliography.
func FuzzCompare(f *testing.F) {
	d, seed := demonstration(f), domaintest.Seed(f, environment)
	for _, content := range domaintest.Hostile() {
		f.Add(content)
	}
	for _, content := range seed {
		f.Add(content)
		f.Add(content[:len(content)*2/3])
	}
	f.Fuzz(func(t *testing.T, content string) {
		for _, name := range seed.Names() {
			domaintest.Survives(t, d, seed, name, content)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// drawPaper draws a paper whose entries have keys of their own.
func drawPaper(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	d.bibliography()
	d.paper()
	return vfs.Files{paperFile: d.tex.String(), bibliographyFile: d.bib.String()}
}

type drawer struct {
	*rapid.T
	tex, bib strings.Builder
	keys     []string
	labels   []string // that are there
	equation bool
	label    int
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) bibliography() {
	d.bib.WriteString(d.one("heading", "", "", "% Moss and lichen, 2019 on\n", "@string{jb = {Journal of Bryology}}\n", "% short\n@string{jb = \"J. Bryol.\"}\n\n"))
	d.keys = rapid.Permutation([]string{"smith2001", "Lange:99", "oda", "hull-hill05", "b_3", "flora", "web.2020", "Smith2001b"}).Draw(d.T, "keys")
	d.keys = d.keys[:1+d.upTo(6, "entries")]
	for _, key := range d.keys {
		d.entry(key)
	}
}

func (d *drawer) entry(key string) {
	if d.sometimes("comment") {
		d.bib.WriteString(d.one("comment text", "% scanned copy only\n", "%% two editions\n", "%\n% see the attic\n"))
	}
	between := d.one("layout", ",\n  ", ",\n\t", ", ")
	equals := d.one("equals", " = ", "=", "\t= ")
	fmt.Fprintf(&d.bib, "@%s{%s", d.one("type", "article", "Article", "book", "techreport", "misc", "inproceedings", "phdthesis", "unpublished"), key)
	for _, field := range []struct {
		name   string
		values []string
	}{
		{"author", []string{"{Smith, Ann}", "{Lange, P. and Smith, Ann}", "{M{\\\"u}ller, J.}", "{{Moss Society}}", "\"Oda, Rin\"", "{Rin Oda and\n others}"}},
		{"title", []string{"{On moss}", "{{Lichen} of the north}", "{Peat: {A} life}", "{On moss}", "\"Wet walls\""}},
		{"journal", []string{"jb", "{Flora}", "", ""}},
		{"year", []string{"{2001}", "1999", "{2019}", ""}},
		{"Pages", []string{"{1--9}", "", ""}},
		{"note", []string{"{50\\% missing}", "", "{see \\url{http://a.b/c}}"}},
	} {
		if value := d.one(field.name, field.values...); value != "" {
			d.bib.WriteString(between + field.name + equals + value)
		}
	}
	d.bib.WriteString(d.one("end", "\n}\n\n", ",\n}\n", "}\n\n\n"))
}

func (d *drawer) paper() {
	d.tex.WriteString(d.one("class", "\\documentclass{article}\n", "% !TEX program = lualatex\n\\documentclass[a4paper]{report}\n"))
	d.tex.WriteString(d.one("packages", "", "\\usepackage{natbib}\n", "\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,booktabs} % both\n"))
	d.tex.WriteString("\\title{" + d.one("title", "Moss", "Walls \\& moss") + "}\n\\begin{document}\n\\maketitle\n\n")
	if d.sometimes("abstract") {
		d.tex.WriteString("\\begin{abstract}\n" + d.sentence() + "\n\\end{abstract}\n")
	}
	for range 1 + d.upTo(2, "sections") {
		d.section()
	}
	d.float()
	d.formula()
	d.tex.WriteString(d.one("end", "\n", "\\appendix\n\\section{Sites}\nWall 3, by the mill.\n", "\\bibliographystyle{plain}\n") +
		"\\bibliography{references}\n\\end{document}\n")
}

func (d *drawer) section() {
	fmt.Fprintf(&d.tex, "\\section%s{%s}%s\n", d.one("star", "", "", "*"), d.one("heading", "Sites", "What grew where", "Method"), d.labelled("section"))
	for range 1 + d.upTo(2, "paragraphs") {
		for range 1 + d.upTo(3, "sentences") {
			d.tex.WriteString(d.sentence() + d.one("between", " ", "\n", "\n% move this up?\n", "  "))
		}
		d.tex.WriteString("\n\n")
		if d.sometimes("formula") {
			d.formula()
		}
		if d.sometimes("float") {
			d.float()
		}
	}
}

func (d *drawer) labelled(what string) string {
	if !d.sometimes(what + " label") {
		return ""
	}
	d.label++
	name := fmt.Sprintf("%s%d", d.one("label", "x", "fig:moss", "s-", "the wall "), d.label)
	d.labels = append(d.labels, name)
	return "\\label{" + name + "}"
}

func (d *drawer) sentence() string {
	text := d.one("sentence", "Moss grew on 12 of 30 walls.", "We cut 4\\,mm below the rim at 0.5\\,m, see below.", "Nothing grew, i.e.\\ the wall was dry.",
		"About 15\\% of it is \\emph{Tortula} (wall screw-moss)!", "Let $a \\in \\mathcal{A}$ and \\(b = 2\\,\\mathrm{m}\\) be given.", "It rang at 440\\,Hz or 1.2\\,kHz.",
		"``Dry,'' he said\\footnote{On site.}; the rest is silence.")
	cut := strings.LastIndexAny(text, ".!")
	switch key := d.one("key", d.keys...); d.upTo(5, "citation") {
	case 0:
		text = text[:cut] + "~\\cite{" + key + "}" + text[cut:]
	case 1:
		text = text[:cut] + " \\citep[see][p.~4]{" + key + "}" + text[cut:]
	case 2:
		text = text[:cut] + " \\citep{" + key + ", " + d.one("second", d.keys...) + "}" + text[cut:]
	case 3:
		text = "\\citet*{" + key + "} disagrees. " + text
	}
	if len(d.labels) > 0 && d.sometimes("reference") {
		text += " See~\\ref{" + d.one("which", d.labels...) + "}."
	}
	return text
}

func (d *drawer) formula() {
	environment := d.one("environment", "equation", "align", "equation*", "gather")
	if !d.equation {
		environment = "equation" // one at least has a number
	}
	d.equation = true
	fmt.Fprintf(&d.tex, "\\begin{%s}%s\n  m = \\frac{a}{b} + \\lambda\\,t\n\\end{%s}\n", environment, d.labelled("formula"), environment)
}

func (d *drawer) float() {
	d.tex.WriteString("\\begin{table}[tb]\n\\caption{Cover by wall}\\label{" + fmt.Sprintf("tab%d", d.label) + "}\n\\begin{tabular}{lr}\n")
	d.label++
	d.tex.WriteString(d.one("rule", "\\hline\n", "\\toprule\n  Wall & \\% \\\\\n  \\midrule\n", ""))
	for range 1 + d.upTo(3, "rows") {
		d.tex.WriteString(d.one("row", "mill & 12 \\\\\n", "  north   & 3 \\\\\n", "  \\textbf{quay, low} &  \\\\\n", "% not seen\n & 4.5 \\\\\n"))
	}
	d.tex.WriteString(d.one("last", "\\hline\n", "") + "\\end{tabular}\n\\end{table}\n")
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	stats, err := New().Statistics(vfs.Files{paperFile: moss, bibliographyFile: mossWorks})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]string{}
	for _, c := range stats.Counts {
		counts[c.Name] = c.Value
	}
	want := map[string]string{"Sections": "1", "Citations": "0", "Bib Entries": "3", "Words": "36"}
	if diff := cmp.Diff(want, counts); diff != "" || stats.Elements != 3 {
		t.Errorf("%d elements, %s", stats.Elements, diff)
	}
}
