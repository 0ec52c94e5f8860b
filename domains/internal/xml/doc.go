// Package xml reads XML of any state into a tree and prints such a tree.
//
// Read takes in every text: it goes on after what is not well-formed, taking
// from it what it can, and lists the faults. ReadStrictly stops at the first
// fault and is as strict as a parser on which published evaluators rest. Both
// keep comments, processing instructions and the document type; white space
// that only lays the document out is left out. The tree is at most Deepest
// elements deep, so that it can be walked by recursion. Visit and VisitStrictly
// make no tree, but hand out each tag and text as it is written.
package xml
