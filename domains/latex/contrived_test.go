package latex

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: "a\n\n"},
	"sentences":    {Record: "Moss %d. "},
	"words":        {Record: "a%d "},
	"commas":       {Record: "a%d, "},
	"one word":     {Record: "a"},
	"commands":     {Record: `\a`},
	"unknown":      {Record: `\a{%d}`},
	"symbols":      {Record: `\,`},
	"citations":    {Record: `\cite{a}`},
	"cited":        {Record: `\cite{lehr1986,dove} `},
	"keys":         {Before: `\cite{a`, Record: ",%d", After: "}"},
	"open cites":   {Record: `\cite[`},
	"half options": {Record: `\cite[\cite{a}`},
	"headings":     {Record: `\section{%d}`},
	"open":         {Record: `\section{`},
	"labels":       {Record: `\label{%d}`},
	"references":   {Record: `\ref{tab:ring} `},
	"footnotes":    {Record: `\footnote{`},
	"deeper":       {Before: "a", Record: `\footnote{a`, After: "}}}}}}"},
	"notes":        {Record: `a\footnote{%d}. `},
	"braces":       {Record: "{"},
	"groups":       {Record: "{}"},
	"brackets":     {Record: "["},
	"options":      {Record: "[]"},
	"closed":       {Record: "}"},
	"dollars":      {Record: "$"},
	"formulas":     {Record: "$a_%d$ "},
	"displays":     {Record: "$$%d$$"},
	"open display": {Record: `\[`},
	"equations":    {Record: `\begin{align}%d\end{align}`},
	"lines":        {Before: `\begin{align}`, Record: `%d\\`, After: `\end{align}`},
	"environments": {Record: `\begin{a%d}`},
	"ends":         {Record: `\end{a}`},
	"verbatim":     {Record: `\begin{verbatim}`},
	"listing":      {Before: `\begin{verbatim}`, Record: "%d\n", After: `\end{verbatim}`},
	"verb":         {Record: `\verb%d`},
	"rows":         {Before: `\begin{tabular}{l}`, Record: `%d\\`, After: `\end{tabular}`},
	"cells":        {Before: `\begin{tabular}{l}`, Record: "&%d", After: `\end{tabular}`},
	"rules":        {Before: `\begin{tabular}{l}`, Record: `\hline`, After: `\end{tabular}`},
	"items":        {Record: `\item`},
	"blocks":       {Record: `\centering`},
	"preamble":     {Record: `\a{%d}`, After: `\begin{document}`},
	"inputs":       {Record: `\input{paper}`},
	"comments":     {Record: "%%%d\n"},
	"percents":     {Record: "%\n"},
	"after":        {Before: `\end{document}`, Record: "%d\n"},
	"fences":       {Record: "```\n"},
	"gaps":         {Record: "\n \n"},
	"entries":      {Record: "@misc{a%d,title={b}}\n"},
	"bare entries": {Record: "@a{b}\n"},
	"same entry":   {Record: "@article{lehr1986,title={%d}}\n"},
	"open entries": {Record: "@a{"},
	"fields":       {Before: "@article{lehr1986", Record: ",a%d={b}", After: "}\n"},
	"one field":    {Before: "@article{lehr1986,title={", Record: "a%d ", After: "}}\n"},
	"strings":      {Record: "@string{a%d={b}}\n"},
}
