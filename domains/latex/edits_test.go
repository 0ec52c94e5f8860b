package latex

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const moss = `\documentclass{article}
\usepackage{natbib} % round
\begin{document}
\section{Walls}\label{walls}
Moss holds 2.5\,kg of water, see~\ref{wet} and \citep[p.~3]{oda, lange-b}. % more?
\begin{equation}
  w = \rho\,h \label{w}
\end{equation}
\section*{Cover}
\begin{table}
\caption{By wall}\label{wet}
\begin{tabular}{lr}
\hline
  mill & 12 \\
  quay, low & \\
\hline
\end{tabular}
\end{table}
It grew 4\,mm a year \citep{oda}, as~\eqref{w} has it.
\bibliographystyle{plain}
\bibliography{references}
\end{document}
`

const mossWorks = `@string{jb = {J. Bryol.}}

% both of them
@article{lange-b,
  author = {Lange, Per},
  title = {On {Moss}},
  journal = jb,
  year = 1999
}

@book{m1,
  author = {M{\"u}ller, Ann},
  title = {Peat},
  year = {2001}
}

% scanned
@article{oda,
  author = {Oda, Rin},
  title = {Walls},
  year = {2004}
}
`

// inMoss is the paper with texts replaced, given in pairs.
func inMoss(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(moss) }

var (
	langeEntry  = mossWorks[strings.Index(mossWorks, "% both"):strings.Index(mossWorks, "\n@book")]
	mullerEntry = mossWorks[strings.Index(mossWorks, "@book"):strings.Index(mossWorks, "\n% scanned")]
	odaEntry    = mossWorks[strings.Index(mossWorks, "% scanned"):]
	wallsPart   = moss[strings.Index(moss, `\section{Walls}`):strings.Index(moss, `\section*`)]
	coverPart   = moss[strings.Index(moss, `\section*`):strings.Index(moss, `\bibliographystyle`)]
	mossFormula = moss[strings.Index(moss, `\begin{equation}`):strings.Index(moss, "\n\\section*")]
)

