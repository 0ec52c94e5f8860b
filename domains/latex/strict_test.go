package latex

import (
	"strings"
	"testing"

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
)

// inWorks is the bibliography with texts replaced, given in pairs.
func inWorks(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(mossWorks) }

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{paperFile: moss, bibliographyFile: mossWorks}
	for rule, candidate := range map[string]vfs.Files{
		"wrapping":                    {paperFile: inMoss(" of water, see", "\nof   water,\n  see"), bibliographyFile: mossWorks},
		"blanks in mathematics":       {paperFile: inMoss(`w = \rho\,h`, `w=\rho \, h`), bibliographyFile: mossWorks},
		"layout of tables":            {paperFile: inMoss("mill & 12", "mill   &   12"), bibliographyFile: mossWorks},
		"an empty line at a heading":  {paperFile: inMoss("\\label{walls}\n", "\\label{walls}\n\n"), bibliographyFile: mossWorks},
		"an added comment":            {paperFile: inMoss("\\begin{equation}", "% check\n\\begin{equation}"), bibliographyFile: mossWorks},
		"the order of entries":        {paperFile: moss, bibliographyFile: "@string{jb = {J. Bryol.}}\n" + odaEntry + mullerEntry + langeEntry},
		"the order of fields":         {paperFile: moss, bibliographyFile: inWorks("title = {Peat},\n  year = {2001}", "year = {2001},\n  title = {Peat}")},
		"quotes and letter case":      {paperFile: moss, bibliographyFile: inWorks("@book{m1", "@BOOK{m1", "{2001}", `"2001"`, "title", "Title")},
		"an abbreviation written out": {paperFile: moss, bibliographyFile: inWorks("journal = jb", "journal = {J. Bryol.}")},
		"first names first":           {paperFile: moss, bibliographyFile: inWorks("Lange, Per", "Per Lange")},
		"indented entries":            {paperFile: moss, bibliographyFile: inWorks("@book", "  @book")},
		"another key throughout":      {paperFile: inMoss("{oda", "{oda04"), bibliographyFile: inWorks("{oda", "{oda04")},
		"sections in files": {
			"main.tex": inMoss(wallsPart, "\\input{a}\n", coverPart, "\\input{./b.tex}\n"), "a.tex": wallsPart, "b.tex": coverPart, bibliographyFile: mossWorks,
		},
		"other file names": {"moss.tex": inMoss("{references}", "{works}"), "works.bib": mossWorks},
		"two .bib files":   {paperFile: inMoss("{references}", "{a,b}"), "a.bib": inWorks(odaEntry, ""), "b.bib": odaEntry},
		"a byte order mark": {
			paperFile: "\ufeff" + moss, bibliographyFile: mossWorks,
		},
	} {
		score := New().Compare(reference, candidate)
		if score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func TestCommandsForTheSameStyle(t *testing.T) {
	t.Parallel()
	paper := func(words string) vfs.Files {
		return vfs.Files{paperFile: strings.Replace(moss, " of water, see", " "+words+", see", 1), bibliographyFile: mossWorks}
	}
	for rule, c := range map[string]struct {
		was, is string
		same    bool
	}{
		"italics and emphasis":         {`\emph{of water}`, `\textit{of water}`, true},
		"emphasis and italics":         {`\textit{of water}`, `\emph{of water}`, true},
		"the old commands":             {`{\em of water}`, `{\it of water}`, true},
		"bold for italics":             {`\emph{of water}`, `\textbf{of water}`, false},
		"words that are no more so":    {`\emph{of water}`, `of water`, false},
		"letters in mathematics":       {`$\textit{of}$`, `$\emph{of}$`, false},
		"emphasis of one word of both": {`\emph{of water}`, `\emph{of} water`, false},
	} {
		if score := New().Compare(paper(c.was), paper(c.is)); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict %v: %v", rule, score.Strict, New().Differences(paper(c.was), paper(c.is)))
		}
	}
}

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{paperFile: moss, bibliographyFile: mossWorks}
	for rule, c := range map[string]struct {
		tex, bib string // what is not empty is changed
		where    string // of the first difference
	}{
		"a number":                 {tex: inMoss("2.5", "25"), where: "sentence 1 of section Walls, part 1"},
		"a key":                    {tex: inMoss("{oda}", "{m1}"), where: "sentence 1 of section Cover, citation 1"},
		"a kind of citation":       {tex: inMoss(`\citep{oda}`, `\citet{oda}`), where: "sentence 1 of section Cover, part 1"},
		"an option of a citation":  {tex: inMoss("p.~3", "p.~4"), where: "sentence 1 of section Walls, part 2"},
		"a reference":              {tex: inMoss(`\ref{wet}`, `\ref{w}`), where: "sentence 1 of section Walls, reference 1"},
		"a label":                  {tex: inMoss(` \label{w}`, ""), where: "formula w, label"},
		"a label of a heading":     {tex: inMoss(`\label{walls}`, ""), where: "section Walls, label"},
		"mathematics":              {tex: inMoss(`\rho`, `\sigma`), where: "formula w, line 1"},
		"a display's number":       {tex: inMoss("{equation}", "{equation*}"), where: "formula w, environment"},
		"a title":                  {tex: inMoss("{Cover}", "{Rest}"), where: "section Cover, title"},
		"a star":                   {tex: inMoss(`\section*`, `\section`), where: "section Cover, command"},
		"a cell":                   {tex: inMoss("12", "21"), where: "row 1 of table 1, cell 2"},
		"a rule":                   {tex: inMoss("\\begin{tabular}{lr}\n\\hline", `\begin{tabular}{lr}`), where: "row 1 of table 1, rule"},
		"a caption":                {tex: inMoss("By wall", "By walls"), where: `\caption of section Cover, part 1`},
		"a package":                {tex: inMoss("{natbib}", "{cite}"), where: `\usepackage, part 1`},
		"text after the end":       {tex: moss + "Done!\n", where: "line 1 after the document"},
		"a code fence":             {tex: "```latex\n" + moss + "```\n", where: "code fence 1"},
		"an unnamed bibliography":  {tex: inMoss("{references}", "{refs}"), where: `\bibliography, missing files`},
		"a type":                   {bib: inWorks("@book", "@misc"), where: "entry m1, type"},
		"an author":                {bib: inWorks("Oda, Rin", "Oda, Ran"), where: "entry oda, author 1"},
		"a bare year":              {bib: inWorks("1999", "1989"), where: "entry lange-b, year"},
		"braces inside":            {bib: inWorks("{Moss}", "Moss"), where: "entry lange-b, title"},
		"an added field":           {bib: inWorks("title = {Peat}", "title = {Peat}, doi = {10.1/x}"), where: "entry m1, doi"},
		"an entry twice":           {bib: mossWorks + odaEntry, where: "entry oda"},
		"a lost abbreviation":      {bib: inWorks("@string{jb = {J. Bryol.}}", "", "= jb", "= {J. Bryol.}"), where: "abbreviation jb"},
		"a key in the .bib alone":  {bib: inWorks("{oda", "{oda04"), where: "sentence 1 of section Walls, citation 1"},
		"a sentence in the .bib":   {bib: "Here it is:\n" + mossWorks, where: "line 1 of the bibliography outside entries"},
		"an entry without its end": {bib: inWorks("{2001}\n}", "{2001}\n"), where: "comment scanned"}, // it is in the entry's last field then
	} {
		candidate := reference.Clone()
		if c.tex != "" {
			candidate[paperFile] = c.tex
		}
		if c.bib != "" {
			candidate[bibliographyFile] = c.bib
		}
		found := New().Differences(reference, candidate)
		if len(found) == 0 || found[0].Where != c.where {
			t.Errorf("%s: %v, want the first at %s", rule, found, c.where)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	for rule, change := range map[string][2]string{
		"a wrong number":       {"52 to 85", "25 to 85"},
		"a lost closing brace": {`\emph{nominal}`, `\emph{nominal`},
		"a lost dollar":        {"$1:2:2.4:3:4$", "$1:2:2.4:3:4"},
	} {
		damaged := seed.Clone()
		damaged[paperFile] = strings.Replace(seed[paperFile], change[0], change[1], 1)
		if score := New().Compare(seed, damaged); score.Strict < 0.97 || score.Strict == 1 {
			t.Errorf("%s leaves Strict at %v", rule, score.Strict)
		}
	}
}
