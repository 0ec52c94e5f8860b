// Package trust answers one question about a user's own documents: can a model safely edit them?
//
// Find looks for documents in files and folders and names the domain of each. Prepare derives
// reversible edits for them, so that they become environments of an ordinary experiment. When
// that experiment has run, Build reads what is stored and says for every document and arm how
// much of it survived, how many edits were done right, which edit was the worst, and what was
// lost, in the words of the domain. Judge compares that with a Rule.
//
// The rule: the answer is Yes if it is shown that at least so many percent of the edits keep so many
// percent of the document, with every arm and over all documents, and No if it is shown that with
// one arm fewer do (Keeps). Otherwise it is Unknown, with what it takes to know (More). Yes and No
// are each wrong at most once in twenty.
package trust