var forwardResults = map[string]vfs.Files{
	"section_files": {
		"main.tex":       inMoss(wallsPart, "\\input{section_1}\n", coverPart, "\\input{section_2}\n"),
		"section_1.tex":  wallsPart,
		"section_2.tex":  coverPart,
		bibliographyFile: mossWorks,
	},
	"library_json": {
		"library.tex": inMoss(`\bibliography{references}`, `\bibliography{library}`),
		"library.json": `[
  {"string":"jb","value":"{J. Bryol.}"},
  {"comment":"both of them"},
  {"type":"article","key":"lange-b","fields":{"author":"{Lange, Per}","title":"{On {Moss}}","journal":"jb","year":"1999"}},
  {"type":"book","key":"m1","fields":{"author":"{M{\\\"u}ller, Ann}","title":"{Peat}","year":"{2001}"}},
  {"comment":"scanned"},
  {"type":"article","key":"oda","fields":{"author":"{Oda, Rin}","title":"{Walls}","year":"{2004}"}}
]
`,
	},
	"tables_out": {
		"without_tables.tex": inMoss("\n\\hline\n  mill & 12 \\\\\n  quay, low & \\\\\n\\hline\n", "\n% table_1.csv\n"),
		"table_1.csv":        "\\hline\nmill,12\n\"quay, low\",\n\\hline\n",
		bibliographyFile:     mossWorks,
	},
	"labels_by_kind": {
		"relabelled.tex": inMoss("{walls}", "{sec:1}", "{wet}", "{tab:1}", "{w}", "{eq:1}"),
		"labels.csv":     "label,renamed\nwalls,sec:1\nw,eq:1\nwet,tab:1\n",
		bibliographyFile: mossWorks,
	},
	"author_year_keys": {
		"keyed.tex": inMoss("{oda, lange-b}", "{oda2004, lange1999}", "{oda}", "{oda2004}", "{references}", "{keyed}"),
		"keyed.bib": strings.NewReplacer("{lange-b", "{lange1999", "{m1", "{muller2001", "{oda", "{oda2004").Replace(mossWorks),
		"keys.csv":  "key,renamed\nlange-b,lange1999\nm1,muller2001\noda,oda2004\n",
	},
	"most_cited_first": {
		"ranked.tex": inMoss("{references}", "{ranked}"),
		"ranked.bib": "@string{jb = {J. Bryol.}}\n\n" + odaEntry + "\n" + langeEntry + "\n" + mullerEntry,
		"order.csv":  "key,citations\nlange-b,1\nm1,0\noda,2\n",
	},
	"types_apart": {
		"typed.tex":     inMoss("{references}", "{strings,articles,books}"),
		"strings.bib":   "@string{jb = {J. Bryol.}}\n",
		"articles.bib":  langeEntry + "\n" + odaEntry,
		"books.bib":     mullerEntry,
		"positions.csv": "position,file\n1,articles.bib\n2,books.bib\n3,articles.bib\n",
	},
	"si_units": {
		"units.tex": inMoss("% round\n", "% round\n\\usepackage{siunitx}\n", `2.5\,kg`, `\qty{2.5}{\kilo\gram}`,
			`4\,mm`, `\qty{4}{\milli\metre}`),
		bibliographyFile: mossWorks,
	},
	"equations_out": {
		"without_equations.tex": inMoss(mossFormula, `\showequation{1}`),
		"equations.tex":         "% 1\n" + mossFormula + "\n",
		bibliographyFile:        mossWorks,
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

const (
	paperFile        = "paper.tex"
	bibliographyFile = "references.bib"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{paperFile: moss, bibliographyFile: mossWorks}, forwardResults, domaintest.InMeaning)
}

func TestEditsRefuseWhatTheyCannotDo(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	whole := vfs.Files{paperFile: moss, bibliographyFile: mossWorks}
	for rule, c := range map[string]struct {
		edit       string
		file       string
		was, is    string
		wantsWords string // in the error
	}{
		"a label twice":             {"labels_by_kind", paperFile, `\label{w}`, `\label{wet}`, "wet occurs twice"},
		"siunitx is there":          {"si_units", paperFile, "natbib}", "natbib,siunitx}", "siunitx already"},
		"a row over two lines":      {"tables_out", paperFile, "mill & 12", "mill &\n 12", "rows of a table"},
		"a row without blanks":      {"tables_out", paperFile, "mill & 12", "mill&12", "rows of a table"},
		"no sections":               {"section_files", paperFile, `\section`, `\subsection`, `no \section`},
		"no numbered display":       {"equations_out", paperFile, "{equation}", "{equation*}", "no numbered display"},
		"another bibliography":      {"most_cited_first", paperFile, "{references}", "{moss}", `"moss"`},
		"a key twice":               {"author_year_keys", bibliographyFile, "{oda", "{m1", `"m1" occurs twice`},
		"a crossref":                {"author_year_keys", bibliographyFile, "title = {Walls}", "crossref = {m1}", "crossref"},
		"an entry that is open":     {"types_apart", bibliographyFile, "{Peat},", "{Peat,", "not closed"},
		"a string among entries":    {"types_apart", bibliographyFile, "% scanned", "@string{x = 1}", "above the entries"},
		"two entries on a line":     {"most_cited_first", bibliographyFile, "2001}\n}\n\n% scanned\n", "2001}}", "lines of its own"},
		"a preamble has no JSON":    {"library_json", bibliographyFile, "% scanned", "@preamble{x}", "neither entry"},
		"a field twice has no JSON": {"library_json", bibliographyFile, "year = {2004}", "title = {2004}", "twice"},
	} {
		changed := whole.Clone()
		changed[c.file] = strings.ReplaceAll(changed[c.file], c.was, c.is)
		_, err := domaintest.Edit(t, d, c.edit).Forward(changed)
		if err == nil || !strings.Contains(err.Error(), c.wantsWords) {
			t.Errorf("%s: error %v, want one with %q", rule, err, c.wantsWords)
		}
	}
}

// A backward step takes what a person may have written, not only what the
// forward step writes.
func TestBackwardTakesOtherSpellings(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	document := vfs.Files{paperFile: moss, bibliographyFile: mossWorks}
	for edit, change := range map[string][3]string{
		"section_files":    {"main.tex", `\input{section_1}`, `\input{section_1.tex}`},
		"library_json":     {"library.json", `{"comment":"scanned"}`, "{\n  \"comment\": \"scanned\"\n}"},
		"tables_out":       {"table_1.csv", "mill,12", `"mill","12"`},
		"labels_by_kind":   {"labels.csv", "label,renamed\nwalls,sec:1\n", "renamed,label\nsec:1,walls\n"},
		"most_cited_first": {"order.csv", "key,citations\n", "key, citations\n"},
		"types_apart":      {"positions.csv", "1,articles.bib\n2,books.bib\n", "2,books.bib\n1,articles.bib\n"},
		"si_units":         {"units.tex", `\kilo\gram`, `\kilo \gram`},
		"equations_out":    {"equations.tex", "% 1\n", "\n% 1\n\n"},
	} {
		e := domaintest.Edit(t, d, edit)
		there, err := e.Forward(document)
		if err != nil {
			t.Fatal(err)
		}
		file, was, is := change[0], change[1], change[2]
		changed := strings.Replace(there[file], was, is, 1)
		if changed == there[file] {
			t.Fatalf("%s: no %q", edit, was)
		}
		if edit == "labels_by_kind" {
			changed = "renamed,label\nsec:1,walls\neq:1,w\ntab:1,wet\n"
		}
		there[file] = changed
		again, err := e.Backward(there)
		if err != nil {
			t.Errorf("%s: %v", edit, err)
			continue
		}
		if differences := New().Differences(document, again); len(differences) > 0 {
			t.Errorf("%s: %v", edit, differences)
		}
	}
}

// Other parameters make other files of the same paper.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"moss.tex": moss, "references.bib": mossWorks}, domaintest.ToTheLetter, []domaintest.Made{
		{
			Edit: "number_labels", Parameters: `{"document": "moss.tex", "bibliography": "references.bib", "to": "l.tex", "equations": "E", "figures": "F", "tables": "T", "others": "S", "table": "l.csv"}`,
			Want: vfs.Files{
				"l.tex": inMoss("{walls}", "{S:1}", "{wet}", "{T:1}", "{w}", "{E:1}"), "references.bib": mossWorks,
				"l.csv": "label,renamed\nwalls,S:1\nw,E:1\nwet,T:1\n",
			},
		},
		{
			Edit: "siunitx", Parameters: `{"document": "moss.tex", "bibliography": "references.bib", "to": "u.tex", "units": {"mm": "\\milli\\metre"}}`,
			Want: vfs.Files{
				"u.tex":          inMoss("% round\n", "% round\n\\usepackage{siunitx}\n", `4\,mm`, `\qty{4}{\milli\metre}`),
				"references.bib": mossWorks,
			},
		},
		{
			Edit: "split_by_type", Parameters: `{"document": "moss.tex", "bibliography": "references.bib", "to": "t.tex", "groups": [{"file": "b.bib", "types": ["book", "booklet"]}], "others": "o.bib", "strings": "s.bib", "table": "p.csv"}`,
			Want: vfs.Files{
				"t.tex": inMoss("{references}", "{s,b,o}"), "s.bib": "@string{jb = {J. Bryol.}}\n",
				"b.bib": mullerEntry, "o.bib": langeEntry + "\n" + odaEntry, "p.csv": "position,file\n1,o.bib\n2,b.bib\n3,o.bib\n",
			},
		},
		{
			Edit: "take_equations", Parameters: `{"document": "moss.tex", "bibliography": "references.bib", "to": "t.tex", "equations": "e.tex", "command": "formula"}`,
			Want: vfs.Files{
				"t.tex": inMoss(mossFormula, `\formula{1}`), "e.tex": "% 1\n" + mossFormula + "\n", "references.bib": mossWorks,
			},
		},
	}...)
}
