// Package trust answers one question about a user's own documents: can a model safely edit them?
//
// Find looks for documents in files and folders and names the domain of each. Prepare derives
// reversible edits for them, so that they become environments of an ordinary experiment. When
// that experiment has run, Build reads the stored results. For every document and arm it reports
// how much survived, how many edits were done right, which edit was the worst, and what was lost,
// in the words of the domain. Judge compares that with a Rule.
//
// The rule has one percentage, FailUnder. The answer is Yes if, with every arm, at least FailUnder
// percent of the edits keep at least FailUnder percent of the document (Keeps), and this is
// statistically shown. It is No if the opposite is shown for one arm. Otherwise it is Unknown, with
// an estimate of the edits that would decide it (More). Yes and No are each wrong at most once in
// twenty.
package trust
