// Package latex is the domain of LaTeX papers: .tex sources with citations and
// BibTeX files. The bibliography entry is what is counted.
//
// The published score reads the sources by patterns. It compares the text that
// is left when most commands are deleted with their arguments, the sequence of
// works cited, the set of works in the bibliography, and nine fields of each
// work on both sides. Strict has readers of its own. It reads the sources as
// LaTeX does, each where another one takes it in, as headings, sentences,
// displays, table rows and commands in their order, with every citation, label
// and reference; and each entry of the bibliography by its type and all of its
// fields, abbreviations written out.
package latex
