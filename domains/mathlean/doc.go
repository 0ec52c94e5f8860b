// Package mathlean is the domain of Lean 4 source files: imports, sections and
// namespaces, and declarations with their statements and proofs. The
// declaration is what is counted.
//
// The published score scans the text without regard to comments or nesting and
// compares names and the ends of statements; declarations after an attribute
// or modifier, hypotheses and proofs weigh only as characters. Strict reads the
// file as a sequence of commands and compares every declaration by its doc
// comment, attributes, modifiers, binders, statement and body, and next to them
// imports, scopes and other commands, module docs and comments, each with the
// place it stands at. It forgives layout that Lean does not read, theorem for
// lemma, ASCII for symbols, the names of bound variables where they change
// throughout, a division over files, and comments that were added.
package mathlean
