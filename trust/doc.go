// Package trust answers one question about somebody's own documents: can their editing be
// handed over to a model?
//
// Find looks for documents in files and folders and names the domain of each. Prepare derives
// reversible edits for them, so that they become environments of an ordinary experiment. When
// that experiment has run, Build reads what is stored and says for every document and arm how
// much of it survived, how many edits were done right, which edit was the worst, and what was
// lost in the domain's words. Judge compares that with a Rule.
//
// The rule: an arm is trusted with a document if the lower bound of its strict score reaches
// what was asked for, and at least 95 % of the edits were carried out. Where too little was
// measured to say so, the arm is not trusted.
package trust
