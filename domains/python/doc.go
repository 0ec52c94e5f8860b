// Package python is the domain of Python programs of one or several flat source
// files, judged by what they do. The definition, a function or class, is what is
// counted; of a script without any, the line.
//
// Value is the share of tests that a program passes. An environment brings them
// as its scaffold: a testing.py, which runs the program and the reference next to
// it on data of its own and compares what they print and write. That happens in
// a sandbox, through domains.Programs; judge.py takes the published evaluator's
// place there.
//
// Strict never runs anything. It reads the tokens of all files as one program,
// each module where it is imported, and compares definitions, statements, items
// of tables, imports, docstrings and comments. It forgives what changes nothing
// for who reads or runs the program (see align): layout and spelling, variables
// of other names, code put into a function that is called once, modules divided
// or joined, and comments that were all taken out. The order of statements means
// something to it, that of imports and definitions does not.
package python
