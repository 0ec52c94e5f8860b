// Package crystal is the domain of Crystallographic Information Files (CIF):
// items and loops that describe a crystal structure, its cell and symmetry, its
// atom sites with their displacements, bonds, angles and hydrogen bonds, the
// experiment and the publication. The atom site is what is counted.
//
// The published score reads the first data block after some repairs of the text
// and compares cell, symmetry, sites, displacements, geometry and eight items of
// the publication within tolerances. Strict reads every item and loop by the
// rules of CIF 1.1 and looks at all values to the digit, standard uncertainties
// included, at repeated and added rows, comments and text that is no CIF. Items,
// columns and rows may change places, save symmetry operations, which are
// numbered by their order, and authors.
package crystal
