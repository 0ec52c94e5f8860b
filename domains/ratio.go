package domains

import "agentd/domains/internal/ratio"

// TextRatio is the ratio of Python's SequenceMatcher of two texts in characters, with its
// heuristic of popular elements, as it is by default; the reference comes first.
func TextRatio(reference, candidate string) float64 { return ratio.Of(reference, candidate) }
