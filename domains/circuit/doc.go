// Package circuit is the domain of SPICE netlists: a title, subcircuits, element
// lines, parameters, models, simulation commands and comments of a circuit. The
// element line is what is counted: a device, source or instance, at top level or
// inside a subcircuit.
//
// The published score compares subcircuits by name, ports and elements,
// instances, sources, parameters, control text and simulation commands, with a
// reader that gives up on a whole file for one line that it does not know.
// Strict reads what a simulator reads: statements with their continuation lines,
// numbers by value in any unit, every node in its place, every parameter, model
// card, control line and comment. The order of statements, their division into
// files, letter case and layout mean nothing to it.
package circuit
