// Package fonteng is the domain of OpenType feature files: language systems,
// glyph classes, features with substitution and positioning rules, lookups and
// tables. Language systems, classes, features and tables are counted.
//
// The published score reads files as fontTools' feaLib 4.38 does, makes a
// comment of each line at which that fails, and compares the canonical text of
// blocks of the same name; it passes over what was added or repeated, lookups
// and definitions at top level, comments and the order of features. Strict
// looks at what a compiler makes of the text: rules one by one in their order,
// lookups and features in theirs, the glyphs of a class one by one, all
// definitions, tables field by field, and lines that are no statement. A class
// may be spelled out and a range written in either way; numbers, flags and
// names are compared by what they say. The order of language systems, classes
// and tables means nothing, nor does a class being defined late. Comments may
// come and go, but one that was altered is seen. Several files are one text.
package fonteng
