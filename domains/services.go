package domains

import (
	"errors"

	"agentd/vfs"
)

// Judge answers prompts as a reader would. It may be used concurrently.
type Judge interface {
	// Ask returns the answer to a prompt, which asks for a JSON object; its values are those of encoding/json. accept
	// says whether it can be read; one that cannot, or that has no object, is asked for again. An error that wraps
	// ErrNoAnswer says that none could be read, any other that the judge could not be reached.
	Ask(prompt string, accept func(answer map[string]any) error) (map[string]any, error)
}

// ErrNoAnswer says that a judge's answers could not be read, or that it gave none.
var ErrNoAnswer = errors.New("the judge gave no answer that can be read")

// Judged is a domain whose RS is the opinion of a language model. Without a
// judge its scores are a Fallback; Strict and all else need none.
type Judged interface {
	Domain
	WithJudge(Judge) Domain
}

// Worded is a domain whose judge can be asked in other words than the domain's own.
type Worded interface {
	Judged
	// WithQuestions takes the text that the judge is asked, in which StoryMark stands for the
	// document. A text without it is an error.
	WithQuestions(text string) (Domain, error)
}

// StoryMark stands for the document in the text of WithQuestions, as in the published one.
const StoryMark = "[[STORY]]"

// ErrNoJudge begins the Problem of a score that needs a judge.
var ErrNoJudge = errors.New("the documents are scored by a judge, and no model was named as one (judge: {model: NAME}, or --judge NAME)")

// Basis says what the RS of a score is.
type Basis string

const (
	// Computed is that of a program; it is the same whenever it is found.
	Computed Basis = ""
	// Opinion is a judge's.
	Opinion Basis = "judge"
	// Fallback is a similarity of texts, where there is no judge. It says nothing
	// about what the published score would be and is never shown with one.
	Fallback Basis = "fallback"
	// Own is Strict, of a domain for which there is no published evaluator. It is marked
	// in every table, and no mean over published scores has it.
	Own Basis = "strict"
)

// General is the category of domains that the paper does not have.
const General = "General text"

// Programs runs programs where they can harm nothing. It may be used concurrently.
type Programs interface {
	// RunPython runs a script in a folder that holds the files and nothing else, with nothing left of any run before. A
	// script that fails, or is ended, is an Outcome; an error says that none could be run.
	RunPython(files vfs.Files, script string) (Outcome, error)
	// Transform runs a script likewise and returns the files that it leaves. A script that
	// fails, or is ended, is an error with its last words.
	Transform(files vfs.Files, script string) (vfs.Files, error)
}

// Outcome is what a program came to.
type Outcome struct {
	Stdout, Stderr string
	ExitCode       int
	Ended          string // the limit that ended it, such as "time"; empty if none did
}

// Executing is a domain that finds RS by running the document. Until it is
// given both, its scores have a Fault; Strict and all else need neither.
type Executing interface {
	Domain
	WithPrograms(Programs) Domain
	// WithScaffold sets what an environment has in addition to its documents, such as their tests.
	WithScaffold(vfs.Files) Domain
}

// ErrNoPrograms is the Fault of a score that needs what runs programs, and the error of an oracle that does.
var ErrNoPrograms = errors.New("a program has to be run, for which there is no sandbox here")
