// Package python is the domain of Python programs of one or several flat source files, judged by what they do. The
// definition, a function or class, is what is counted; of a script without any, the line.
//
// RS is the share of tests that a program passes. An environment brings them as its scaffold: a testing.py, which
// runs the program and the reference next to it on data of its own and compares what they print and write. That happens
// in a sandbox, through domains.Programs; judge.py of domains/published/python takes the published evaluator's place there.
//
// Strict never runs anything. It reads the tokens of all files as one program, each module where it is imported, and
// compares definitions, statements, items of tables, imports, docstrings and comments. It forgives what changes nothing
// for who reads or runs the program (see align): layout and spelling, variables of other names, code put into a
// function that is called once, modules divided or joined, and comments that were all taken out. The order of
// statements means something to it, that of imports and definitions does not.
package python

import (
	"crypto/sha256"

	"agentd/domains"
	"agentd/domains/internal/element"
	published "agentd/domains/published/python"
	"agentd/vfs"
)

// New returns the domain. It needs what runs programs before it can find RS.
func New() domains.Domain {
	return newExecuting(published.Judge{References: &published.Memory{Known: map[[sha256.Size]byte]func() (published.Verdict, error){}}})
}

// executing is the domain with its ways to run a document, and with a Strict that compares both sides in one spelling.
type executing struct {
	domains.Domain
	scored domains.Domain // the same without Strict
	judge  published.Judge
}

var _ domains.Executing = executing{}

func newExecuting(j published.Judge) executing {
	return executing{
		Domain: domains.New(spec(&j, elements)).With(j.Options),
		scored: domains.New(spec(&j, func(vfs.Files) []domains.Element { return nil })),
		judge:  j,
	}
}

func spec(j *published.Judge, elements func(vfs.Files) []domains.Element) domains.Spec[vfs.Files] {
	return domains.Spec[vfs.Files]{
		Info: domains.Info{
			Name:     "python",
			Title:    "Python program",
			Category: "Code & Configuration",
			Patterns: []string{"*.py"},
			Together: true,
			Element:  definitionElement,
			Example:  "def area(width, height):\n    return width * height",
		},
		Parse:      func(files vfs.Files) (vfs.Files, error) { return files, nil },
		Score:      domains.Noting(j.Score),
		Crashes:    func(files vfs.Files) error { return j.Crash(files, files) },
		Stats:      published.Stats,
		Form:       wellFormed,
		Fences:     true,
		Elements:   elements,
		Evidence:   evidence,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "the definitions of a program call one another"},
		Vocabulary: vocabulary,
	}
}

// With takes domains.RSOption: then nothing is run.
func (d executing) With(options domains.Metadata) domains.Domain {
	if !options.RSIsStrict() {
		return d
	}
	d.judge.Options = options
	return newExecuting(d.judge)
}

func (d executing) WithPrograms(p domains.Programs) domains.Domain {
	d.judge.Programs = p
	return newExecuting(d.judge)
}

func (d executing) WithScaffold(files vfs.Files) domains.Domain {
	d.judge.Scaffold = files
	return newExecuting(d.judge)
}

func (d executing) Compare(reference, candidate vfs.Files) domains.Score {
	return d.Against(reference).Compare(candidate)
}

func (d executing) Differences(reference, candidate vfs.Files) []domains.Difference {
	return d.Against(reference).Differences(candidate)
}

// Against implements domains.Domain. The reference is read again for each candidate, in the candidate's names.
func (d executing) Against(reference vfs.Files) domains.Reference {
	if d.judge.Options.RSIsStrict() {
		return against{d.Domain.Against(reference), reference}
	}
	return against{d.scored.Against(reference), reference}
}

type against struct {
	scored    domains.Reference
	reference vfs.Files
}

func (a against) Compare(candidate vfs.Files) domains.Score {
	score := a.scored.Compare(candidate)
	ref, got, counted := sides(a.reference, candidate)
	var noted domains.Notes
	score.Strict = a.readable(element.Strict(ref, got, counted, &noted), candidate, ref, got)
	score.Approximate = domains.Approximate(nil, &noted)
	if score.Basis == domains.Own {
		score.RS = score.Strict
	}
	return score
}

// readable is the strict score of elements, or 0 where the texts were not read.
func (a against) readable(strict float64, candidate vfs.Files, ref, got []domains.Element) float64 {
	if !domains.Legible(a.reference, ref, definitionElement) || strict == 1 && !domains.Legible(candidate, got, definitionElement) {
		return 0
	}
	return strict
}

func (a against) Review(candidate vfs.Files) domains.Review {
	ref, got, counted := sides(a.reference, candidate)
	c := element.Compare(ref, got, counted)
	if c.Strict == 1 && len(c.Differences) == 0 {
		c = element.Compare(ref, append(got, domains.RepeatedLines(a.reference, candidate)...), counted)
	}
	return domains.Review{Strict: a.readable(c.Strict, candidate, ref, got), Differences: c.Differences, Parts: c.Parts}
}

func (a against) Broken(candidate vfs.Files) []domains.Slip { return a.scored.Broken(candidate) }

func (a against) Differences(candidate vfs.Files) []domains.Difference {
	return a.Review(candidate).Differences
}

// sides are the elements of both, and the kind that is counted: of a script without definitions, its statements.
func sides(reference, candidate vfs.Files) (ref, got []domains.Element, counted string) {
	a, b := aligned(read(reference), read(candidate))
	counted = definitionElement
	if len(a.definitions) == 0 {
		counted = statementElement
	}
	return a.elements(), b.elements(), counted
}
