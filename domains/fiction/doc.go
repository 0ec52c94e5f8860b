// Package fiction is the domain of short stories in plain prose. The word is what is counted.
//
// The published score is a language model's opinion of the first file alone: its answers to the fourteen questions of
// the Torrance Test of Creative Writing, in relation to its answers about the seed, less where the length departs from
// the target. Both are asked of the same judge, as numbers of another one would stand on another scale. Without a judge
// there is a fallback: the share of the words of the longer story that both have in the same order.
//
// Strict asks no judge. It aligns the words of both stories, in any files they stand in, and sees every word that was
// lost, added, altered or moved, and where paragraphs begin. Files are read in the order of their names, those without
// a number first. Line breaks inside paragraphs, blanks and the shape of quotes and dashes mean nothing to it.
package fiction
